"""Places: what spots and locators say, what a label opens, and that generated documents are cited where they say it."""

import random
from pathlib import Path

import pytest

from benchmarks import generated
from biblicus import Corpus
from biblicus.chunking.boundaries import regions
from biblicus.models.extraction import Extraction
from biblicus.models.locator import Spot, borders, find, locator, time_code
from tests.sampling import each

_SHEET = tuple(Spot(10 * row, "sheet", "Q 2", f"B{row}", f"{'E' if row == 3 else 'D'}{row}") for row in range(1, 6))
_TABLE = (*(Spot(10 * at, "table", "page 3, table 1", f"A{at + 1}", f"C{at + 1}") for at in range(3)), Spot(30, "page"))
_TALK = tuple(Spot(10 * at, "time", "", time_code(60 * at), time_code(60 * at + 50)) for at in range(70))
_PATHS = {0: "A", 4: "A › B", 9: "A › C", 12: "D", 15: "D › B", 20: "D › B › E"}
_RULES = (*(Spot(offset, "heading", path) for offset, path in _PATHS.items()), Spot(40, "region", "Footnotes"))


@pytest.mark.parametrize(
    ("spots", "span", "label", "first", "last"),
    [
        (_SHEET, (10, 20), "'Q 2'!B1:D1", "B1", "D1"),
        (_SHEET, (25, 45), "'Q 2'!B2:E4", "B2", "E4"),
        (_TALK, (0, 10), "00:00-00:50", "00:00", "00:50"),
        (_TALK, (585, 615), "58:00-1:01:50", "58:00", "1:01:50"),
        ((Spot(0, "slide", "", "1"), Spot(9, "slide", "", "2")), (9, 12), "slide 2", "2", "2"),
        ((Spot(0, "chapter", "Of tides", "1"),), (3, 4), "chapter 1: Of tides", "1", "1"),
        ((Spot(0, "heading", "A › B"),), (3, 4), "A › B", "A › B", "A › B"),
        ((Spot(0, "sheet", "Q2"),), (3, 4), "Q2", "", ""),
        ((Spot(50, "heading", "A"),), (3, 4), "lines 7-8", "7", "8"),
        ((), (3, 4), "lines 7-8", "7", "8"),
        (_TABLE, (10, 20), "page 3, table 1, A2:C2", "A2", "C2"),
        (_TABLE, (0, 25), "page 3, table 1, A1:C3", "A1", "C3"),
    ],
)
def test_a_span_has_the_locator_of_what_it_touches(
    spots: tuple[Spot, ...], span: tuple[int, int], label: str, first: str, last: str
) -> None:
    where = locator(spots, None, span, (7, 8))
    assert (where.label, where.first, where.last) == (label, first, last)


@pytest.mark.parametrize("span", [(20, 40), (35, 40)])
def test_what_is_not_all_in_one_table_stands_on_its_page(span: tuple[int, int]) -> None:
    assert locator(_TABLE, 3, span, (7, 8)).label == "page 3"


@each(
    ("spots", "label", "span"),
    [
        (_SHEET, "'Q 2'!B2:E3", (20, 40)),
        (_SHEET, "Q 2!$b$2:a2", (20, 30)),
        (_SHEET, "'Q 2'", (10, 99)),
        (_SHEET, "Q2", None),
        (_SHEET, "'Q 2'!B9:E12", None),
        (_TABLE, "page 3, table 1, B2", (10, 20)),
        (_TABLE, "page 3, table 1, A2:B3", (10, 30)),
        (_TABLE, "page 3, table 1", (0, 30)),
        (_TABLE, "page 3, table 2", None),
        (_TALK, "01:00-01:50", (10, 20)),
        (_TALK, "1:00:00", (600, 610)),
        (_TALK, "00:55-01:10", (10, 20)),
        (_TALK, "9:00:00", None),
        ((Spot(0, "slide", "", "1"), Spot(9, "slide", "", "2")), "Slide 2", (9, 99)),
        ((Spot(0, "chapter", "Of tides", "1"), Spot(9, "chapter", "", "2")), "Of tides", (0, 9)),
        ((Spot(0, "chapter", "Of tides", "1"), Spot(9, "chapter", "", "2")), "chapter 1", (0, 9)),
        ((Spot(0, "heading", "A › B"), Spot(9, "heading", "A › C")), "A › C", (9, 99)),
        (_RULES, "A", (0, 12)),
        (_RULES, "A › B", (4, 9)),
        (_RULES, "A › C", (9, 12)),
        (_RULES, "D", (12, 40)),
        (_RULES, "D › B", (15, 40)),
        ((), "slide 1", None),
    ],
)
def test_a_label_opens_its_place(spots: tuple[Spot, ...], label: str, span: tuple[int, int] | None) -> None:
    assert find(spots, label, 99) == span


def test_chunks_stay_in_their_slide_and_sheet_and_not_in_their_minute_or_row() -> None:
    spots = (Spot(0, "slide", "", "1"), Spot(4, "slide", "", "2"), *_SHEET, Spot(60, "time"), Spot(70, "time"))
    assert borders(spots) == [0, 4, 10, 60]
    text = Extraction("x" * 80, spots=spots)
    assert [tuple(region) for region in regions(text, cross_pages=False)] == [(0, 4), (4, 10), (10, 60), (60, 80)]
    assert [tuple(region) for region in regions(text, cross_pages=True)] == [(0, 80)]


def test_generated_documents_are_cited_where_they_say_it(tmp_path: Path) -> None:
    wanted = list(generated.write(tmp_path, 1, random.Random(5)))
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
        wrong = [
            sentence
            for sentence in wanted[:: max(1, len(wanted) // 60)]
            if not generated.stands_right(corpus, sentence)
        ]
    assert len(wanted) >= 100
    assert wrong == []
