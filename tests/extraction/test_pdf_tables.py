"""Tables of PDFs: rows with the names of their columns, by rules and by words that stand aligned; what is no table."""

from collections.abc import Sequence

import pytest

from biblicus.models.locator import find
from tests.extraction.pdf_files import drawn, text_of

BOATS = (("Boat", "Fee", "Depth"), ("Gull", "1,035.50", "-2.1"), ("Tern", "42", "3 400"), ("Heron", "7", "1.5"))
SHOWN = (
    "Boat | Fee | Depth\n"
    "Boat: Gull | Fee: 1,035.50 | Depth: -2.1\n"
    "Boat: Tern | Fee: 42 | Depth: 3 400\n"
    "Boat: Heron | Fee: 7 | Depth: 1.5\n"
)


def text(x: float, y: float, words: str) -> str:
    """A piece of text at a place."""
    return f"BT /F1 10 Tf {x} {y} Td ({words}) Tj ET "


def rule(x: float, y: float, to_x: float, to_y: float) -> str:
    """A rule from one place to another."""
    return f"0.5 w {x} {y} m {to_x} {to_y} l S "


def cells(
    rows: Sequence[Sequence[str]], left: float = 72, top: float = 700, step: float = 18, width: float = 90
) -> str:
    """Cells one after the other, row by row; several lines of a cell below each other."""
    parts = []
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            for line, words in enumerate(cell.split("\n")):
                parts.append(text(left + column * width, top - number * step - line * 11, words))
    return "".join(parts)


def edges(rows: int, columns: int, left: float = 68, top: float = 712, step: float = 18, width: float = 90) -> str:
    """All edges of so many cells."""
    across = [rule(left, top - row * step, left + columns * width, top - row * step) for row in range(rows + 1)]
    down = [rule(left + at * width, top, left + at * width, top - rows * step) for at in range(columns + 1)]
    return "".join(across + down)


def by_column(rows: Sequence[Sequence[str]]) -> str:
    return "".join(
        text(72 + 90 * column, 700 - 18 * row, cells[column]) for column in range(3) for row, cells in enumerate(rows)
    )


@pytest.mark.parametrize(
    "operators",
    [
        pytest.param(cells(BOATS), id="no rules"),
        pytest.param(by_column(BOATS), id="drawn column by column"),
        pytest.param(cells(BOATS) + edges(4, 3), id="all edges"),
        pytest.param(cells(BOATS) + rule(68, 695, 330, 695), id="a rule below the names"),
        pytest.param(cells(BOATS) + "".join(rule(68, y, 330, y) for y in (695, 677, 659, 641)), id="rows ruled"),
        pytest.param(cells(BOATS) + rule(68, 695, 330, 695) + rule(158, 712, 158, 640) + rule(248, 712, 248, 640),
                     id="columns ruled"),
        pytest.param(f"q 0 -1 1 0 0 700 cm {cells(BOATS)} Q", id="turned"),
    ],
)  # fmt: skip
def test_a_table_is_read_by_row_with_the_names_of_its_columns(operators: str) -> None:
    assert text_of(drawn(operators)).text.strip("\n") == SHOWN.strip("\n")


def test_lines_of_a_cell_stay_in_their_row() -> None:
    rows = (("Boat", "Remark", "Fee"), ("Gull", "moored at the\nouter wall", "35"), ("Tern", "owner\nabroad", "42"),
            ("Heron", "sold", "7"))  # fmt: skip
    shown = text_of(drawn(cells(rows, step=32))).text
    assert (
        "Boat: Gull | Remark: moored at the outer wall | Fee: 35\nBoat: Tern | Remark: owner abroad | Fee: 42" in shown
    )


def test_names_over_several_columns_belong_to_each() -> None:
    rows = (("", "Summer", "", "Winter", ""), ("Boat", "Day", "Week", "Day", "Week"),
            ("Gull", "1", "2", "3", "4"), ("Tern", "5", "6", "7", "8"))  # fmt: skip
    inner = edges(4, 5, width=80).replace(rule(228, 712, 228, 640), rule(228, 694, 228, 640))
    inner = inner.replace(rule(388, 712, 388, 640), rule(388, 694, 388, 640))
    shown = text_of(drawn(cells(rows, width=80) + inner)).text
    assert "Boat: Tern | Summer Day: 5 | Summer Week: 6 | Winter Day: 7 | Winter Week: 8" in shown


def test_a_table_goes_on_over_pages_with_its_names() -> None:
    more = (("Skua", "9", "2.5"), ("Eider", "11", "0.5"), ("Knot", "3", "1.0"))
    extraction = text_of(drawn(cells(BOATS), cells(more)))
    assert "Boat: Skua | Fee: 9 | Depth: 2.5\nBoat: Eider | Fee: 11 | Depth: 0.5\n" in extraction.text
    span = find(extraction.spots, "page 2, table 1, A2", len(extraction.text))
    assert span is not None
    assert extraction.text[slice(*span)] == "Boat: Eider | Fee: 11 | Depth: 0.5\n"


def test_each_of_two_tables_side_by_side_has_its_own_rows() -> None:
    right = (("Quay", "Metres"), ("North", "120"), ("South", "80"), ("East", "64"))
    shown = text_of(drawn(cells(BOATS, width=70) + cells(right, left=330, width=70))).text
    assert SHOWN in shown
    assert "Quay: South | Metres: 80" in shown


def test_prose_beside_a_table_is_no_part_of_it() -> None:
    prose = "".join(text(330, 702 - 13 * n, "whoever comes late pays the whole week") for n in range(5))
    shown = text_of(drawn(cells(BOATS, width=70) + prose)).text
    assert SHOWN in shown
    assert shown.count("\nwhoever comes late pays the whole week") == 5


def test_numbers_below_each_other_are_two_numbers() -> None:
    lines = (text(72, 700, "42") + text(72, 682, "7"), text(172, 700, "Gull") + text(172, 682, "Tern"))
    assert text_of(drawn("".join(lines))).text.split() == ["42", "7", "Gull", "Tern"]


@pytest.mark.parametrize("y", [718, 622])
def test_a_caption_stands_at_its_table_wherever_it_is_drawn(y: float) -> None:
    words = "Table 1. Boats and what they pay"
    page = text(72, y, words) + text(72, 560, "The office is open from nine to four o'clock.") + cells(BOATS)
    shown = text_of(drawn(page)).text
    assert (f"{words}\n{SHOWN}" if y > 700 else f"{SHOWN}{words}\n") in shown


def test_a_small_digit_behind_a_number_is_no_digit_of_it() -> None:
    raised = "BT /F1 10 Tf 162 682 Td (35) Tj /F1 6 Tf 4 Ts (2) Tj ET "
    rows = (BOATS[0], ("Gull", "", "-2.1"), *BOATS[2:])
    assert "Boat: Gull | Fee: 35² | Depth: -2.1" in text_of(drawn(cells(rows) + raised)).text


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([("1.", "Whoever moors here pays at the office"), ("2.", "The office is open from nine to four"),
                      ("3.", "Nobody lies at the fuel quay by night")], id="a numbered list"),
        pytest.param([("Of fees", "3"), ("Of berths", "7"), ("Of the fuel quay", "12")], id="a table of contents"),
        pytest.param([("Name:", "Ada Stone"), ("Berth:", "12"), ("Fee:", "35")], id="labels and values"),
        pytest.param([("x1", "=", "a + b"), ("y1", "=", "b + c"), ("z1", "=", "c")], id="formulas"),
    ],
)  # fmt: skip
def test_what_only_stands_aligned_is_no_table(lines: Sequence[Sequence[str]]) -> None:
    assert text_of(drawn(cells(lines))).text.split() == " ".join(map(" ".join, lines)).split()


def test_boxes_of_a_drawing_are_no_table() -> None:
    box = edges(1, 1, 68, 712) + edges(1, 1, 248, 712) + rule(158, 703, 248, 703) + rule(113, 694, 113, 600)
    assert " | " not in text_of(drawn(box + text(72, 700, "Harbour") + text(252, 700, "Quay"))).text
