"""A library of Zotero becomes items with their metadata, also while Zotero runs, and what is deleted there is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.disk import files
from biblicus.errors import BiblicusError
from biblicus.models.item import Item
from biblicus.sources.connectors import zotero as connector
from tests.extraction.pdf_files import pdf
from tests.sources.zotero import Zotero


@pytest.fixture
def zotero(tmp_path: Path) -> Zotero:
    return Zotero(tmp_path / "Zotero")


def synced(corpus: Corpus, zotero: Zotero, **options: str) -> dict[str, Item]:
    """Return the items after a sync, by path."""
    if not corpus.sources():
        corpus.add_source(str(zotero.folder), name="up", options=options, allow_local=True)
    corpus.sync()
    return {item.path.removeprefix("imports/up/"): item for item in corpus.list()}


def filled(zotero: Zotero) -> tuple[int, int, int, int]:
    entry = zotero.entry("ENTRY001", ("Ada Byron", "Society of Pilots"), title="The tide", abstractNote="Ebb.")
    zotero.entry("ENTRY001", date="1866-03-00 March 1866", publicationTitle="Harbour Notes", DOI="10.5555/tides")
    zotero.tag(entry, "moon", "quay")
    zotero.collect(entry, "Thesis", "Chapter 1")
    note = zotero.note("NOTE0001", entry, "<div><h1>Plan</h1><p>Ask the <b>pilot</b>.</p></div>", "Plan")
    file = zotero.file("FILE0001", entry, "Byron 1866.pdf", pdf("Neap tides are weak."))
    annotation = zotero.annotate("ANNOT001", file, "Neap tides are weak.", "Compare with spring.", 4)
    return entry, note, file, annotation


def test_entries_notes_files_and_annotations_are_items(zotero: Zotero, corpus: Corpus) -> None:
    filled(zotero)
    zotero.entry("SHARED01", title="Shared pilots", library=2)
    items = synced(corpus, zotero)
    assert {path: (item.title, item.source.uri.partition("://")[2]) for path, item in items.items()} == {
        "ENTRY001/entry.md": ("The tide", "select/library/items/ENTRY001"),
        "ENTRY001/NOTE0001.html": ("Plan", "select/library/items/NOTE0001"),
        "ENTRY001/FILE0001/Byron 1866.pdf": ("The tide", "open-pdf/library/items/FILE0001"),
        "ENTRY001/FILE0001/ANNOT001.md": (
            "The tide, p. x4",
            "open-pdf/library/items/FILE0001?page=5&annotation=ANNOT001",
        ),
        "groups-77/SHARED01/entry.md": ("Shared pilots", "select/groups/77/items/SHARED01"),
    }
    for item in list(items.values())[:4]:
        assert item.tags == ("moon", "quay")
        assert item.metadata["author"] == ["Ada Byron", "Society of Pilots"]
        assert item.metadata["collection"] == ["Thesis/Chapter 1"]
        assert (item.metadata["date"], item.metadata["doi"]) == ("1866-03", "10.5555/tides")
    of_page = items["ENTRY001/FILE0001/ANNOT001.md"].metadata
    assert (of_page["page"], of_page["color"], of_page["file"]) == ("x4", "#ffd400", "Byron 1866.pdf")
    assert corpus.sync().sources[0].outcome == "unchanged"
    corpus.reindex()
    first = corpus.query("compare neap with spring", where={"collection": "Thesis/Chapter 1"}).evidence[0]
    assert first.citation_url == "zotero://open-pdf/library/items/FILE0001?page=5&annotation=ANNOT001"
    (of_pdf,) = corpus.query("neap tides", path=("**/*.pdf",)).evidence
    assert of_pdf.citation_url == "zotero://open-pdf/library/items/FILE0001?page=1"
    assert corpus.query("ask the pilot").evidence[0].path.endswith("NOTE0001.html")


def test_edits_and_deletions_are_followed(zotero: Zotero, corpus: Corpus) -> None:
    entry, note, file, _ = filled(zotero)
    zotero.entry("ENTRY002", title="Quays")
    before = synced(corpus, zotero)
    zotero.entry("ENTRY001", title="The tides", abstractNote="Flood.")
    zotero.tag(entry, "ebb")
    zotero.trash(note)
    items = synced(corpus, zotero)
    assert items.keys() == before.keys() - {"ENTRY001/NOTE0001.html"}
    assert {items[path].title for path in items if path != "ENTRY002/entry.md"} == {"The tides", "The tides, p. x4"}
    assert items["ENTRY001/entry.md"].item_id == before["ENTRY001/entry.md"].item_id
    assert items["ENTRY001/FILE0001/ANNOT001.md"].tags == ("ebb", "moon", "quay")
    zotero.trash(file)  # its annotations go with it
    assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md", "ENTRY002/entry.md"}
    zotero.trash(entry)
    zotero.trash(zotero.entry("ENTRY002"))
    assert synced(corpus, zotero) == {}


def test_stored_files_may_be_left_out_and_names_lead_nowhere(zotero: Zotero, corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    zotero.entry("ENTRY001", title="Quays")
    zotero.file("FILE0001", None, "a.md", b"stored")
    zotero.rows.execute("UPDATE itemAttachments SET path = 'storage:../../../secret.md'")
    zotero.rows.execute("INSERT INTO items VALUES (99, 0, 1, '../../..')")
    assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md"}
    zotero.rows.execute("UPDATE itemAttachments SET path = 'storage:a.md'")
    assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md", "FILE0001/FILE0001/a.md"}
    for key, target in (("FILE0002", tmp_path), ("FILE0003", None)):
        zotero.file(key, None, "secret.md", b"stored")
        (zotero.folder / "storage" / key / "secret.md").unlink()
        if target:
            (zotero.folder / "storage" / key).rmdir()
            (zotero.folder / "storage" / key).symlink_to(target)
        else:
            (zotero.folder / "storage" / key / "secret.md").symlink_to(tmp_path / "secret.md")
    zotero._insert("itemAttachments", zotero.item("FILE0004", "attachment"), None, "", f"storage:{300 * 'a'}")
    assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md", "FILE0001/FILE0001/a.md"}
    corpus.remove_source("up")
    assert synced(corpus, zotero, files="false").keys() == {"ENTRY001/entry.md"}


def test_linked_files_are_read_in_the_folder_that_is_named(zotero: Zotero, corpus: Corpus, tmp_path: Path) -> None:
    papers, key = tmp_path / "papers", iter(f"LINKED{number:02}" for number in range(9))
    (papers / "tides").mkdir(parents=True)
    (papers / "tides" / "neap.pdf").write_bytes(pdf("Neap tides are weak."))
    (tmp_path / "secret.md").write_text("secret")
    (papers / "away.md").symlink_to(tmp_path / "secret.md")
    entry = zotero.entry("ENTRY001", title="The tide")
    file = zotero.link(next(key), entry, "attachments:tides/neap.pdf")
    zotero.link(next(key), entry, str(papers / "tides" / "neap.pdf"))
    for elsewhere in (
        "attachments:../secret.md",
        str(tmp_path / "secret.md"),
        "attachments:away.md",
        "C:\\a.md",
        "a\0",
    ):
        zotero.link(next(key), entry, elsewhere)
    zotero.annotate("ANNOT001", file, "Neap tides are weak.", "", 4)
    without = {"ENTRY001/entry.md", "ENTRY001/LINKED00/ANNOT001.md"}
    items = synced(corpus, zotero)
    assert items.keys() == without
    assert items["ENTRY001/LINKED00/ANNOT001.md"].metadata["file"] == "neap.pdf"
    corpus.remove_source("up")
    files = {f"ENTRY001/LINKED0{number}/neap.pdf" for number in range(2)}
    assert synced(corpus, zotero, linked=str(papers)).keys() == without | files


def test_the_folder_of_linked_files_may_be_a_link(zotero: Zotero, corpus: Corpus, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "neap.pdf").write_bytes(pdf("Neap tides are weak."))
    (tmp_path / "papers").symlink_to(tmp_path / "disk")
    entry = zotero.entry("ENTRY001", title="The tide")
    zotero.link("LINKED00", entry, "attachments:neap.pdf")
    zotero.link("LINKED01", entry, str(tmp_path / "papers" / "neap.pdf"))
    items = synced(corpus, zotero, linked=str(tmp_path / "papers"))
    assert items.keys() == {"ENTRY001/entry.md", "ENTRY001/LINKED00/neap.pdf", "ENTRY001/LINKED01/neap.pdf"}


def test_without_the_folder_of_linked_files_their_items_stay(zotero: Zotero, corpus: Corpus, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "neap.pdf").write_bytes(pdf("Neap tides are weak."))
    zotero.link("LINKED00", zotero.entry("ENTRY001", title="The tide"), "attachments:neap.pdf")
    items = synced(corpus, zotero, linked=str(papers))
    papers.rename(tmp_path / "away")
    with pytest.raises(BiblicusError, match="there is no folder"):
        corpus.sync()
    assert {item.path.removeprefix("imports/up/") for item in corpus.list()} == items.keys()


@pytest.mark.parametrize("linked", ["", "papers"])
def test_the_folder_of_linked_files_is_absolute(
    linked: str, zotero: Zotero, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "papers").mkdir()
    zotero.entry("ENTRY001", title="The tide")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BiblicusError, match="there is no folder"):
        synced(corpus, zotero, linked=linked)


def test_another_folder_of_linked_files_is_shown_before_it_is_read(
    zotero: Zotero, corpus: Corpus, tmp_path: Path
) -> None:
    (tmp_path / "papers").mkdir()
    synced(corpus, zotero, linked=str(tmp_path / "papers"))
    entries = corpus.path / ".biblicus/sources.yml"
    entries.write_text(entries.read_text().replace(str(tmp_path / "papers"), "/etc"))
    with pytest.raises(BiblicusError, match=r"with linked=/etc\) is not trusted"):
        corpus.sync()
    assert [source.endswith("with linked=/etc)") for source in corpus.trust()["sources"]] == [True]
    with pytest.raises(BiblicusError, match=r"lies on this machine \(.*, with linked=/etc\)"):
        corpus.sync()


@pytest.mark.parametrize("kind", ["annotation", "note", "attachment"])
def test_items_without_a_row_of_their_kind_are_left_out(zotero: Zotero, corpus: Corpus, kind: str) -> None:
    filled(zotero)
    zotero.item("BROKEN01", kind)
    other = zotero.item("BROKEN02", kind)
    zotero._insert("itemNotes" if kind != "note" else "itemAttachments", other, None, "<p>Ebb.</p>", "storage:a")
    assert not any("BROKEN" in path for path in synced(corpus, zotero))


def test_a_journal_may_go_while_it_is_read(
    tmp_path: Path, corpus: Corpus, zotero: Zotero, monkeypatch: pytest.MonkeyPatch
) -> None:
    zotero.entry("ENTRY001", title="Quays")
    journal = zotero.folder / "zotero.sqlite-journal"
    journal.write_bytes(b"journal")
    read = files.read

    def read_later(path: Path, *, limit: int | None = None) -> bytes:
        if path == journal:
            journal.unlink()
        return read(path, limit=limit)

    monkeypatch.setattr(files, "read", read_later)
    monkeypatch.setattr(connector, "_PAUSE", 0)
    assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md"}


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
def test_what_zotero_committed_is_read_and_nothing_else(
    tmp_path: Path, corpus: Corpus, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    zotero = Zotero(tmp_path / "Zotero", mode)
    zotero.rows.execute("PRAGMA cache_size = 1")  # what is not committed reaches the files
    zotero.entry("ENTRY001", title="Quays")
    assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md"}
    zotero.rows.execute("BEGIN")
    for number in range(99):
        zotero.entry(f"OTHERS{number:02}", title=f"Other {number} " + 500 * "quay ")
    if mode == "WAL":
        assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md"}
    else:
        monkeypatch.setattr(connector, "_PAUSE", 0)
        with pytest.raises(BiblicusError, match="Zotero is writing"):
            synced(corpus, zotero)
    zotero.rows.execute("ROLLBACK")
    assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md"}
    zotero.entry("ENTRY002", title="Tides")
    assert synced(corpus, zotero).keys() == {"ENTRY001/entry.md", "ENTRY002/entry.md"}


@pytest.mark.parametrize("damage", ["DROP TABLE items", "DELETE FROM items", "bytes", "no file"])
def test_a_damaged_or_empty_library_deletes_nothing(tmp_path: Path, corpus: Corpus, damage: str) -> None:
    zotero = Zotero(tmp_path / "Zotero", "DELETE")
    filled(zotero)
    assert len(synced(corpus, zotero)) == 4
    path = zotero.folder / "zotero.sqlite"
    if damage == "bytes":
        path.write_bytes(path.read_bytes()[:5000] + b"\xff" * 5000 + path.read_bytes()[10_000:])
    elif damage == "no file":
        path.unlink()
    else:
        zotero.rows.execute(damage)
    with pytest.raises(BiblicusError):
        corpus.sync()
    assert len(corpus.list()) == 4
