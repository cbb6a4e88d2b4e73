"""Extractions cross between processes unchanged, and forged ones are refused."""

import json
from typing import Any

import pytest

from biblicus.extraction.workers import wire
from biblicus.models.extraction import Extraction, Heading, NoExtraction, Span
from biblicus.models.locator import Spot
from tests.sampling import each

_WHOLE = Extraction(
    "first\nsecond ü\n",
    (0, 6),
    (Heading(0, 1, "first"), Heading(6, 2, "x")),
    (Span(0, 3),),
    "T",
    "en",
    {"a": ["b"]},
    ("w",),
    (Spot(0, "slide", "", "1"), Spot(6, "sheet", "Q2", "A1", "B1")),
)


def crossed(found: Extraction | NoExtraction) -> Extraction | NoExtraction:
    header, body = wire.pack(found)
    return wire.unpack(json.loads(json.dumps(header)), body)


@pytest.mark.parametrize("found", [_WHOLE, Extraction("x"), NoExtraction("needs ocr", "page 1")])
def test_what_crosses_arrives_unchanged(found: Extraction | NoExtraction) -> None:
    assert crossed(found) == found


@each(
    "change",
    [
        {"pages": [0, 99]}, {"pages": [3]}, {"pages": [0, 0]}, {"pages": [0, True]}, {"pages": "x"}, {"pages": None},
        {"headings": [[0, 1]]}, {"headings": [["0", 1, "x"]]}, {"headings": [[0, 1, 5]]},
        {"headings": [[5, 1, "a"], [0, 1, "b"]]},
        {"masked": [[3, 1]]}, {"masked": [[-1, 2]]}, {"title": 5}, {"language": []}, {"metadata": []},
        {"warnings": [5]},
        {"spots": [[0]]}, {"spots": [[0, "moon", "", "", ""]]}, {"spots": [[99, "slide", "", "1", ""]]},
        {"spots": [[6, "slide", "", "2", ""], [0, "slide", "", "1", ""]]}, {"spots": [[0, "slide", 1, "", ""]]},
        {"spots": [[0, "slide", "x" * 1_001, "", ""]]}, {"spots": [[0, ["slide"], "", "", ""]]}, {"spots": None},
        {"status": "fine", "reason": ""}, {"status": ["failed"], "reason": ""}, {"status": "failed", "reason": None},
    ],
)  # fmt: skip
def test_forged_answers_are_refused(change: dict[str, Any]) -> None:
    header, body = wire.pack(_WHOLE)
    with pytest.raises(wire.WireRefused):
        wire.unpack({**header, **change}, body)


def test_a_forged_body_or_header_is_refused() -> None:
    header, _ = wire.pack(_WHOLE)
    for forged in ((header, b"\xff"), ({}, b"x")):
        with pytest.raises(wire.WireRefused):
            wire.unpack(*forged)
