"""Extractor of SpreadsheetML workbooks (a single XML file, as Excel 2003 writes), sheet by sheet."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from biblicus.contracts import MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer, day, folded
from biblicus.extraction.kit.texts import extractor
from biblicus.extraction.office.number_formats import shown
from biblicus.extraction.office.ooxml import whole
from biblicus.extraction.office.sheets import Area, Sheet
from biblicus.guards import xml
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.locator import column_name

_NO_DAY = ("1899-12-30", "1899-12-31", "1900-01-00")
"""Dates stored with a time of day that has no date."""
_FORMATS = {"Percent": "0.00%", "Fixed": "0.00", "Standard": "#,##0.00", "Currency": "#,##0.00"}
_TRUE = {"1": "TRUE", "0": "FALSE"}


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    try:
        book = xml.read_part(raw)
    except xml.XmlRefused as error:
        raise ExtractionFailed(error.message.rstrip(".")) from error
    composer = Composer()
    formats = {
        style.get("ID", ""): form.get("Format", "")
        for style in book.iterfind("Styles/Style")
        for form in style.findall("NumberFormat")
    }
    for entry in book.findall("Worksheet"):
        is_hidden = entry.findtext("WorksheetOptions/Visible") in ("SheetHidden", "SheetVeryHidden")
        sheet = Sheet(composer, entry.get("Name", ""), hidden=is_hidden)
        comments = list(_rows(entry, sheet, formats))
        sheet.close()
        for cell, text in comments:
            sheet.remark(cell, f"Comment at {cell}: {text}")
    about = {node.tag: folded(node.text or "") for node in book.iterfind("DocumentProperties/*")}
    return composer.extraction(
        title=about.get("Title"),
        metadata={"author": about.get("Author", "")[:300], "date": day(about.get("Created", ""))},
        otherwise=NoExtraction("empty", "the workbook holds no values"),
        titled=False,
    )


build = extractor("spreadsheetml/7", _extract)


def _rows(entry: Element, sheet: Sheet, formats: dict[str, str]) -> list[tuple[str, str]]:
    """Write the rows of a sheet and return its comments by cell."""
    comments: list[tuple[str, str]] = []
    number = 0
    for row in entry.iterfind("Table/Row"):
        number = whole(row.get("Index"), number + 1)
        column, cells = 0, {}
        for cell in row.findall("Cell"):
            column = whole(cell.get("Index"), column + 1)
            across, down = whole(cell.get("MergeAcross")), whole(cell.get("MergeDown"))
            if across or down:
                sheet.merged.append(Area(number, column, number + down, column + across))
            value = cell.find("Data")
            if value is not None:
                cells[column] = _shown(value, formats.get(cell.get("StyleID", row.get("StyleID", "")), ""))
            texts = (folded("".join(comment.itertext())) for comment in cell.findall("Comment"))
            comments += [(f"{column_name(column)}{number}", text) for text in texts if text]
            column += across
        sheet.row(number, cells, hidden=row.get("Hidden") == "1")
        number += whole(row.get("Span"))
    return comments


def _shown(value: Element, form: str) -> str:
    text, kind = "".join(value.itertext()), value.get("Type", "String")
    if kind == "Number":
        return shown(text, _FORMATS.get(form, form), False)
    if kind == "Boolean":
        return _TRUE.get(text, text)
    if kind != "DateTime":
        return text
    date, _, clock = text.partition("T")
    clock = clock.partition(".")[0].removesuffix(":00")
    return clock if date in _NO_DAY else date if clock in ("", "00:00") else f"{date} {clock}"
