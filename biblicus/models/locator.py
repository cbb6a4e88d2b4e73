"""Position of a text in an item, in the format's own terms: page, slide, cells, chapter, message, time, heading, line.

An extraction has **spots**, the offsets where each part begins; a piece of evidence has a **locator**."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from biblicus.models.frozen import dataclass
from biblicus.models.plain import of_record

if TYPE_CHECKING:
    from biblicus.models.extraction import Head

Kind = Literal["page", "table", "slide", "sheet", "chapter", "message", "time", "heading", "region", "line"]
KINDS = frozenset(get_args(Kind))
_NUMBERED = ("slide", "chapter", "message")
"""Kinds whose spots each form a region, numbered from 1 in `start`."""
_CELL = r"\$?([A-Za-z]{1,3})\$?(\d{1,7})"  # compiled on first use: a cold query over text needs none
_PLAIN_NAME = r"[^\W\d]\w*"
PATH = " › "
"""Separator of a path of headings."""
_TIME = r"(?:(\d{1,4}):)?(\d{1,4}):(\d{2})(?:[.,]\d{1,3})?"


class Spot(NamedTuple):
    """The text from `offset` up to the next spot belongs to this part.

    `kind`: of `KINDS`. `name`: of a sheet or chapter, or the path of a heading. `start`, `end`: numbers of slides,
    chapters and messages, first and last cell of a row, time codes; empty if the kind has none."""

    offset: int
    kind: str
    name: str = ""
    start: str = ""
    end: str = ""

    @property
    def region(self) -> tuple[str, ...]:
        """Return an identifier of the region, which no chunk crosses: slide, sheet, chapter or message; else empty."""
        if self.kind in _NUMBERED or self.kind == "region":
            return self.kind, self.name, self.start
        return (self.kind, self.name) if self.kind in ("sheet", "time") else ()


@dataclass(frozen=True, slots=True)
class Locator:
    """Position of a text.

    `label`: for people and for `get --locator`. `from`, `to`: first and last page, slide, cell, time code or line."""

    kind: str
    label: str
    first: str = field(metadata={"alias": "from"})
    last: str = field(metadata={"alias": "to"})

    def as_object(self) -> dict[str, str]:
        """Return the JSON object."""
        return {"kind": self.kind, "label": self.label, "from": self.first, "to": self.last}

    @classmethod
    def from_object(cls, value: Mapping[str, Any]) -> Locator:
        """Create a locator from its JSON object. Raises `TypeError` if a value is no text."""
        locator: Locator = of_record(cls)({**value, "first": value["from"], "last": value["to"]})
        return locator

    @property
    def region(self) -> tuple[str, ...]:
        """Return an identifier of the region, besides the page; empty if there is none."""
        if self.kind == "sheet":
            return self.kind, self.label.rpartition("!")[0] or self.label
        return (self.kind, self.first) if self.kind in (*_NUMBERED, "region") else ()


def borders(spots: Sequence[Spot]) -> list[int]:
    """Return the offsets at which a region begins, which no chunk crosses."""
    starts: list[int] = []
    before: tuple[str, ...] | None = None
    for spot in spots:
        if spot.region != before and (spot.region or before):
            starts.append(spot.offset)
        before = spot.region
    return starts


_brief = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_quoted = json.encoder.encode_basestring


def kept_beside(
    start: int, spots: Sequence[Spot], known: Sequence[Head], more: Sequence[tuple[int, str] | str]
) -> str | None:
    """Return spots, headings and sections of a chunk as compact JSON; None without any.
    A spot is longer than a heading, a heading inside the chunk is offset and words, a section is a text."""
    brief = [(head.offset - start, *(head[1:2] if head.lines == 1 else head[1:])) for head in known]
    if spots or brief:
        return _brief([*spots, *brief, *more])
    parts = [_quoted(part) if isinstance(part, str) else f"[{part[0]},{_quoted(part[1])}]" for part in more]
    return f"[{','.join(parts)}]" if parts else None  # the common case, encoded in a fifth of the time


def sections_of(kept: str | None) -> tuple[str, ...]:
    """Return the titles of the sections above a chunk's entry from its stored JSON (see `runs.cutting`)."""
    return tuple(part for part in json.loads(kept) if isinstance(part, str)) if kept and kept[-2] == '"' else ()


def touched(spots: Sequence[Spot], start: int, end: int) -> tuple[Spot, ...]:
    """Return the spots that overlap a span, in order. `spots` are ascending."""
    if not spots:
        return ()
    first = max(0, bisect_right(spots, start, key=_offset) - 1)
    return tuple(spots[first : bisect_left(spots, max(end, start + 1), lo=first, key=_offset)])


def region_of(spots: Sequence[Spot], at: int, size: int) -> tuple[int, int]:
    """Return start and end of the region around the offset `at`; the whole text without regions."""
    edges = [0, *borders(spots), size]
    before = bisect_right(edges[:-1], at) - 1
    return edges[before], edges[before + 1]


def locator(spots: Sequence[Spot], page: int | None, span: tuple[int, int], lines: tuple[int, int]) -> Locator:
    """Return the locator of a span: by its spots, else by its page, else by its lines."""
    here = [spot for spot in touched(spots, *span) if spot.offset < span[1]] if spots else []
    if here and here[0].offset <= span[0] and not _is_of_page(here):
        return _of_spots(here)
    if page is not None:
        return Locator("page", f"page {page}", str(page), str(page))
    first, last = lines
    return Locator("line", f"line {first}" if first == last else f"lines {first}-{last}", str(first), str(last))


def _is_of_page(here: Sequence[Spot]) -> bool:
    """Return True if a span is on a page, but not inside a table of the page."""
    first = here[0]
    return first.kind == "page" or (first.kind == "table" and any(spot.name != first.name for spot in here))


def _of_spots(here: Sequence[Spot]) -> Locator:
    """Return the locator of overlapping spots, limited to the region of the first."""
    first = here[0]
    last = next((spot for spot in reversed(here) if spot.region == first.region), first) if first.region else first
    if first.kind == "sheet":
        cells = _cells([spot for spot in here if spot.region == first.region and spot.start])
        if cells is None:
            return Locator("sheet", sheet_name(first.name), "", "")
        return Locator("sheet", f"{sheet_name(first.name)}!{_joined(*cells, ':')}", *cells)
    if first.kind == "table":
        corners = _cells(here) or ("", "")
        return Locator("table", f"{first.name}, {_joined(*corners, ':')}", *corners)
    if first.kind == "time":
        return Locator("time", _joined(first.start, last.end, "-"), first.start, last.end)
    if first.kind in _NUMBERED:
        title = f": {first.name}" if first.name else ""
        return Locator(first.kind, f"{first.kind} {first.start}{title}", first.start, first.start)
    return Locator(first.kind, first.name, first.start or first.name, first.end or first.name)


def _joined(first: str, last: str, mark: str) -> str:
    return first if first == last else f"{first}{mark}{last}"


def _cells(rows: Iterable[Spot]) -> tuple[str, str] | None:
    """Return the first and last cell of the rectangle around rows of cells, or None."""
    corners = [
        match for row in rows for match in (re.fullmatch(_CELL, row.start), re.fullmatch(_CELL, row.end)) if match
    ]
    if not corners:
        return None
    columns = [column_number(match[1]) for match in corners]
    lines = [int(match[2]) for match in corners]
    return f"{column_name(min(columns))}{min(lines)}", f"{column_name(max(columns))}{max(lines)}"


def column_name(number: int) -> str:
    """Return a column's letters; 1 is A."""
    letters = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """Return a column's number; A is 1."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - 64
    return number


def sheet_name(name: str) -> str:
    """Return a sheet's name as formulas write it: quoted unless it is one plain word."""
    return name if re.fullmatch(_PLAIN_NAME, name) else "'" + name.replace("'", "''") + "'"


def time_code(seconds: float) -> str:
    """Return a time as `12:03`, with hours if there are any."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes:02}:{rest:02}"


def find(spots: Sequence[Spot], label: str, size: int) -> tuple[int, int] | None:
    """Return the span that a locator's label refers to, in a text of `size` code points, or None.

    Labels name rows of a sheet, a range of time, or one part of another kind; also a sheet, chapter or heading by name.
    A heading includes the headings below it."""
    label = " ".join(label.split())
    tables = [spot for spot in spots if spot.kind == "table"]
    if tables and (place := _in_table(tables, spots, label, size)) is not None:
        return place
    sheet, _, cells = label.rpartition("!")
    times = [_seconds(part) for part in label.replace("\N{EN DASH}", "-").split("-")]
    if sheet and (corners := [re.fullmatch(_CELL, part.strip()) for part in cells.split(":")]) and all(corners):
        rows = sorted(int(match[2]) for match in corners if match)
        return _span(spots, size, lambda spot: _is_sheet(spot, sheet) and rows[0] <= _row(spot) <= rows[-1])
    if len(times) <= 2 and None not in times and any(spot.kind == "time" for spot in spots):
        low, high = times[0] or 0.0, times[-1] or 0.0
        return _span(spots, size, lambda spot: spot.kind == "time" and _overlaps(spot, low, high))
    return _section(spots, label, size) or _span(spots, size, lambda spot: _is_named(spot, label))


def _in_table(rows: Sequence[Spot], spots: Sequence[Spot], label: str, size: int) -> tuple[int, int] | None:
    """Return the rows in the label of a table or of its cells."""
    name, _, cells = label.rpartition(", ")
    corners = [match for part in cells.split(":") if (match := re.fullmatch(_CELL, part.strip()))]
    corner_rows = sorted(int(match[2]) for match in corners)
    chosen = [
        spot for spot in rows
        if spot.name == label or (corner_rows and spot.name == name and corner_rows[0] <= _row(spot) <= corner_rows[-1])
    ]  # fmt: skip
    if not chosen:
        return None
    after = bisect_right(spots, chosen[-1].offset, key=_offset)
    return chosen[0].offset, spots[after].offset if after < len(spots) else size


def _section(spots: Sequence[Spot], label: str, size: int) -> tuple[int, int] | None:
    """Return the span from the heading of this path to the next one that is not below it."""
    first = next((number for number, spot in enumerate(spots) if (spot.kind, spot.name) == ("heading", label)), None)
    if first is None:
        return None
    below = label + PATH
    after = (spot.offset for spot in spots[first + 1 :] if spot.kind != "heading" or not spot.name.startswith(below))
    return spots[first].offset, next(after, size)


def _span(spots: Sequence[Spot], size: int, fits: Any) -> tuple[int, int] | None:
    """Return the span from the first matching spot to the end of the last match in the same region."""
    chosen = [number for number, spot in enumerate(spots) if fits(spot)]
    if not chosen:
        return None
    first = chosen[0]
    first_spot, region = spots[first], spots[first].region
    last = [number for number in chosen if _is_of_one(spots[number], first_spot)][-1] if region else first
    if first and spots[first].kind == "sheet" and spots[first - 1].region == region and not spots[first - 1].start:
        first -= 1  # the sheet's name precedes its first row
    return spots[first].offset, spots[last + 1].offset if last + 1 < len(spots) else size


def _is_of_one(spot: Spot, other: Spot) -> bool:
    """Return true if two spots are in one region, or in one message (its text and its quotations)."""
    return spot.region == other.region or (spot.kind == other.kind == "message" and spot.start == other.start)


def _is_named(spot: Spot, label: str) -> bool:
    if spot.kind == "sheet":
        return _is_sheet(spot, label)
    number = f"{spot.kind} {spot.start}"
    if spot.kind in _NUMBERED and label.lower() in (number, f"{number}: {spot.name}".lower()):
        return True
    return bool(spot.name) and " ".join(spot.name.split()) == label


def _is_sheet(spot: Spot, name: str) -> bool:
    return spot.kind == "sheet" and name in (" ".join(spot.name.split()), " ".join(sheet_name(spot.name).split()))


def _row(spot: Spot) -> int:
    match = re.fullmatch(_CELL, spot.start)
    return int(match[2]) if match else 0


def _overlaps(spot: Spot, low: float, high: float) -> bool:
    start = _seconds(spot.start)
    if start is None:
        return False
    end = max(_seconds(spot.end) or start, start)
    return start == low or (start < high and end > low) or (start <= low == high <= end)


def _seconds(text: str) -> int | None:
    match = re.fullmatch(_TIME, text.strip())
    return int(match[1] or 0) * 3600 + int(match[2]) * 60 + int(match[3]) if match else None


def _offset(spot: Spot) -> int:
    return spot.offset
