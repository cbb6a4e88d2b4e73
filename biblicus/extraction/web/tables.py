"""Tables of pages: which rows lay out blocks, and what the columns of the others are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

CELLS = frozenset(("td", "th"))
_LONGEST_NAME = 40
"""Characters of what a column is called, which each of its cells repeats."""
_UNEVEN = "td table, th table, [rowspan]:not([rowspan='1']), [colspan]:not([colspan='1'])"
"""Stands in tables whose cells cannot be counted along."""
_LAYOUT = "table, h1, h2, h3, h4, ul, ol, p + p, div + div"


def is_layout(row: LexborNode) -> bool:
    """Whether a table's row lays out blocks, as old pages do, and does not hold data; a line of code is data."""
    return row.css_first(_LAYOUT) is not None or any("\n" in pre.text().strip() for pre in row.css("pre"))


def column_names(table: LexborNode) -> Sequence[str]:
    """What the columns of a table are called by the first of its rows; empty where that cannot be told of each cell."""
    row = table.css_first("tr")
    if row is None or not is_header(row) or any(cell.mem_id != table.mem_id for cell in table.css(_UNEVEN)):
        return ()
    cells = [cell for cell in row.iter() if cell.tag in CELLS]
    names = [" ".join(cell.text().split()) for cell in cells]
    given = [name for name in names if name]
    is_named = len(given) > 1 and len(set(given)) == len(given) and max(map(len, given)) <= _LONGEST_NAME
    return names if is_named and all(names[1:]) else ()


def is_header(row: LexborNode | None) -> bool:
    """Whether all cells of a row are headers."""
    return row is not None and row.css_first("th") is not None and row.css_first("td") is None
