"""Answer a question for the most or the least from a whole column of a table, with its row as the citation.

The column is one that the question names, or that its superlative is about (`cheapest`: a price), in one unit. There is
no answer where the question asks for more than the table's names, titles and cells account for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from biblicus.answering.packs.joining import spanned
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import Unit, units, words
from biblicus.answering.reader.terms import Terms, of_question, of_text, stemmer_for
from biblicus.answering.reader.units import Section
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Extraction
from biblicus.text import records

Whole = Callable[[Evidence], Extraction | None]
"""The extraction that a piece of evidence is of; None where there is no access to it."""

SURE = 0.85
"""Confidence of such an answer."""
_LONGEST = {True: 1 << 20, False: 200_000}
"""Maximum characters of a text that is parsed, for CSV files and for other texts with tables."""
_LEAST, _MOST = 2, 3
"""Rows of a table at least; rows with the same best value at most."""
_CELL = 60
"""Characters of a cell at most that is a number."""
_LENGTH, _HEIGHT = "length|distance|duration|minutes|länge|dauer|strecke", "height|elevation|altitude|depth|höhe|tiefe"
_PRICE, _DAY = (
    "prices?|costs?|amount|fee|preis|kosten|betrag",
    "date|year|since|joined|born|founded|built|datum|baujahr",
)
_SUPERLATIVES = (
    (False, r"cheapest|least expensive|billigste\w*|günstigste\w*", _PRICE),
    (True, r"most expensive|dearest|teuerste\w*", _PRICE),
    (False, r"oldest|earliest|first|älteste\w*|früheste\w*", _DAY),
    (True, r"newest|latest|youngest|most recent|neueste\w*|jüngste\w*", _DAY),
    (True, r"highest|tallest|deepest|höchste\w*|tiefste\w*", _HEIGHT),
    (True, r"longest|längste\w*", _LENGTH),
    (False, r"shortest|kürzeste\w*", f"{_LENGTH}|{_HEIGHT}"),
    (True, r"heaviest|schwerste\w*", "weight|mass|gewicht"),
    (False, r"lightest|leichteste\w*", "weight|mass|gewicht"),
    (True, r"fastest|schnellste\w*", "speed|velocity|geschwindigkeit"),
    (False, r"slowest|langsamste\w*", "speed|velocity|geschwindigkeit"),
    (True, r"largest|biggest|größte\w*", "size|area|volume|größe|fläche"),
    (False, r"smallest|kleinste\w*", "size|area|volume|größe|fläche"),
    (True, r"greatest|maximum|most|meisten?", "(?!)"),
    (False, r"lowest|fewest|minimum|least|niedrigste\w*|wenigsten?", "(?!)"),
)
"""Rows of `(maximum?, words, columns)`: the columns are searched if the question names none."""
_OTHER_QUESTION = (
    r"(?i)\b(?:not|no|except|without|how many|second|third|next|average|mean|median|total|sum|and|or|nicht"
    r"|kein\w*|außer|ohne|zweit\w*|dritt\w*|durchschnitt\w*|wie viele|und|oder)\b|n['’]t\b"
    r"|\b(?:of|in|for|per)\s(?:an?|any|each|every)\s"
)
"""Words of questions that no one row answers."""
_NUMBER = re.compile(r"(?P<before>\D{0,8}?)(?P<number>[-−]?\d[\d.,'’\u00a0\u202f]*+)(?P<behind>\D{0,12})")
_DAY_OF = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?(?:[T ].*)?")
_OF_ALL = re.compile(r"(?i)\W*(?:total|sum|average|mean|summe|gesamt\w*|durchschnitt)\b")
"""The beginning of a row that is not one of the others."""
_UNIT, _BETWEEN = re.compile(r"\s*[(\[].*$"), re.compile(r"; | — ")


class _Row(NamedTuple):
    """A table row: its cells by column name, and its unit in the complete text."""

    cells: Mapping[str, str]
    unit: Unit


class Told(NamedTuple):
    """The rows with the largest or smallest value, each in its own section, and a summary."""

    sections: Sequence[Section]
    summary: str


class _Asked(NamedTuple):
    """A question for the most or the least. `columns`: those that its superlative is about; `terms`: of the
    superlative; `at`: the offset of its end."""

    question: str
    reading: Terms
    most: bool
    columns: str
    terms: frozenset[str]
    at: int


def told(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Told | None:
    """Return the answer from the first table of the evidence that has what is asked for; None without one."""
    askings = ((most, about, re.search(rf"(?i)\b(?:{asks})\b", question)) for most, asks, about in _SUPERLATIVES)
    most, about, match = next((asking for asking in askings if asking[2]), (False, "", None))
    if match is None or whole is None or re.search(_OTHER_QUESTION, question):
        return None
    read: set[tuple[str, str]] = set()
    for piece in evidence:
        key = piece.item_id, piece.extraction_id
        is_table = piece.media_type in records.TABLES
        if key in read or not (is_table or "|" in piece.text):
            continue
        read.update([key] if is_table else ())
        extraction = whole(piece)
        if extraction is None or len(extraction.text) > _LONGEST[is_table]:
            continue
        reading = of_question(question, stemmer_for(piece.language, ()))
        request = _Asked(question, reading, most, about, frozenset(of_text(match[0], reading.stemmer)), match.end())
        for rows in _tables(piece, extraction):
            if answer := _best(request, piece, rows):
                return _cited(piece, extraction, *answer)
    return None


def _tables(piece: Evidence, extraction: Extraction) -> Iterator[list[_Row]]:
    """Yield the rows of each whole table that the piece has a part of."""
    is_table = piece.media_type in records.TABLES
    rows = _records(extraction.text) if is_table else _rows(extraction.text, piece.media_type)
    for _, table in groupby(rows, key=lambda row: tuple(row.cells)):
        listed = list(table)
        if len(listed) >= _LEAST and listed[0].unit.start < piece.span_end and listed[-1].unit.end > piece.span_start:
            yield listed


def _records(text: str) -> Iterator[_Row]:
    """Yield the records of a table as text (CSV) whose first line names the columns."""
    header, at = "", 0
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        written = line.rstrip("\r")
        header = header or written.strip()
        names, cells = records.cells(header, header), records.cells(written, header)
        if len(cells) == len(names) and written != header and records.names_columns(header):
            unit = Unit(start, start + len(written), Kind.ROW, written, 0)
            yield _Row({name.strip(): cell.strip() for name, cell in zip(names, cells, strict=True)}, unit)


def _rows(text: str, media_type: str) -> Iterator[_Row]:
    """Yield the rows of tables within a text whose cells have the names of their columns."""
    for unit in units(text, media_type=media_type):
        named = [cell.partition(": ") for cell in _BETWEEN.split(unit.reads)] if unit.kind is Kind.ROW else []
        if len(named) > 1 and all(between for _, between, _ in named):
            yield _Row({name.strip(): cell.strip() for name, _, cell in named}, unit)


def _best(asked: _Asked, piece: Evidence, table: Sequence[_Row]) -> tuple[list[_Row], str] | None:
    """Return the rows of a table that have the most or the least, and of what; None if the table does not answer."""
    rows = [row for row in table if not _OF_ALL.match(next(iter(row.cells.values()), ""))]
    stemmer, question = asked.reading.stemmer, asked.question.casefold()
    plain = {name: _UNIT.sub("", name).replace("_", " ").casefold() for name in table[0].cells}
    terms = {name: frozenset(of_text(column_title, stemmer)) for name, column_title in plain.items()}
    columns = [name for name, column_terms in terms.items() if column_terms and column_terms <= asked.reading.all]
    if any(asked.terms & terms[name] for name in columns):
        return None  # a column is called so: `First ascent`
    numbers = {name: values for name in terms if (values := _numbers([row.cells[name] for row in rows]))}
    behind = [name for name in columns if name in numbers]
    behind.sort(key=lambda name: question.find(plain[name], asked.at) % (1 << 30))
    about = behind or [name for name in numbers if re.search(rf"\b(?:{asked.columns})\b", plain[name])]
    if not about or (len(about) > 1 and not behind):
        return None
    column = about[0]
    conditions = _conditions(question, [name for name in terms if name != column], rows)
    among = {
        at: value
        for at, (row, value) in enumerate(zip(rows, numbers[column], strict=True))
        if value is not None and all(row.cells[name].casefold() in cells for name, cells in conditions.items())
    }
    around = (piece.title or "", re.sub("[/_]", " ", piece.path), piece.heading or "", *conditions)
    context = " ".join((*around, *(cell for cells in conditions.values() for cell in cells)))
    if len(among) < _LEAST or asked.reading.all - asked.terms.union(of_text(context, stemmer), *terms.values()):
        return None
    best = (max if asked.most else min)(among.values())
    best_rows = {rows[at].unit.reads: rows[at] for at, value in among.items() if value == best}
    summary = f"{'most' if asked.most else 'least'} by {column} of {len(among)} rows"
    return ([*best_rows.values()], summary) if len(best_rows) <= _MOST else None


def _conditions(question: str, names: Sequence[str], rows: Sequence[_Row]) -> dict[str, set[str]]:
    """Return the cells of each column that a question names: it is about these rows."""
    values: dict[str, set[str]] = {}
    for name in names:
        for cell in {row.cells[name].casefold() for row in rows}:
            if len(cell) > 1 and cell in question and re.search(rf"(?<!\w){re.escape(cell)}(?!\w)", question):
                values.setdefault(name, set()).add(cell)
    return values


def _numbers(cells: Sequence[str]) -> list[float | None]:
    """Return the values of a column, None for a cell without a digit, such as `n/a`. Return nothing if a cell is no
    number or day, or several units are used."""
    written = [cell for cell in cells if any(map(str.isdigit, cell))]
    others = {cell for cell in cells if any(map(str.isalpha, cell)) and cell not in written}
    if not written or len(others) > 1 or max(map(len, written)) > _CELL:
        return []
    if all(map(_DAY_OF.fullmatch, written)):
        values = [float("".join(filter(str.isdigit, cell[:10])).ljust(8, "0")) for cell in written]
    else:
        matches = [match for cell in written if (match := _NUMBER.fullmatch(cell))]
        units_used = {(match["before"].strip(" -−"), match["behind"].strip()) for match in matches}
        if len(matches) < len(written) or len(units_used) > 1:
            return []
        values = _values([match["number"].rstrip(".,'’\u00a0\u202f").replace("−", "-") for match in matches])
    told_values = iter(values)
    return [next(told_values) if any(map(str.isdigit, cell)) else None for cell in cells] if values else []


def _values(numbers: Sequence[str]) -> list[float]:
    """Return the numbers of a column; a sign with three digits behind it in all of them divides thousands."""
    point = next((sign for sign in ".," if any(re.search(rf"\{sign}(?:\d\d?|\d{{4,}})$", n) for n in numbers)), "")
    if not point and all("." in number for number in numbers):
        point = "."
    try:
        return [float(re.sub(rf"[^\d{point}-]", "", number).replace(point or " ", ".")) for number in numbers]
    except ValueError:
        return []


def _cited(piece: Evidence, extraction: Extraction, rows: Sequence[_Row], summary: str) -> Told:
    """Return the rows as evidence of their own."""
    sections = []
    for row in rows:
        start, end = row.unit.start, row.unit.end
        line = 1 + extraction.text.count("\n", 0, start)
        of_row = spanned(piece, extraction.text[start:end], start, line, extraction.spots)
        reads = "; ".join(f"{name}: {cell}" for name, cell in row.cells.items() if cell)
        sections.append(Section(of_row, piece.heading or "", 0, [Unit(0, end - start, Kind.ROW, reads, words(reads))]))
    return Told(sections, f"The row of {piece.path} with the {summary}.")
