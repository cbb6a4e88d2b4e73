"""Quotable units of a text: sentences, list items, table rows, and clauses of long sentences.

Headings, lists of links and pointers ("see also", "this section describes") are marked as stating nothing, so that they
are not taken for answers.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from biblicus.answering.reader.reading import elements, latex, settings, values
from biblicus.answering.reader.reading.blocks import Block, Kind
from biblicus.answering.reader.reading.columns import readable_columns
from biblicus.answering.reader.reading.comment_tags import without_tags
from biblicus.answering.reader.reading.comments import is_source, without_marks
from biblicus.answering.reader.reading.headed import headed
from biblicus.answering.reader.reading.lines_beside import MESSAGE
from biblicus.answering.reader.reading.readable import is_read_across, readable, readable_record, readable_row
from biblicus.answering.reader.reading.written_lines import is_titled
from biblicus.models.extraction import Head, Span
from biblicus.text import replies
from biblicus.text.records import TABLES
from biblicus.text.sentences import hard_cut, last_word_end, sentences
from biblicus.text.terms import parameters
from biblicus.text.terms.headlines import MARKDOWN

LONGEST = 60
"""Maximum words of a unit; a longer one is split at the end of a clause."""
_MANY, _NAMING = 5, 8
"""Minimum consecutive names for a table of contents, and maximum words of a name."""
_TELLS = re.compile(r"[.!?。！？；;:：,，]|\d")
_SECTION = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,4}\.?\s|[A-Z]\.\d{1,3}(?:\.\d{1,3}){0,4}\.?\s")
"""The number of a section before its name."""
_OPENS = (":", "(", "[", "{", ",", "\\", "|", "&", "=")
"""Endings of code lines after which the next lines are indented."""
_ROOM = 24
"""Number of characters that count as one word in a very long run of letters."""

ASKS = tuple("?？؟")
_LEADS = (":", "：", "——")
_FOLLOWS = re.compile(r"\b(?:as follows|like (?:this|so|the following)|(?:in )?the following(?: example| form)?)\.$")
_CODE_BELOW = "\n\n```"
"""The start of a code fence after the unit."""
_LINK = re.compile(
    r"\[(?:[^\[\]\n]|\n(?!\n)){1,200}\](?:\((?:[^()\n]|\n(?!\n)){0,500}\)|\[[^\[\]\n]{0,80}\])"
    r"|<https?:[^<>\s]{1,300}>|https?://\S{1,300}"
)
_TITLED_LINK = re.compile(
    r"[-*+][ \t]+[^\n.:]{3,120}(?::|[ \t][-–—])[ \t]+(?:<?https?://[^<>\s]{1,300}>?"
    r"|\[https?://[^]\s]{1,300}\]\([^)\s]{1,300}\))\W*"
)
"""An item with only the title and URL of a page: `- Winches, an overview: https://…`."""
_TASK = re.compile(r"[-*+][ \t]+\[[ xX]\][ \t]")
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3040-\u9fff]")
_JOINING_WORDS = "and or the of in to see und oder der die das et le la y el и 和"
_JOINING = frozenset(_JOINING_WORDS.split())
_BESIDE_LINKS = {Kind.STEP: 1, Kind.ROW: 2}
"""Minimum words outside links for a step ("Open the [page](…)") or a row to state something; three for others."""
_LETTER = re.compile(r"[^\W_]")
_BARS = re.compile(r"\s\|\s")
_NAMED = re.compile(r"(?:^|\|\s)[^|:]{1,60}:\s[^\s|]")
"""A cell with its column's name."""
_CLAUSE = re.compile(r"[,;:](?=\s)|\s[–—-]{1,3}(?=\s)|—|[，、；：]|\)(?=\s)|\s(?=\()|\n")
_LINE = re.compile(r"\n")
_WIDE = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]"
)

_BOLD, _RUN_IN = ("**", "__"), 3
"""Marks around a label at the start of a paragraph, and maximum words of the label."""
_ANSWERS = (
    "yes",
    "no",
    "ja",
    "nein",
    "sí",
    "oui",
    "non",
    "да",
    "нет",
    "never",
    "always",
    "nie",
    "nunca",
    "jamais",
    "никогда",
)
"""Short answers, which are no labels."""


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
    """Yield the units of a text in ascending order, without surrounding white space. `media_type`: of the item.
    `heading`: of a table, its column names. `heads`: headings in the text without markup."""
    parts = [
        unit
        for block in headed(text, media_type, heading, heads)
        for start, end in _visible(text, block.start, block.end)
        for unit in _units(text, Block(start, end, block.kind, block.header), longest, media_type, heading)
    ]
    if media_type in replies.TYPES:
        signed = replies.signature(text)
        parts = [replace(unit, says=unit.says and not _frames(unit, signed)) for unit in parts]
    names: list[Unit] = []
    before: Unit | None = None
    for unit in parts:
        if _is_name(unit):
            names.append(unit)
            continue
        yield from _listed(names, before)
        names, before = [], unit
        yield unit
    yield from _listed(names, before)


def _frames(unit: Unit, signed: int) -> bool:
    """Return True if a unit is a letter's header, greeting, closing or signature."""
    return unit.start >= signed or replies.says_nothing(unit.reads) or replies.is_envelope(unit.reads)


FIELDS = (Kind.ROW, Kind.FACT)
"""Kinds of units with one value of something described."""
LISTED = (Kind.ITEM, Kind.STEP, Kind.ROW, Kind.FACT)


def _listed(names: Sequence[Unit], before: Unit | None) -> Iterator[Unit]:
    """Yield consecutive names; if they are many and no text introduces them, they are contents and state nothing."""
    if (before is not None and before.leads) or len(names) < _MANY:
        yield from names
    else:
        yield from (replace(name, says=False) for name in names)


def _is_name(unit: Unit) -> bool:
    """Return True if an item or a title-like step is only a name, as in a table of contents."""
    if unit.words > _NAMING or unit.kind not in (Kind.ITEM, Kind.STEP):
        return False
    if unit.kind is Kind.ITEM:
        number = _SECTION.match(unit.reads)
        return not _TELLS.search(unit.reads, number.end() if number else 0)
    name = unit.reads.partition(" ")[2]
    return is_titled(name.split(), 1) and " " in name and not _TELLS.search(name)


def _read(text: str, media_type: str) -> str:
    """Return the readable text of a part of an item."""
    if media_type in values.TYPES:
        return values.readable(text)
    if media_type in settings.TYPES:
        return settings.readable(text)
    if media_type == latex.TYPE:
        return latex.readable(text)
    if media_type == elements.TYPE:
        return elements.readable(text)
    return readable(without_tags(without_marks(text)) if is_source(media_type) else text)


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
        yield from _code(text, start, end, longest)
    elif kind is Kind.ROW:
        columns = heading if media_type in TABLES else None
        header = text[block.header.start : block.header.end] if block.header else columns
        reads = _read_row(text[start:end], header, media_type)
        if words(reads) <= longest:
            yield Unit(start, end, kind, reads, words(reads), _says(text[start:end], reads, kind), header=block.header)
        else:
            yield from _sentence(text, start, end, longest, kind, media_type)
    elif kind is Kind.FACT and (asked := _asked_at_its_end(text, start, end)) is not None:
        yield from _sentence(text, start, asked, longest, kind, media_type)
        yield from _sentence(text, text.index(text[asked:end].strip(), asked), end, longest, Kind.PROSE, media_type)
    elif kind is not Kind.PROSE and words(_read(text[start:end], media_type)) <= longest:
        yield from _sentence(text, start, end, longest, kind, media_type)
    else:
        for low, high in _with_whole_links(text, start, end):
            yield from _sentence(text, low, high, longest, kind if low == start else Kind.PROSE, media_type)


def _with_whole_links(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences, none of which ends inside a link: `[Is it open? ›](gate.md)`."""
    parts = sentences(text, start, end)
    if "](" not in text[start:end]:
        yield from parts
        return
    links = _LINK.finditer(text, start, end)
    link = next(links, None)
    begins: int | None = None
    for part in parts:
        begins = part.start if begins is None else begins
        while link is not None and link.end() <= part.end:
            link = next(links, None)
        if link is None or link.start() >= part.end:
            yield Span(begins, part.end)
            begins = None


def _asked_at_its_end(text: str, start: int, end: int) -> int | None:
    """Return the start of the last sentence or line of a message if it is a question after a statement, or None."""
    if not text[start:end].endswith(ASKS) or not MESSAGE.match(text, start, end):
        return None
    ends = [high for _, high in sentences(text, start, end)]
    line = text.rfind("\n", start, end)
    at = max(ends[-2] if len(ends) > 1 else start, line)
    return len(text[:at].rstrip()) if at > start else None


def _sentence(text: str, start: int, end: int, longest: int, kind: Kind, media_type: str) -> Iterator[Unit]:
    written = text[start:end]
    if kind is Kind.FACT and media_type not in (*settings.TYPES, *values.TYPES) and not MESSAGE.match(written):
        written = readable_columns(written)
    reads = (parameters.said(written) if kind is Kind.FACT and media_type == MARKDOWN[0] else "") or _read(
        written, media_type
    )
    size = words(reads)
    if size <= longest:
        says = _says(text[start:end], reads, kind)
        is_above_code = text.startswith(_CODE_BELOW, end) and _FOLLOWS.search(reads) is not None
        is_open = is_above_code or reads.endswith((*ASKS, *_LEADS))
        is_open = is_open or _is_run_in(text, start, end, kind, size)
        leads = is_open and not _TASK.match(text, start, end)  # an open task introduces no answer
        yield Unit(start, end, kind, reads, size, says and not is_open, leads)
        return
    for number, (low, high) in enumerate(_clauses(text, start, end, longest)):
        reads = _read(text[low:high], media_type)
        yield Unit(low, high, kind, reads, words(reads), _says(text[low:high], reads, kind), joined=number > 0)


def _is_run_in(text: str, start: int, end: int, kind: Kind, size: int) -> bool:
    """Return True if a sentence is a bold label at the start of its paragraph: `**Reviewer 1.** Fifty plots are
    few.`"""
    bold = text[start : start + 2]
    is_bold = kind is Kind.PROSE and bold in _BOLD and text[end - 2 : end] == bold and text[end : end + 1] == " "
    within = text[start + 2 : end - 2]
    return is_bold and size <= _RUN_IN and bold not in within and within.strip(" .,!").casefold() not in _ANSWERS


def _code(text: str, start: int, end: int, longest: int) -> Iterator[Unit]:
    """Yield code, split at line ends if it is too long."""
    for low, high in _clauses(text, start, end, longest, _LINE):
        reads = _moved_left(text, low, high)
        yield Unit(low, high, Kind.CODE, reads, words(reads), says=False)


def _moved_left(text: str, start: int, end: int) -> str:
    """Return code lines without their common indentation, which the first line of a text may have lost."""
    first, *others = text[start:end].splitlines()
    before = text[text.rfind("\n", 0, start) + 1 : start]
    if start == 0 and not first.endswith(_OPENS):
        return "\n".join([first, *textwrap.dedent("\n".join(others)).splitlines()])
    return textwrap.dedent("\n".join([before + first, *others])) if before.isspace() else text[start:end]


def _says(written: str, reads: str, kind: Kind) -> bool:
    """Return True if a sentence, item or row states something and does not only name or link to other places."""
    if not _LETTER.search(reads) or (written[:1] == "<" and elements.only_lists(written)):
        return False
    if kind is not Kind.ROW and _TITLED_LINK.fullmatch(written):
        return False
    if "](" in written or "][" in written or "http" in written:
        rest = [word for word in _WORD.findall(readable(_LINK.sub(" ", written))) if word.lower() not in _JOINING]
        return len(rest) >= _BESIDE_LINKS.get(kind, 3)
    is_named = _NAMED.search(written) is not None or reads.count(": ") > 1  # cells with their columns' names
    if not is_named and is_read_across(written) and (kind is Kind.ROW or not any(map(str.isdigit, written))):
        return False
    is_full = is_named or len(_BARS.findall(written)) < 2 or len(reads) > _ROOM * 2
    return kind is not Kind.ROW or is_full


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
