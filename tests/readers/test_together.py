"""A team's corpus: mail, issues, a wiki, a library of Zotero and a folder, each with its readers. What two people are
shown on each surface, and that nothing of what was deleted at its source is served after the next sync."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.models.sources.readers import Reader
from biblicus.sources import web
from tests.bring import exports
from tests.listening import listening
from tests.readers.test_surfaces import _at_the_command_line, _by_an_agent, _on_the_page
from tests.sources.conformance.forge import Forge, Project, github
from tests.sources.zotero import Zotero

MAIL = "From ada Mon May  4 10:00:00 2026\nFrom: {0}@example.org\nSubject: {1}\nMessage-ID: <{1}@x>\n\n{2}\n\n"
ACCESS = """paths:
  imports/mail: [grace]
  imports/library: ["group:lab"]
  imports/wiki/Mooring_1.html: [ada]
groups: {lab: [ada]}
"""
ADA, GRACE = Reader("ada", ("lab",)), Reader("grace")
OPEN = ["imports/tracker/issues/7.md", "imports/wiki/Harbour_2.html", "imports/shared/quay.md"]
ONLY_ADA = [
    "imports/library/ENTRY001/entry.md",
    "imports/library/ENTRY001/NOTE0001.html",
    "imports/wiki/Mooring_1.html",
]
ONLY_GRACE = ["imports/mail/crew.mbox"]
COPIES = ("mail/crew.mbox", "wiki/Mooring_1.html", "wiki/Harbour_2.html", "shared/quay.md")


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Project, Zotero]]:
    tracker = Project()
    tracker.threads[7] = github(7, "Gulls drift", "Gulls drift at ebb.", "2026-05-02T10:00:00Z")
    tracker.threads[8] = github(8, "Nothing", "Nothing else.", "2026-05-02T10:00:00Z")
    monkeypatch.setattr(web.Visitor, "_sleep", lambda visitor, url, seconds: None)
    monkeypatch.setenv("BIBLICUS_ACCOUNTS", '{"work": {"host": "127.0.0.1", "secret": "ebb"}}')
    zotero = Zotero(tmp_path / "Zotero")
    entry = zotero.entry("ENTRY001", ("Ada Byron",), title="On gulls", abstractNote="Gulls sleep at noon.")
    zotero.note("NOTE0001", entry, "<p>Ask about gulls.</p>", "Ask")
    for folder in ("mail", "wiki", "shared"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "left.md").write_text("Nothing else.")
    (tmp_path / "mail/crew.mbox").write_text(MAIL.format("grace", "Pay", "Gulls are paid at noon."))
    (tmp_path / "wiki/Mooring_1.html").write_text(exports.confluence_page("Mooring", "<p>Gulls moor at ebb.</p>"))
    (tmp_path / "wiki/Harbour_2.html").write_text(exports.confluence_page("Harbour", "<p>Gulls are harbour birds.</p>"))
    (tmp_path / "shared/quay.md").write_text("Gulls like the quay.")
    with listening(type("Bound", (Forge,), {"project": tracker})) as url, Corpus.init(tmp_path / "corpus") as corpus:
        (corpus.path / ".biblicus/access.yml").write_text(ACCESS)
        for folder in ("mail", "wiki", "shared"):
            corpus.add_source(str(tmp_path / folder), name=folder, allow_local=True)
        corpus.add_source(str(zotero.folder), name="library", allow_local=True)
        place, options = "https://github.com/harbour/pilot", {"api": url}
        corpus.add_source(place, name="tracker", kind="issues", account="work", options=options, allow_private=True)
        corpus.sync()
        corpus.reindex()
        yield corpus.path, tracker, zotero


SURFACES = {"page": _on_the_page, "command line": _at_the_command_line, "agent": _by_an_agent}


def shown(corpus: Path, reader: Reader, surface: str) -> set[str]:
    """Return the paths that a surface shows to a reader who asks about gulls."""
    with ExitStack() as stack:
        ask = SURFACES[surface](corpus, reader, stack)
        replies = json.dumps(
            [ask(words) for words in ("gulls", "gulls moor at ebb", "gulls paid at noon")], default=str
        )
    return {path for path in (*OPEN, *ONLY_ADA, *ONLY_GRACE) if path in replies}


@pytest.mark.parametrize("surface", SURFACES)
def test_each_sees_only_theirs_and_nothing_that_is_deleted(team: tuple[Path, Project, Zotero], surface: str) -> None:
    path, tracker, zotero = team
    assert shown(path, ADA, surface) == {*OPEN, *ONLY_ADA}
    assert shown(path, GRACE, surface) == {*OPEN, *ONLY_GRACE}
    del tracker.threads[7]
    zotero.trash(zotero.entry("ENTRY001"))
    for name in COPIES:
        (path.parent / name).unlink()
    with Corpus.open(path) as corpus:
        assert sum(len(source.removed) for source in corpus.sync().sources) == 7
        left = {item.path.removeprefix("imports/") for item in corpus.list()}
        assert left == {"mail/left.md", "shared/left.md", "tracker/issues/8.md", "wiki/left.md"}
    for reader in (ADA, GRACE):
        assert shown(path, reader, surface) == set()
