"""The benchmark `reader`: its questions, its gold answers and its counts."""

import pytest

from benchmarks import reader
from biblicus.connectors.python import Corpus


def test_every_fact_is_asked_as_its_text_has_it_and_in_other_words():
    rows = reader.handwritten()
    facts = [row for row in rows if row[1]]
    assert len(facts) >= 30
    assert {folder for folder, *_ in rows} == set(reader.FOLDERS)
    assert all(said and twin and said != twin for _, _, said, twin in facts)
    assert len({twin for *_, twin in rows}) == len(rows)
    assert len(rows) - len(facts) >= 12


@pytest.mark.parametrize(
    ("text", "gold", "found"),
    [
        ("A *mooring* is a [fixed place](a.md).", "A mooring is a fixed place", True),
        ("It was built in 1842.", "1", False),
        ("It was built in 1842.", "1842", True),
        ("It was built in 1842.", "", False),
        ("他出生于1842年。", "出生", True),
        ("他出生于1842年。", "1842年", True),
        (f"A mooring is {'very ' * 20}fixed.", f"{'very ' * 20}loose", True),
    ],
)  # fmt: skip
def test_a_gold_answer_is_told_by_its_first_letters(text, gold, found):
    assert reader.holds(text, [gold]) is found


def test_an_answer_counts_as_answered_only_where_it_is_sufficient(tmp_path, monkeypatch):
    with Corpus.init(tmp_path) as corpus:
        (tmp_path / "mooring.md").write_text("# Mooring\n\nA mooring is a fixed place for a vessel.\n")
        corpus.reindex("lexical")
        asked = reader.Asked("What is a mooring?", ["a fixed place for a vessel"])
        assert reader.outcome(corpus, asked, "lexical")[:3] == (True, True, True)
        assert reader.outcome(corpus, reader.Asked("Who baked the bread?", []), "lexical").shown is False


def test_definitions_are_of_pages_that_define_their_title_and_no_fit_has_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "_half", lambda term: int(term == "mooring"))
    for name in ("Mooring", "Anchor"):
        (tmp_path / f"{name}.md").write_text(f"# {name}s\n\nA {name.lower()} is a fixed place for a vessel at sea.\n")
    assert reader.defined(tmp_path) == [("mooring", "A mooring is a fixed place for a vessel at sea.")]


def test_doubt_counts_what_is_answered_without_its_paragraph(monkeypatch):
    right = reader.Outcome(True, True, True, 0.9)
    rows = reader._doubt("xquad-de, lexical", [right] * 10, [right, *[right._replace(confidence=0.1)] * 9])
    measured = {figure.name.split(",")[0]: figure.measured for figure in rows}
    assert measured["answered with the paragraph gone"] == pytest.approx(10)
    assert measured["gold quoted"] == 1
    assert measured["calibration error"] == pytest.approx(0.1)
