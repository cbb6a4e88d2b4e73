"""What is said when a removal is stopped half way."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.errors import StorageFailed


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    folder = tmp_path / "harbour"
    with Corpus.init(folder) as made:
        for name in ("lamp.md", "mole.md"):
            (folder / name).write_text(f"The {name}.")
        made.tag("lamp.md", "+light")
        yield made


def failing(patch: pytest.MonkeyPatch, call: str, ending: str) -> None:
    """A call on a file whose name ends so fails."""
    works = getattr(os, call)

    def fails(*paths: str | Path) -> Any:
        if str(paths[-1]).endswith(ending):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return works(*paths)

    patch.setattr(os, call, fails)


def as_of_yesterday(patch: pytest.MonkeyPatch) -> None:
    """No file counts as changed just before a refresh began."""
    for module in ("passes", "changes.known_folder"):
        patch.setattr(f"biblicus.corpus.{module}.is_calm", lambda stamp, started_ns: True)


def test_where_the_catalog_cannot_be_written_nothing_is_deleted(corpus: Corpus, monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        failing(patch, "replace", "catalog.json")
        with pytest.raises(StorageFailed, match="Nothing was changed") as failed:
            corpus.remove("lamp.md", delete_file=True)
    assert failed.value.hint == "free space or fix permissions, then the same command"
    assert [item.path for item in corpus.list()] == ["lamp.md", "mole.md"]
    assert (corpus.path / "lamp.md").exists()


@pytest.mark.parametrize(
    ("ending", "left", "then"),
    [
        ("/lamp.md", ["lamp.md", "lamp.md.biblicus.yml"], "biblicus remove lamp.md --delete-file"),
        ("/lamp.md.biblicus.yml", ["lamp.md.biblicus.yml"], "rm lamp.md.biblicus.yml"),
    ],
)
def test_what_could_not_be_deleted_is_named_with_the_command_that_does(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, ending: str, left: list[str], then: str
):
    with monkeypatch.context() as patch:
        failing(patch, "unlink", ending)
        with pytest.raises(StorageFailed, match=r"could not be deleted: .*\. What was done before stands: ") as failed:
            corpus.remove("lamp.md", "mole.md", delete_file=True)
    assert failed.value.hint == f"free space or fix permissions, then {then}"
    assert sorted(path.name for path in corpus.path.glob("*.*") if path.is_file()) == left
    corpus.ingest()
    assert [item.path for item in corpus.list()] == [name for name in left if name == "lamp.md"]


def test_what_could_not_be_deleted_is_an_item_again_though_nothing_in_its_folder_changed(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
):
    as_of_yesterday(monkeypatch)
    (corpus.path / "rules").mkdir()
    (corpus.path / "rules" / "berths.md").write_text("Berths are let by the week.")
    corpus.ingest()
    with monkeypatch.context() as patch:
        failing(patch, "unlink", "/berths.md")
        with pytest.raises(StorageFailed, match="could not be deleted"):
            corpus.remove("rules/berths.md", delete_file=True)
    assert [entry["path"] for entry in corpus.ingest().added] == ["rules/berths.md"]
