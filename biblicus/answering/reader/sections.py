"""A piece of evidence in sections: the headings within it divide it, and the first part is under the heading that the
piece is under."""

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
"""Characters of a page's frame above its title at most."""
_BEFORE_NAME = re.compile(r".{1,60}= ?|(?:\w{1,20} ){0,3}")
_BEHIND_NAME = re.compile(r"(?: ?\(.*\)(?: ?(?:→|->|:).*)?|: .*| [=→].*| [\w-]{1,20})?")
"""What stands beside a name where it is shown how it is called: `fzero (fun, x0)`, `[x, info] = fzero (…)`, `hold on`,
`class Slip(boats)`, `depth: int`."""
_JOINED = re.compile(r"\A\w+(?:(?:\.|::)\w+)*(?:\.|::)(~?\w+)\Z")
"""A name with what it is of: a page about that has its last part alone above what it says."""


@dataclass(frozen=True, slots=True)
class Section:
    """The units of a piece below one heading, that among them. `heading`: its words, empty where there is none;
    `start`: the place of the first unit among the piece's; `is_within`: whether another section stands before it."""

    piece: Evidence
    heading: str
    start: int
    units: Sequence[Unit]
    is_within: bool = False


def letters(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(filter(str.isalnum, text))


def is_called(text: str, names: Set[str]) -> bool:
    """Whether the letters and digits of a text are one of these names. Of a long text no more are looked at than tell
    that it is none."""
    longest = max(map(len, names), default=0)
    return "".join(islice(filter(str.isalnum, text), longest + 1)) in names


def is_heading(unit: Unit) -> bool:
    """Whether a unit names what follows: no line drawn beside a heading, nor the names of a table's columns."""
    return unit.kind is Kind.HEADING and "|" not in unit.reads and any(map(str.isalnum, unit.reads))


def sections(piece: Evidence, longest: int) -> Iterator[Section]:
    """The sections of a piece, ascending. `longest`: words of a unit."""
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
    """What a heading says; the names that stand below each other in that of an entry."""
    lines = text[unit.start : unit.end].splitlines() if unit.kind is Kind.LABEL else ()
    return named(map(str.strip, lines)) if len(lines) > 1 else unit.reads


def _is_of(piece: Evidence, unit: Unit) -> bool:
    """Whether a unit is the heading that a piece stands under."""
    return unit.kind is Kind.LABEL and letters(unit.reads) == letters(piece.heading or "")


@lru_cache(maxsize=256)
def _headed(
    text: str, media_type: str, heading: str, title: str, longest: int, heads: tuple[Head, ...]
) -> tuple[tuple[Unit, ...], Mapping[int, Head]]:
    """The units of a text, and its headings that no mark shows, by the places of the units that they are, or that
    begin a part: those that are known (`heads`), and in plain text lines by themselves. Lines of a page that show how
    what it stands under is called are labels, too. The little that stands above what the text stands under is a page's
    frame, which says nothing. Remembered: questions one after the other are often answered from the same."""
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
    """The first unit of each heading, or of what stands below it, by its place."""
    begins = [unit.start for unit in parts]
    for head in heads:
        if (at := bisect_left(begins, head.offset)) < len(parts):
            yield at, head


def _are_calls(text: str, names: Set[str]) -> bool:
    """Whether a text shows no more than how something is called that has one of these names: `fzero (fun, x0)`, again
    with options, again with what it returns."""
    lines = [line.strip() for line in text.splitlines()]
    return bool(lines) and all(any(_is_call(line, name) for name in names) for line in lines)


def _is_call(line: str, name: str) -> bool:
    before, named_so, behind = line.partition(name)
    return bool(named_so and _BEFORE_NAME.fullmatch(before) and _BEHIND_NAME.fullmatch(behind))


def _entry(piece: Evidence, unit: Unit) -> str:
    """The names that a directive or a component explains, without their arguments; empty where it is none that does."""
    text = piece.text
    if unit.kind is Kind.FACT or text.startswith(("<", "{"), unit.start):
        return parameters.named(text[unit.start : unit.end]) if piece.media_type == headlines.MARKDOWN[0] else ""
    begin = text.rfind("\n", 0, unit.start) + 1
    names = [match[3].partition("(")[0] for match in headlines.ENTRIES.finditer(text, begin, unit.end) if match[3]]
    return named(names)
