"""Texts of a PowerPoint presentation before 2007 ([MS-PPT]), slide by slide."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from biblicus.extraction.kit.blocks import Box, from_top
from biblicus.extraction.kit.grids import rows

_DOCUMENT, _LIST, _PERSIST, _HEADER = 0x03E8, 0x0FF0, 0x03F3, 0x0F9F
_CHARS, _BYTES, _DIRECTORY, _NOTES_ATOM = 0x0FA0, 0x0FA8, 0x1772, 0x03F1
_STRING, _MARGINS, _COMMENT = 0x0FBA, 0x0FD9, 0x2EE0
_TITLES = (0, 6)
_SLIDES, _NOTES = 0, 2
_HOLDING = (0xF00D, 0x138B)
"""Records that contain records without a container header: texts of shapes, extensions of later versions."""
_GROUP, _SHAPE, _ANCHOR, _PLACE = 0xF003, 0xF004, 0xF00F, 0xF010
_OPTIONS = (0xF00B, 0xF122)
_IS_TABLE = 0x039F
"""Shape option ([MS-ODRAW] 2.3) of a group that is a table."""
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
        elif text := _text(data, record):
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
    texts = (_text(data, record) for record in _walked(data, [(within.start, within.end)]))
    return [text for text in texts if text]


def _table(data: bytes, group: _Record) -> list[list[str]]:
    """Return the texts of a table group by row. The result is empty for
    other groups and if a text has no position in the grid."""
    shapes = [shape for shape in _records(data, group.start, group.end) if shape.kind == _SHAPE]
    about = [part for shape in shapes[:1] for part in _records(data, shape.start, shape.end) if part.kind in _OPTIONS]
    if not any(_IS_TABLE in _options(data, part) for part in about):
        return []
    cells: dict[tuple[float, float], list[str]] = {}
    for shape in shapes[1:]:
        box = _box(data, shape)
        if box is not None and (texts := _words(data, shape)):
            cells.setdefault((box[1], box[0]), []).extend(texts)
    if sum(map(len, cells.values())) < len(_words(data, group)):
        return []
    lefts, tops = sorted({left for _, left in cells}), sorted({top for top, _ in cells})
    if len(lefts) * len(tops) > _MOST_PLACES * len(cells) + _MORE_PLACES:
        return []
    return [["\n".join(cells.get((top, left), ())) for left in lefts] for top in tops]


def _options(data: bytes, record: _Record) -> Iterator[int]:
    """Yield the options of a shape that are set."""
    end = min(record.start + 6 * record.instance, record.end - 5)
    for at in range(record.start, end, 6):
        number, value = struct.unpack_from("<HI", data, at)
        if value & 1:
            yield number


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
    return _lined(text)


def _wide(data: bytes, record: _Record) -> str:
    return _lined(data[record.start : record.end].decode("utf-16-le", "replace"))


def _lined(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0b", "\n").strip()
