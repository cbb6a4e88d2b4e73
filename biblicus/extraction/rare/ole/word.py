"""Text of a Word document before 2007 ([MS-DOC]): paragraphs, headings, tables, notes, headers and footers.

Field codes and deleted text are dropped. Word 2, 6 and 95 give plain paragraphs.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple, TypeVar

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.characters import in_font, lowered, raised
from biblicus.extraction.kit.grids import Cell
from biblicus.extraction.rare.ole.formatting import Formatting, Run, within
from biblicus.extraction.rare.ole.summary import codec

_WORD_97 = 0xC1
_IN_PIECES, _ENCRYPTED, _TABLE_1 = 0x0004, 0x0100, 0x0200
_COMPRESSED = 0x40000000
_MOST_PIECES = 500_000
_WORD_2 = 0xA5DB
_MAGIC, _OLD_MAGIC = 0xA5EC, frozenset((_WORD_2, 0xA5DC, 0xA697, 0xA698, 0xA699))
"""Signature of Word 97 and later; signatures of Word 2, 6 and 95, including East Asian versions."""
OF_WORD_2 = b"\xdb\xa5"
"""First bytes of a Word 2 file, which has no OLE container."""
_WIDE = 0x1000
_CHARACTER_SETS = {
    77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
    186: 1257, 204: 1251, 222: 874, 238: 1250,
}  # fmt: skip
"""Code pages by the character set of a font."""
_UNSPECIFIC = frozenset((0, 1200, 65000, 65001))
"""Code page values that do not give the encoding of a text before Word 97."""
_PLAIN = str.maketrans("\x1e\xa0\x0b", "- \n", "\x1f\x01\x02\x05\x08\xad")
_ROW_END, _HEADING = "\x1c", "\x1d"
_OWN = frozenset((_ROW_END, _HEADING, "\x11", "\x12"))
"""Internal marks for the end of a row and of a heading, caption or list item, followed by its level and label; removed
from texts."""
_LENGTHS = 0x4C
"""Offset of the lengths of a text's parts: main, footnotes, headers, macros, comments, endnotes, text boxes."""
_HEADERS, _SEPARATORS = 0xF2, 6
"""Offset of the table of headers and footers; number of its first entries, which are note separators."""
_IN_FOOTERS = frozenset((2, 3, 5))
"""Positions of the footers among the six headers and footers of a section."""
_KEPT = frozenset("\x07\x13\x14\x15")
"""Characters that stay when text is deleted, so that cells and fields remain intact."""
_CONTROLS = frozenset(map(chr, range(0x20)))
_SIGNS = re.compile(f"[{_ROW_END}\x07]|{_HEADING}[^\n\r\x07]*")
_HIDDEN, _HIDES = re.compile("\x11([^\x11\x12]*)\x12"), "\x11{}\x12"
"""Internal marks around hidden text."""


_T = TypeVar("_T")


class Styled(NamedTuple):
    """A heading, caption or list item."""

    level: int
    text: str
    label: str


class Beside(NamedTuple):
    """A note, comment, header or footer with its kind."""

    kind: str
    text: str


class TableRow(NamedTuple):
    """Cells of a row and their right edges in twips, if known."""

    cells: list[Cell]
    edges: list[int]


Block = str | TableRow | Styled | Beside


def paragraphs(document: bytes, table_0: bytes, table_1: bytes, code_page: int = 0) -> list[Block] | None:
    """Return the paragraphs, and rows of tables; None if the document has a password. `code_page`: of
    texts before Word 97 by the file's summary, or 0. Raises `ExtractionFailed` for other data."""
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
    formatting = Formatting(document, table)
    return list(_parts(document, table, _pieces(document, table, formatting), formatting))


def _parts(document: bytes, table: bytes, text: list[str], formatting: Formatting) -> Iterator[Block]:
    """Yield the main text, text boxes, then notes, comments, headers and footers. `text`: its characters with internal
    marks. Without valid lengths all of it is main text."""
    lengths = struct.unpack_from("<8i", document, _LENGTHS)
    if lengths[0] <= 0 or min(lengths) < 0 or sum(lengths) > len(text):
        lengths = (len(text), 0, 0, 0, 0, 0, 0, 0)
    borders = [0, *accumulate(lengths), len(text)]
    main, notes, _, _, comments, endnotes, boxes, in_headers, rest = (
        _without_fields("".join(text[first:last])) for first, last in pairwise(borders)
    )
    hidden = _HIDDEN.findall(main)
    yield from cut(_HIDDEN.sub("", main), formatting)
    yield from (Beside("Hidden text", words) for part in hidden if (words := _words(part)))
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
    """Return the text of a part on one line."""
    visible_text = _SIGNS.sub(" ", _shown(text))
    return " ".join(visible_text.split())


def _shown(text: str) -> str:
    """Return the text with special characters replaced, keeping cell and paragraph marks."""
    return text.translate(_PLAIN)


def _old_text(document: bytes, is_wide: bool, code_page: int) -> str:
    """Return the text of Word 6 or 95: a run of bytes or byte pairs, or pieces after a fast save."""
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
    pairs = (raw[at : at + 2] for at in range(0, len(raw) - 1, 2))  # a byte and a zero, or two swapped bytes
    return b"".join(pair[:1] if pair[1:] == b"\0" else pair[::-1] for pair in pairs).decode(name, "replace")


def _of_fonts(document: bytes) -> int:
    """Return the first code page of the fonts that is not Western European."""
    start, length = struct.unpack_from("<II", document, 0xD0)
    at, end = start + 2, min(start + length, len(document))
    while at + 6 < end:
        if (code_page := _CHARACTER_SETS.get(document[at + 4])) is not None:
            return code_page
        at += document[at] + 1
    return 1252


def _pieces(document: bytes, table: bytes, formatting: Formatting) -> list[str]:
    """Return the characters of Word 97 and later by the piece table, as displayed. Deleted ones are empty; ends of
    rows, cell paragraphs, headings and hidden texts have internal marks."""
    places = list(_places(table, *struct.unpack_from("<II", document, 0x01A2)))
    widths = [1 if place & _COMPRESSED else 2 for place, _ in places]
    spans = [
        ((place & ~_COMPRESSED) // 2 if width == 1 else place, width * count)
        for (place, count), width in zip(places, widths, strict=True)
    ]
    text: list[str] = []
    characters = _Characters()
    for raw, width, (place, length) in zip(_spans(document, spans), widths, spans, strict=True):
        wide = raw.decode("cp1252", "replace").encode("utf-16-le") if width == 1 else raw[: len(raw) & ~1]
        piece = [characters[unit] for unit in memoryview(wide).cast("H")]
        _mark(piece, formatting, place, length, width)
        text += piece
    return text


class _Characters(dict[int, str]):
    """Characters by code unit, created on first use; empty for internal marks."""

    def __missing__(self, number: int) -> str:
        self[number] = character = "" if chr(number) in _OWN else chr(number)
        return character


def _mark(piece: list[str], formatting: Formatting, place: int, length: int, width: int) -> None:
    """Set the internal marks in a piece of the text by its byte offsets."""

    def characters(runs: list[Run[_T]]) -> Iterator[tuple[_T, range]]:
        for run in within(runs, place, place + length):
            first, last = max(0, run.start - place) // width, min(length, run.end - place) // width
            yield run.value, range(first, min(last, len(piece)))

    for kind, span in characters(formatting.paragraphs):
        for at in span:
            if piece[at] == "\x07" and kind.row >= 0:
                piece[at] = f"{_ROW_END}{kind.row}\x07"
            elif piece[at] in ("\x07", "\r"):
                level, label = kind.level * (not kind.is_in_cell), formatting.lists.label(kind.list_number, kind.depth)
                end = "\n" if kind.is_in_cell and piece[at] == "\r" else piece[at]
                piece[at] = f"{_HEADING}{level}|{label}{end}" if level or label else end
    for look, span in characters(formatting.characters):
        texts = [at for at in span if len(piece[at]) == 1 and piece[at] not in _CONTROLS]
        if look.is_gone:
            for at in span:
                piece[at] = piece[at] if piece[at][-1:] in _KEPT else ""
        elif texts and texts[-1] - texts[0] == len(texts) - 1:
            words = look.symbol * len(texts) or in_font("".join(piece[at] for at in texts), look.font)
            words = (str, raised, lowered, str)[look.script & 3](words)
            piece[texts[0] : texts[-1] + 1] = [
                _HIDES.format(words) if look.is_hidden else words,
                *[""] * len(texts[1:]),
            ]


def _spans(document: bytes, spans: Iterable[tuple[int, int]]) -> Iterator[bytes]:
    """Yield the bytes at the given places and lengths."""
    total = 0
    for place, length in spans:
        raw = document[place : place + length]
        total += len(raw)
        if total > 4 * len(document):
            raise ExtractionFailed("its pieces overlap")
        yield raw


def _places(table: bytes, start: int, length: int) -> Iterator[tuple[int, int]]:
    """Yield the byte offset and number of characters of each piece of a text in order."""
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
    """Return the text with field results and without field codes."""
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "\x13" not in text:
        return text.replace("\x14", "").replace("\x15", "")
    shown_parts: list[str] = []
    codes: list[bool] = []  # for each open field: True while its code is read
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
            shown_parts.append(part)
    return "".join(shown_parts)


def _split(text: str) -> Iterator[str]:
    at = 0
    for number, char in enumerate(text):
        if char in "\x13\x14\x15":
            if at < number:
                yield text[at:number]
            yield char
            at = number + 1
    yield text[at:]


def cut(text: str, formatting: Formatting | None = None) -> Iterator[str | TableRow | Styled]:
    """Yield paragraphs, headings and rows; a mark ends each cell, and one more the row."""
    text = _shown(text)
    is_marked = _ROW_END in text
    row: list[str] = []

    def written(number: str = "") -> TableRow:
        known = formatting.rows[int(number)] if formatting and number else None
        if known is None or len(known.edges) != len(known.continues) + 1 or len(known.continues) != len(row):
            return TableRow([Cell(text) for text in row], [])
        cells = [
            Cell(text, 0 if is_across else 1, 0 if is_down and not text else 1)
            for text, (is_across, is_down) in zip(row, known.continues, strict=True)
        ]
        return TableRow(cells, known.edges[1:])

    cell: list[str] = []
    for part in text.replace("\x0c", "\r").split("\r"):
        *cells, rest = part.split("\x07")
        for words in cells:
            cell.append(words)
            joined = "\n".join(" ".join(_labelled(line).split()) for line in "\n".join(cell).split("\n")).strip("\n")
            cell = []
            if words[:1] == _ROW_END if is_marked else not joined and row and words == "":
                if any(row):
                    yield written(words[1:])
                row = []
            else:
                row.append(joined)
        words, _, sign = rest.partition(_HEADING)
        if any(row) and is_marked:
            yield written()
        elif any(row):
            cell.append(words)
            continue
        row = []
        if words.strip():
            level, _, label = sign.partition("|")
            yield Styled(int(level), words, label) if level else words
    if row:
        yield written()
    yield from filter(str.strip, cell)


def _labelled(line: str) -> str:
    """Return a line of a cell after its label."""
    words, _, sign = line.partition(_HEADING)
    return f"{sign.partition('|')[2]} {words}" if sign and words.strip() else words
