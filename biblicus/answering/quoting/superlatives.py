"""Which of a table's rows has the most or the least of what is asked: told from the whole column, its row cited.

Sums are not told, and nothing is where the question asks for more than the table's names, titles and cells account for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from itertools import groupby
from typing import NamedTuple

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms, stemmer_for, terms_in
from biblicus.answering.quoting.reading.blocks import Kind
from biblicus.answering.quoting.reading.units import Unit, units, words
from biblicus.answering.quoting.sections import Section
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Extraction
from biblicus.text import records

Whole = Callable[[Evidence], Extraction | None]
"""The extraction that a piece of evidence is of; None where that is not to be had."""

_SURE, _LESS_SURE = 0.85, 0.6
"""How likely the row answers, where the table accounts for all words of the question, and for all but one."""
_LONGEST = {True: 4 << 20, False: 200_000}
"""Characters of a text at most that is read for its table, where it is nothing but one, and where it has any."""
_LEAST, _MOST = 2, 3
"""Rows of a table at least, and those at most that are told where several have as much."""
_COUNTED = 0.8
"""The share of a column's cells that are numbers, at least."""
_PRICE = r"prices?|costs?|amount|total|fee|sum|preis|kosten|betrag|summe|gebühr|prix|coût|montant|precio|coste|importe"
_DAY = (
    r"date|day|year|since|started|start|joined|born|founded|built|bought|hired|datum|jahr|seit|baujahr|année|fecha|año"
)
_HEIGHT = r"height|elevation|altitude|depth|höhe|tiefe|hauteur|altitude|altura|altitud|profundidad"
_LENGTH = r"length|distance|duration|minutes|länge|dauer|strecke|longueur|durée|longitud|duraci[óo]n"
_SIZE = r"size|area|surface|volume|weight|speed|größe|fläche|gewicht|superficie|taille|tamaño|peso"
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
    (True, (rf"largest|biggest|greatest|heaviest|fastest|maximum|most|größte\w*|meisten?|schwerste\w*|schnellste\w*"
     rf"|{_PLUS} (?:grande?|grosse?|lourde?|rapide)|más grandes?|mayor"), _SIZE),
    (False, (rf"lowest|smallest|lightest|slowest|fewest|minimum|least|niedrigste\w*|kleinste\w*|leichteste\w*"
     rf"|langsamste\w*|wenigsten?|geringste\w*|{_PLUS} (?:petite?|basse?|faible|légère?|lente?)"
     r"|más (?:pequeñ[oa]|baj[oa])s?|menor"), _SIZE),
)  # fmt: skip
"""Whether the most is asked for, the words that ask so, and the columns that these are about where none is named."""
_NUMBER = re.compile(
    r"[^\d]{0,8}?(?P<number>[-−]?\d[\d.,'’\u00a0\u202f]*)(?!\W*(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|de[cz])"
    r"|\W*[ap]\.?m\b)[^\d]{0,12}",
    re.IGNORECASE,
)
_DAY_OF = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ].*)?|(\d{1,2})[./](\d{1,2})[./](\d{4})")
_OF_ALL = re.compile(
    r"\W*(?:sub|grand )?(?:total|sum|average|mean|summe|gesamt\w*|durchschnitt|moyenne|media)\b", re.IGNORECASE
)
"""How a row begins that is not one of the others."""
_BETWEEN = re.compile(r"; | — ")
_UNIT = re.compile(r"\s*[(\[].*$")
_THOUSANDS = re.compile(r"[-−]?\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+")
_OF_POINTS = ("de", "es", "fr", "it", "pt", "nl", "ru", "pl", "da", "sv", "nb", "cs", "tr")
"""Languages that write 1.000 for a thousand."""


class _Row(NamedTuple):
    """A row of a table: its cells by the names of their columns, and its unit in the whole text."""

    cells: Mapping[str, str]
    unit: Unit


class Told(NamedTuple):
    """The rows that have the most or the least, each in a section of its own; how likely they answer; what was read."""

    sections: Sequence[Section]
    sure: float
    summary: str


class _Asked(NamedTuple):
    """Whether the most is asked for; the columns that this is about where none is named; the terms that ask so, and
    where they end; whether they say nothing of what is compared."""

    most: bool
    columns: re.Pattern[str]
    terms: frozenset[str]
    at: int
    is_plain: bool


def told(question: str, evidence: Sequence[Evidence], whole: Whole | None) -> Told | None:
    """What the first table tells among the evidence that has what is asked for; None where none has."""
    found = (
        (most, about, re.search(rf"\b(?:{asks})\b", question, re.IGNORECASE)) for most, asks, about in _SUPERLATIVES
    )
    most, about, match = next((asking for asking in found if asking[2]), (False, "", None))
    if match is None or whole is None:
        return None
    for piece in evidence:
        reading = question_terms(question, stemmer_for(piece.language, ()))
        terms = frozenset(terms_in(match[0], reading))
        columns = re.compile(rf"\b(?:{about})\b", re.IGNORECASE)
        asked = _Asked(most, columns, terms, match.end(), about in (_SIZE, _HEIGHT))
        for rows in _tables(piece, whole):
            if answer := _told(question, reading, asked, piece, rows):
                extraction = whole(piece)
                return _cited(piece, extraction, *answer) if extraction else None
    return None


def _tables(piece: Evidence, whole: Whole) -> Iterator[list[_Row]]:
    """The whole of each table that stands in a piece."""
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
    """The records of a table as text (CSV) whose first line names the columns."""
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
    """The rows of tables within a text whose cells have the names of their columns."""
    for unit in units(text, media_type=media_type):
        named = [cell.partition(": ") for cell in _BETWEEN.split(unit.reads)] if unit.kind is Kind.ROW else []
        if len(named) > 1 and all(between for _, between, _ in named):
            yield _Row({name.strip(): cell.strip() for name, _, cell in named}, unit)


def _told(
    question: str, reading: QuestionTerms, asked: _Asked, piece: Evidence, table: Sequence[_Row]
) -> tuple[list[_Row], float, str] | None:
    """The rows of a table that have the most or the least, how likely they answer, and of what."""
    rows = [row for row in table if not _OF_ALL.match(next(iter(row.cells.values()), ""))]
    terms = {name: frozenset(terms_in(_UNIT.sub("", name).replace("_", " "), reading)) for name in table[0].cells}
    named = [name for name, of_name in terms.items() if of_name and of_name <= reading.asked]
    if any(asked.terms & terms[name] for name in named):
        return None  # a column is called so: `First ascent`
    numbers = {name: values for name in terms if (values := _numbers([row.cells[name] for row in rows], piece))}
    days = {name for name in numbers if any(_DAY_OF.fullmatch(row.cells[name]) for row in rows)}
    column = _column(question, asked, [name for name in named if name in numbers], [*numbers], days)
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
    said = " ".join(
        (piece.title or "", piece.path.replace("/", " ").replace("_", " "), piece.heading or "", *conditions)
    )
    accounted = asked.terms.union(terms_in(said, reading), *terms.values())
    accounted = accounted.union(*(terms_in(" ".join(wanted), reading) for wanted in conditions.values()))
    left = reading.asked - accounted
    if len(left) > 1 or left & reading.names:
        return None
    among = {number: value for number in at if (value := numbers[column][number]) is not None}
    best = (max if asked.most else min)(among.values())
    of_rows = f"{'most' if asked.most else 'least'} by {column} of {len(at)} rows"
    return [rows[number] for number in at if among[number] == best], _LESS_SURE if left else _SURE, of_rows


def _column(question: str, asked: _Asked, named: Sequence[str], numbers: Sequence[str], days: Set[str]) -> str | None:
    """The column that a question is about: the first one named behind the word that asks, or the only one that is about
    what that says, or that has numbers and no days at all."""
    if named:
        lower = question.casefold()
        places = {name: lower.find(_UNIT.sub("", name).casefold(), asked.at) for name in named}
        return min(named, key=lambda name: (places[name] < 0, places[name]))
    about = [name for name in numbers if asked.columns.search(name.replace("_", " "))]
    if not about and asked.is_plain:
        about = [name for name in numbers if name not in days]
    return about[0] if len(about) == 1 else None


def _conditions(question: str, names: Sequence[str], rows: Sequence[_Row]) -> dict[str, frozenset[str]]:
    """The cells of each column that a question names: of these rows it asks."""
    lower = question.casefold()
    conditions: dict[str, frozenset[str]] = {}
    for name in names:
        cells = {row.cells[name].casefold() for row in rows}
        here = (cell for cell in cells if len(cell) > 1 and cell in lower)
        if wanted := frozenset(cell for cell in here if re.search(rf"(?<!\w){re.escape(cell)}(?!\w)", lower)):
            conditions[name] = wanted
    return conditions


def _numbers(cells: Sequence[str], piece: Evidence) -> list[float | None]:
    """What the cells of a column come to, empty where too few are numbers or days."""
    written = [cell for cell in cells if any(map(str.isalnum, cell))]
    days = [_day(cell) for cell in cells]
    if written and sum(day is not None for day in days) >= _COUNTED * len(written):
        return days
    matches = [_NUMBER.fullmatch(cell) for cell in cells]
    texts = [match["number"].rstrip(".,'’\u00a0\u202f") if match else "" for match in matches]
    if not written or sum(map(bool, texts)) < _COUNTED * len(written):
        return []
    point = _point([text for text in texts if text], piece.language)
    return [_value(text, point) if text else None for text in texts]


def _day(cell: str) -> float | None:
    match = _DAY_OF.fullmatch(cell)
    if match is None:
        return None
    year, month, day = (match[1], match[2], match[3] or "0") if match[1] else (match[6], match[5], match[4])
    return float(year) * 10_000 + float(month) * 100 + float(day)


def _point(texts: Sequence[str], language: str | None) -> str:
    """What stands before the decimals in a column."""
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


def _cited(piece: Evidence, extraction: Extraction, rows: Sequence[_Row], sure: float, of_rows: str) -> Told:
    """The rows as evidence of their own."""
    sections = []
    for row in rows[:_MOST]:
        start, end = row.unit.start, row.unit.end
        text, line = extraction.text[start:end], 1 + extraction.text.count("\n", 0, start)
        of_row = spanned(piece, text, start, line, extraction.spots)
        reads = "; ".join(f"{name}: {cell}" for name, cell in row.cells.items() if cell)
        unit = Unit(0, end - start, Kind.ROW, reads, words(reads))
        sections.append(Section(of_row, piece.heading or "", 0, [unit]))
    others = f"; {len(rows) - _MOST} more have as much" if len(rows) > _MOST else ""
    return Told(sections, sure, f"The row of {piece.path} with the {of_rows}{others}.")
