"""Texts of a PowerPoint presentation before 2007 ([MS-PPT]), slide by slide."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from biblicus.extraction.kit.blocks import Box, from_top
from biblicus.extraction.kit.characters import in_font, lowered, raised
from biblicus.extraction.kit.grids import Cell, rows

_DOCUMENT, _LIST, _PERSIST, _HEADER = 0x03E8, 0x0FF0, 0x03F3, 0x0F9F
_CHARS, _BYTES, _DIRECTORY, _NOTES_ATOM = 0x0FA0, 0x0FA8, 0x1772, 0x03F1
_STRING, _MARGINS, _COMMENT = 0x0FBA, 0x0FD9, 0x2EE0
_TITLES = (0, 6)
_SLIDES, _NOTES = 0, 2
_HOLDING = (0xF00D, 0x138B)
"""Records that contain records without a container header: texts of shapes, extensions of later versions."""
_STYLES, _FONT = 0x0FA1, 0x0FB7
_OF_PARAGRAPHS = {
    0xF: 2, 0x80: 2, 0x10: 2, 0x40: 2, 0x20: 4, 0x800: 2, 0x1000: 2, 0x2000: 2, 0x4000: 2, 0x100: 2, 0x400: 2,
    0x8000: 2, 0x100000: -4, 0x10000: 2, 0xE0000: 2, 0x200000: 2,
}  # fmt: skip
_OF_LETTERS = {0xFFFF: 2, 0x10000: 2, 0x200000: 2, 0x400000: 2, 0x800000: 2, 0x20000: 2, 0x40000: 4, 0x80000: 2}
"""Fields of paragraphs and letters ([MS-PPT] 2.9) in order: bits that announce one, and its bytes; negative, of each
of a list."""
_OF_FONT, _OF_SYMBOLS, _OF_SHIFT = 0x10000, 0x800000, 0x80000
_GROUP, _SHAPE, _ANCHOR, _PLACE = 0xF003, 0xF004, 0xF00F, 0xF010
_OPTIONS = (0xF00B, 0xF122)
_LETTERING, _IS_TABLE = 0x00C0, 0x039F
"""Shape options ([MS-ODRAW] 2.3): WordArt text, and the mark of a group that is a table."""
_COMPLEX = 0x8000
_MOST_PLACES, _MORE_PLACES = 4, 1_000
"""Maximum grid positions of a table, as a multiple of its cells plus a constant."""
_DEEPEST = 20
_MOST_RECORDS = 2_000_000


class Aside(NamedTuple):
    """A header, a footer or a comment."""

    kind: str
    text: str
    author: str = ""


class Slide(NamedTuple):
    title: str
    texts: list[str]
    notes: list[str]


class _Record(NamedTuple):
    """A record of the file. `instance`: from its header; `start`, `end`: range of its content."""

    kind: int
    instance: int
    start: int
    end: int
    is_container: bool


def slides(data: bytes) -> list[Slide]:
    """Return the slides in order."""
    top = list(_records(data, 0, len(data)))
    places = _places(data, top)
    document = _document(top)
    if document is None:
        return [Slide("", [text], []) for text in _texts(data, 0, len(data))]
    slides: list[Slide] = []
    notes: dict[int, list[str]] = {}
    lists = [record for record in _records(data, document.start, document.end) if record.kind == _LIST]
    for listed in lists:
        if listed.instance == _NOTES:
            for reference, _, _ in _listed(data, listed):
                of, texts = _notes(data, places.get(reference))
                notes[of] = texts
    for listed in lists:
        if listed.instance == _SLIDES:
            for reference, identity, outline in _listed(data, listed):
                titles = [text for kind, text in outline if kind in _TITLES]
                bodies = [text for kind, text in outline if kind not in _TITLES]
                place = places.get(reference)
                slide_texts = list(_texts_at(data, place)) if place is not None else []
                title = " ".join(" ".join(titles).split())
                slides.append(Slide(title, list(dict.fromkeys([*bodies, *slide_texts])), notes.get(identity, [])))
    return slides


def is_readable(data: bytes) -> bool:
    """Return True if the presentation was written by PowerPoint 97 or later."""
    return _document(list(_records(data, 0, len(data)))) is not None


def asides(data: bytes) -> Iterator[Aside]:
    """Yield the headers, footers and comments."""
    top = list(_records(data, 0, len(data)))
    document = _document(top)
    if document is None:
        return
    live = [(document.start, document.end)]
    for place in dict.fromkeys(_places(data, top).values()):
        live += [(record.start, record.end) for record in islice(_records(data, place, len(data)), 1)]
    for record in _walked(data, live):
        if record.kind in (_MARGINS, _COMMENT) and record.is_container:
            parts = (part for part in _records(data, record.start, record.end) if part.kind == _STRING)
            texts = {part.instance: _wide(data, part) for part in parts}
            if record.kind == _COMMENT:
                yield Aside("Comment", texts.get(1, ""), texts.get(0, ""))
            else:
                yield Aside("Header", texts.get(1, ""))
                yield Aside("Footer", texts.get(2, ""))


def _document(top: list[_Record]) -> _Record | None:
    """Return the document record of the last save."""
    return next((record for record in reversed(top) if record.kind == _DOCUMENT), None)


def _records(data: bytes, start: int, end: int) -> Iterator[_Record]:
    """Yield the consecutive records in a range, up to a damaged one."""
    while start + 8 <= end:
        head, kind, length = struct.unpack_from("<HHI", data, start)
        stop = start + 8 + length
        if stop > end:
            stop = end
        yield _Record(kind, head >> 4, start + 8, stop, head & 0xF == 0xF)
        start = stop


def _places(data: bytes, top: list[_Record]) -> dict[int, int]:
    """Return the offset of each persistent object; later saves take precedence."""
    places: dict[int, int] = {}
    for record in top:
        if record.kind != _DIRECTORY:
            continue
        at = record.start
        while at + 4 <= record.end:
            (entry,) = struct.unpack_from("<I", data, at)
            first, count = entry & 0xFFFFF, entry >> 20
            at += 4
            for number in range(count):
                if at + 4 > record.end:
                    break
                places[first + number] = struct.unpack_from("<I", data, at)[0]
                at += 4
    return places


def _listed(data: bytes, listed: _Record) -> Iterator[tuple[int, int, list[tuple[int, str]]]]:
    """Yield the persistent object, id and outline texts with their types for each slide of a list."""
    now: tuple[int, int, list[tuple[int, str]]] | None = None
    kind = -1
    for record in _records(data, listed.start, listed.end):
        if record.kind == _PERSIST and record.end - record.start >= 16:
            if now is not None:
                yield now
            reference, _, _, identity = struct.unpack_from("<IIiI", data, record.start)
            now = (reference, identity, [])
        elif record.kind == _HEADER and record.end - record.start >= 4:
            (kind,) = struct.unpack_from("<I", data, record.start)
        elif now is not None and (text := _text(data, record)):
            now[2].append((kind, text))
    if now is not None:
        yield now


def _notes(data: bytes, place: int | None) -> tuple[int, list[str]]:
    """Return the id of the slide that the notes belong to, and their texts."""
    if place is None:
        return -1, []
    record = next(_records(data, place, len(data)), None)
    if record is None:
        return -1, []
    of = -1
    for part in _records(data, record.start, record.end):
        if part.kind == _NOTES_ATOM and part.end - part.start >= 4:
            (of,) = struct.unpack_from("<I", data, part.start)
    return of, [text for text in _texts(data, record.start, record.end) if len(text) > 1]


def _texts_at(data: bytes, place: int) -> Iterator[str]:
    record = next(_records(data, place, len(data)), None)
    if record is not None and record.is_container:
        yield from _texts(data, record.start, record.end)


def _texts(data: bytes, start: int, end: int, depth: int = 0) -> Iterator[str]:
    """Yield the texts in a range of records, shapes from the top, tables by row."""
    for record in _records(data, start, end) if depth < _DEEPEST else ():
        if record.kind == _GROUP:
            yield from _grouped(data, record, depth)
        elif text := _said(data, record):
            yield text
        elif record.is_container or record.kind in _HOLDING:
            yield from _texts(data, record.start, record.end, depth + 1)


def _grouped(data: bytes, group: _Record, depth: int) -> Iterator[str]:
    """Yield the texts of the shapes in a group, or the lines of the table that it is."""
    if table := rows(_table(data, group)):
        yield "\n".join(table)
        return
    shapes = list(_records(data, group.start, group.end))
    for shape in (shapes[at] for at in from_top([_box(data, shape) for shape in shapes])):
        if shape.kind == _GROUP and depth < _DEEPEST:
            yield from _grouped(data, shape, depth + 1)
        else:
            yield from _texts(data, shape.start, shape.end, depth + 1)


def _box(data: bytes, shape: _Record) -> Box | None:
    """Return the box of a shape on its slide, that of a group's own shape, or None."""
    inner = next(_records(data, shape.start, shape.end), None) if shape.kind == _GROUP else shape
    parts = _records(data, inner.start, inner.end) if inner is not None and inner.is_container else ()
    for part in parts:
        if part.kind == _ANCHOR and part.end - part.start >= 16:
            left, top, right, bottom = struct.unpack_from("<4i", data, part.start)
            return left, top, right, bottom
        if part.kind == _PLACE and part.end - part.start == 8:
            top, left, right, bottom = struct.unpack_from("<4h", data, part.start)
            return left, top, right, bottom
    return None


def _words(data: bytes, within: _Record) -> list[str]:
    """Return the texts in a record in stored order."""
    texts = (_said(data, record) for record in _walked(data, [(within.start, within.end)]))
    return [text for text in texts if text]


def _said(data: bytes, record: _Record) -> str:
    """Return the text of a text atom or WordArt shape; empty for other records."""
    return dict(_options(data, record)).get(_LETTERING, "") if record.kind in _OPTIONS else _text(data, record)


def _table(data: bytes, group: _Record) -> list[list[Cell]]:
    """Return the cells of a table group by row, with the rows and columns that they cover. The result is empty for
    other groups and if a text has no position in the grid."""
    shapes = [shape for shape in _records(data, group.start, group.end) if shape.kind == _SHAPE]
    about = [part for shape in shapes[:1] for part in _records(data, shape.start, shape.end) if part.kind in _OPTIONS]
    if not any(_IS_TABLE in dict(_options(data, part)) for part in about):
        return []
    cells: dict[tuple[float, float], list[str]] = {}
    ends: dict[tuple[float, float], tuple[float, float]] = {}
    for shape in shapes[1:]:
        box = _box(data, shape)
        if box is not None and (texts := _words(data, shape)):
            place = box[1], box[0]
            cells.setdefault(place, []).extend(texts)
            ends[place] = max(box[3], box[1] + 1), max(box[2], box[0] + 1)
    if sum(map(len, cells.values())) < len(_words(data, group)):
        return []
    lefts, tops = sorted({left for _, left in cells}), sorted({top for top, _ in cells})
    if len(lefts) * len(tops) > _MOST_PLACES * len(cells) + _MORE_PLACES:
        return []
    covered: set[tuple[float, float]] = set()
    table = []
    for top in tops:
        row = []
        for left in lefts:
            if (top, left) in covered:
                continue
            bottom, right = ends.get((top, left), (top + 1, left + 1))
            downs, wides = [at for at in tops if top <= at < bottom], [at for at in lefts if left <= at < right]
            covered.update((down, wide) for down in downs for wide in wides)
            row.append(Cell("\n".join(cells.get((top, left), ())), len(wides), len(downs)))
        table.append(row)
    return table


def _options(data: bytes, record: _Record) -> Iterator[tuple[int, str]]:
    """Yield the set options of a shape, with their text if they have one."""
    at, words = record.start, record.start + 6 * record.instance
    while at + 6 <= min(words, record.end) and words <= record.end:
        number, value = struct.unpack_from("<HI", data, at)
        at += 6
        if number & _COMPLEX:
            yield number & 0x3FFF, _lined(data[words : words + value].decode("utf-16-le", "replace").strip("\0"))
            words += value
        elif value & 1:
            yield number & 0x3FFF, ""


def _walked(data: bytes, ranges: Sequence[tuple[int, int]]) -> Iterator[_Record]:
    """Yield all records in the ranges, followed by those in containers, up to a maximum number."""
    pending = [(start, end, 0) for start, end in reversed(ranges)]
    count = 0
    while pending:
        low, high, depth = pending.pop()
        inner: list[tuple[int, int, int]] = []
        for record in _records(data, low, high):
            count += 1
            if count > _MOST_RECORDS:
                return
            yield record
            if (record.is_container or record.kind in _HOLDING) and depth < _DEEPEST:
                inner.append((record.start, record.end, depth + 1))
        pending += reversed(inner)


def _text(data: bytes, record: _Record) -> str:
    """Return the text of a text atom; empty for other records."""
    if record.kind not in (_CHARS, _BYTES):
        return ""
    text = data[record.start : record.end].decode("utf-16-le" if record.kind == _CHARS else "latin-1", "replace")
    style = next((part for part in islice(_records(data, record.end, len(data)), 2) if part.kind == _STYLES), None)
    if style is not None and not any(char > "\uffff" for char in text):
        text = "".join(_styled(data, text, style))
    return _lined(text)


def _styled(data: bytes, text: str, style: _Record) -> Iterator[str]:
    """Yield the text by runs of its letters, with raised and lowered digits and characters of symbol fonts."""
    at = style.start
    for fields, head in ((_OF_PARAGRAPHS, 6), (_OF_LETTERS, 4)):
        done = 0
        while done <= len(text):
            if at + head + 4 > style.end:
                yield text[done:] if head == 4 else text
                return
            count, mask = struct.unpack_from("<I2xI" if head == 6 else "<II", data, at)
            at += head + 4
            values: dict[int, int] = {}
            for bits, size in fields.items():
                if mask & bits:
                    values[bits] = int.from_bytes(data[at : at + 2], "little", signed=bits == _OF_SHIFT)
                    at += size if size > 0 else 2 - size * values[bits]
            if head == 4:
                font = values.get(_OF_SYMBOLS, values.get(_OF_FONT, -1))
                words, shift = in_font(text[done : done + count], _fonts(data).get(font, "")), values.get(_OF_SHIFT, 0)
                yield raised(words) if shift > 0 else lowered(words) if shift < 0 else words
            done += max(count, 1)


@lru_cache(maxsize=1)
def _fonts(data: bytes) -> dict[int, str]:
    """Return the names of the presentation's fonts by number."""
    document = _document(list(_records(data, 0, len(data))))
    ranges = [(document.start, document.end)] if document is not None else []
    fonts = (record for record in _walked(data, ranges) if record.kind == _FONT)
    return {font.instance: _wide(data, font).partition("\0")[0] for font in fonts}


def _wide(data: bytes, record: _Record) -> str:
    return _lined(data[record.start : record.end].decode("utf-16-le", "replace"))


def _lined(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0b", "\n").strip()
