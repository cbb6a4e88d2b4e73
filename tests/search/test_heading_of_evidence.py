"""Evidence has the heading above the words that answer, whatever kind of file it is from."""

from pathlib import Path

import pytest

from biblicus import Corpus

_FILLER = "Rope and tar and oakum are kept in the loft behind the bakery, and the cat sleeps there. "
FILES = {
    "rules.md": "# Rules\n\nAll of them.\n\n## Summer\n\nVisitors pay in advance.\n\n## Winter\n\nA walrus may stay.\n",
    "rules.rst": "Rules\n=====\n\nAll.\n\nSummer\n------\n\nVisitors pay.\n\nWinter\n------\n\nA walrus may stay.\n",
    "rules.txt": "1. Summer\n\nVisitors pay in advance.\n\n2. Winter\n\nA walrus may stay.\n",
    "rules.html": "<h1>Rules</h1><p>All.</p><h2>Summer</h2><p>They pay.</p><h2>Winter</h2><p>A walrus may stay.</p>",
    "rules.org": "* Summer\n\nVisitors pay in advance.\n\n* Winter\n\nA walrus may stay.\n",
    "rules.adoc": "= Rules\n\n== Summer\n\nVisitors pay in advance.\n\n== Winter\n\nA walrus may stay.\n",
}
"""Two sections that are one chunk; the second one has the walrus."""


def first(folder: Path, question: str):
    with Corpus.init(folder) as corpus:
        corpus.reindex()
        return corpus.query(question).evidence[0]


@pytest.mark.parametrize("name", FILES)
def test_it_is_the_one_above_the_words_that_answer(tmp_path: Path, name: str):
    (tmp_path / name).write_text(FILES[name])
    piece = first(tmp_path, "May a walrus stay?")
    assert "walrus" in piece.snippet
    assert "ummer" in piece.text, "one chunk"
    assert (piece.heading or "").lower().endswith("winter")


@pytest.mark.parametrize(
    ("question", "heading"),
    [("Who pays in advance?", "Summer"), ("walrus", "Winter"), ("oakum", "Winter"), ("Rules", "Rules")],
)
def test_it_is_above_what_the_snippet_shows(tmp_path: Path, question: str, heading: str):
    (tmp_path / "rules.md").write_text(FILES["rules.md"] + _FILLER * 6)
    assert first(tmp_path, question).heading == heading
