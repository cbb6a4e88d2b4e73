"""Lines of documents that are rows become tables, and what does not say its cells surely stays text."""

import pytest

from biblicus.connectors.web import marking
from biblicus.connectors.web.tables import Table, blocks


def shown(text: str, *, first: int = 1, above: str = "", cited: tuple[int, int] | None = None) -> list[object]:
    """Lines as their texts; tables as the names of their columns and the cells of each row."""
    lines = marking.lines(text, 0, first, cited, [])
    made: list[object] = []
    for block in blocks(lines, above.split("\n") if above else []):
        if isinstance(block, Table):
            rows = [block.head, *block.rows]
            made.append([[_text(cell.parts) for cell in row.cells] if row else [] for row in rows])
        else:
            made.append(_text(block.parts))
    return made


def _text(parts: list[marking.Part]) -> str:
    return "".join(part.text for part in parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one | bar", ["one | bar"]),
        ("a | b\nsaid: c | d | e\nf", ["a | b", "said: c | d | e", "f"]),
        ("In all:\n1 | 2\n3 | 4", ["In all:", [[], ["1", "2"], ["3", "4"]]]),
        ("part | due\npart: a | due: 1\nSpares\npart: b", [[["part", "due"], ["a", "1"], ["Spares"], ["b", ""]]]),
        ("part | due\npart: a | b | due: 1", [[["part", "due"], ["a | b", "1"]]]),
        ("a | b |\nc | d | e", [[["a", "b", ""], ["c", "d", "e"]]]),
        ("a | b\n1 | 2\nonly | three | of it\n3 | 4", [[["a", "b"], ["1", "2"], ["only | three | of it"], ["3", "4"]]]),
    ],
)
def test_rows_become_a_table(text: str, expected: list[object]) -> None:
    assert shown(text) == expected


def test_a_table_that_began_above_has_its_names() -> None:
    assert shown("part: b | due: 2", first=3, above="Oil\npart | due\npart: a | due: 1") == [
        [["part", "due"], ["b", "2"]]
    ]


def test_marks_are_in_their_cells() -> None:
    (table,) = blocks(marking.lines("a | b\nc | d", 0, 1, (0, 11), []))
    assert isinstance(table, Table)
    rows = [row for row in (table.head, *table.rows) if row]
    assert [[part.kind for cell in row.cells for part in cell.parts] for row in rows] == [["cited"] * 2] * 2
    assert [row.is_place for row in rows] == [True, False]
