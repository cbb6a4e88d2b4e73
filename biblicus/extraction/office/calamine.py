"""Extractor of binary workbooks (xls, xlsb) with python-calamine (`[office]`): values by row, as in `xlsx`.

Headers, footers, hidden rows and columns of Excel 97 and later are read from the file ([MS-XLS]).
"""

from __future__ import annotations

import datetime
import io
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import ENCRYPTED, Asides, Composer
from biblicus.extraction.kit.extras import installed, missing
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.office.sheets import Area, Sheet
from biblicus.extraction.office.xlsx import margin
from biblicus.models.extraction import Extraction, NoExtraction

_OLE = b"\xd0\xcf\x11\xe0"
_BOF, _SHEET = 0x0809, 0x0085
_MARGINS = {0x14: "Header", 0x15: "Footer"}
_COLUMNS, _ROW = 0x7D, 0x208
_HIDDEN_COLUMN, _HIDDEN_ROW = 0x01, 0x20


class Calamine:
    """Extractor that runs in a guarded worker, since its Rust code panics at some damaged files."""

    guarded = True

    def __init__(self) -> None:
        self.fingerprint = f"calamine/11 {installed('python-calamine')}"

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
        around = beside(raw)
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
                    sheet.row(top + row + 1, _texts(cells, left), hidden=top + row + 1 in about.hidden_rows)
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


def beside(raw: bytes) -> dict[str, Beside]:
    """Return the other parts of each sheet by its name; nothing for other workbooks."""
    if not raw.startswith(_OLE):
        return {}
    import olefile  # lazy: only for this format

    try:
        file = olefile.OleFileIO(io.BytesIO(raw))
        data = file.openstream("Workbook").read() if file.exists("Workbook") else b""
    except (OSError, ValueError, IndexError):
        return {}  # damaged; python-calamine states how
    sheets: dict[int, Beside] = {}
    names: dict[str, int] = {}
    now = Beside()
    for at, kind, body in _records(data):
        if kind == _BOF:
            now = sheets[at] = Beside()
        elif kind == _SHEET and len(body) > 8:
            names[_unicode(body[6:8] + body[8:])] = struct.unpack_from("<I", body)[0]
        elif kind in _MARGINS and len(body) > 3:
            now.margins.append((_MARGINS[kind], _unicode(body, wide=2)))
        elif kind == _COLUMNS and len(body) >= 10 and body[8] & _HIDDEN_COLUMN:
            first, last = struct.unpack_from("<HH", body)
            now.hidden_columns.update(range(first + 1, min(last, 255) + 2))
        elif kind == _ROW and len(body) >= 16 and body[12] & _HIDDEN_ROW:
            now.hidden_rows.add(struct.unpack_from("<H", body)[0] + 1)
    return {name: sheets[at] for name, at in names.items() if at in sheets}


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
