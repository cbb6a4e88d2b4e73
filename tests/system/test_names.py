"""`check` names files that Windows cannot hold."""

from pathlib import Path

from biblicus import Corpus


def test_names_that_windows_cannot_hold_are_notes(tmp_path: Path):
    for name in ("aux.md", "a:b.md", "end.", "plain.md"):
        (tmp_path / name).write_text("Tides.\n", "utf-8")
    with Corpus.init(tmp_path) as corpus:
        corpus.ingest()
        notes = {note["path"] for note in corpus.check().notes}
    assert {"aux.md", "a:b.md"} <= notes
    assert "plain.md" not in notes
