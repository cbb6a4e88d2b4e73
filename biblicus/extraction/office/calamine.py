"""Extractor of binary workbooks (xls, xlsb) with python-calamine (`[office]`): values by row, as in `xlsx`."""

from __future__ import annotations

import datetime
import io
from collections.abc import Mapping, Sequence

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import ENCRYPTED, Asides, Composer
from biblicus.extraction.kit.extras import installed, missing
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.office.biff import Beside, beside
from biblicus.extraction.office.sheets import Area, Sheet
from biblicus.extraction.office.xlsx import margin
from biblicus.models.extraction import Extraction, NoExtraction


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
