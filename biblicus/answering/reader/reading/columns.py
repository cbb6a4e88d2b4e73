"""Plain text in columns (invoices, receipts, résumés, glossaries), found by aligned white space in adjacent lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_CELL = re.compile(r"\S+(?: \S+)*")
_WIDE, _MOST = 3, 12
"""Minimum blanks between two cells (two if there are more cells), and maximum cells."""
_QUANTITY = re.compile(
    r"[ \t]{0,8}(?:(?:\d[\d.,/–-]*|[½¼¾⅓⅔])[ \t]?){1,2}(?:[^\W\d_][\w'’.%-]*,?[ \t]+){0,5}(?:\([^()\n]{1,40}\)"
    r"|[^\W\d_][\w'’-]*)[ \t]*"
)
RULES = re.compile(r"[ \t]*=+(?: +=+)+[ \t]*")
"""A line drawn above, within or below a reStructuredText table."""
_DRAWN = re.compile(r"[\W_]*")
_AT_COLON = re.compile(r"(?<=:)[ \t]{2,}(?=\S)")
_AT_DASH = re.compile(r"[ \t]{2,}([-–—=])[ \t]+(?=\S)|[ \t]([-–—=])[ \t]{2,}(?=\S)")
_GAP = re.compile(r"(?<=\S)(?:[ ]{2,}|[ ]*\t[ \t]*)(?=\S)")


def in_columns(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of lines whose columns are aligned with an adjacent line."""
    places: set[int] = set()
    before: tuple[int, frozenset[tuple[str, int]]] | None = None
    for at, line in enumerate(lines):
        edges = _edges(line)
        if edges:
            if before is not None and edges & before[1]:
                places.update((before[0], at))
            before = at, edges
        elif before is not None and line[:1] == " " and ("begins", len(line) - len(line.lstrip())) in before[1]:
            places.add(before[0])  # its last column continues
        elif not _DRAWN.fullmatch(line):  # a drawn or blank line does not end a table
            before = None
    return frozenset(places)


def names_columns(lines: Sequence[str], at: int) -> bool:
    """Return True if a line is between the two drawn lines at the top of a reStructuredText table."""
    beside = (lines[at - 1 : at] or [""])[0], (lines[at + 1 : at + 2] or [""])[0]
    above = "".join(lines[max(0, at - 2) : at - 1])
    return not above.strip() and beside[0] == beside[1] and RULES.fullmatch(beside[0]) is not None


def quantities(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of consecutive lines with a quantity of something, as in recipes: `200 g flour`."""
    are = [_QUANTITY.fullmatch(line) is not None for line in lines]
    return frozenset(place for at, both in enumerate(pairwise(are)) if all(both) for place in (at, at + 1))


_DIVIDED, _CELLS = re.compile(r"[^\s#:;|\"'{}()<>=][^\n{}()<>=\"]{0,300}"), (":", ";", "|")
"""A line that may be a record, and possible separators of its cells without blanks: `June:Pearl:Rose`."""
_ENTRY = re.compile(r"(?:\d{4}([-/.])\d\d\1\d\d|\([A-Z]\)|x \d{4}-\d\d-\d\d)[ \t]+\S")
"""The start of an entry in journals, ledgers and to-do lists: a date, or `(A)`."""
_IN_A_ROW = 3


def told_one_by_one(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of plain text lines that are independent entries."""
    return in_columns(lines) | quantities(lines) | _records(lines) | _entries(lines)


def _records(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of at least three consecutive lines with equally many separators. Lines with blanks need two
    separators, since sentences contain times and addresses; none may continue in the next."""
    places: set[int] = set()
    for between in _CELLS:
        run: list[int] = []
        for at, line in enumerate((*lines, "")):
            is_record = (
                between in line
                and (line.count(between) > 1 or " " not in line.strip())
                and re.search(rf"\S{re.escape(between)}\S", line) is not None
                and _DIVIDED.fullmatch(line) is not None
            )
            if not is_record or (run and line.count(between) != lines[run[0]].count(between)):
                are_records = len(run) >= _IN_A_ROW and not any(_reads_on(lines[place], between) for place in run)
                places.update(run if are_records else ())
                run = []
            if is_record:
                run.append(at)
    return frozenset(places)


def _entries(lines: Sequence[str]) -> frozenset[int]:
    """Return the numbers of at least two lines that start entries; indented lines below continue them. None is the
    first line of a paragraph."""
    begun = [
        at
        for at, (line, below) in enumerate(pairwise((*lines, "")))
        if _ENTRY.match(line) and (not below.strip() or below[0] in " \t;#" or _ENTRY.match(below))
    ]
    return frozenset(begun if len(begun) > 1 else ())


def _reads_on(line: str, between: str) -> bool:
    """Return True if a line is part of a longer sentence."""
    first, *words = line.split()
    return bool(words) and between not in first and (first.islower() or words[-1].rstrip(",").islower())


def _edges(line: str) -> frozenset[tuple[str, int]]:
    """Return the start and end columns of the cells after the first, or nothing for a line without columns."""
    if "   " not in line and line.count("  ") < 2 and "\t" not in line:
        return frozenset()
    spans = [match.span() for match in _CELL.finditer(line.replace("\t", "    "))]
    gaps = [after[0] - cell[1] for cell, after in pairwise(spans)]
    if not 1 < len(spans) <= _MOST or (max(gaps) < _WIDE and len(gaps) < 2):
        return frozenset()
    return frozenset(edge for start, end in spans[1:] for edge in (("begins", start), ("ends", end)))


def readable_columns(line: str) -> str:
    """Return a line with dashes between its columns; a value follows its colon."""
    return _GAP.sub(" — ", _AT_DASH.sub(r" \1\2 ", _AT_COLON.sub(" ", line)))
