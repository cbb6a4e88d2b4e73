"""Exports of wikis: titles, metadata and links of pages, each page once."""

from __future__ import annotations

from pathlib import Path

import pytest

from biblicus import Corpus
from tests.bring import exports
from tests.folders import write


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus.init(tmp_path / "corpus")


def unpacked(corpus: Corpus, files: dict[str, str]) -> None:
    write(corpus.path, files)


@pytest.mark.parametrize("is_packed", [False, True])
def test_notion(corpus: Corpus, is_packed: bool) -> None:
    if is_packed:
        (corpus.path / "0f_Export.zip").write_bytes(exports.notion())
    else:
        unpacked(corpus, exports.NOTION)
    corpus.reindex()
    pages = {item.title: item for item in corpus.list() if not item.path.endswith(".zip")}
    assert pages.keys() == {"Handbook", "Mooring", "Crew.csv", "Ada"}
    assert pages["Crew.csv"].path.endswith("_all.csv")
    page = pages["Mooring"]
    assert page.tags == ("quay", "winter")
    assert page.metadata == {
        "status": "Done", "due": "2026-03-01", "seen": "2026-03-02", "url": "https://example.org/x",
    }  # fmt: skip
    assert corpus.query("lines at ebb", where={"status": "Done"}).evidence[0].title == "Mooring"
    assert corpus.query("retired grace").evidence[0].title == "Crew.csv"
    links = corpus.show(pages["Handbook"].path, links=True).links
    assert [link.item_id for link in links or ()] == [pages["Mooring"].item_id, pages["Crew.csv"].item_id]
    backlinks = corpus.show(pages["Mooring"].path, links=True).backlinks
    assert [link.path for link in backlinks or ()] == [pages["Handbook"].path]


def test_properties_of_notion_as_html(corpus: Corpus) -> None:
    unpacked(corpus, {f"Mooring {exports.IDS[1]}.html": exports.NOTION_HTML})
    corpus.reindex()
    (page,) = corpus.list()
    assert (page.title, page.tags, page.metadata) == (
        "Mooring",
        ("quay", "winter"),
        {"status": "Done", "due": "2026-03-01"},
    )


def test_confluence_as_html(corpus: Corpus) -> None:
    body = '<p>Use two lines. See <a href="Harbour_2057266878.html">the harbour</a>.</p>'
    files = {"Mooring_3575244931.html": exports.confluence_page("Mooring", body)}
    files["Harbour_2057266878.html"] = exports.confluence_page("Harbour", "<p>Deep at noon.</p>")
    unpacked(corpus, files)
    corpus.reindex()
    pages = {item.title: item for item in corpus.list()}
    assert pages.keys() == {"Mooring", "Harbour"}
    assert (pages["Mooring"].metadata["author"], pages["Mooring"].metadata["date"]) == ("Ada Byron", "2022-03-25")
    links = corpus.show(pages["Mooring"].path, links=True).links or ()
    assert pages["Harbour"].item_id in {link.item_id for link in links}
    text = corpus.get(pages["Mooring"].path).text
    assert "Use two lines" in text
    assert "generated" not in text


def test_confluence_as_xml(corpus: Corpus) -> None:
    (corpus.path / "Space-export.zip").write_bytes(exports.confluence_xml())
    corpus.reindex()
    pages = {item.path.rpartition("!/")[2]: item for item in corpus.list() if item.media_type == "text/html"}
    titles = ("Mooring", "The bar", "-NET at sea", "Wages", "Bonus", "Sackings", "Torn")
    assert pages.keys() == {f"{title}.html" for title in titles}
    readers = {name: page.metadata.get("readers") for name, page in pages.items()}
    assert readers.pop("Wages.html") == readers.pop("Bonus.html") == ["ada", "group:board"]
    assert readers.pop("Sackings.html") == []
    assert {*readers.values()} == {None}
    assert pages["Wages.html"].title == "Wages"
    tags = {name: page.tags for name, page in pages.items() if page.tags}
    assert tags == {"Mooring.html": ("quay", "winter"), "Wages.html": ("money",)}
    page = pages["Mooring.html"]
    assert (page.title, page.metadata["author"], page.metadata["date"]) == ("Mooring", "ada", "2025-01-02")
    assert [link.path for link in corpus.show(page.path, links=True).links or ()] == [pages["The bar.html"].path]
    text = corpus.get(page.path).text
    assert "Use two lines near The bar.\n\ntide --now < x\n\nada, 2023-04-12 19:16\n\nThree in winter." in text


def test_a_vault_of_obsidian(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    corpus = Corpus.init(tmp_path)
    note = (
        "---\naliases: [Quay works, HP-7]\ntags: [harbour/works]\nstatus: active\n---\nThe quay is rebuilt. ^intro\n\n"
        "See [[Ada Byron|the engineer]], ![[Tide table#High water]] and ![[crane.png|200]]. #planning\n\n"
        "> [!warning] Do not moor here\n> The bollard is loose.\n"
    )
    files = {"Plan.md": note, "people/Ada Byron.md": "Leads.\n", "Tide table.md": "## High water\n\nNoon.\n"}
    unpacked(corpus, files | {"2026-03-02.md": "Met [[Plan#^intro]] crew.\n", "crane.png": "no picture"})
    corpus.reindex()
    plan = next(item for item in corpus.list() if item.path == "Plan.md")
    assert plan.tags == ("harbour/works", "planning")
    assert plan.metadata["status"] == "active"
    shown = corpus.show("Plan.md", links=True)
    assert [link.path for link in shown.links or ()] == ["people/Ada Byron.md", "Tide table.md", "crane.png"]
    assert [link.path for link in shown.backlinks or ()] == ["2026-03-02.md"]
    for words in ("HP-7", "quay works", "bollard"):
        assert corpus.query(words).evidence[0].path == "Plan.md"
    assert next(item.title for item in corpus.list() if item.path == "2026-03-02.md").endswith("Met Plan crew.")


def test_an_archive_named_as_a_part_of_an_export_is_opened_once(corpus: Corpus) -> None:
    packed = exports.zipped({"a.txt": "The moon."})
    for number in range(4):
        packed = exports.zipped({"Export-d609fb9f-43a4-475d-ba88-1db3e9e6bcd2.zip": packed, f"{number}.txt": "Ebb."})
    (corpus.path / "all.zip").write_bytes(packed)
    corpus.reindex()
    assert {item.path.rpartition("/")[2] for item in corpus.list() if item.path.endswith(".txt")} == {"2.txt", "3.txt"}
