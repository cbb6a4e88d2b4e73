"""What an ingest that does not come to its end leaves behind: nothing that it brought in."""

from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.disk import files
from biblicus.errors import DuplicateItem, StorageFailed
from tests.folders import corpus as corpus


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text("The moon pulls tides.")
    return folder


def brought(corpus: Corpus) -> list[str]:
    return sorted(path.name for path in corpus.path.glob("imports/**/*"))


def test_a_duplicate_of_what_came_with_it_is_told_by_where_that_lies(corpus: Corpus, outside: Path) -> None:
    with pytest.raises(DuplicateItem) as caught:
        corpus.ingest(str(outside), on_duplicate="error")
    assert caught.value.message == f"{outside}/b.txt is a duplicate of {outside}/a.txt."
    assert brought(corpus) == []


@pytest.mark.parametrize("interrupted", range(1, 5))
def test_an_interruption_leaves_none_of_the_copies(
    corpus: Corpus, outside: Path, monkeypatch: pytest.MonkeyPatch, interrupted: int
) -> None:
    write, written = files.write, []

    def interrupt(path: Path, *arguments: object, **options: object) -> None:
        write(path, *arguments, **options)  # type: ignore[arg-type]
        written.append(path)
        if len(written) == interrupted:
            raise KeyboardInterrupt

    monkeypatch.setattr(files, "write", interrupt)
    with pytest.raises(KeyboardInterrupt):
        corpus.ingest(str(outside), on_duplicate="keep")
    assert brought(corpus) == []


def test_a_file_of_ones_own_that_came_in_between_stays(
    corpus: Corpus, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = files.write

    def own_first(path: Path, *arguments: object, **options: object) -> None:
        if path.name == "a.txt":
            path.write_text("My own.")
        write(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(files, "write", own_first)
    with pytest.raises(StorageFailed):
        corpus.ingest(str(outside / "a.txt"))
    assert (corpus.path / "imports" / "a.txt").read_text() == "My own."
    assert brought(corpus) == ["a.txt"]


def test_a_copy_that_was_brought_up_to_date_stays_so(corpus: Corpus, outside: Path) -> None:
    corpus.ingest(str(outside / "a.txt"))
    (outside / "a.txt").write_text("The sun pulls, too.")
    (outside / "c.txt").write_text("The moon pulls tides.")
    with pytest.raises(DuplicateItem):
        corpus.ingest(str(outside), on_duplicate="error")
    assert "sun" in (corpus.path / "imports" / "a.txt").read_text()
    assert brought(corpus) == ["a.txt", "a.txt.biblicus.yml"]
