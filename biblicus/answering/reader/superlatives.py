"""Answers questions for the largest or smallest value in a table, from the complete column; the row is cited.

The column is named in the question or implied by its superlative (`cheapest`: a price), with values in one unit. Sums,
counts, ranks and exceptions are not computed, and a question with words beyond the table's names, titles and cells is
not answered.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from biblicus.answering.packs.joining import spanned
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import Unit, units, words
from biblicus.answering.reader.sections import Section
from biblicus.answering.reader.terms import Terms, of_question, of_text, stemmer_for
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Extraction
from biblicus.text import records

Whole = Callable[[Evidence], Extraction | None]
"""Returns the extraction of a piece of evidence, or None if it is unavailable."""

SURE = 0.85
"""Confidence of the row."""
_LONGEST = {True: 1 << 20, False: 200_000}
"""Maximum characters of a text that is parsed, for CSV files and for other texts with tables."""
_LEAST, _MOST = 2, 3
"""Minimum rows of a table, and maximum rows in an answer; more rows with equal values give none."""
_CELL = 60
"""Maximum characters of a cell with a number."""
_MISSING = frozenset({"n/a", "na", "none", "null", "nan", "unknown", "tbd", "k.a.", "unbekannt"})
"""Cells for a missing number."""
_PRICE = r"prices?|costs?|amount|total|fee|sum|preis|kosten|betrag|summe|gebühr|prix|coût|montant|precio|coste|importe"
_DAY = (
    r"date|day|year|since|started|start|joined|born|founded|built|bought|hired|datum|jahr|seit|baujahr|année|fecha|año"
)
_HEIGHT = r"height|elevation|altitude|depth|höhe|tiefe|hauteur|altitude|altura|altitud|profundidad"
_LENGTH = r"length|distance|duration|minutes|länge|dauer|strecke|longueur|durée|longitud|duraci[óo]n"
_SIZE = r"size|area|surface|volume|größe|fläche|superficie|taille|tamaño"
_WEIGHT = r"weight|mass|gewicht|poids|peso"
_SPEED = r"speed|velocity|geschwindigkeit|tempo|vitesse|velocidad"
_NAMED = r"(?!)"
"""No implied column: the question must name it."""
_PLUS = r"(?:le|la|les) plus"
_SUPERLATIVES = (
    (False, (r"cheapest|least expensive|billigste\w*|günstigste\w*|preiswerteste\w*|(?:le|la|les) moins chère?s?"
     r"|más barat[oa]s?"), _PRICE),
    (True, rf"most expensive|dearest|costliest|priciest|teuerste\w*|{_PLUS} chère?s?|más car[oa]s?", _PRICE),
    (False, (rf"oldest|earliest|first|longest[- ]serving|älteste\w*|früheste\w*|{_PLUS} (?:vieux|vieille|ancien\w*)"
     r"|más (?:antigu[oa]|viej[oa])s?"), _DAY),
    (True, (rf"newest|latest|youngest|most recent|neueste\w*|jüngste\w*|späteste\w*|{_PLUS} (?:récent\w*|jeune)"
     r"|más (?:reciente|nuev[oa]|joven)s?"), _DAY),
    (True, rf"highest|tallest|deepest|höchste\w*|tiefste\w*|{_PLUS} (?:haute?|élevée?)|más alt[oa]s?", _HEIGHT),
    (True, rf"longest|längste\w*|{_PLUS} long(?:ue)?|más larg[oa]s?", _LENGTH),
    (False, rf"shortest|kürzeste\w*|{_PLUS} courte?|más cort[oa]s?", rf"{_LENGTH}|{_HEIGHT}"),
    (True, rf"heaviest|schwerste\w*|{_PLUS} lourde?|más pesad[oa]s?", _WEIGHT),
    (False, rf"lightest|leichteste\w*|{_PLUS} légère?|más liger[oa]s?", _WEIGHT),
    (True, rf"fastest|schnellste\w*|{_PLUS} rapide|más rápid[oa]s?", _SPEED),
    (False, rf"slowest|langsamste\w*|{_PLUS} lente?|más lent[oa]s?", _SPEED),
    (True, rf"largest|biggest|größte\w*|{_PLUS} (?:grande?|grosse?)|más grandes?", _SIZE),
    (False, rf"smallest|kleinste\w*|{_PLUS} petite?|más pequeñ[oa]s?", _SIZE),
    (True, r"greatest|maximum|most|meisten?|mayor", _NAMED),
    (False, (rf"lowest|fewest|minimum|least|niedrigste\w*|wenigsten?|geringste\w*|{_PLUS} (?:basse?|faible)"
     r"|más baj[oa]s?|menor"), _NAMED),
)  # fmt: skip
"""True if the maximum is requested, the words of the request, and the implied columns."""
_NOT_TOLD = re.compile(
    r"\b(?:not|no|except|besides|without|outside|other than|how many|second|third|2nd|3rd|next|average|mean|median"
    r"|total|sum|together|and|or|nicht|kein\w*|außer|ohne|zweit\w*|dritt\w*|durchschnitt\w*|zusammen|wie viele|und"
    r"|oder|pas|sauf|sans|deuxième|moyenne|combien de|et|ou|excepto|sin|segund[oa]|promedio|cuánt[oa]s|y|o)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Words in questions that a single row cannot answer."""
_OF_ANY = re.compile(
    r"\b(?:maximum|minimum)\b[^?]{1,60}?\s(?:of|in|for|per)\s(?:an?|any|each|every|one)\s", re.IGNORECASE
)
"""A question for a limit of all things of a kind: `the maximum length of a boat`."""
_NUMBER = re.compile(
    r"(?P<before>\D{0,8}?)(?P<number>[-−]?\d[\d.,'’\u00a0\u202f]*+)(?!\W*(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt"
    r"|nov|de[cz])|\W*[ap]\.?m\b)(?P<behind>\D{0,12})",
    re.IGNORECASE,
)
_DAY_OF = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ].*)?|(\d{1,2})\.(\d{1,2})\.(\d{4})")
"""A date; dates with slashes are excluded, since month and day may be in either order."""
_OF_ALL = re.compile(
    r"\W*(?:sub|grand )?(?:total|sum|average|mean|summe|gesamt\w*|durchschnitt|moyenne|media)\b", re.IGNORECASE
)
"""The start of a row with a total or average."""
_BETWEEN = re.compile(r"; | — ")
_UNIT = re.compile(r"\s*[(\[].*$")
_THOUSANDS = re.compile(r"[-−]?\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+")
_OF_POINTS = ("de", "es", "fr", "it", "pt", "nl", "ru", "pl", "da", "sv", "nb", "cs", "tr")
"""Languages that write 1.000 for a thousand."""


class _Row(NamedTuple):
    """A table row: its cells by column name, and its unit in the complete text."""

    cells: Mapping[str, str]
    unit: Unit


class Told(NamedTuple):
    """The rows with the largest or smallest value, each in its own section, and a summary."""

    sections: Sequence[Section]
    summary: str


class _Asked(NamedTuple):
    """A parsed request: maximum or minimum, implied columns, the terms of the request and their end."""

    most: bool
    columns: re.Pattern[str]
    terms: frozenset[str]
    at: int


def told(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Told | None:
    """Answer from the first table in the evidence that has the requested column, or return None."""
    askings = (
        (most, about, re.search(rf"\b(?:{asks})\b", question, re.IGNORECASE)) for most, asks, about in _SUPERLATIVES
    )
    most, about, match = next((asking for asking in askings if asking[2]), (False, "", None))
    if match is None or whole is None or _NOT_TOLD.search(question) or _OF_ANY.search(question):
        return None
    read: set[tuple[str, str]] = set()
    for piece in evidence:
        reading = of_question(question, stemmer_for(piece.language, ()))
        terms = frozenset(of_text(match[0], reading.stemmer))
        columns = re.compile(rf"\b(?:{about})\b", re.IGNORECASE)
        asking = _Asked(most, columns, terms, match.end())
        if piece.media_type in records.TABLES:
            if (piece.item_id, piece.extraction_id) in read:
                continue
            read.add((piece.item_id, piece.extraction_id))
        for rows in _tables(piece, whole):
            if answer := _told(question, reading, asking, piece, rows):
                extraction = whole(piece)
                return _cited(piece, extraction, *answer) if extraction else None
    return None


def _tables(piece: Evidence, whole: Whole) -> Iterator[list[_Row]]:
    """Yield each complete table that overlaps a piece."""
    is_table = piece.media_type in records.TABLES
    if not is_table and "|" not in piece.text:
        return
    extraction = whole(piece)
    if extraction is None or len(extraction.text) > _LONGEST[is_table]:
        return
    rows = _records(extraction.text) if is_table else _rows(extraction.text, piece.media_type)
    for _, table in groupby(rows, key=lambda row: tuple(row.cells)):
        listed = list(table)
        if len(listed) >= _LEAST and listed[0].unit.start < piece.span_end and listed[-1].unit.end > piece.span_start:
            yield listed


def _records(text: str) -> Iterator[_Row]:
    """Yield the records of a CSV text whose first line has the column names."""
    header, at = "", 0
    names: list[str] = []
    for line in text.split("\n"):
        start, at = at, at + len(line) + 1
        written = line.rstrip("\r")
        if not header and written.strip():
            header = written
            if not records.names_columns(header):
                return
            names = records.cells(header, header)
        elif written.strip():
            cells = records.cells(written, header)
            if len(cells) == len(names):
                unit = Unit(start, start + len(written), Kind.ROW, written, 0)
                yield _Row({name.strip(): cell.strip() for name, cell in zip(names, cells, strict=True)}, unit)


def _rows(text: str, media_type: str) -> Iterator[_Row]:
    """Yield the rows of tables in a text whose cells have column names."""
    for unit in units(text, media_type=media_type):
        named = [cell.partition(": ") for cell in _BETWEEN.split(unit.reads)] if unit.kind is Kind.ROW else []
        if len(named) > 1 and all(between for _, between, _ in named):
            yield _Row({name.strip(): cell.strip() for name, _, cell in named}, unit)


def _told(
    question: str, reading: Terms, asked: _Asked, piece: Evidence, table: Sequence[_Row]
) -> tuple[list[_Row], str] | None:
    """Return the rows of a table with the largest or smallest value, and a description of the value."""
    rows = [row for row in table if not _OF_ALL.match(next(iter(row.cells.values()), ""))]
    terms = {
        name: frozenset(of_text(_UNIT.sub("", name).replace("_", " "), reading.stemmer)) for name in table[0].cells
    }
    named = [name for name, of_name in terms.items() if of_name and of_name <= reading.all]
    if any(asked.terms & terms[name] for name in named):
        return None  # a column has this name: `First ascent`
    numbers = {name: values for name in terms if (values := _numbers([row.cells[name] for row in rows], piece))}
    column = _column(question, asked, [name for name in named if name in numbers], [*numbers])
    if column is None:
        return None
    conditions = _conditions(question, [name for name in terms if name != column], rows)
    at = [
        number
        for number, row in enumerate(rows)
        if numbers[column][number] is not None
        and all(row.cells[name].casefold() in wanted for name, wanted in conditions.items())
    ]
    if len(at) < _LEAST:
        return None
    around = " ".join(
        (piece.title or "", piece.path.replace("/", " ").replace("_", " "), piece.heading or "", *conditions)
    )
    accounted = asked.terms.union(of_text(around, reading.stemmer), *terms.values())
    accounted = accounted.union(*(of_text(" ".join(wanted), reading.stemmer) for wanted in conditions.values()))
    if reading.all - accounted:
        return None
    among = {number: value for number in at if (value := numbers[column][number]) is not None}
    best = (max if asked.most else min)(among.values())
    of_rows = f"{'most' if asked.most else 'least'} by {column} of {len(at)} rows"
    best_rows = {rows[number].unit.reads: rows[number] for number in at if among[number] == best}
    return ([*best_rows.values()], of_rows) if len(best_rows) <= _MOST else None


def _column(question: str, asked: _Asked, named: Sequence[str], numbers: Sequence[str]) -> str | None:
    """Return the requested column: the first one named after the superlative, or the only implied one."""
    if named:
        lower = question.casefold()
        places = {name: lower.find(_UNIT.sub("", name).casefold(), asked.at) for name in named}
        return min(named, key=lambda name: (places[name] < 0, places[name]))
    about = [name for name in numbers if asked.columns.search(name.replace("_", " "))]
    return about[0] if len(about) == 1 else None


def _conditions(question: str, names: Sequence[str], rows: Sequence[_Row]) -> dict[str, frozenset[str]]:
    """Return the cell values of each column that the question names, which restrict the rows."""
    lower = question.casefold()
    conditions: dict[str, frozenset[str]] = {}
    for name in names:
        cells = {row.cells[name].casefold() for row in rows}
        here = (cell for cell in cells if len(cell) > 1 and cell in lower)
        if wanted := frozenset(cell for cell in here if re.search(rf"(?<!\w){re.escape(cell)}(?!\w)", lower)):
            conditions[name] = wanted
    return conditions


def _numbers(cells: Sequence[str], piece: Evidence) -> list[float | None]:
    """Return the numbers in a column's cells, None for missing ones. Empty if a cell is no number or date, or units
    differ."""
    is_missing = [not any(map(str.isalnum, cell)) or cell.casefold() in _MISSING for cell in cells]
    written = [cell for cell, missing in zip(cells, is_missing, strict=True) if not missing]
    if not written or max(map(len, written)) > _CELL:
        return []
    if all(_day(cell) is not None for cell in written):
        return [None if missing else _day(cell) for cell, missing in zip(cells, is_missing, strict=True)]
    matches = [_NUMBER.fullmatch(cell) for cell in written]
    of_unit = {(match["before"].strip(" -−"), match["behind"].strip()) if match else None for match in matches}
    if None in of_unit or len(of_unit) > 1:
        return []
    texts = [match["number"].rstrip(".,'’\u00a0\u202f") for match in matches if match]
    point = _point(texts, piece.language)
    values = iter([_value(text, point) for text in texts])
    numbers = [None if missing else next(values) for missing in is_missing]
    return (
        []
        if any(number is None for number, missing in zip(numbers, is_missing, strict=True) if not missing)
        else numbers
    )


def _day(cell: str) -> float | None:
    match = _DAY_OF.fullmatch(cell)
    if match is None:
        return None
    year, month, day = (match[1], match[2], match[3] or "0") if match[1] else (match[6], match[5], match[4])
    return float(year) * 10_000 + float(month) * 100 + float(day)


def _point(texts: Sequence[str], language: str | None) -> str:
    """Return the decimal separator of a column."""
    for point in ".,":
        if any(re.search(rf"\{point}(?:\d{{1,2}}|\d{{4,}})$", text) for text in texts):
            return point
    of_thousands = all(_THOUSANDS.fullmatch(text) for text in texts if "." in text)
    return "," if of_thousands and language in _OF_POINTS else "."


def _value(text: str, point: str) -> float | None:
    plain = "".join(character for character in text.replace("−", "-") if character in f"-0123456789{point}")
    try:
        return float(plain.replace(point, "."))
    except ValueError:
        return None


def _cited(piece: Evidence, extraction: Extraction, rows: Sequence[_Row], of_rows: str) -> Told:
    """Return the rows as separate pieces of evidence."""
    sections = []
    for row in rows:
        start, end = row.unit.start, row.unit.end
        text, line = extraction.text[start:end], 1 + extraction.text.count("\n", 0, start)
        of_row = spanned(piece, text, start, line, extraction.spots)
        reads = "; ".join(f"{name}: {cell}" for name, cell in row.cells.items() if cell)
        unit = Unit(0, end - start, Kind.ROW, reads, words(reads))
        sections.append(Section(of_row, piece.heading or "", 0, [unit]))
    return Told(sections, f"The row of {piece.path} with the {of_rows}.")
