"""Splits a piece of evidence into sections at its headings; the first section has the piece's own heading."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, takewhile

from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import Unit, units
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Head, named
from biblicus.text import records
from biblicus.text.terms import headlines, parameters

_FRAME = 200
"""Maximum characters of a page's frame above its title."""
_BEFORE_NAME = re.compile(r".{1,60}= ?|(?:\w{1,20} ){0,3}")
_BEHIND_NAME = re.compile(r"(?: ?\(.*\)(?: ?(?:→|->|:).*)?|: .*| [=→].*| [\w-]{1,20})?")
"""Text beside a name in a signature: `fzero (fun, x0)`, `[x, info] = fzero (…)`, `hold on`, `class Slip(boats)`,
`depth: int`."""
_JOINED = re.compile(r"\A\w+(?:(?:\.|::)\w+)*(?:\.|::)(~?\w+)\Z")
"""A qualified name, of which a page's heading may have only the last part."""


@dataclass(frozen=True, slots=True)
class Section:
    """The units of a piece below a heading, including the heading. `heading`: its text, or empty; `start`: index of the
    first unit in the piece; `is_within`: it is not the first section."""

    piece: Evidence
    heading: str
    start: int
    units: Sequence[Unit]
    is_within: bool = False


def letters(text: str) -> str:
    """Return the letters and digits of a text."""
    return "".join(filter(str.isalnum, text))


def is_called(text: str, names: Set[str]) -> bool:
    """Return True if the letters and digits of a text are one of these names; long texts are not read completely."""
    longest = max(map(len, names), default=0)
    return "".join(islice(filter(str.isalnum, text), longest + 1)) in names


def is_heading(unit: Unit) -> bool:
    """Return True if a unit is a heading, and no drawn line or row of column names."""
    return unit.kind is Kind.HEADING and "|" not in unit.reads and any(map(str.isalnum, unit.reads))


def sections(piece: Evidence, longest: int) -> Iterator[Section]:
    """Yield the sections of a piece in ascending order. `longest`: maximum words of a unit."""
    heading, start = piece.heading or "", 0
    heads = tuple(head._replace(offset=head.offset - piece.span_start) for head in piece.heads)
    parts, begun = _headed(piece.text, piece.media_type, heading, piece.title or "", longest, heads)
    for at, unit in enumerate(parts):
        entry = _entry(piece, unit) if unit.kind in (Kind.MARKS, Kind.FACT) else ""
        head = begun.get(at)
        if entry or head is not None or is_heading(unit):
            if at > start:
                yield Section(piece, heading, start, parts[start:at], start > 0)
            called = entry or (_names_in(piece.text, unit) if head is None or head.lines else head.title)
            is_own = not at and not any(_is_of(piece, parts[other]) for other in begun if other)
            heading, start = piece.heading if piece.heading and (is_own or _is_of(piece, unit)) else called, at
    if start < len(parts):
        yield Section(piece, heading, start, parts[start:], start > 0)


def _names_in(text: str, unit: Unit) -> str:
    """Return the text of a heading; for an entry, the names on its lines."""
    lines = text[unit.start : unit.end].splitlines() if unit.kind is Kind.LABEL else ()
    return named(map(str.strip, lines)) if len(lines) > 1 else unit.reads


def _is_of(piece: Evidence, unit: Unit) -> bool:
    """Return True if a unit is the piece's own heading."""
    return unit.kind is Kind.LABEL and letters(unit.reads) == letters(piece.heading or "")


@lru_cache(maxsize=256)
def _headed(
    text: str, media_type: str, heading: str, title: str, longest: int, heads: tuple[Head, ...]
) -> tuple[tuple[Unit, ...], Mapping[int, Head]]:
    """Return the units of a text, and its headings without markup by unit index. These are the known `heads`, separate
    lines in plain text, and signatures at the top of a reference page. A short frame above a page's title is marked as
    stating nothing. The result is cached, since consecutive questions share texts."""
    parts = list(units(text, longest, media_type, heading if media_type in records.TABLES else "", heads))
    begun = dict(_begun(parts, heads))
    called = heading or (title if media_type in headlines.PAGES else "")
    written_so = {name for one in called.split(" – ") for name in (one, *_JOINED.findall(one))}
    within = headlines.within(text, media_type) if media_type == "text/plain" else []
    alone = frozenset(map(letters, (*within, *written_so))) - {""}
    names = frozenset(written_so) - {""} if media_type in headlines.PAGES else frozenset[str]()
    written = [text[unit.start : unit.end] for unit in parts]
    is_named = [is_called(shown, alone) for shown in written]
    headed = {at for at, is_name in enumerate(is_named) if is_name or (at in begun and begun[at].lines)}
    calls = takewhile(lambda at: at in headed or _are_calls(written[at], names), range(len(parts)))
    for at in headed.union(calls):
        if parts[at].kind not in (Kind.CODE, Kind.ROW, Kind.HEADING):
            if at in headed or not at:
                begun.setdefault(at, Head(parts[at].start, 0))
            parts[at] = replace(parts[at], kind=Kind.LABEL, says=False, leads=True)
    begins = next((at for at in sorted(begun) if letters(parts[at].reads) == letters(called)), 0)
    framed = begins if begins and parts[begins].start <= _FRAME else 0
    return (*(replace(unit, says=False) for unit in parts[:framed]), *parts[framed:]), begun


def _begun(parts: Sequence[Unit], heads: Sequence[Head]) -> Iterator[tuple[int, Head]]:
    """Yield the index of the first unit at or below each heading."""
    begins = [unit.start for unit in parts]
    for head in heads:
        if (at := bisect_left(begins, head.offset)) < len(parts):
            yield at, head


def _are_calls(text: str, names: Set[str]) -> bool:
    """Return True if a text only has signatures of one of these names: `fzero (fun, x0)`, with options, with
    results."""
    lines = [line.strip() for line in text.splitlines()]
    return bool(lines) and all(any(_is_call(line, name) for name in names) for line in lines)


def _is_call(line: str, name: str) -> bool:
    before, named_so, behind = line.partition(name)
    return bool(named_so and _BEFORE_NAME.fullmatch(before) and _BEHIND_NAME.fullmatch(behind))


def _entry(piece: Evidence, unit: Unit) -> str:
    """Return the names that a directive or component documents, without arguments, or an empty string."""
    text = piece.text
    if unit.kind is Kind.FACT or text.startswith(("<", "{"), unit.start):
        return parameters.named(text[unit.start : unit.end]) if piece.media_type == headlines.MARKDOWN[0] else ""
    begin = text.rfind("\n", 0, unit.start) + 1
    names = [match[3].partition("(")[0] for match in headlines.ENTRIES.finditer(text, begin, unit.end) if match[3]]
    return named(names)
