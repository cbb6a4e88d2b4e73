"""Quotable units of a text: sentences, list items, table rows, and clauses of long sentences.

Beside what says something a text has what only leads to it or away: headings, links, questions. Such units are told
apart, so that nobody takes them for an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from biblicus.answering.reader.reading import comments, latex, settings, values
from biblicus.answering.reader.reading.blocks import Block, Kind, headed
from biblicus.answering.reader.reading.readable import readable, readable_record, readable_row
from biblicus.models.extraction import Head, Span
from biblicus.text import replies
from biblicus.text.records import TABLES
from biblicus.text.sentences import hard_cut, last_word_end, sentences

LONGEST = 60
"""Words of a unit; what is longer is cut where a clause ends."""
_ROOM = 24
"""Characters of one word at most."""
_LEADS = tuple("?？؟:：")
"""Ends of a sentence that leads to what follows."""
_LINK = re.compile(
    r"!?\[(?:[^\[\]\n]|\n(?!\n)){1,200}\](?:\((?:[^()\n]|\n(?!\n)){0,500}\)|\[[^\[\]\n]{0,80}\])"
    r"|<?https?://[^<>\s]{1,300}>?"
)
_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u9fff]")
_BESIDE_LINKS = 2
"""Words beside its links with which a unit says something."""
_CLAUSE = re.compile(r"[,;:](?=\s)|\s[–—-]{1,3}(?=\s)|—|[，、；：]|\)(?=\s)|\s(?=\()|\n")
_LINE = re.compile(r"\n")
_WIDE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
)
LISTED = (Kind.ITEM, Kind.STEP, Kind.ROW, Kind.FACT)


def words(text: str) -> int:
    """Return the number of words by white space; two characters count as a word in scripts without spaces. A very long
    run of letters (data, a URL) counts as several words."""
    count = max(len(text.split()), len(text) // _ROOM)
    return count if text.isascii() else count + len(_WIDE.findall(text)) // 2


@dataclass(frozen=True, slots=True)
class Unit:
    """A quotable part of a text.

    `kind`: of its block. `reads`: its text without markup, or its code lines; `words`: their number. `says`: False for
    a heading, a list of links or a pointer. `leads`: True if it introduces the text below (a heading, a question, a
    sentence ending in a colon). `header`: for a row, the row of column names. `joined`: True if it continues the
    sentence of the previous unit.
    """

    start: int
    end: int
    kind: Kind
    reads: str
    words: int
    says: bool = True
    leads: bool = False
    header: Span | None = None
    joined: bool = False


def units(
    text: str, longest: int = LONGEST, media_type: str = "", heading: str = "", heads: Sequence[Head] = ()
) -> Iterator[Unit]:
    """The units of a text, ascending, apart from each other, without white space around them. `media_type`: of the item
    that it is of; source code is known by it. `heading`: of a table, the names of its columns. `heads`: the headings in
    it that no mark shows, where they are known."""
    signed = replies.signature(text) if media_type in replies.TYPES else len(text) + 1
    for block in headed(text, media_type, heading, heads):
        for start, end in _visible(text, block.start, block.end):
            for unit in _units(text, Block(start, end, block.kind, block.header), longest, media_type, heading):
                yield replace(unit, says=False) if signed <= len(text) and _frames(unit, signed) else unit


def _frames(unit: Unit, signed: int) -> bool:
    """Return True if a unit is a letter's header, greeting, closing or signature."""
    return unit.start >= signed or replies.says_nothing(unit.reads) or replies.is_envelope(unit.reads)


def _read(text: str, media_type: str) -> str:
    """Return the readable text of a part of an item."""
    if media_type in values.TYPES:
        return values.readable(text)
    if media_type in settings.TYPES:
        return settings.readable(text)
    if media_type == latex.TYPE:
        return latex.as_row(text) or latex.readable(text)
    return readable(comments.readable(text) if comments.is_source(media_type) else text)


def _read_row(row: str, header: str | None, media_type: str) -> str:
    if media_type in values.TYPES:
        return values.readable(row)
    if media_type == latex.TYPE:
        row, header = latex.as_row(row) or row, latex.as_row(header) if header else None
    return (readable_record if media_type in TABLES else readable_row)(row, header)


def _units(text: str, block: Block, longest: int, media_type: str, heading: str) -> Iterator[Unit]:
    start, end, kind = block.start, block.end, block.kind
    if kind in (Kind.HEADING, Kind.LABEL, Kind.MARKS):
        reads = _read(text[start:end], media_type)
        yield Unit(start, end, kind, reads, words(reads), says=False, leads=kind is not Kind.MARKS)
    elif kind is Kind.CODE:
        for low, high in _clauses(text, start, end, longest, _LINE):
            yield Unit(low, high, kind, text[low:high], words(text[low:high]), says=False)
    elif kind is Kind.ROW:
        columns = heading if media_type in TABLES else None
        header = text[block.header.start : block.header.end] if block.header else columns
        reads = _read_row(text[start:end], header, media_type)
        if words(reads) <= longest:
            yield Unit(start, end, kind, reads, words(reads), _says(text[start:end], reads), header=block.header)
        else:
            yield from _sentence(text, start, end, longest, kind, media_type)
    elif kind is not Kind.PROSE and words(_read(text[start:end], media_type)) <= longest:
        yield from _sentence(text, start, end, longest, kind, media_type)
    else:
        for low, high in sentences(text, start, end):
            yield from _sentence(text, low, high, longest, kind if low == start else Kind.PROSE, media_type)


def _sentence(text: str, start: int, end: int, longest: int, kind: Kind, media_type: str) -> Iterator[Unit]:
    reads = _read(text[start:end], media_type)
    size = words(reads)
    if size <= longest:
        leads = reads.endswith(_LEADS)
        yield Unit(start, end, kind, reads, size, _says(text[start:end], reads) and not leads, leads)
        return
    for number, (low, high) in enumerate(_clauses(text, start, end, longest)):
        reads = _read(text[low:high], media_type)
        yield Unit(low, high, kind, reads, words(reads), _says(text[low:high], reads), joined=number > 0)


def _says(written: str, reads: str) -> bool:
    """Return true if a sentence, an item or a row says something, and does not only name or show other places."""
    if "](" in written or "][" in written or "http" in written:
        return len(_WORD.findall(readable(_LINK.sub(" ", written)))) >= _BESIDE_LINKS
    return any(map(str.isalnum, reads))


def _clauses(text: str, start: int, end: int, longest: int, ends_at: re.Pattern[str] = _CLAUSE) -> Iterator[Span]:
    """Yield a long sentence in parts of up to `longest` words, split at clauses, or else between words. A semicolon in
    the second half is preferred to a comma."""
    ends = [match.end() for match in ends_at.finditer(text, start, end)]
    ends.append(end)
    low = at = parted = start
    for stop in ends:
        while at > low and _exceeds(text, low, stop, longest):
            cut = parted if parted > low and 2 * words(text[low:parted]) >= longest else at
            yield from _visible(text, low, cut)
            low = cut
        while _exceeds(text, low, stop, longest):
            cut = _reach(text, low, stop, longest)
            yield from _visible(text, low, cut)
            low = cut
        at = stop
        parted = stop if text[stop - 1] in ";；" else parted
    yield from _visible(text, low, end)


def _exceeds(text: str, start: int, end: int, longest: int) -> bool:
    return end - start > longest * _ROOM or words(text[start:end]) > longest


def _reach(text: str, start: int, end: int, longest: int) -> int:
    """Return the last word end up to which there are at most `longest` words, always after `start`."""
    low, high = start + 1, min(end, start + longest * _ROOM)
    while low < high:
        middle = (low + high + 1) // 2
        if words(text[start:middle]) <= longest:
            low = middle
        else:
            high = middle - 1
    return last_word_end(text, start, low) or hard_cut(text, start, low)


def _visible(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the span without surrounding white space, if anything is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield Span(start, end)
