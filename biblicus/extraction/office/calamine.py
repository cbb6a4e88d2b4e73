"""Extractor of binary workbooks (xls, xlsb) with python-calamine (`[office]`): values by row, as in `xlsx`.

Headers, footers, hidden rows and columns, and superscripts of Excel 97 and later are read from the file ([MS-XLS]).
"""

from __future__ import annotations

import datetime
import io
import struct
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.characters import lowered, raised
from biblicus.extraction.kit.composing import ENCRYPTED, Asides, Composer
from biblicus.extraction.kit.extras import installed, missing
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.office.sheets import Area, Sheet
from biblicus.extraction.office.xlsx import margin
from biblicus.models.extraction import Extraction, NoExtraction

_OLE = b"\xd0\xcf\x11\xe0"
_BOF, _CONTINUE, _FONT, _TEXTS, _SHEET = 0x0809, 0x003C, 0x0031, 0x00FC, 0x0085
_MARGINS = {0x14: "Header", 0x15: "Footer"}
_COLUMNS, _ROW = 0x7D, 0x208
_HIDDEN_COLUMN, _HIDDEN_ROW = 0x01, 0x20
_UNUSED_FONT = 4
"""The number that no font has."""
_MOST_TEXTS = 500_000


class Calamine:
    """Extractor that runs in a guarded worker, since its Rust code panics at some damaged files."""

    guarded = True

    def __init__(self) -> None:
        self.fingerprint = f"calamine/10 {installed('python-calamine')}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        return workbook(raw)


def build(options: Options, given: Given) -> Extractor:
    return Calamine()


def workbook(raw: bytes) -> Extraction | NoExtraction:
    """Extract the sheets of a workbook. Raises `ExtractionFailed`."""
    try:
        import python_calamine
    except ImportError:
        return missing("office")
    composer, margins = Composer(), Asides()
    try:
        around, displayed = beside(raw)
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(raw))
        for number, sheet_metadata in enumerate(book.sheets_metadata):
            if sheet_metadata.typ != python_calamine.SheetTypeEnum.WorkSheet:
                continue
            sheet = Sheet(
                composer, sheet_metadata.name, hidden=sheet_metadata.visible != python_calamine.SheetVisibleEnum.Visible
            )
            about = around.get(sheet_metadata.name, Beside())
            sheet.hidden_columns |= about.hidden_columns
            for kind, words in about.margins:
                margins.add(kind, margin(words))
            values = book.get_sheet_by_index(number)
            for (top, left), (bottom, right) in values.merged_cell_ranges or ():
                sheet.merged.append(Area(top + 1, left + 1, bottom + 1, right + 1))
            if values.start is not None:
                top, left = values.start
                for row, cells in enumerate(values.to_python(skip_empty_area=True)):
                    texts = {column: displayed.get(text, text) for column, text in _texts(cells, left).items()}
                    sheet.row(top + row + 1, texts, hidden=top + row + 1 in about.hidden_rows)
            sheet.close()
    except python_calamine.PasswordError:
        return ENCRYPTED
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise ExtractionFailed(f"the workbook cannot be read: {error}") from error
    except BaseException as error:  # a Rust panic is no subclass of Exception
        if type(error).__name__ != "PanicException":
            raise
        raise ExtractionFailed("the workbook is damaged: its parser gave up") from None
    composer.beside(margins)
    return composer.extraction(otherwise=NoExtraction("empty", "the workbook holds no values"), titled=False)


def _texts(cells: Sequence[object], left: int) -> Mapping[int, str]:
    return {left + number + 1: text for number, cell in enumerate(cells) if (text := _text(cell))}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if abs(value) < 1e15 and value == int(value) else f"{value:.15g}"
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return (
            value.date().isoformat() if midnight else value.isoformat(" ", "minutes" if not value.second else "seconds")
        )
    return "" if value is None else str(value)


@dataclass
class Beside:
    """Parts of a sheet besides its values. Rows and columns count from 1."""

    margins: list[tuple[str, str]] = field(default_factory=list)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)


def beside(raw: bytes) -> tuple[dict[str, Beside], dict[str, str]]:
    """Return the other parts of each sheet by its name, and texts with raised or lowered parts as displayed by their
    plain form. Both are empty for other workbooks."""
    if not raw.startswith(_OLE):
        return {}, {}
    import olefile  # lazy: only for this format

    try:
        file = olefile.OleFileIO(io.BytesIO(raw))
        data = file.openstream("Workbook").read() if file.exists("Workbook") else b""
    except (OSError, ValueError, IndexError):
        return {}, {}  # damaged; python-calamine states how
    sheets: dict[int, Beside] = {}
    names: dict[str, int] = {}
    scripts: list[int] = []
    shown: dict[str, str] = {}
    now = Beside()
    for at, kind, body in _records(data):
        if kind == _BOF:
            now = sheets[at] = Beside()
        elif kind == _SHEET and len(body) > 8:
            names[_unicode(body[6:8] + body[8:])] = struct.unpack_from("<I", body)[0]
        elif kind == _FONT and len(body) > 9:
            scripts += [0] * (len(scripts) == _UNUSED_FONT) + [body[8] & 3]
        elif kind == _TEXTS and any(scripts):
            shown = dict(_shown(_parts(data, at), scripts))
        elif kind in _MARGINS and len(body) > 3:
            now.margins.append((_MARGINS[kind], _unicode(body, wide=2)))
        elif kind == _COLUMNS and len(body) >= 10 and body[8] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<HH", body)
            now.hidden_columns.update(range(first + 1, min(last, 255) + 2))
        elif kind == _ROW and len(body) >= 16 and body[12] & _HIDDEN_ROW:
            now.hidden_rows.add(struct.unpack_from("<H", body)[0] + 1)
    return {name: sheets[at] for name, at in names.items() if at in sheets}, shown


def _records(data: bytes, at: int = 0) -> Iterator[tuple[int, int, bytes]]:
    """Yield the offset, kind and content of the records from an offset."""
    while at + 4 <= len(data):
        kind, length = struct.unpack_from("<HH", data, at)
        yield at, kind, data[at + 4 : at + 4 + length]
        at += 4 + length


def _unicode(raw: bytes, wide: int = 1) -> str:
    """Return a text after its length of `wide` bytes and its flags, of which the lowest bit means UTF-16."""
    count, flags = int.from_bytes(raw[:wide], "little"), raw[wide]
    text = raw[wide + 1 : wide + 1 + count * (1 + (flags & 1))]
    return text.decode("utf-16-le" if flags & 1 else "latin-1", "replace")


def _parts(data: bytes, at: int) -> list[bytes]:
    """Return the content of a record and of those that continue it."""
    parts: list[bytes] = []
    for _, kind, body in _records(data, at):
        if parts and kind != _CONTINUE:
            break
        parts.append(body)
    return parts


def _shown(parts: list[bytes], scripts: list[int]) -> Iterator[tuple[str, str]]:
    """Yield each shared text that has raised or lowered runs, plain and as displayed."""
    data, ends = b"".join(parts), list(accumulate(map(len, parts)))
    at = 8
    for _ in range(min(struct.unpack_from("<I", data, 4)[0], _MOST_TEXTS) if len(data) > 8 else 0):
        if at + 3 > len(data):
            return
        count, flags = struct.unpack_from("<HB", data, at)
        at += 3
        runs = struct.unpack_from("<H", data, at)[0] if flags & 8 and at + 2 <= len(data) else 0
        at += 2 * bool(flags & 8)
        beyond = int.from_bytes(data[at : at + 4], "little") if flags & 4 else 0
        at += 4 * bool(flags & 4)
        text = ""
        while len(text) < count and at < len(data):
            size = 1 + (flags & 1)
            border = ends[bisect_right(ends, at)]
            end = min(at + (count - len(text)) * size, border)
            text += _units(data[at:end]) if flags & 1 else data[at:end].decode("latin-1")
            at = end
            if len(text) < count and at == border < len(data):  # a record that continues has flags of its own
                flags, at = flags & ~1 | data[at] & 1, at + 1
        fonts = list(struct.iter_unpack("<HH", data[at : at + 4 * runs])) if at + 4 * runs <= len(data) else []
        at += 4 * runs + beyond
        if any(font < len(scripts) and scripts[font] for _, font in fonts):
            shown = "".join(_run(text, run, end, scripts) for run, (end, _) in pairwise([(0, 0), *fonts, (count, 0)]))
            yield _joined(text), _joined(shown)


def _units(raw: bytes) -> str:
    """Return UTF-16 with a character for each unit, by which lengths and runs count."""
    return "".join(chr(unit) for (unit,) in struct.iter_unpack("<H", raw[: len(raw) & ~1]))


def _joined(units: str) -> str:
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _run(text: str, run: tuple[int, int], end: int, scripts: list[int]) -> str:
    script = scripts[run[1]] if run[1] < len(scripts) else 0
    return (str, raised, lowered, str)[script](text[run[0] : end])
