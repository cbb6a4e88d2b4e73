"""The text of a Word document before 2007 ([MS-DOC]): its pieces in order, without field codes; Word 6 and 95, too."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from biblicus.errors import ExtractionFailed
from biblicus.extraction.office.ole.summary import codec

_WORD_97 = 0xC1
_IN_PIECES, _ENCRYPTED, _TABLE_1 = 0x0004, 0x0100, 0x0200
_COMPRESSED = 0x40000000
_MOST_PIECES = 500_000
_MAGIC, _OLD_MAGIC = 0xA5EC, frozenset((0xA5DB, 0xA5DC, 0xA697, 0xA698, 0xA699))
"""Of Word 97 and later; of Word 6 and 95, those of East Asia with numbers of their own."""
_WIDE = 0x1000
_CHARACTER_SETS = {
    77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
    186: 1257, 204: 1251, 222: 874, 238: 1250,
}  # fmt: skip
"""Code pages by what a font says of its characters."""
_UNSPECIFIC = frozenset((0, 1200, 65000, 65001))
"""Code pages that say nothing of the bytes of a text before Word 97."""
_PLAIN = {
    "\x1e": "-",
    "\x1f": "",
    "\xa0": " ",
    "\x0b": "\n",
    "\x01": "",
    "\x02": "",
    "\x05": "",
    "\x08": "",
    "\xad": "",
}


def paragraphs(document: bytes, table_0: bytes, table_1: bytes, code_page: int = 0) -> list[str | list[str]] | None:
    """The paragraphs, and the rows of tables as lists of cells; None for one with a password.

    `code_page`: of the texts before Word 97, as the file's properties say it; 0 where they say none. Raises
    `ExtractionFailed` for what is no such document.
    """
    if len(document) < 0x200:
        raise ExtractionFailed("the document is cut off")
    magic, version = struct.unpack_from("<HH", document)
    if magic != _MAGIC and magic not in _OLD_MAGIC:
        raise ExtractionFailed("the file is no Word document")
    (flags,) = struct.unpack_from("<H", document, 0x0A)
    if flags & _ENCRYPTED:
        return None
    if version < _WORD_97:
        text = _old_text(document, bool(flags & _WIDE), code_page)
    else:
        text = _pieces(document, table_1 if flags & _TABLE_1 else table_0)
    return list(cut(_without_fields(text)))


def _old_text(document: bytes, is_wide: bool, code_page: int) -> str:
    """The text of Word 6 and 95: one run of bytes, or of pairs of them; in pieces where it was saved in haste."""
    (flags,) = struct.unpack_from("<H", document, 0x0A)
    first, last = struct.unpack_from("<II", document, 0x18)
    if flags & _IN_PIECES:
        places = _places(document, *struct.unpack_from("<II", document, 0x0160))
        raw = b"".join(_spans(document, ((place, count * (1 + is_wide)) for place, count in places)))
    elif 0 < first <= last <= len(document):
        raw = document[first:last]
    else:
        raise ExtractionFailed("its text is not where it says")
    name = codec(_of_fonts(document) if code_page in _UNSPECIFIC else code_page)
    if not is_wide:
        return raw.decode(name, "replace")
    pairs = (raw[at : at + 2] for at in range(0, len(raw) - 1, 2))  # a byte and a zero, or two that swap places
    return b"".join(pair[:1] if pair[1:] == b"\0" else pair[::-1] for pair in pairs).decode(name, "replace")


def _of_fonts(document: bytes) -> int:
    """The first code page of the fonts' that is not that of Western Europe."""
    start, length = struct.unpack_from("<II", document, 0xD0)
    at, end = start + 2, min(start + length, len(document))
    while at + 6 < end:
        if (known := _CHARACTER_SETS.get(document[at + 4])) is not None:
            return known
        at += document[at] + 1
    return 1252


def _pieces(document: bytes, table: bytes) -> str:
    """The text of Word 97 and later, by its table of pieces."""
    places = list(_places(table, *struct.unpack_from("<II", document, 0x01A2)))
    narrow = [bool(place & _COMPRESSED) for place, _ in places]
    spans = (
        ((place & ~_COMPRESSED) // 2, count) if is_narrow else (place, 2 * count)
        for (place, count), is_narrow in zip(places, narrow, strict=True)
    )
    parts = zip(_spans(document, spans), narrow, strict=True)
    return "".join(raw.decode("cp1252" if is_narrow else "utf-16-le", "replace") for raw, is_narrow in parts)


def _spans(document: bytes, spans: Iterable[tuple[int, int]]) -> Iterator[bytes]:
    """What stands at so many places, each with its length in bytes."""
    total = 0
    for place, length in spans:
        raw = document[place : place + length]
        total += len(raw)
        if total > 4 * len(document):
            raise ExtractionFailed("its pieces overlap")
        yield raw


def _places(table: bytes, start: int, length: int) -> Iterator[tuple[int, int]]:
    """Of each piece of a text, in order: where it lies, and how many characters it has."""
    if not length or start + length > len(table):
        raise ExtractionFailed("its table of pieces is missing")
    at, end = start, start + length
    while at + 3 <= end and table[at] == 1:
        at += 3 + struct.unpack_from("<H", table, at + 1)[0]
    if at + 5 > end or table[at] != 2:
        raise ExtractionFailed("its table of pieces is damaged")
    (size,) = struct.unpack_from("<I", table, at + 1)
    at += 5
    count = (min(size, end - at) - 4) // 12
    if not 0 < count <= _MOST_PIECES:
        raise ExtractionFailed("its table of pieces is damaged")
    borders = struct.unpack_from(f"<{count + 1}I", table, at)
    for number in range(count):
        (place,) = struct.unpack_from("<I", table, at + 4 * (count + 1) + 8 * number + 2)
        if borders[number + 1] > borders[number]:
            yield place, borders[number + 1] - borders[number]


def _without_fields(text: str) -> str:
    """The text with each field's result, without its code."""
    if "\x13" not in text:
        return text.replace("\x14", "").replace("\x15", "")
    kept: list[str] = []
    codes: list[bool] = []  # of each open field, whether its code is still being read
    for part in _split(text):
        if part == "\x13":
            codes.append(True)
        elif part == "\x14":
            if codes:
                codes[-1] = False
        elif part == "\x15":
            if codes:
                codes.pop()
        elif not any(codes):
            kept.append(part)
    return "".join(kept)


def _split(text: str) -> Iterator[str]:
    at = 0
    for number, char in enumerate(text):
        if char in "\x13\x14\x15":
            if at < number:
                yield text[at:number]
            yield char
            at = number + 1
    yield text[at:]


def cut(text: str) -> Iterator[str | list[str]]:
    """Paragraphs and rows: a mark ends each cell, and one more the row."""
    text = text.translate({ord(char): plain for char, plain in _PLAIN.items()})
    row: list[str] = []
    cell: list[str] = []
    for part in text.replace("\x0c", "\r").split("\r"):
        *cells, rest = part.split("\x07")
        for words in cells:
            cell.append(words)
            joined = " ".join(" ".join(cell).split())
            cell = []
            if not joined and row and words == "":
                yield row
                row = []
            else:
                row.append(joined)
        if any(row):
            cell.append(rest)
            continue
        row.clear()
        if rest.strip():
            yield rest
    if row:
        yield row
    yield from filter(str.strip, cell)
