"""What a page of a reference says of one part of what it documents, below a heading that says only that: of `haul` what
stands below `Parameters` or `Return value`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile
from typing import NamedTuple

from biblicus.answering.packs.joining import spanned
from biblicus.answering.quoting.question_terms import question_terms, stemmer_for, terms_in
from biblicus.answering.quoting.reference.asked_parts import AskedPart, Part, asked_part, condition, split_name
from biblicus.answering.quoting.sections import Section, sections
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LONGEST, Unit, words
from biblicus.answering.reader.superlatives import Whole
from biblicus.models.evidence import Evidence
from biblicus.models.extraction import Extraction, Head, Heading, Span
from biblicus.text.terms import headlines

_SHORT = 60
"""Words of what is told at most, but for all parameters."""
_ITEMS = 4
"""Pages that are looked at, the best."""
_HEADED = {
    Part.PARAMETERS: re.compile(
        r"(?:(?:input )?parameters?|arguments?|inputs?|parameterliste|paramètres?|parámetros?|parâmetros?|parametri"
        r"|argumente|argumentos?|argomenti|параметры|аргументы|参数|參數|パラメーター?|引数|매개 ?변수)\W*",
        re.IGNORECASE,
    ),
    Part.RETURNS: re.compile(
        r"(?:returns?|return(?:ed)? (?:values?|types?|codes?)|outputs?|(?:property|field) value|result"
        r"|rückgabe(?:wert)?e?|valeurs? (?:de retour|renvoyée)|renvoie|valor(?:es)? (?:de retorno|devuelto|retornado)"
        r"|devuelve|retorna"
        r"|valor[ei] restituit[oi]|restituisce|возвращаем(?:ое|ые) значени[ея]|retourwaarde|返回值?|傳回值|戻り値"
        r"|返り値|반환 ?값)\W*",
        re.IGNORECASE,
    ),
    Part.RAISES: re.compile(
        r"(?:exceptions?|throws|raises|errors?|ausnahmen|excepciones|exceções|eccezioni|исключения|异常|例外|예외)\W*",
        re.IGNORECASE,
    ),
    Part.REQUIRES: re.compile(
        r"(?:requirements?|anforderungen|configuration requise|requisitos|requisiti|требования|要求|要件|요구 사항)\W*",
        re.IGNORECASE,
    ),
}
_FIELD = {Part.RETURNS: r"Returns?|Return values?|Yields?", Part.RAISES: r"Throws?|Raises?|Exceptions?"}
"""Labels of lines that tell a part where it has no heading."""
_RETURNING = re.compile(
    r"\b(?:returns?|returning|returned|gibt\b.*\bzurück|liefert|renvoie|retourne|devuelve|retorna|restituisce)\b"
    r"|возвраща",
    re.IGNORECASE,
)
"""What a sentence has that tells what comes back."""
_BETWEEN = re.compile(r"(?:syntax|signatures?|overloads?|definition|declaration|usage)\b.*", re.IGNORECASE)
"""Headings that may stand between something and its part."""
_KIND = re.compile(
    r"\b(?:new|functions?|methods?|operations?|operators?|macros?|constructors?|propert(?:y|ies)|class"
    r"|struct(?:ure)?|interface|commands?|cmdlet|hook|procedure|static|async|the|функци[яи]|метод|funktion|methode|fonction|méthode"
    r"|función|método|funzione|metodo)\b:?|函数|方法|関数|メソッド",
    re.IGNORECASE,
)
_CALL = re.compile(r"\s*\(.*|<[^>]*>|\s*(?:->|=>|:\s).*|\s+[-\u2013\u2014]\s.*")
"""What stands beside a name where it is shown how it is called, or what it is."""
_SHOWN = re.compile(r"[\s*&](~?\w[\w.:]*)\(")
"""A name behind what it gives, where it is shown how it is called: `virtual bool Winch::haul(int fathoms)`."""
_NAMES = re.compile(r"\s*(?:,|/|\band\b|\bund\b|\by\b|\bet\b|、)\s*")
_LABEL_OF_LIST = re.compile(
    r"^[*_]{0,2}(?:Parameters?|Arguments?|Params?|Args?)[*_]{0,2}:[*_]{0,2}[ \t]*\n\s*(?=[-*+] )", re.MULTILINE
)
_LISTED_BELOW = re.compile(r"[^\n]*\n\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)?(?=[-*+] [*_]{0,2}`)")
_BEHIND_LIST = re.compile(r"\n[ \t]*\n(?=[^\s*+|-])")
"""Where the text goes on behind a list."""
_BLANK = re.compile(r"\s*")
_LINE_OF_ROW = re.compile(r"[ \t]*\|")


class Place(NamedTuple):
    """A part of a page: the words of its heading, where it begins and ends, where in it what is asked begins, and
    whether it is a text of which only some sentences tell it."""

    title: str
    start: int
    end: int
    since: int = 0
    is_text: bool = False


def section_of_part(question: str, evidence: Sequence[Evidence], most: int, whole: Whole | None) -> Section | None:
    """What a page says of the part that a question asks for, as much as `most` words; None where it asks for no part,
    or none of the best pages has it."""
    asked = asked_part(question) if whole is not None else None
    if asked is None or whole is None:
        return None
    lists_names = asked.part is Part.PARAMETERS and not asked.name
    most = most if lists_names else min(most, _SHORT)
    best: dict[str, Evidence] = {}
    for piece in evidence:
        best.setdefault(piece.item_id, piece)
    pages = [
        (piece, extraction)
        for piece in [*best.values()][:_ITEMS]
        if piece.doctype != "code" and (extraction := whole(piece)) is not None
    ]
    for exactly, (piece, extraction) in product((True, False), pages):
        for place in _places(asked, piece, extraction, exactly=exactly):
            read = _required(asked, units_at(piece, extraction, place))
            if place.is_text:
                read = [unit for unit in read if unit.kind is Kind.PROSE and _RETURNING.search(unit.reads)]
            if units := [*fitting(read, most, names=lists_names)]:
                of_part = spanned(replace(piece, heading=place.title), extraction.text, 0, 1, extraction.spots)
                return Section(of_part, place.title, 0, units)
    return None


def tells_of_case(question: str, section: Section) -> bool:
    """Whether a section has a word of the case that a question asks about, if it does: "… if the rope is wet"."""
    reading = question_terms(condition(question), stemmer_for(section.piece.language, ()))
    return not reading.asked or any(reading.asked & {*terms_in(unit.reads, reading)} for unit in section.units)


def _places(asked: AskedPart, piece: Evidence, extraction: Extraction, *, exactly: bool) -> Iterator[Place]:
    """Where a page tells the part, the best first. `exactly`: of what is called just as it is asked."""
    headings = [heading for heading in extraction.headings if heading.title]
    for at in _called(asked, piece, headings, exactly=exactly):
        level, begin = (headings[at].level, headings[at].offset) if at >= 0 else (0, _begin(extraction))
        below = _deeper(level, headings[at + 1 :])
        behind = at + 1 + len(below)
        end = headings[behind].offset if behind < len(headings) else len(extraction.text)
        parts = [*_parts(asked.part, below, end)]
        for number, part in parts:
            if not asked.name or asked.part is Part.REQUIRES:
                yield part
            elif one := _one(asked.name, extraction.text, part, below[number + 1 :]):
                yield one
        own = Place(headings[at].title if at >= 0 else piece.title or "", begin, below[0].offset if below else end)
        if not parts and (field := _field(asked, extraction.text, own)):
            yield field
        elif not parts and asked.part is Part.RETURNS and own.title:
            yield own._replace(is_text=True)


def _deeper(level: int, headings: Sequence[Heading]) -> list[Heading]:
    """The headings that stand below one of a level."""
    return [*takewhile(lambda heading: heading.level > level, headings)]


def _begin(extraction: Extraction) -> int:
    """Where the text begins, behind its front matter."""
    return next((span.end for span in extraction.masked if not span.start), 0)


def _called(asked: AskedPart, piece: Evidence, headings: Sequence[Heading], *, exactly: bool) -> Iterator[int]:
    """The places of the headings that are called as what the part is of; -1 for a title that no heading has."""
    title = piece.title or ""
    for at, heading in enumerate(headings):
        if any(name == asked.owner if exactly else _is_owner(name, asked, title) for name in _names(heading.title)):
            yield at
    if all(heading.title != title for heading in headings[:1]) and any(
        name == asked.owner if exactly else _is_owner(name, asked, title) for name in _names(title)
    ):
        yield -1


def _is_owner(name: str, asked: AskedPart, title: str) -> bool:
    """Whether a heading of a page names what the part is of, with or without what that is of."""
    *above, last = split_name(name)
    is_of = not asked.qualifier or (
        _same(above[-1], asked.qualifier) if above else asked.qualifier.casefold() in title.casefold()
    )
    return is_of and _same(last, split_name(asked.owner)[-1])


def _same(name: str, other: str) -> bool:
    return name.casefold().lstrip("_$-") == other.casefold().lstrip("_$-")


def _names(title: str) -> Iterator[str]:
    """What a heading names, where it says nothing else: `strcpy` and `wcscpy` of "strcpy, wcscpy functions"."""
    if (shown := _SHOWN.search(title)) is not None:
        yield shown[1]
    for part in _NAMES.split(_CALL.sub("", _KIND.sub(" ", headlines.plain_words(title)))):
        name = part.strip(" `*\\")
        if name and not re.search(r"\s", name):
            yield name


def _parts(part: Part, below: Sequence[Heading], end: int) -> Iterator[tuple[int, Place]]:
    """The headings of a part that stand right below something, with their places among all below that."""
    above: list[Heading] = []
    for at, heading in enumerate(below):
        above = [other for other in above if other.level < heading.level]
        if _HEADED[part].fullmatch(heading.title) and all(_is_between(other.title) for other in above):
            ends = (other.offset for other in below[at + 1 :] if other.level <= heading.level)
            yield at, Place(heading.title, heading.offset, next(ends, end))
        above.append(heading)


def _is_between(title: str) -> bool:
    return any(headed.fullmatch(title) for headed in (_BETWEEN, *_HEADED.values()))


def _one(name: str, text: str, part: Place, below: Sequence[Heading]) -> Place | None:
    """Where the parameter of a name is told among all."""
    for at, heading in enumerate(below):
        if heading.offset >= part.end:
            break
        if any(_same(called, name) for called in _names(heading.title)):
            ends = (other.offset for other in below[at + 1 :] if other.level <= heading.level)
            return Place(heading.title, heading.offset, min(next(ends, part.end), part.end))
    span = _line_of(name, text, part.start, part.end)
    is_row = span and _LINE_OF_ROW.match(text, span.start)
    return Place(part.title, part.start if is_row else span.start, span.end, span.start) if span else None


def _line_of(name: str, text: str, start: int, end: int, *, listed: bool = False) -> Span | None:
    """The lines that tell of a name: one that begins with it, marked as names are there, up to the next that is."""
    others = r"(?:[*_`]{0,3}\w{1,80}[*_`]{0,3}, ?){0,5}"
    begins = re.compile(
        rf"^(?P<mark>[ \t]*(?:[-*+•][ \t]+|\|[ \t]*)?)(?P<style>[*_`\[]{{0,6}}){others}[*_`\[]{{0,6}}{re.escape(name)}"
        r"(?P<rest>(?![\w.-]+\w).*)$",
        re.MULTILINE,
    )
    for match in begins.finditer(text, start, end):
        mark, style, rest = match["mark"], match["style"], match["rest"]
        is_alone = re.fullmatch(r"[\\*_`]*\s*(?:<br ?/?>)?", rest) is not None
        is_told = re.match(r"[*_`\]]*\s*(?:[:\u2013\u2014(\[{|]|-\s)", rest) is not None
        if not (style or mark.strip() or is_alone or is_told) or (listed and not (mark.strip() and style)):
            continue
        if _LINE_OF_ROW.match(mark):
            return Span(match.start(), match.end())
        bullet = re.escape(mark.rstrip(" \t")) + r"[ \t]*" if mark.strip() else re.escape(mark)
        next_one = re.compile(rf"^(?:{bullet}{re.escape(style)}\w|#)", re.MULTILINE)
        if not style and not mark.strip():
            next_one = re.compile(r"\n[ \t]*\n", re.MULTILINE)
        behind = _BLANK.match(text, match.end(), end) if is_alone else None
        following = next_one.search(text, behind.end() if behind else match.end(), end)
        listed_to = _BEHIND_LIST.search(text, match.end(), end) if mark.strip() else None
        ends = [after.start() for after in (following, listed_to) if after]
        return Span(match.start(), min(ends, default=end))
    return None


def _field(asked: AskedPart, text: str, own: Place) -> Place | None:
    """Where a line tells a part that has no heading: `Returns: {Boat}`; of a parameter its item of a list."""
    if asked.part is Part.REQUIRES:
        return _labelled(rf"(?i:{re.escape(asked.name.removesuffix('s'))}s?(?: files?)?)", text, own)
    if asked.name:
        span = _line_of(asked.name, text, own.start, own.end, listed=True)
        return Place(own.title, *span) if span else None
    if asked.part is Part.PARAMETERS:
        return _list_of(text, own)
    return _labelled(_FIELD[asked.part], text, own)


def _labelled(label: str, text: str, own: Place) -> Place | None:
    """Where a line, or a row of a table, says what one of these labels names."""
    match = re.compile(
        rf"^[ \t]*(?:[-*+|][ \t]+)?[*_`@]{{0,3}}(?:{label})[*_`]{{0,3}}"
        r"(?::[*_`]{0,3}(?:[ \t]+\||)[ \t]+\S|[ \t]+[`{]).*(?:\n[ \t]*\w.*)*",
        re.MULTILINE,
    ).search(text, own.start, own.end)
    return Place(own.title, match.start(), match.end()) if match else None


def _list_of(text: str, own: Place) -> Place | None:
    """The list of parameters behind a label, or right below a heading."""
    label = _LABEL_OF_LIST.search(text, own.start, own.end) or _LISTED_BELOW.match(text, own.start, own.end)
    if label is None:
        return None
    behind = _BEHIND_LIST.search(text, label.end() + 1, own.end)
    return Place(own.title, label.end(), behind.start() if behind else own.end)


def units_at(piece: Evidence, extraction: Extraction, place: Place) -> Iterator[Unit]:
    """What stands at a place, in the offsets of the whole text."""
    line = extraction.text.count("\n", 0, place.start) + 1
    heads = [
        Head(heading.offset, heading.level)
        for heading in extraction.headings
        if place.start <= heading.offset < place.end
    ]
    shown = heads if piece.media_type not in headlines.MARKDOWN else []
    text = extraction.text[place.start : place.end]
    at_place = spanned(replace(piece, heading=place.title), text, place.start, line, extraction.spots, shown)
    for part in sections(at_place, LONGEST):
        for unit in part.units:
            if unit.start + place.start < place.since:
                continue
            header = Span(*(offset + place.start for offset in unit.header)) if unit.header else None
            yield replace(unit, start=unit.start + place.start, end=unit.end + place.start, header=header)


def _required(asked: AskedPart, units: Iterator[Unit]) -> Iterable[Unit]:
    """Of what something requires the lines that name what is asked for (`Header: crew.h`), of a table the rows of what
    it is about; of any other part all."""
    if asked.part is not Part.REQUIRES:
        return units
    read = [unit for unit in units if unit.kind not in (Kind.HEADING, Kind.MARKS)]
    naming = re.compile(rf"\b{asked.name.removesuffix('y')}\w*.*?(?:[:<`\"\u2014]|\w\.\w)", re.IGNORECASE | re.DOTALL)
    needed = [unit for unit in read if naming.search(unit.reads)]
    owner = re.compile(rf"(?<!\w)_*{re.escape(split_name(asked.owner)[-1])}(?!\w)", re.IGNORECASE)
    return [unit for unit in needed if unit.kind is Kind.ROW and owner.search(unit.reads)] or needed


def fitting(units: Iterable[Unit], most: int, *, names: bool) -> Iterator[Unit]:
    """The first that say something, as many as fit, up to a heading. `names`: of all headings, each with what it stands
    under on a line of its own."""
    room = most
    name: Unit | None = None
    for at, unit in enumerate(units):
        if unit.kind in (Kind.HEADING, Kind.MARKS, Kind.LABEL) or not unit.reads.strip():
            if at and not names and room < most and unit.kind is Kind.HEADING:
                return
            name = unit if names and at and unit.reads.strip() and unit.kind is not Kind.MARKS else None
            continue
        room -= unit.words + (name.words if name else 0)
        if room < 0 and room + unit.words < most:
            return
        if name is not None:
            reads = f"{name.reads.lstrip('# ')}: {unit.reads}"
            unit = replace(unit, start=name.start, reads=reads, words=words(reads), kind=Kind.FACT)
            name = None
        yield unit
