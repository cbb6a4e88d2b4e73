"""The text of a Word document before 2007 ([MS-DOC]): its pieces in order, without field codes; Word 6 and 95, too."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from biblicus.errors import ExtractionFailed

_WORD_97 = 0xC1
_ENCRYPTED, _TABLE_1 = 0x0100, 0x0200
_COMPRESSED = 0x40000000
_MOST_PIECES = 500_000
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


def paragraphs(document: bytes, table_0: bytes, table_1: bytes) -> list[str | list[str]] | None:
    """The paragraphs, and the rows of tables as lists of cells; None for one with a password.

    Raises `ExtractionFailed` for what is no such document.
    """
    if len(document) < 0x200:
        raise ExtractionFailed("the document is cut off")
    magic, version = struct.unpack_from("<HH", document)
    if magic not in (0xA5EC, 0xA5DC):
        raise ExtractionFailed("the file is no Word document")
    (flags,) = struct.unpack_from("<H", document, 0x0A)
    if flags & _ENCRYPTED:
        return None
    if version < _WORD_97:
        text = _old_text(document)
    else:
        text = _pieces(document, table_1 if flags & _TABLE_1 else table_0)
    return list(_cut(_without_fields(text)))


def _old_text(document: bytes) -> str:
    """The text of Word 6 and 95: one run of bytes."""
    first, last = struct.unpack_from("<II", document, 0x18)
    if not 0 < first <= last <= len(document):
        raise ExtractionFailed("its text is not where it says")
    return document[first:last].decode("cp1252", "replace")


def _pieces(document: bytes, table: bytes) -> str:
    """The text of Word 97 and later, by its table of pieces."""
    start, length = struct.unpack_from("<II", document, 0x01A2)
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
    parts: list[str] = []
    total = 0
    for number in range(count):
        (place,) = struct.unpack_from("<I", table, at + 4 * (count + 1) + 8 * number + 2)
        characters = borders[number + 1] - borders[number]
        if characters <= 0:
            continue
        is_narrow = bool(place & _COMPRESSED)
        offset = (place & ~_COMPRESSED) // 2 if is_narrow else place
        raw = document[offset : offset + characters * (1 if is_narrow else 2)]
        total += len(raw)
        if total > 4 * len(document):
            raise ExtractionFailed("its pieces overlap")
        parts.append(raw.decode("cp1252" if is_narrow else "utf-16-le", "replace"))
    return "".join(parts)


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


def _cut(text: str) -> Iterator[str | list[str]]:
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
        if row:
            cell.append(rest)
        elif rest.strip():
            yield rest
    if row:
        yield row
