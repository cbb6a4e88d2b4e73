"""The headings of an extraction as its chunks keep them."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus import Corpus
from biblicus.models.extraction import ENTRY, Extraction, Head, Heading, Span
from biblicus.models.locator import Spot, kept_beside
from biblicus.runs.cutting import chunk_rows, heads


@pytest.mark.parametrize(
    ("text", "headings", "known"),
    [
        ("Ropes\n\nThey float.\n", [Heading(0, 1, "Ropes")], [Head(0, 1)]),
        ("haul [boat]\nhaul!\n\nIt moves.", [Heading(0, ENTRY, "haul [boat] – haul!")], [Head(0, ENTRY, 2)]),
        ("rest()\n\nIt rests.", [Heading(0, ENTRY, "Winch.rest")], [Head(0, ENTRY)]),
        ("ebb Lets the mud dry.", [Heading(0, ENTRY, "ebb")], [Head(0, ENTRY, 0, "ebb")]),
        (
            "Ropes\nveer\nIt runs out.\nAll of them float.",
            [Heading(0, 1, "Ropes"), Heading(6, ENTRY, "veer"), Heading(24, 1, "Ropes")],
            [Head(0, 1), Head(6, ENTRY), Head(24, 1, 0, "Ropes")],
        ),
        (
            "Ropes\nOn the quay\nUses\nOn the quay\nUses\n",
            [Heading(0, 1, "Ropes"), Heading(18, 2, "Uses"), Heading(35, 2, "Uses")],
            [Head(0, 1), Head(18, 2), Head(35, 2)],
        ),
        ("Ropes\n\nA note.", [Heading(0, 1, "Ropes"), Heading(7, 1, "")], [Head(0, 1), Head(7, 1, 0)]),
        ("*\n--\n\nAll of it.", [Heading(0, ENTRY, "* – --")], [Head(0, ENTRY, 2)]),
        ("speed : integer\n\nOf it.", [Heading(0, ENTRY, "speed")], [Head(0, ENTRY)]),
        ("class Winch()\n\nIt hauls.", [Heading(0, ENTRY, "Winch")], [Head(0, ENTRY)]),
        ("SPEED\n\nOf it.", [Heading(0, ENTRY, "winch::SPEED")], [Head(0, ENTRY)]),
        ("7.3 How is it\nhauled?\n\nBy hand.", [Heading(0, 2, "How is it hauled?")], [Head(0, 2, 2)]),
        (
            "Lamps\n1.1 Care\nWash it.\nWinches\n2.1 Care\nGrease it.",
            [Heading(0, 1, "Lamps"), Heading(6, 2, "Care"), Heading(24, 1, "Winches"), Heading(32, 2, "Care")],
            [Head(0, 1), Head(6, 2), Head(24, 1), Head(32, 2)],
        ),
    ],
)
def test_what_stands_where_a_heading_is(text: str, headings: list[Heading], known: list[Head]):
    assert heads(Extraction(text, headings=tuple(headings))) == known


def test_headings_without_words_are_gone_through_once():
    looked_at: list[object] = []

    class Counted(tuple[Heading, ...]):
        def __getitem__(self, place: Any) -> Any:
            looked_at.append(place)
            return super().__getitem__(place)

    headings = Counted((Heading(0, 1, "Ropes"), *(Heading(6 + 3 * at, 2, "") for at in range(300))))
    known = heads(Extraction("Ropes\n" + "a.\n" * 300, headings=headings))
    assert known[1:] == [Head(6 + 3 * at, 2, 0, "Ropes") for at in range(300)]
    assert len(looked_at) <= len(headings)


def test_what_entries_stand_in_is_looked_for_once():
    looked_at = [0]

    class Counted(tuple[Heading, ...]):
        def __getitem__(self, place: Any) -> Any:
            part = super().__getitem__(place)
            looked_at[0] += len(part) if isinstance(place, slice) else 1
            return part

    names = [f"veer{at:04}" for at in range(500)]
    headings = Counted((Heading(0, 2, "Ropes"), *(Heading(6 + 9 * at, ENTRY, name) for at, name in enumerate(names))))
    spans = [Span(6 + 9 * at, 14 + 9 * at) for at in range(500)]
    rows, *_ = chunk_rows(Extraction("\n".join(("Ropes", *names)), headings=headings), spans, 0, 0)
    assert {row.spots for row in rows} == {'["Ropes"]'}
    assert looked_at[0] < 10 * len(headings)


@pytest.mark.parametrize(
    ("title", "level", "line"),
    [
        ("Chapter 2 - Machines", 1, "The winch is greased with tallow every Friday"),
        ("Ropes", 1, "Ropes made of hemp are kept dry in a loft"),
        ("Ropes", 1, "Ropes (of hemp) are kept dry in a loft"),
        ("Ropes", 1, "Ropewalks"),
        ("Ropes", 1, "Kept dry in a loft are ropes"),
        ("Ropes", 1, "Ropes: two hundred"),
        ("Ropes", 1, f"Ropes{' ' * 1_000}of hemp"),
        ("Winch.rest", ENTRY, "It rests there"),
        ("Ropes", 1, "Kept are\nropes"),
    ],
)
def test_a_line_that_says_more_or_other_words_is_no_heading(title: str, level: int, line: str):
    text = f"{line}\nabove the office."
    assert heads(Extraction(text, headings=(Heading(0, level, title),))) == [Head(0, level, 0, title)]


def test_of_a_long_line_no_more_is_read_than_tells_that_it_is_no_heading():
    read = []

    class Watched(str):
        def __getitem__(self, part):
            read.append(len(super().__getitem__(part)))
            return super().__getitem__(part)

    text = Watched("Rope float " * 2_000)
    known = heads(Extraction(text, headings=tuple(Heading(11 * at, 2, "Rope") for at in range(2_000))))
    assert {head.lines for head in known} == {0}
    assert max(read) < 500
    assert len(read) < 2_010


def test_a_spot_is_longer_than_any_heading():
    assert len(Spot(0, "page")) == len(Spot._fields) > len(Head._fields)


def test_a_chunk_keeps_those_within_it_beside_its_spots():
    text = "Ropes\nThey float.\nKnots\nThey hold."
    spots, known = (Spot(0, "slide", start="1"), Spot(18, "slide", start="2")), [Head(0, 1), Head(18, 2, 0, "Ropes")]
    rows, *_ = chunk_rows(Extraction(text, spots=spots), [Span(0, 17), Span(18, 34)], 0, 0, known)
    assert [json.loads(row.spots or "") for row in rows] == [
        [[0, "slide", "", "1", ""], [0, 1]],
        [[18, "slide", "", "2", ""], [0, 2, 0, "Ropes"]],
    ]
    (bare, *_), *_ = chunk_rows(Extraction(text), [Span(0, 17)], 0, 0)
    assert bare.spots is None


def test_a_text_that_its_budget_cuts_has_the_headings_within_it(tmp_path: Path):
    parts = "".join(f"<h2>Winch {at}</h2><p>It hauls the boats.</p>" for at in range(20))
    (tmp_path / "winches.html").write_text(f"<h1>Winches</h1>{parts}")
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
        (piece,) = corpus.query("winch boats", max_tokens=40).evidence
    shown = [piece.text[head.offset - piece.span_start :].split("\n")[0] for head in piece.heads]
    assert shown == [line for line in piece.text.split("\n") if line.startswith("Winch")]
    assert 1 < len(shown) < 20


@given(st.lists(st.one_of(st.text(), st.tuples(st.integers(0, 10_000), st.text()))))
def test_names_of_headings_are_kept_as_they_are(more):
    kept = kept_beside(0, (), (), more)
    assert json.loads(kept or "[]") == [part if isinstance(part, str) else [*part] for part in more]
