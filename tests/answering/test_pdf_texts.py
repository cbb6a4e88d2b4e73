"""The text of a PDF has no blank lines around its headings: its extraction knows which lines they are."""

import pytest

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import units
from biblicus.models.extraction import Head
from biblicus.text import headings

PAGE = """Moorings
What holds a boat is told here, and how it is done by
day and by night.
4.11. Chains
4.11.1. Purpose
A chain lies on the ground. In 4.11 metres of water
it is heavy enough.
4.12 Ropes for boats of whatever length, as they have been
made in this harbour. All float.
Anchors ......................................... 17
Buoys . . . . . . . . . . . . . . . . . . . . . . . 18
"""


HEADS = [Head(PAGE.index(title), 1) for title in ("Moorings", "4.11. Chains", "4.11.1. Purpose")]


def told(*heads: Head) -> dict[str, Kind]:
    return {unit.reads: unit.kind for unit in units(PAGE, media_type=headings.PDF, heads=heads)}


def test_headings_are_apart_from_what_they_head():
    read = told(*HEADS)
    labels = [reads for reads, kind in read.items() if kind is Kind.LABEL]
    assert labels == ["Moorings", "4.11. Chains", "4.11.1. Purpose"]
    assert read["A chain lies on the ground."] is Kind.PROSE
    assert read["In 4.11 metres of water it is heavy enough."] is Kind.PROSE


def test_a_line_that_is_no_heading_goes_on():
    read = told(*HEADS)
    assert read["4.12 Ropes for boats of whatever length, as they have been made in this harbour."] is Kind.PROSE


def test_a_heading_may_take_several_lines():
    first, *_ = HEADS
    assert told(first._replace(lines=2))["Moorings What holds a boat is told here, and how it is done by"] is Kind.LABEL


@pytest.mark.parametrize("media_type", [headings.PDF, "text/plain", "text/markdown"])
def test_what_leads_to_the_number_of_a_page_says_nothing(media_type: str):
    saying = [unit.reads for unit in units(PAGE, media_type=media_type, heading="Moorings") if unit.says]
    assert not any("17" in reads or "18" in reads for reads in saying)
