"""Running heads, feet and numbers of pages are no part of what is ranked."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.extraction.pdf.lines import running


def told(page: int) -> str:
    """What a page tells, in lines that no other has."""
    return "\n".join(
        f"Boat {chr(97 + page)}{line} has a mast, a sail, a rope and an oar on it." for line in "abcdefghijkl"
    )


def left(pages: Sequence[str]) -> list[str]:
    """What is left of each page."""
    ends = [sum(map(len, pages[: number + 1])) for number in range(len(pages))]
    starts = [0, *ends[:-1]]
    whole, kept = "".join(pages), [True] * sum(map(len, pages))
    for start, end in running(pages, starts):
        kept[start:end] = [False] * (end - start)
    return ["".join(whole[at] for at in range(*bounds) if kept[at]) for bounds in zip(starts, ends, strict=True)]


@pytest.mark.parametrize(
    ("head", "foot"), [("{}\n", ""), ("", "\n- {} -"), ("", "\nPage {}"), ("{} of 90\n", ""), ("Seite {}\n", "\n{}")]
)
def test_numbers_of_pages_are_left_out(head: str, foot: str):
    pages = [f"{head.format(number)}{told(number)}{foot.format(number)}\n" for number in range(11, 16)]
    assert [page.strip() for page in left(pages)] == [told(number) for number in range(11, 16)]


def test_of_heads_and_feet_the_first_one_stays():
    pages = [f"1.4 SAILS {number}\n{told(number)}\nThe Book of Boats\n" for number in range(20, 25)]
    rest = left(pages)
    assert rest[0] == pages[0]
    assert rest[1:] == [f"{told(number)}\n" for number in range(21, 25)]


def test_what_is_on_two_pages_alone_stays():
    pages = [f"{head}\n{told(number)}\n" for number, head in enumerate(["SAILS", "SAILS", "ROPES", "MASTS"])]
    assert left(pages) == pages


def test_numbers_that_do_not_count_the_pages_stay():
    pages = [f"Invoice {number}\n{told(page)}\n" for page, number in enumerate((4711, 4730, 4698, 4705))]
    assert left(pages) == pages


def test_heads_of_pages_are_those_of_their_figures_and_last_lines():
    pages = [f"{number} Of boats\n{told(number)}\n" for number in range(1, 5)]
    rest = left([*pages, "5 Of boats\nFigure 3: a mast\n", "6 Of sails\nNotes\n"])
    assert rest[-2:] == ["Figure 3: a mast\n", "6 Of sails\nNotes\n"]


def test_titles_of_slides_stay():
    pages = [f"Results\nBoats: {number * 7}\nRopes\nSails\nHarbour Ltd {number}\n" for number in range(1, 6)]
    rest = left(pages)
    assert all(page.startswith("Results") for page in rest)
    assert rest[0] == pages[0]
    assert all("Harbour" not in page for page in rest[1:])


@given(st.lists(st.text("ab1 \n", max_size=30), max_size=8))
def test_ranges_are_ascending_and_within_the_text(pages: list[str]):
    starts = [sum(map(len, pages[:number])) for number in range(len(pages))]
    at = 0
    for start, end in running(pages, starts):
        assert at <= start < end <= sum(map(len, pages))
        at = end
