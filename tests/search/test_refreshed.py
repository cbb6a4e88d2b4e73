"""What changed is indexed before a question, also where git brought the catalog."""

from pathlib import Path
from shutil import rmtree

import pytest

from biblicus import Corpus
from biblicus.errors import BiblicusError


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    """The catalog of a folder with one note, as it was before the note was changed and indexed: `git checkout`."""
    note, catalog = tmp_path / "note.md", tmp_path / ".biblicus" / "catalog.json"
    note.write_text("Gulls nest here.\n")
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
        before = catalog.read_bytes()
        note.write_text("Terns nest here.\n")
        corpus.reindex()
    catalog.write_bytes(before)
    return catalog


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("lost", ["none", "what was seen of the folder"])
def test_a_catalog_that_git_brought_is_taken_up(tmp_path: Path, lost: str) -> None:
    (tmp_path / "note.md").write_text("Petrels nest here.\n")
    if lost != "none":
        (tmp_path / ".biblicus" / "local" / "folder.json").unlink()
    with Corpus.open(tmp_path) as corpus:
        assert not corpus.query("petrels").evidence
        result = corpus.query("petrels", refresh=True)
        assert [piece.text for piece in result.evidence] == ["Petrels nest here."]
        assert result.notes == ()
        assert result.pending is not None
        assert result.pending.walked
        assert result.pending.count == 0


def test_more_than_is_quick_is_not_looked_at(tmp_path: Path, catalog: Path) -> None:
    before = catalog.read_bytes()
    for number in range(60):
        (tmp_path / f"{number}.md").write_text("Petrels nest here.\n")
    with Corpus.open(tmp_path) as corpus:
        result = corpus.query("nest", refresh=True)
    assert "more than are indexed before a question" in result.notes[0]
    assert catalog.read_bytes() == before


def test_nothing_is_described_for_a_run_that_cannot_answer(tmp_path: Path, catalog: Path) -> None:
    before = catalog.read_bytes()
    rmtree(tmp_path / ".biblicus" / "local")
    (tmp_path / "note.md").write_text("Petrels nest here.\n")
    with Corpus.open(tmp_path) as corpus, pytest.raises(BiblicusError):
        corpus.query("petrels", refresh=True)
    assert catalog.read_bytes() == before
