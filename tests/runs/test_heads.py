"""The headings of an extraction as its chunks keep them."""

from __future__ import annotations

import json

import pytest

from biblicus.models.extraction import ENTRY, Extraction, Head, Heading, Span
from biblicus.models.locator import Spot
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
    ],
)
def test_what_stands_where_a_heading_is(text: str, headings: list[Heading], known: list[Head]):
    assert heads(Extraction(text, headings=tuple(headings))) == known


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
