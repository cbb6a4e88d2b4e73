"""HTML tables: layout rows, positions of merged cells, column names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from biblicus.extraction.kit.grids import FORM_ROWS, HEADER_ROWS, Row, is_form, names_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

CELLS = frozenset(("td", "th"))
_GROUPS = frozenset(("thead", "tbody", "tfoot"))
_LONGEST_NAME = 40
"""Maximum characters of a column's name, which is repeated in each of its cells."""
_MOST_CELLS, _WIDEST = 50_000, 200
"""Maximum cells of a table, and maximum columns or rows of a merged cell."""
_LONGEST_CELL = 300
"""Maximum characters of a merged cell's text that is repeated."""
_FEWEST_ROWS, _LONGEST_VALUE = 3, 200
"""Minimum rows of a table, and maximum characters of its cells, for column names that are not marked up."""
_LAYOUT = "table, h1, h2, h3, h4, ul, ol, p + p, div + div"


class Shown(NamedTuple):
    """A merged cell shown again in another row or column."""

    column: int
    words: str


class Place(NamedTuple):
    """The position of a cell or row end. `before`: merged cells from above that precede it. `across`: further columns
    that the cell covers."""

    column: int
    before: Sequence[Shown] = ()
    across: Sequence[Shown] = ()


class Table(NamedTuple):
    """A table. `names`: of its columns, or empty; `places`: of its cells and row ends by `mem_id`; `heads`: rows that
    name the columns; `is_form`: its two columns are labels and values."""

    names: Sequence[str]
    places: Mapping[int, Place]
    heads: frozenset[int] = frozenset()
    is_form: bool = False


NONE = Table((), {})


def is_layout(row: LexborNode) -> bool:
    """Return True if a table row lays out blocks, as on old pages, and is no data; a line of code is data."""
    return row.css_first(_LAYOUT) is not None or any("\n" in pre.text().strip() for pre in row.css("pre"))


def table_of(table: LexborNode) -> Table:
    """Compute the positions of a table's cells."""
    places: dict[int, Place] = {}
    names: list[str] = []
    heads: set[int] = set()
    first_rows: list[tuple[LexborNode, Row]] = []
    covered: dict[int, tuple[str, int]] = {}
    is_above, count = True, 0
    for number, row in enumerate(_rows(table)):
        texts: dict[int, str] = {}
        above, covered = covered, {}
        column, groups, repeats = 0, False, set[int]()
        for cell in _children(row, CELLS):
            count += 1
            if count > _MOST_CELLS:
                return NONE
            column, before = _passed(column, above, covered, texts)
            words = " ".join(cell.text().split())
            across, down = _span(cell, "colspan"), _span(cell, "rowspan")
            repeated = words if len(words) <= _LONGEST_CELL else ""
            for place in range(column, column + across):
                texts[place] = words
                if down > 1:
                    covered[place] = repeated, down - 1
            groups = groups or across > 1
            repeats.update(range(column + 1, column + across))
            others = [Shown(place, repeated) for place in range(column + 1, column + across)]
            places[cell.mem_id] = Place(column, before, others)
            column += across
        column, before = _passed(column, above, covered, texts, is_last=True)
        places[row.mem_id] = Place(column, before)
        if number <= FORM_ROWS:
            shown = [texts.get(place, "") for place in range(max(texts, default=-1) + 1)]
            first_rows.append((row, Row(shown, frozenset(repeats))))
        if is_above and number < HEADER_ROWS and is_header(row):
            heads.add(row.mem_id)
            for place, words in texts.items():
                names += [""] * (place + 1 - len(names))
                names[place] = words if names[place] in ("", words) else f"{names[place]} {words}".strip()
            is_above = groups  # the next row subdivides its columns
        else:
            is_above = False
    if heads:
        return Table(names if _are_names(names) else (), places, frozenset(heads))
    return _unmarked([row for _, row in first_rows], [node for node, _ in first_rows], places)


def _unmarked(rows: Sequence[Row], elements: Sequence[LexborNode], places: Mapping[int, Place]) -> Table:
    """Return a table whose column names are not marked up; none are sought in a table that lays out a page. `rows`: its
    first rows."""
    texts = [row.texts for row in rows]
    is_even = len(rows) >= _FEWEST_ROWS and len({len(row) for row in texts}) == 1 and len(texts[0]) > 1
    if not is_even or max(len(text) for row in texts for text in row) > _LONGEST_VALUE or any(map(is_layout, elements)):
        return Table((), places)
    if is_form(texts, of_words=True):
        return Table((), places, is_form=True)
    has_names = any(row.css_first("th") is not None for row in elements)
    count, names = (0, []) if has_names else names_of(rows)
    is_named = count > 0 and _are_names(names)
    return Table(names if is_named else (), places, frozenset(row.mem_id for row in elements[:count] if is_named))


def _passed(
    column: int,
    above: dict[int, tuple[str, int]],
    covered: dict[int, tuple[str, int]],
    texts: dict[int, str],
    *,
    is_last: bool = False,
) -> tuple[int, list[Shown]]:
    """Return the next free column of a row, and the merged cells from above before it."""
    before = []
    while column in above or (is_last and any(place > column for place in above)):
        if column in above:
            words, left = above.pop(column)
            texts[column] = words
            before.append(Shown(column, words))
            if left > 1:
                covered[column] = words, left - 1
        column += 1
    return column, before


def _are_names(names: Sequence[str]) -> bool:
    filled_names = [name for name in names if name]
    is_named = (
        len(filled_names) > 1
        and len(set(filled_names)) == len(filled_names)
        and max(map(len, filled_names)) <= _LONGEST_NAME
    )
    return is_named and all(names[1:])


def _rows(table: LexborNode) -> Iterator[LexborNode]:
    for child in _children(table, _GROUPS | {"tr"}):
        if child.tag == "tr":
            yield child
        else:
            yield from _children(child, frozenset(("tr",)))


def _children(node: LexborNode, tags: frozenset[str]) -> Iterator[LexborNode]:
    return (child for child in node.iter() if child.tag in tags)


def _span(cell: LexborNode, name: str) -> int:
    attribute = cell.attributes.get(name) or ""
    return (
        max(1, min(int(attribute), _WIDEST))
        if attribute.isascii() and attribute.isdigit() and len(attribute) < 6
        else 1
    )


def is_header(row: LexborNode | None) -> bool:
    """Return True if all cells of a row are headers."""
    if row is None:
        return False
    is_marked = row.parent is not None and row.parent.tag == "thead" and row.css_first("td, th") is not None
    return is_marked or (row.css_first("th") is not None and row.css_first("td") is None)
