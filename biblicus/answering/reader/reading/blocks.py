"""Splits a text into blocks by layout: paragraphs, items, table rows, code, headings, markup.

It handles Markdown, reStructuredText and the output of extractors, in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import dropwhile, takewhile

from biblicus.answering.reader.reading import comments, elements, latex, lines_beside, rst_marks, settings, values
from biblicus.answering.reader.reading.columns import RULES, names_columns, told_one_by_one
from biblicus.answering.reader.reading.comment_tags import is_apart, without_tags
from biblicus.answering.reader.reading.in_tags import in_tags
from biblicus.answering.reader.reading.lines_beside import FACT, MEANS, MESSAGE, TERM, VALUE
from biblicus.answering.reader.reading.unseen import seen_by_nobody
from biblicus.answering.reader.reading.written_lines import CODE, SENTENCE, WORDS, indent_of, is_titled, lines_of
from biblicus.models.extraction import Span
from biblicus.text import records, replies
from biblicus.text.headings import stands_above
from biblicus.text.terms import headlines


class Kind(Enum):
    """Kind of a block. `FACT`: a line with a name and a value, `Deadline: May`. `LABEL`: a short separate line that
    names the text below. `MARKS`: markup for renderers only."""

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


_FENCE = re.compile(r"[ \t>]{0,12}(`{3,}|~{3,})[^`\n]*$")
_HEADING = re.compile(r"[ \t>]{0,3}#{1,6}(?:\s|$)|[ \t]{0,12}[-*+][ \t]#{2,6}[ \t]")
_ITEM = re.compile(r"[ \t>]{0,12}(?:[-*+•‣◦▪–]|\[[ xX]\])[ \t]+\S")
_STEP = re.compile(r"[ \t>]{0,12}(?:\d{1,3}|#|[a-z])[.)][ \t]+\S")
_ROW = re.compile(r"[ \t>]{0,12}\||(?=[ \t]*[^|\s])(?>(?:[^|\n`]|`[^`\n]*+`|`(?![^`\n]*`))*)(?<=[ \t])\|[ \t]+\S")
_PICTURES = re.compile(r"[ \t]{0,12}(?:\|[^|\s][^|\n]{0,60}\|_{0,2}[ \t]*){1,50}$")
"""A line of image references in reStructuredText: `|build| |coverage|_`."""
_LEADERS = re.compile(r"(?:\.{5,}|(?:[ \t]\.){4,})[ \t]*[\divxl]*[ \t]*$")
"""Dots before a page number, at the end of a line in a table of contents."""
_DELIMITER = re.compile(r"[ \t>]{0,12}\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t|:-]*)?$|[ \t>]{0,12}[+|][-=+| \t:]{3,}$")
_MARKS = re.compile(
    r"[ \t>]*(?::::|<!--|-->|\[!(?:\w{1,20}\]|[^\n]{0,400}\)\][ \t]*$)|\.\.[ \t]|\[[^\]\n]{0,60}\]$"
    r"|</?[a-zA-Z][^<>\n]{0,200}/?>$|!\[[^\]\n]*\]\([^)\n]*\)$"
    r"|\[?(?:\d{4}-\d{2}-\d{2}[ T])?\d{1,2}:\d{2}(?::\d{2})?\]?[ \t]+(?:-!-|\*{3}|<?-{1,2}>|<-{1,2})[ \t]"
    r"|(?:\d{1,3}:){1,2}\d{1,2}(?:[.,]\d{1,3})? --> (?:\d{1,3}:){1,2}\d{1,2}"
    r"|[\w.+-]{1,60}\(\d\w{0,4}\)[ \t]{2,}(?:[^\n]{0,100}[ \t])?[\w.+-]{1,60}\(\d\w{0,4}\)[ \t]*$"
    r"|[ \t]*\W{0,3}$|:(?:name|class|alt|width|header-rows|widths|linenos|caption):(?:[ \t]|$))"
)
_UNDERLINE = re.compile(r"([=~*^\"'`+#.:_-])\1{2,}[ \t]*$")
_BREAK = re.compile(r"(?:\\|<br ?/?>)[ \t]*$", re.IGNORECASE)
_ENDS = tuple(".!?。！？؟।:;,：；，")
_LABEL = 8
"""Maximum words of a label, a short line that names the text below it."""
_TERM = 4
"""Maximum words of a label directly above its text, as in definition lists."""
_TERMS = 5
"""Maximum consecutive terms that share a definition."""
_DEFINING = re.compile(r"[ \t]*(?:[\"'(“*`]{0,3}|:[a-z:]+:`)([^\W_])")
_LONGER = 1.3
"""Minimum length of the line below a title relative to it; a shorter line may belong to the same text."""
_NUMBERED = re.compile(r"[ \t]*\d{1,2}(?:\.\d{1,2}){0,3}\.?[ \t]+[^\W\d_]")

_ABSTRACT = re.compile(
    r"[ \t]*(?:abstract|a ?b ?s ?t ?r ?a ?c ?t|summary|zusammenfassung|kurzfassung|résumé|resumen|resumo|riassunto"
    r"|samenvatting)[.:—-]?[ \t]*",
    re.IGNORECASE,
)
"""The line above the abstract of a paper."""


def _of_latex(line: str) -> Kind | None:
    """Return the kind of a LaTeX line that starts with a command, or None."""
    if latex.heads(line):
        return Kind.HEADING
    if latex.tells(line):
        return Kind.FACT
    return Kind.ITEM if latex.lists(line) else Kind.MARKS if latex.sets(line) else None


def blocks(text: str, media_type: str = "", heading: str = "") -> list[Block]:
    """Return the blocks of a text in ascending order; every visible character is in one. In source code only comments
    and docstrings are prose; CSV lines are rows. `heading`: see `units`."""
    if media_type in records.TABLES:
        return list(_rows(text, heading))
    if media_type in values.TYPES:
        return list(_values(text))
    if media_type in settings.TYPES:
        return list(_settings(text, media_type))
    return list(_merged(_Reader(text, media_type).read()))


def _values(text: str) -> Iterator[Block]:
    """Yield the values of JSON: records, texts, and single other values."""
    for part in values.told(text):
        kind = Kind.ROW if part.is_record else Kind.PROSE if part.is_text else Kind.FACT
        yield Block(part.start, part.end, kind)


def _settings(text: str, media_type: str) -> Iterator[Block]:
    """Yield the lines of a configuration file."""
    for part in settings.lines(text, media_type):
        names = Kind.HEADING if part.is_section else Kind.LABEL
        yield Block(part.start, part.end, names if part.names else Kind.PROSE if part.is_text else Kind.FACT)


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


class _Reader:
    """Reads a text line by line. The kind of a line may depend on its neighbours."""

    def __init__(self, text: str, media_type: str) -> None:
        self._text, self._media_type = text, media_type
        self._is_pdf, self._is_latex = media_type == headlines.PDF, media_type == latex.TYPE
        self._is_mail, self._is_plain = media_type in replies.TYPES, media_type == "text/plain"
        self._is_xml = media_type == elements.TYPE
        self._lines = list(lines_of(text))
        self._written = [text[start:end] for start, end in self._lines]
        if self._is_latex:
            self._written = latex.with_tables(self._written)
        self._told = comments.lines_told(self._written, media_type)
        self._apart = dict.fromkeys(lines_beside.commented(self._written) if self._told is None else (), False)
        self._documents = comments.documented(self._written, media_type)
        for at in sorted((self._told or frozenset()) - self._documents):
            if (says := is_apart(line := comments.without_marks(self._written[at]))) is not None:
                self._apart[at] = says
            self._written[at] = without_tags(line)
        self._headers = lines_beside.headers(self._written) if self._told is None else 0
        self._coded = lines_beside.coded(self._written, media_type) if self._told is None else frozenset[int]()
        self._facts = lines_beside.facts(self._written) if self._told is None else frozenset[int]()
        self._helps = lines_beside.helps(self._written) if self._told is None else {}
        self._columns = told_one_by_one(self._written) if self._told is None else frozenset[int]()
        self._speakers = lines_beside.speakers(self._written) if self._told is None else frozenset[int]()
        self._is_markdown = is_markdown = media_type == headlines.MARKDOWN[0]
        self._unseen = seen_by_nobody(self._written, is_markdown) if self._told is None else frozenset[int]()
        self._in_tags = in_tags(text, self._lines) if is_markdown else {}
        self._follows_text = False

    def read(self) -> Iterator[tuple[Span, Kind | None, Span | None]]:
        """Yield each line with its kind (None if blank); rows with their header."""
        marked = [at for at, line in enumerate(self._written) if _FENCE.match(line) and not self._is_drawn(at)]
        fence = lines_beside.open_fence(self._written, marked)
        if self._is_markdown and not marked:
            fence = lines_beside.within_fence(self._written)
        literal: int | None = 0 if self._told is None and self._begins_within_code() else None
        is_nothing = in_patch = is_drawing = False
        header: Span | None = None
        tagged = -1
        for at, line in enumerate(self._written):
            span = self._lines[at]
            if at <= tagged:
                continue
            if fence is None and at in self._in_tags:
                tagged, parts = self._in_tags[at]
                for part, name in parts:
                    yield part, Kind(name) if name else None, None
                continue
            if self._is_mail and at and replies.quote_depth(line) != replies.quote_depth(self._written[at - 1]):
                yield Span(span.start, span.start), None, None
            if self._is_xml and at and elements.is_apart(self._written[at - 1], line):
                yield Span(span.start, span.start), None, None
            if not line.strip():
                header = None
                yield span, None, None
                continue
            if at in self._unseen and fence is None:
                yield span, Kind.MARKS, None
                continue
            in_patch = (
                self._is_mail
                and (in_patch or replies.begins_patch(self._written, at))
                and not replies.begins_signature(line)
            )
            if in_patch or (self._told is not None and at not in self._told):
                behind = comments.told_behind(line, self._media_type)
                middle = span.end if behind is None else span.start + behind
                yield Span(span.start, middle), Kind.CODE, None
                if middle < span.end:
                    yield Span(middle, span.end), Kind.PROSE, None
                continue
            marks = None if self._is_drawn(at) else _FENCE.match(line)
            if fence is not None:
                closes = marks is not None and marks[1].startswith(fence) and not line.strip(f" \t>{fence[0]}")
                if said := "" if closes else self._helps.get(at, ""):
                    yield Span(span.start, span.start), None, None
                yield span, Kind.MARKS if closes or is_drawing else Kind(said or "code"), None
                fence = None if closes else fence
                continue
            if marks:
                fence, is_drawing = marks[1], lines_beside.DRAWING.match(line) is not None
                yield span, Kind.MARKS, None
                continue
            indent = indent_of(line)
            if literal is not None and (indent > literal or at == 0):
                yield span, Kind.MARKS if is_nothing or rst_marks.OPTION.match(line) else Kind.CODE, None
                continue
            is_nothing = rst_marks.OF_NOTHING.match(line) is not None or rst_marks.COMMENT.match(line) is not None
            opens_code = rst_marks.OF_CODE.match if rst_marks.DIRECTIVE.match(line) else rst_marks.LITERAL.search
            literal = indent if is_nothing or opens_code(line) else None
            if at in self._apart:
                yield Span(span.start, span.start), None, None
                yield span, Kind.ITEM if self._apart[at] else Kind.MARKS, None
                continue
            kind = Kind.MARKS if at < self._headers else self._kind(at, line)
            if indent == 0 and not rst_marks.TELLING.match(line):
                self._follows_text = kind is Kind.PROSE and line.rstrip().endswith(_ENDS)
            is_below = at - 1 in self._columns and not (line[:1].isspace() and kind is Kind.PROSE)
            if MEANS.match(line) or is_below or (at in self._facts and kind in (Kind.FACT, Kind.PROSE)):
                yield Span(span.start, span.start), None, None
            if kind is Kind.ROW and self._is_delimited(at):
                header = span
                yield span, Kind.HEADING, None
                continue
            yield span, kind, header if kind is Kind.ROW else None
            if kind is Kind.PROSE and _BREAK.search(line):
                yield Span(span.end, span.end), None, None

    def _begins_within_code(self) -> bool:
        """Return True if a text starts inside indented code: only its first line has lost its indentation."""
        within = list(takewhile(lambda line: not line.strip() or line[:2].isspace(), self._written[1:]))
        lines = [line for line in (self._written[0], *within) if line.strip()]
        coded = [CODE.search(line) is not None and not rst_marks.DIRECTIVE.match(line) for line in lines]
        return len(lines) > 1 and coded[0] and 3 * sum(coded) > len(lines)

    def _is_drawn(self, at: int) -> bool:
        """Return True if a line that looks like a fence is drawn above or under a title."""
        line = self._written[at].rstrip()
        title, below = (*(other.rstrip() for other in self._written[at + 1 : at + 3]), "", "")[:2]
        return self._underlines(at) or (line == below and 0 < len(title) <= len(line))

    def _kind(self, at: int, line: str) -> Kind:
        if at in self._documents:
            return Kind(comments.of_documentation(line))
        if _LEADERS.search(line) or (self._is_mail and replies.counts_changes(line)):
            return Kind.MARKS
        if self._is_latex and not _ROW.match(line) and (kind := _of_latex(line)):
            return kind
        if _DELIMITER.match(line):
            return Kind.HEADING if "|" not in line and self._underlines(at) else Kind.MARKS
        if _UNDERLINE.match(line):
            return Kind.HEADING if self._underlines(at) else Kind.MARKS
        if _HEADING.match(line) and not self._is_pdf:  # a comment in other formats
            return Kind.HEADING
        if self._is_underlined(at):
            return Kind.HEADING
        if _MARKS.match(line) or _PICTURES.match(line) or RULES.fullmatch(line):
            return Kind.MARKS
        if self._follows_text and rst_marks.TELLING.match(line):  # above any text it is a field of the document
            return Kind.ITEM
        if rst_marks.FIELD.match(line):
            return Kind.MARKS
        if at in self._speakers or (self._is_pdf and _ABSTRACT.fullmatch(line)):
            return Kind.LABEL
        if at in self._coded:
            return Kind.CODE
        if self._is_numbered_title(at, line):
            return Kind.LABEL
        if _STEP.match(line):
            return Kind.STEP
        if _ITEM.match(line):
            return Kind.ITEM
        if _ROW.match(line):
            return Kind.ROW
        if self._is_code(at, line):
            return Kind.CODE
        if at in self._columns and not CODE.search(line):
            return Kind.MARKS if names_columns(self._written, at) else Kind.FACT
        if at in self._facts:
            return Kind.FACT if any(fact.match(line) for fact in (FACT, MESSAGE, TERM)) else Kind.PROSE
        if self._told is not None and at + 1 not in self._told:  # it describes the code below
            return Kind.PROSE
        return Kind.LABEL if self._is_label(at, line) or self._is_term(at) else Kind.PROSE

    def _is_delimited(self, at: int) -> bool:
        """Return True if a delimiter row follows, so that the line has column names."""
        following = self._written[at + 1 : at + 2]
        return bool(following) and _DELIMITER.match(following[0]) is not None and "-" in following[0]

    def _underlines(self, at: int) -> bool:
        return at > 0 and self._is_underlined(at - 1)

    def _is_underlined(self, at: int) -> bool:
        """Return True if a line is a heading underlined by the next line."""
        line, following = self._written[at], "".join(self._written[at + 1 : at + 2])
        if _UNDERLINE.match(following) is None:
            return False
        alone = at == 0 or not self._written[at - 1].strip() or _UNDERLINE.match(self._written[at - 1]) is not None
        closes = self._told is not None and following.strip() == '"""'  # the end of a docstring
        is_fence = _FENCE.match(following) is not None and len(following.rstrip()) < len(line.rstrip())
        is_code = line.rstrip().endswith((";", "{", "}")) or "://" in line
        divides = self._is_plain and 2 * len(following.rstrip()) < len(line.rstrip())
        return alone and not closes and not divides and not is_fence and not is_code and not _MARKS.match(line)

    def _is_code(self, at: int, line: str) -> bool:
        """Return True if a line looks like code and is indented or next to another such line."""
        if self._is_mail and replies.is_quoted_line(line):
            line = replies.unquoted(line)
        if self._is_latex and ("\\" in line or line.rstrip().endswith("}")):
            return False  # LaTeX commands look like code
        if not CODE.search(line) or SENTENCE.match(line) or (self._told is not None and WORDS.fullmatch(line)):
            return False
        around = self._written[max(0, at - 1) : at] + self._written[at + 1 : at + 2]
        return line[:4].isspace() or line.rstrip().endswith((";", "{", "}")) or any(map(CODE.search, around))

    def _is_defined(self, at: int) -> bool:
        """Return True if a definition (`: A crane.`) follows, possibly after a blank line."""
        following = [line for line in self._written[at + 1 : at + 3] if line.strip()]
        return bool(following) and MEANS.match(following[0]) is not None

    def _is_numbered_title(self, at: int, line: str) -> bool:
        """Return True if the number is of a title and not of a step: the line is separate or directly above its
        text."""
        above = self._written[at - 1].rstrip() if at else ""
        below = "".join(self._written[at + 1 : at + 2])
        below = below.lstrip() if self._is_plain else below
        if (not above or above.endswith(_ENDS)) and stands_above(line, below):
            return True
        if not _STEP.match(line):
            return False
        if len(line.split()) > _LABEL + 1 or line.rstrip().endswith(_ENDS) or not _NUMBERED.match(line):
            return False
        before, following = self._written[at - 1] if at else "", self._written[at + 1 : at + 3]
        if before.strip() or len(following) < 2 or following[0].strip() or following[1][:1].isspace():
            return False
        return SENTENCE.match(following[1]) is not None and following[1][:1].isupper()

    def _is_term(self, at: int) -> bool:
        """Return True if a line is a term of a definition list: the definition below is indented."""
        indent, term = indent_of(self._written[at]), self._written[at].strip()
        begins = term[:1].isupper() and not term.isupper()  # a sentence if the indented text starts in lower case
        above = self._written[at - 1] if at else ""
        if above.strip() and indent_of(above) == indent and not self._is_short(at - 1):
            return False
        blank = False
        for below in range(at, min(at + _TERMS + 2, len(self._written))):
            line = self._written[below]
            if not line.strip():
                if blank:
                    return False
                blank = True
            elif indent_of(line) > indent:
                means = " ".join(self._written[below : below + 2])
                first = _DEFINING.match(line)
                return first is not None and len(means.split()) > _TERM and not (first[1].islower() and begins)
            elif blank or indent_of(line) < indent or not self._is_short(below):
                return False
        return False

    def _is_short(self, at: int) -> bool:
        """Return True if a line may be a term: a few words without the punctuation of a sentence."""
        line = self._written[at].rstrip()
        return len(line.split()) <= _TERM and not line.endswith(_ENDS) and not _MARKS.match(line)

    def _is_label(self, at: int, line: str) -> bool:
        """Return True if a line is a label: short, separate, without final punctuation, before a text; or ends in a
        break."""
        words = line.split()
        if len(words) <= _LABEL and not MEANS.match(line) and self._is_defined(at):
            return True
        if _BREAK.search(line):
            return len(words) <= _LABEL
        if len(words) > _LABEL or len(line) > 80 or line.rstrip().endswith(_ENDS):
            return False
        if FACT.match(line) and (line.lstrip().startswith(("`", "**")) or self._has_value(at)):
            return False  # it has its own value
        before, after = "".join(self._written[at - 1 : at] if at else ()), "".join(self._written[at + 1 : at + 3])
        alone = not before.strip()
        if not after.strip() or line[:1].isspace() or not (alone or before.rstrip().endswith(_ENDS)):
            return False
        following = self._written[at + 1].strip()
        if alone and len(words) <= _TERM and {at + 1} & (self._columns | self._facts):
            return True
        if following:  # directly above a text: numbered, capitalised like a title, or a short term
            short = len(words) <= _TERM and len(line) <= _TERM * 8 and len(following.split()) > len(words)
            numbered = alone and _NUMBERED.match(line) is not None
            titled = len(following) >= _LONGER * len(line.rstrip()) and is_titled(words)
            return (numbered or short or titled) and following[:1].isupper()
        if alone and line.isupper() and len(words) <= _TERM:  # as in résumés: `LANGUAGES`
            return True
        leads = len(after.split()) > _LABEL or after.rstrip().endswith(_ENDS)
        return alone and (leads or (len(words) >= _TERM and is_titled(words)))

    def _has_value(self, at: int) -> bool:
        """Return True if a value follows the line's colon (`Next meeting: 10 May`), or the paragraph above is such a
        line."""
        above = next((line for line in reversed(self._written[max(0, at - 2) : at]) if line.strip()), "")
        return VALUE.search(self._written[at]) is not None or FACT.match(above) is not None


def _merged(lines: Iterator[tuple[Span, Kind | None, Span | None]]) -> Iterator[Block]:
    """Yield lines joined into blocks: paragraphs, items with continuation lines, fences."""
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
