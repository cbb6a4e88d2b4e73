"""The row of a table that tells of one property, option or field of what a page is about: `side` of `WinchPanel`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting import entries
from biblicus.answering.quoting.question_terms import question_terms, stemmer_for
from biblicus.answering.quoting.sections import Section
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.readable import cells, readable, readable_row
from biblicus.answering.reader.reading.units import Unit, words
from biblicus.answering.reader.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Span
from biblicus.text.terms import headlines, parameters, titles

SURE = 0.85
"""How likely the row of what is named tells what is asked of it."""
_PAGES = 4
"""Pages that are looked at, the best."""
_ROWS = 20
"""Rows and parameters of one name that are looked at on a page."""
_BESIDE = 2
"""Words of a title that a question may leave out, at most."""
_KIND = r"(?:prop|property|option|field|attribute|setting|parameter|argument|param|flag|column|key|variable)"
_ASKED = re.compile(
    rf"\b(?:the\s+)?[`'\"]?(?P<name>[\w.$-]*\w)[`'\"]?\s+{_KIND}\s+(?:of|in|for|on)\s+(?:the\s+)?[`'\"]?(?P<of>[^`'\"?]+?)[`'\"]?"
    r"(?:\s+(?:component|function|method|class|hook|resource|object|command|page|mean|do|default to|accept))*\W*\Z",
    re.IGNORECASE,
)
"""A property and what it is of."""
_COLUMNS = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-{2,}:?[ \t]*\|[ \t|:-]*$")


def told(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Section | None:
    """The row of the property that a question asks for, of a page, or a section of one, that is about what it is of; of
    its default only where the row tells one. None where there is none."""
    named = _ASKED.search(question)
    if named is None or whole is None:
        return None
    begins = re.compile(
        rf"^[ \t]*+(?:\|[ \t]*+)?[`*\\]*{re.escape(named['name'])}[`*?!\\]*[ \t]*\|[^\n]*", re.MULTILINE
    )
    wants_default = entries.ASKS_DEFAULT.search(question) is not None
    pages = {piece.item_id: piece for piece in reversed(evidence) if piece.media_type in headlines.MARKDOWN}
    for piece in [*reversed(pages.values())][:_PAGES]:
        if (extraction := whole(piece)) is None or named["name"] not in extraction.text:
            continue
        text = extraction.text
        for unit in chain(_rows(text, begins), islice(_parameters(text, named["name"]), _ROWS)):
            headings = [heading.title for heading in extraction.headings if heading.offset < unit.start][-1:]
            if not any(_is_about(title, named["of"], piece.language) for title in (piece.title or "", *headings)):
                continue
            if not wants_default or entries.DEFAULT.search(unit.reads):
                of_page = spanned(piece, text, 0, 1, extraction.spots)
                return Section(of_page, "".join(headings), 0, [unit])
    return None


def _rows(text: str, begins: re.Pattern[str]) -> Iterator[Unit]:
    """The rows that begin so of tables that name their columns."""
    for row in islice(begins.finditer(text), _ROWS):
        if (header := _header(text, row.start())) is not None:
            reads = readable_row(row[0], text[header.start : header.end])
            yield Unit(row.start(), row.end(), Kind.ROW, reads, words(reads), header=header)


def _parameters(text: str, name: str) -> Iterator[Unit]:
    """What objects within components of MDX tell of a parameter that is called so."""
    for one in parameters.parameters(text) if f'name: "{name}"' in text else ():
        if one.name == name and one.text is not None:
            head = parameters.said(text[one.start : one.head])
            says = readable(text[one.text.start : one.text.end])
            reads = f"{head}. {says}" if head else says
            yield Unit(one.start, one.text.end, Kind.FACT, reads, words(reads))


def _header(text: str, at: int) -> Span | None:
    """The line that names the columns of the table which has a row there; None where none does."""
    below = ""
    while at > 0:
        start = text.rfind("\n", 0, at - 1) + 1
        line = text[start : at - 1]
        if below:
            return Span(start, at - 1) if len(cells(line)) > 1 else None
        if "|" not in line:
            return None
        below = line if _COLUMNS.match(line) else ""
        at = start
    return None


def _is_about(title: str, name: str, language: str | None) -> bool:
    stemmer = stemmer_for(language, ())
    terms = question_terms(name, stemmer).asked
    own = question_terms(titles.without_number(title), stemmer).asked
    joined = "".join(title.split()).casefold() == "".join(name.split()).casefold()
    return joined or (bool(terms) and terms <= own and len(own - terms) <= _BESIDE)
