"""A sync that dies at any step, or meets a full disk: the old state or the new one, and the next sync ends it."""

import os
import pkgutil
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError
from tests.sampling import crossed
from tests.sources.repositories import Repository, repository

LONG = b"".join(b"Line %d of a long text.\n" % number for number in range(40))
BEFORE = {"a.md": b"one", "b.md": b"two", "gone.md": b"three", "old.md": LONG}
AFTER = {"a.md": b"one", "b.md": b"two, changed", "new.md": b"four", "moved.md": LONG + b"One more.\n"}


class Died(BaseException):
    """The process is gone: nothing catches this."""


def upstream(tmp_path: Path, corpus: Corpus) -> Repository:
    """A corpus that was synced, and a repository that went on since."""
    repo = repository(tmp_path / "up.git", BEFORE)
    corpus.add_source(str(repo.path), name="x", allow_local=True)
    corpus.sync()
    repo.files(AFTER)
    return repo


def state(corpus: Corpus) -> dict[str, tuple[str, str, str | None]]:
    return {item.path: (item.item_id, item.sha256, item.source.ref) for item in corpus.list()}


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, str]]:
    """What it comes to where nothing dies."""
    place = tmp_path_factory.mktemp("whole")
    with Corpus.init(place / "corpus") as other:
        upstream(place, other)
        other.sync()
        return {path: found[:2] for path, found in state(other).items()}


STEPS: dict[str, tuple[str, int]] = {
    "before anything is in place": ("biblicus.bring.apply.files.sync_tree", 1),
    "after no file": ("os.replace", 1),
    "after one file": ("os.replace", 2),
    "after all files but one": ("os.replace", 3),
    "before what is gone is deleted": ("biblicus.disk.system.unlink", 1),
    "in the midst of that": ("biblicus.disk.system.unlink", 2),
    "before the registry": ("biblicus.bring.sync.stored.write_registry", 1),
    "before the refresh": ("biblicus.bring.sync.refresh", 1),
}


@pytest.mark.parametrize(("step", "refreshed"), crossed(STEPS, [False, True]))
def test_a_sync_that_died_is_ended_by_the_next(
    tmp_path: Path,
    corpus: Corpus,
    wanted: dict[str, tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    refreshed: bool,
) -> None:
    repo = upstream(tmp_path, corpus)
    name, at = STEPS[step]
    real, calls = pkgutil.resolve_name(name), [0]

    def dies(*words: Any, **options: Any) -> Any:
        calls[0] += ".biblicus" not in str(words[-1]) or name != "os.replace"
        if calls[0] >= at:
            raise Died
        return real(*words, **options)

    with monkeypatch.context() as patch:
        patch.setattr(name, dies)
        with pytest.raises(Died):
            corpus.sync()
    if refreshed:
        corpus.ingest()
    report = corpus.sync()
    assert report.sources[0].conflicts == []
    assert {path: found[:2] for path, found in state(corpus).items()} == wanted
    assert state(corpus)["imports/x/b.md"][2] == repo.commits[-1]
    assert corpus.check(sources=True).problems == []
    assert not list((corpus.path / ".biblicus/local/sources").glob("*.staged"))


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    upstream(tmp_path, corpus)
    before = state(corpus)

    def full(*words: Any, **options: Any) -> Any:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(BiblicusError, match="no space left on device"):
            corpus.sync()
    assert state(corpus) == before
    assert corpus.sync().sources[0].outcome == "synced"


def test_what_is_gone_goes_once_it_may(tmp_path: Path, corpus: Corpus) -> None:
    upstream(tmp_path, corpus)
    kept = corpus.sync(delete=False).sources[0]
    assert [entry["path"] for entry in kept.kept] == ["imports/x/gone.md"]
    assert os.path.exists(corpus.path / "imports/x/gone.md")
    again = corpus.sync(delete=False).sources[0]
    assert again.removed == []
    assert [entry["path"] for entry in corpus.sync().sources[0].removed] == ["imports/x/gone.md"]
    assert not os.path.exists(corpus.path / "imports/x/gone.md")


def test_what_is_found_again_there_is_no_more_gone(tmp_path: Path, corpus: Corpus) -> None:
    repo = upstream(tmp_path, corpus)
    corpus.sync(delete=False)
    repo.files({**AFTER, "gone.md": b"three"})
    assert corpus.sync().sources[0].removed == []
    assert os.path.exists(corpus.path / "imports/x/gone.md")
