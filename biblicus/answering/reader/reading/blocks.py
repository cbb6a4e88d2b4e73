"""Splits a text into blocks by layout: paragraphs, items, table rows, code, headings, markup.

Markdown, reStructuredText and the text that extractors make of other formats. Each line is looked at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import dropwhile

from biblicus.answering.reader.reading import comments, latex, settings, values
from biblicus.models.extraction import Head, Span
from biblicus.text import headings, records, replies


class Kind(Enum):
    """Kind of a block. `FACT`: a line that says one thing, `Deadline: May`; `LABEL`: a line that names what follows;
    `MARKS`: what only a renderer reads."""

    PROSE = "prose"
    ITEM = "item"
    STEP = "step"
    ROW = "row"
    FACT = "fact"
    CODE = "code"
    HEADING = "heading"
    LABEL = "label"
    MARKS = "marks"


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines of a text that belong together. `header`: for a row, the row with the column names."""

    start: int
    end: int
    kind: Kind
    header: Span | None = None


_FENCE = re.compile(r"[ \t>]{0,12}(`{3,}|~{3,})([^`\n]*)$")
_LINE = re.compile(
    r"(?P<marks>[ \t>]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t|:-]*)?$|[ \t>]{0,12}[+|][-=+| \t:]{3,}$|=+(?: +=+)+[ \t]*$"
    r"|(?:\|[^|\s][^|\n]{0,60}\|_{0,2}[ \t]*){1,50}$|[^\n]*(?:\.{5,}|(?:[ \t]\.){4,})[ \t]*[\divxl]*[ \t]*$"
    r"|[ \t>]*(?::::|<!--|-->|\[!(?:\w{1,20}\]|[^\n]{0,400}\)\][ \t]*$)|\.\.[ \t]|\[[^\]\n]{0,60}\]$"
    r"|</?[a-zA-Z][^<>\n]{0,200}/?>$|!\[[^\]\n]*\]\([^)\n]*\)$|\{[%{/][^\n]*[%}/*]\}$|\([\w:. /-]{1,80}\)=$"
    r"|(?:import|export)\s[^\n]*[\"'][^\"'\n]+[\"'];?$|(?:\d{1,3}:){1,2}\d{1,2}(?:[.,]\d{1,3})? --> \d"
    r"|\W{0,3}$|:(?:name|class|alt|width|header-rows|widths|linenos|caption|maxdepth):(?:[ \t]|$)))"
    r"|(?P<heading>[ \t>]{0,3}#{1,6}(?:\s|$)|[ \t]{0,12}[-*+][ \t]#{2,6}[ \t]|[ \t]{0,3}<h[1-6]\b[^\n]*</h[1-6]>)"
    r"|(?P<step>[ \t>]{0,12}(?:\d{1,3}|#|[a-z])[.)][ \t]+\S)"
    r"|(?P<item>[ \t>]{0,12}(?:[-*+•‣◦▪–]|\[[ xX]\])[ \t]+\S|[ \t]{0,3}:[^\W\d_][^:`\n]{0,60}:[ \t]+\S)"
    r"|(?P<row>[ \t>]{0,12}\||(?=[ \t]*[^|\s])(?>(?:[^|\n`]|`[^`\n]*+`|`(?![^`\n]*`))*)(?<=[ \t])\|[ \t]+\S)"
)
"""The kind of a line by its marks; a line without any is prose."""
_DELIMITER = re.compile(r"[ \t>]{0,12}[|+:]?[-=+| \t:]*-[-=+| \t:]*$")
_UNDERLINE = re.compile(r"([=~*^\"'`+#.:_-])\1{2,}[ \t]*$")
_BREAK = re.compile(r"(?:\\|<br ?/?>)[ \t]*$", re.IGNORECASE)
_MEANS = re.compile(r"[ ]{0,3}:[ \t]+\S")
"""Definition on the line below a term: `:   A crane of oak.`"""
_VERBATIM = re.compile(
    r"[ \t]*\.\.[ \t]+(?:(?:[a-z0-9_-]+:)?(?:code(?:-block)?|sourcecode|parsed-literal|literalinclude|prompt|console"
    r"|terminal|shell|(?:command|program)-output|i?python3?|jupyter-execute|doctest|test\w+|highlight|math|graphviz"
    r"|(?:di)?graph|inheritance-diagram|mermaid|uml|plot|raw|productionlist|csv-table|image|figure|toctree|include"
    r"|contents|index|meta|tabularcolumns|bibliography|replace|unicode|auto\w+|click|argparse|hlist|list-table)::"
    r"|(?![\w:.+-]+::)\S)|(?![ \t]*\.\.[ \t])[^\n]*::[ \t]*$"
)
"""A line below which indented lines are no text: a directive of code or pictures, a comment, or `::` at its end."""
_CODE = re.compile(
    r"(?:[;{}]|\)[ \t]*:|\w\([^()]*\);?)[ \t]*$|^[ \t]*(?:#include|>>>|\.\.\.[ \t]|\$ |import \w|@\w+\(?|//"
    r"|from [\w.]+ import|def \w|class \w+[(:]|return[ ;]|/\*|[}\])]|[\w.]+ ?= ?\S)"
)
_CALL = re.compile(r"(?:\w+ )?[\w.:]+ ?\([^()\n]{0,200}\)(?: ?(?:→|->)[^\n]{0,80})?[ \t¶]*")
_SENTENCE = re.compile(r"[ \t]*(?:[^\W\d_][\w'’-]*[,.;:]?[ \t]+){7}")
_LABEL, _NARROW = 4, 40
"""Characters of a line at least that is filled with words."""
_OF_A_DOCUMENT = re.compile(r"(?i):?(?:author|status|version|created|last-modified|category|superseded-by)s?:")
_HEADER, _HEADERS = re.compile(r":?[^\W\d_][\w -]{0,30}:(?:[ \t]|$)"), 3
"""A line of the header of a document, and lines of one at least."""


def blocks(text: str, media_type: str = "", heading: str = "") -> list[Block]:
    """Return the blocks of a text in ascending order; every visible character is in one. In source code only comments
    and docstrings are prose; CSV lines are rows. `heading`: see `units`."""
    if media_type in records.TABLES:
        return list(_rows(text, heading))
    if media_type in values.TYPES:
        return [Block(part.start, part.end, _kind_of_value(part)) for part in values.told(text)]
    if media_type in settings.TYPES:
        return [Block(part.start, part.end, _kind_of_setting(part)) for part in settings.lines(text, media_type)]
    return list(_merged(_Reader(text, media_type).read()))


def _kind_of_value(part: values.Told) -> Kind:
    return Kind.ROW if part.is_record else Kind.PROSE if part.is_text else Kind.FACT


def _kind_of_setting(part: settings.Setting) -> Kind:
    names = Kind.HEADING if part.is_section else Kind.LABEL
    return names if part.names else Kind.PROSE if part.is_text else Kind.FACT


def _rows(text: str, heading: str) -> Iterator[Block]:
    """Yield the lines of a CSV table; its first line is the header of the others if it has column names. It is no
    header if `heading` gives other column names."""
    lines = list(dropwhile(lambda span: not text[span.start : span.end].strip(), lines_of(text)))
    at = records.naming([text[span.start : span.end] for span in lines])
    first = text[lines[at].start : lines[at].end] if lines else ""
    names = lines[at] if records.names_columns(first) and first.split() == (heading or first).split() else None
    for span in lines:
        if text[span.start : span.end].strip():
            yield Block(span.start, span.end, Kind.HEADING if span is names else Kind.ROW, names)


def lines_of(text: str) -> Iterator[Span]:
    """Yield the span of each line."""
    start = 0
    for line in text.split("\n"):
        yield Span(start, start + len(line))
        start += len(line) + 1


Read = tuple[Span, Kind | None, Span | None]
"""A line with its kind, None of a blank one, and the header of a row."""


class _Reader:
    """Reads a text line by line. The kind of a line may depend on the one before and the one after."""

    def __init__(self, text: str, media_type: str) -> None:
        self._media_type = media_type
        self._is_mail = media_type in replies.TYPES
        self._lines = list(lines_of(text))
        self._written = [text[start:end] for start, end in self._lines]
        if media_type == latex.TYPE:
            self._written = latex.with_tables(self._written)
        self._said = comments.lines_told(self._written, media_type)
        for at in self._said or ():
            self._written[at] = comments.without_marks(self._written[at])
        is_text = self._said is None
        self._headers = _headers(self._written) if is_text else 0
        prose_lines = range(len(self._lines)) if self._said is None else self._said
        self._coded = _coded([line if at in prose_lines else "" for at, line in enumerate(self._written)])
        if media_type == latex.TYPE:  # its commands look like code
            self._coded = frozenset()
        self._within = list(_paragraphs(self._written))
        self._listed = _listed(self._written) if is_text else frozenset[int]()

    def read(self) -> Iterator[Read]:
        """Yield the lines; an empty span of no kind divides two blocks."""
        fence = self._open_fence() if self._said is None else None
        literal: int | None = None
        is_hidden = is_around = False
        ends = max((at for at, line in enumerate(self._written) if "-->" in line), default=-1)
        header: Span | None = None
        before: Kind | None = None
        for at, line in enumerate(self._written):
            span = self._lines[at]
            if not line.strip():
                header = before = None
                yield span, None, None
                continue
            if self._said is not None and at not in self._said:
                yield span, Kind.CODE, None
                continue
            marks = None if self._is_drawn(at) else _FENCE.match(line)
            if marks and marks[1].startswith(fence or marks[1]) and not (fence and marks[2].strip()):
                info = marks[2].strip()
                if fence or (is_around and not info):
                    fence, is_around = None, False
                elif info.startswith("{") and not info.startswith("{code"):
                    is_around = True  # a directive of MyST that holds text
                else:
                    fence = marks[1]
                yield span, Kind.MARKS, None
                continue
            if fence is not None:
                yield span, Kind.CODE, None
                continue
            is_hidden = is_hidden or (at <= ends and line.lstrip(" \t>").startswith("<!--"))
            if is_hidden:
                is_hidden = "-->" not in line
                yield span, Kind.MARKS, None
                continue
            indent = len(line) - len(line.lstrip(" \t"))
            if literal is not None and indent > literal:
                yield span, Kind.CODE, None
                continue
            literal = indent if _VERBATIM.match(line) else None
            kind = Kind.MARKS if at < self._headers else self._kind(at, line)
            is_titled = kind is Kind.PROSE and before in (Kind.ITEM, Kind.STEP) and self._is_broken_before(at)
            if kind is Kind.FACT or is_titled or self._begins(at, line):
                yield Span(span.start, span.start), None, None
            before = kind
            if kind is Kind.ROW and self._is_delimited(at):
                header = span
                yield span, Kind.HEADING, None
                continue
            yield span, kind, header if kind is Kind.ROW else None
            if kind is Kind.PROSE and _BREAK.search(line):
                yield Span(span.end, span.end), None, None

    def _kind(self, at: int, line: str) -> Kind:
        marked = latex.kind(line) if self._media_type == latex.TYPE else comments.kind(line) if self._said else None
        if marked:
            return Kind(marked)
        if self._underlines(at) or self._is_underlined(at):
            return Kind.HEADING
        match = None if _UNDERLINE.match(line) else _LINE.match(line)
        name = match.lastgroup if match else None
        if _UNDERLINE.match(line) or name == "marks":
            return Kind.MARKS
        if name == "heading" and self._media_type == headings.PDF:  # there it is a comment
            return Kind.PROSE
        if name:
            return Kind(name)
        if self._is_label(at, line):
            return Kind.LABEL
        return Kind.CODE if at in self._coded else Kind.FACT if at in self._listed else Kind.PROSE

    def _is_label(self, at: int, line: str) -> bool:
        """Return true if a line by itself before a text has a few words and no end of a sentence, or shows a call."""
        above, below = self._written[at - 1] if at else "", self._written[at + 1 : at + 3]
        is_alone = not above.strip() and len(below) == 2 and (line.isupper() or not below[0].strip()) and any(below)
        is_short = self._media_type not in headings.PAGES and len(line.split()) <= _LABEL
        is_name = is_short and line.rstrip()[-1].isalpha() and not any(map(str.isdigit, line))
        return is_alone and (is_name or _CALL.fullmatch(line) is not None)

    def _begins(self, at: int, line: str) -> bool:
        """Return true if a block begins with a line, whatever its kind."""
        above = self._written[at - 1] if at else ""
        is_other = self._is_mail and replies.quote_depth(line) != replies.quote_depth(above)
        return is_other or _MEANS.match(line) is not None

    def _is_broken_before(self, at: int) -> bool:
        """Return True if the writer ended the line above on purpose: the next word had room there. A line without a
        letter or digit is in no paragraph."""
        within = next((lines for lines in self._within if at in lines), None)
        width = _width(self._written, within) if within else 0
        return width > _NARROW and _has_room(self._written, at - 1, width)

    def _is_delimited(self, at: int) -> bool:
        """Return true if the line of a table's marks follows a row, which then names columns."""
        if self._written[at].endswith(latex.NAMES):
            return self._media_type == latex.TYPE
        return at + 1 < len(self._written) and _DELIMITER.match(self._written[at + 1]) is not None

    def _underlines(self, at: int) -> bool:
        return at > 0 and self._is_underlined(at - 1)

    def _is_underlined(self, at: int) -> bool:
        """Return true if the line of marks under a line makes it a heading."""
        line, below = self._written[at].rstrip(), "".join(self._written[at + 1 : at + 2]).rstrip()
        if not line or _UNDERLINE.match(below) is None or 2 * len(below) < len(line):
            return False
        above = self._written[at - 1] if at else ""
        is_fence = _FENCE.match(below) is not None and (below == '"""' or len(below) < len(line))
        is_code = line.endswith((";", "{", "}")) or "://" in line
        is_alone = not above.strip() or _UNDERLINE.match(above) is not None
        match = _LINE.match(line)
        return is_alone and not is_fence and not is_code and not (match and match.lastgroup == "marks")

    def _is_drawn(self, at: int) -> bool:
        """Return true if a line that could be a fence is drawn under a title, or over and under it."""
        line = self._written[at].rstrip()
        title, below = (*(next_line.rstrip() for next_line in self._written[at + 1 : at + 3]), "", "")[:2]
        return self._underlines(at) or (line == below and 0 < len(title) <= len(line))

    def _open_fence(self) -> str | None:
        """Return the marks of the fence that a text begins within, as a part of a longer one may: the first of an odd
        number opens nothing."""
        fences = [
            match for at, line in enumerate(self._written) if (match := _FENCE.match(line)) and not self._is_drawn(at)
        ]
        is_within = len(fences) % 2 == 1 and not fences[0][2].strip()
        return fences[0][1] if is_within else None


def _headers(lines: Sequence[str]) -> int:
    """Return how many lines at the beginning are the header of a document: `Author: …`, `Status: …`."""
    count = 0
    while count < len(lines) and (
        _HEADER.match(lines[count]) or (count and lines[count][:1] in (" ", "\t") and lines[count].strip())
    ):
        count += 1
    ends = count == len(lines) or not lines[count].strip()
    is_long = count >= _HEADERS or lines[0].startswith(":")
    return count if ends and is_long and any(map(_OF_A_DOCUMENT.match, lines[:count])) else 0


def _paragraphs(lines: Sequence[str]) -> Iterator[range]:
    """Yield the lines between those without a letter or digit."""
    start = 0
    for at in range(len(lines) + 1):
        if at == len(lines) or not any(map(str.isalnum, lines[at])):
            if start < at:
                yield range(start, at)
            start = at + 1


def _coded(lines: Sequence[str]) -> frozenset[int]:
    """Return the lines of paragraphs most of whose lines look like code, and none like a sentence."""
    return frozenset(
        at
        for within in _paragraphs(lines)
        if (len(within) > 1 or lines[within[0]][:4].isspace())
        and 2 * sum(_CODE.search(lines[at]) is not None for at in within) >= len(within)
        and not any(_SENTENCE.match(lines[at]) for at in within)
        for at in within
    )


def _listed(lines: Sequence[str]) -> frozenset[int]:
    """Return the lines of paragraphs whose writer broke them on purpose: the next word had room in the line above."""
    listed: set[int] = set()
    for within in _paragraphs(lines):
        width = _width(lines, within)
        has_room = (_has_room(lines, at, width) for at in within[:-1])
        goes_on = any(lines[at].lstrip()[:1].islower() and ": " not in lines[at] for at in within)
        if len(within) > 1 and not goes_on and all(has_room):
            listed.update(within)
    return frozenset(listed)


def _width(lines: Sequence[str], within: range) -> int:
    return max(_NARROW, *(len(lines[at].rstrip()) for at in within))


def _has_room(lines: Sequence[str], at: int, width: int) -> bool:
    """Return True if the first word of the next line fits behind a line."""
    return len(lines[at].rstrip()) + 1 + len(lines[at + 1].split()[0]) <= width


def _merged(lines: Iterator[Read]) -> Iterator[Block]:
    """Lines that belong together as one block: a paragraph's, an item's with those that continue it, a fence's."""
    open_block: Block | None = None
    for span, kind, header in lines:
        if kind is None:
            if open_block is not None and open_block.kind is not Kind.CODE:
                yield open_block
                open_block = None
            continue
        if open_block is not None and _goes_on(open_block.kind, kind):
            open_block = Block(open_block.start, span.end, open_block.kind, open_block.header)
            continue
        if open_block is not None:
            yield open_block
        open_block = Block(span.start, span.end, kind, header)
    if open_block is not None:
        yield open_block


def _goes_on(before: Kind, kind: Kind) -> bool:
    """Return True if a line of this kind belongs to the block before it."""
    if kind is Kind.PROSE:
        return before in (Kind.PROSE, Kind.ITEM, Kind.STEP, Kind.FACT)
    return kind is before and kind in (Kind.CODE, Kind.MARKS)


def headed(text: str, media_type: str, heading: str, heads: Sequence[Head]) -> Iterator[Block]:
    """Yield the blocks of a text in ascending order. `heads`: the headings in it, each a label."""
    begin = 0
    for head in heads:
        yield from _moved(blocks(text[begin : head.offset], media_type, heading), begin)
        begin = head.offset
        if head.lines:
            begin = end_of(text, head)
            yield Block(head.offset, begin, Kind.LABEL)
    yield from _moved(blocks(text[begin:], media_type, heading), begin)


def end_of(text: str, head: Head) -> int:
    """Return the end of the last line of a heading."""
    end = head.offset
    for _ in range(head.lines):
        end = text.find("\n", min(end + 1, len(text)))
        if end < 0:
            return len(text)
    return end


def _moved(found: Sequence[Block], by: int) -> Iterator[Block]:
    for block in found:
        header = block.header and Span(block.header.start + by, block.header.end + by)
        yield Block(block.start + by, block.end + by, block.kind, header) if by else block
