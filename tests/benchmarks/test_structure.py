"""Questions that are made from a folder's own structure have the places that the structure says."""

from pathlib import Path

from benchmarks import structure
from benchmarks.structure import Asked
from biblicus import Corpus
from tests.folders import write

GLOSSARY = """<title>2.1. Terms of tides</title><dl>
<dt>Ebb (tides)</dt><dd><p>The tide as it goes out of a harbour. It comes back.</p></dd>
<dt>Flood</dt><dd>Short.</dd></dl>"""
TOOLS = """<title>Tools at hand — Harbour 3</title><dl>
<dt>tools.winch(rope)¶</dt><dd><p>Pull a rope until it is tight.</p></dd></dl>
<p>See <a href="glossary.html#ebb">how tides go out</a>, <a href="glossary.html">Tides</a> and
<a href="http://x">a b</a>.</p>"""

OPTIONS = """.. option:: --anchor DEPTH

   :type: metres

   How deep the ``anchor``
   is let down. In chains.
"""


LISTS = {
    "winch.adoc": "`--hold-on`::\n  Holds the rope, see <<x,the\n  rope>>, until it is told. It hums.\n",
    "winch.org": "- ~--tie-up~ :: Ties the rope to [[x][a bollard]] until it is told.\n",
}


def test_lists_of_terms_become_questions(tmp_path: Path) -> None:
    write(tmp_path, LISTS)
    assert structure.entries(tmp_path)["names"] == [
        Asked("what does --hold-on do", "winch.adoc", "Holds the rope, see the rope, until it is told."),
        Asked("what does --tie-up do", "winch.org", "Ties the rope to a bollard until it is told."),
    ]


def test_entries_links_and_titles_become_questions(tmp_path: Path) -> None:
    (tmp_path / "glossary.html").write_text(GLOSSARY, "utf-8")
    (tmp_path / "tools.html").write_text(TOOLS, "utf-8")
    (tmp_path / "options.rst").write_text(OPTIONS, "utf-8")
    assert structure.entries(tmp_path) == {
        "terms": [Asked("What is an ebb?", "glossary.html", "The tide as it goes out of a harbour.")],
        "names": [
            Asked("what does --anchor do", "options.rst", "How deep the anchor is let down."),
            Asked("what does tools.winch do", "tools.html", "Pull a rope until it is tight."),
        ],
        "wordings": [
            Asked("--anchor", "options.rst", "How deep the anchor is let down."),
            Asked("how does tools.winch work", "tools.html", "Pull a rope until it is tight."),
        ],
    }
    assert structure.links(tmp_path) == {
        "links": [Asked("how tides go out", "glossary.html")],
        "titles": [Asked("terms of tides", "glossary.html"), Asked("tools at hand", "tools.html")],
    }
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex("lexical")
        (_, entry) = structure.entries(tmp_path)["names"]
        line = structure.measure(corpus, [entry, Asked("moon", "tools.html", "Nothing of the kind.")], verbose=False)
        assert line == ("2 questions: page first 1, in three 1; sentence quoted 1, leading 1, wrong at 0.6 or more 0")
        titles = structure.links(tmp_path)["titles"]
        assert structure.measure(corpus, titles, verbose=False) == "2 questions: page first 2, in three 2"


def test_items_are_asked_for_by_title_file_and_number(tmp_path: Path) -> None:
    for name in ("bylaw-0007.md", "fees.md", "old/fees.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# Of {name.partition('.')[0]}\n\nPay at noon.\n", "utf-8")
    (tmp_path / "lamp.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
        assert structure.items(corpus) == {
            "items": [
                Asked("Of bylaw-0007", "bylaw-0007.md"),
                Asked("Of fees", "fees.md"),
                Asked("Of old/fees", "old/fees.md"),
            ],
            "files": [Asked("bylaw-0007.md", "bylaw-0007.md")],
            "numbers": [Asked("bylaw 7", "bylaw-0007.md")],
            "heads": [],
        }
