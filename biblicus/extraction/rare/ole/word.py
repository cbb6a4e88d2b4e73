"""The text of a Word document before 2007 ([MS-DOC]): its pieces in order, without field codes and what was deleted,
with its headings, and what stands beside it; Word 2, 6 and 95, without these."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from biblicus.errors import ExtractionFailed
from biblicus.extraction.rare.ole.formatting import ROW_END, Formatting, Run, within
from biblicus.extraction.rare.ole.summary import codec

_WORD_97 = 0xC1
_IN_PIECES, _ENCRYPTED, _TABLE_1 = 0x0004, 0x0100, 0x0200
_COMPRESSED = 0x40000000
_MOST_PIECES = 500_000
_WORD_2 = 0xA5DB
_MAGIC, _OLD_MAGIC = 0xA5EC, frozenset((_WORD_2, 0xA5DC, 0xA697, 0xA698, 0xA699))
"""Of Word 97 and later; of Word 2, 6 and 95, those of East Asia with numbers of their own."""
OF_WORD_2 = b"\xdb\xa5"
"""How a file of Word 2 begins, which holds nothing but the document."""
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
_ROW_END, _HEADING = "\x1c", "\x1d"
_OWN = frozenset((_ROW_END, _HEADING))
"""Marks of our own: the end of a row, and a heading, followed by its level; they are taken out of texts."""
_LENGTHS = 0x4C
"""Where the lengths of the parts of a text stand: of itself, footnotes, headers, macros, comments, endnotes, boxes."""
_HEADERS, _SEPARATORS = 0xF2, 6
"""Where the borders of what stands above and below the pages are told; first of it what divides notes from the text."""
_IN_FOOTERS = frozenset((2, 3, 5))
"""Of the six that a section has above and below its pages, those below."""
_KEPT = frozenset("\x07\x13\x14\x15")
"""What stays of a text that was deleted, so that cells and fields stay what they are."""
_SIGNS = re.compile(f"[{_ROW_END}\x07]|{_HEADING}\\d")


class Titled(NamedTuple):
    """A heading."""

    level: int
    text: str


class Beside(NamedTuple):
    """What stands beside the text, and what it is."""

    kind: str
    text: str


Block = str | list[str] | Titled | Beside


def paragraphs(document: bytes, table_0: bytes, table_1: bytes, code_page: int = 0) -> list[Block] | None:
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
        old = _old_text(document, bool(flags & _WIDE), code_page)
        return list(cut(_without_fields("".join(char for char in old if char not in _OWN))))
    table = table_1 if flags & _TABLE_1 else table_0
    return list(_parts(document, table, _pieces(document, table)))


def _parts(document: bytes, table: bytes, text: list[str]) -> Iterator[Block]:
    """The text, what stands in its boxes, then what stands beside it; all of it as the text where no lengths are told.

    `text`: its characters, each with the marks of our own.
    """
    lengths = struct.unpack_from("<8i", document, _LENGTHS)
    if lengths[0] <= 0 or min(lengths) < 0 or sum(lengths) > len(text):
        lengths = (len(text), 0, 0, 0, 0, 0, 0, 0)
    borders = [0, *accumulate(lengths), len(text)]
    main, notes, _, _, comments, endnotes, boxes, in_headers, rest = (
        _without_fields("".join(text[first:last])) for first, last in pairwise(borders)
    )
    yield from cut(main)
    yield from cut(boxes)
    yield from cut(rest)
    if words := _words(in_headers):
        yield Beside("Header", words)
    for kind, part, sign in (("Footnote", notes, "\x02"), ("Endnote", endnotes, "\x02"), ("Comment", comments, "\x05")):
        yield from (Beside(kind, words) for note in part.split(sign) if (words := _words(note)))
    start, length = struct.unpack_from("<II", document, _HEADERS)
    raw = table[start : start + length]
    places = [borders[2] + at for (at,) in struct.iter_unpack("<I", raw[: len(raw) // 4 * 4])]
    for number, (first, last) in enumerate(pairwise(places)):
        if number >= _SEPARATORS and last <= borders[3]:
            kind = "Footer" if number % 6 in _IN_FOOTERS else "Header"
            yield Beside(kind, _words(_without_fields("".join(text[first:last]))))


def _words(text: str) -> str:
    """The words of a part, on one line."""
    kept = _SIGNS.sub(" ", _shown(text))
    return " ".join(kept.split())


def _shown(text: str) -> str:
    """The text as it is shown, but for the marks of cells and paragraphs."""
    return text.translate({ord(char): plain for char, plain in _PLAIN.items()})


def _old_text(document: bytes, is_wide: bool, code_page: int) -> str:
    """The text of Word 6 and 95: one run of bytes, or of pairs of them; in pieces where it was saved in haste."""
    magic, flags = struct.unpack_from("<H8xH", document)
    first, last = struct.unpack_from("<II", document, 0x18)
    if flags & _IN_PIECES:
        if magic == _WORD_2:
            raise ExtractionFailed("it is of Word 2 and was saved in haste")
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


def _pieces(document: bytes, table: bytes) -> list[str]:
    """The characters of Word 97 and later, by its table of pieces: what was deleted is empty, and ends of rows, of
    paragraphs in cells and of headings have our marks."""
    places = list(_places(table, *struct.unpack_from("<II", document, 0x01A2)))
    widths = [1 if place & _COMPRESSED else 2 for place, _ in places]
    spans = [
        ((place & ~_COMPRESSED) // 2 if width == 1 else place, width * count)
        for (place, count), width in zip(places, widths, strict=True)
    ]
    formatting = Formatting(document, table)
    text: list[str] = []
    known = _Characters()
    for raw, width, (place, length) in zip(_spans(document, spans), widths, spans, strict=True):
        wide = raw.decode("cp1252", "replace").encode("utf-16-le") if width == 1 else raw[: len(raw) & ~1]
        piece = [known[unit] for unit in memoryview(wide).cast("H")]
        _mark(piece, formatting, place, length, width)
        text += piece
    return text


class _Characters(dict[int, str]):
    """The character of each number that was met, made once; none for marks of our own."""

    def __missing__(self, number: int) -> str:
        self[number] = character = "" if chr(number) in _OWN else chr(number)
        return character


def _mark(piece: list[str], formatting: Formatting, place: int, length: int, width: int) -> None:
    """Sets our marks in a piece of the text, by where its bytes lie."""

    def characters(runs: list[Run]) -> Iterator[tuple[int, int]]:
        for run in within(runs, place, place + length):
            first, last = max(0, run.start - place) // width, min(length, run.end - place) // width
            yield from ((at, run.value) for at in range(first, min(last, len(piece))))

    for at, value in characters(formatting.paragraphs):
        if piece[at] == "\x07" and value == ROW_END:
            piece[at] = f"{_ROW_END}\x07"
        elif piece[at] == "\r":
            piece[at] = f"{_HEADING}{value}\r" if value > 0 else "\n"
    for at, _ in characters(formatting.deleted):
        if piece[at][-1:] not in _KEPT:
            piece[at] = ""


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
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
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


def cut(text: str) -> Iterator[str | list[str] | Titled]:
    """Paragraphs, headings and rows: a mark ends each cell, and one more the row."""
    text = _shown(text)
    is_marked = _ROW_END in text
    row: list[str] = []
    cell: list[str] = []
    for part in text.replace("\x0c", "\r").split("\r"):
        *cells, rest = part.split("\x07")
        for words in cells:
            cell.append(words)
            joined = "\n".join(" ".join(line.split()) for line in "\n".join(cell).split("\n")).strip("\n")
            cell = []
            if words == _ROW_END if is_marked else not joined and row and words == "":
                if any(row):
                    yield row
                row = []
            else:
                row.append(joined)
        words, _, level = rest.partition(_HEADING)
        if any(row) and is_marked:
            yield row
        elif any(row):
            cell.append(words)
            continue
        row = []
        if words.strip():
            yield Titled(int(level), words) if level else words
    if row:
        yield row
    yield from filter(str.strip, cell)
