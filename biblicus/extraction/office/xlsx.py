"""Extractor of Excel workbooks (xlsx, xlsm): rows as lines, with displayed values and column names.

A row is a spot (`Q2!A4:F4`) and no chunk spans two sheets. Sheets are parsed as streams to save memory. A formula is
written as its cached value, or as the formula if there is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from xml.etree.ElementTree import Element

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.characters import in_font, is_symbol_font, lowered, raised
from biblicus.extraction.kit.composing import ENCRYPTED, Asides, Composer, folded
from biblicus.extraction.kit.texts import extractor
from biblicus.extraction.office.charts import CodeOf, lines_of
from biblicus.extraction.office.number_formats import built_in, shown
from biblicus.extraction.office.ooxml import Package, run_text, text_of, unescaped, whole
from biblicus.extraction.office.sheets import Area, Sheet
from biblicus.guards import xml
from biblicus.guards.archive import Encrypted
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.locator import column_number

_MARGINS = frozenset(f"{page}{margin}" for page in ("odd", "even", "first") for margin in ("Header", "Footer"))
_CODE = re.compile(r'&(?:"[^"]{0,80}"|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|\d{1,3}|[A-Za-z])')
"""A code in a header for a font, page number or date."""
_AREA = re.compile(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})")
_MOST_HIDDEN = 1_000
_MOVED: Mapping[str, Callable[[str], str]] = {"superscript": raised, "subscript": lowered, "struck": lambda text: ""}
_WORDS_OF_A_NUMBER = 2
"""Maximum words of a header part with a page number (`Page 3 of 7`) for it to be dropped."""


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    try:
        return _workbook(Package(raw))
    except Encrypted:
        return ENCRYPTED


build = extractor("xlsx/16", _extract)


def _workbook(package: Package) -> Extraction | NoExtraction:
    main = package.main("xl/workbook.xml")
    book = package.part(main, needed=True)
    properties = book.find("workbookPr")
    epoch_1904 = properties is not None and properties.get("date1904") in ("1", "true")
    texts = _shared(package, next(package.related(main, "sharedStrings"), "xl/sharedStrings.xml"))
    styles = package.part(next(package.related(main, "styles"), "xl/styles.xml"))
    formats, fonts = _formats(styles), _fonts(styles)
    targets = {relation.id: relation.target for relation in package.relations(main)}
    composer, margins = Composer(), Asides()
    raw_of = lru_cache(maxsize=1)(package.raw)
    sheets = {entry.get("name", ""): targets.get(entry.get("r:id", ""), "") for entry in book.iter("sheet")}
    for entry in book.iter("sheet"):
        name, target = entry.get("name", ""), targets.get(entry.get("r:id", ""), "")
        if not package.has(target):
            continue
        sheet = Sheet(composer, name, hidden=entry.get("state", "visible") != "visible")
        reader = _Reader(sheet, texts, formats, fonts, epoch_1904, margins)
        try:
            raw = package.archive.read(target)
            if b"mergeCell " in raw:  # merged ranges are stored after the rows
                xml.scan_part(raw, _Merged(sheet))
            xml.scan_part(raw, reader)
        except xml.XmlRefused as error:
            package.warnings.append(f"The sheet {name[:60]} cannot be read to its end: {error.message}")
        sheet.close()
        _beside(package, target, sheet, lambda cells: _code_of(raw_of, sheets, formats, cells))
    if not composer.is_empty:
        composer.beside(margins)
    title, metadata = package.properties()
    nothing = NoExtraction("empty", "the workbook holds no values")
    return composer.extraction(
        title=title, metadata=metadata, warnings=package.warnings, otherwise=nothing, titled=False
    )


def _shared(package: Package, name: str) -> list[str]:
    """Return the shared strings, without phonetic guides."""
    return [_rich(entry) for entry in package.part(name) if entry.tag == "si"]


def _rich(entry: Element) -> str:
    return "".join(
        run_text(child) if child.tag == "r" else unescaped(child.text or "")
        for child in entry
        if child.tag in ("t", "r")
    )


def _formats(styles: Element) -> list[str]:
    """Return the number format code of each cell style."""
    custom_formats = {entry.get("numFmtId", ""): entry.get("formatCode", "") for entry in styles.iter("numFmt")}
    cells = styles.find("cellXfs")
    format_ids = [entry.get("numFmtId", "0") for entry in cells] if cells is not None else []
    return [custom_formats.get(number) or built_in(number) for number in format_ids]


def _fonts(styles: Element) -> list[str]:
    """Return the font of each cell style if it is a symbol font, else an empty string."""
    fonts = [
        next((part.get("val", "") for part in font if part.tag == "name"), "") for font in styles.iterfind("fonts/*")
    ]
    numbers = [whole(entry.get("fontId"), len(fonts)) for entry in styles.iterfind("cellXfs/*")]
    return [font if number < len(fonts) and is_symbol_font(font := fonts[number]) else "" for number in numbers]


class _Merged:
    """XML handler that collects the merged ranges of a sheet."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet

    def start(self, name: str, attributes: dict[str, str]) -> None:
        corners = _AREA.fullmatch(attributes.get("ref", "")) if name == "mergeCell" else None
        if corners:
            left, right = column_number(corners[1]), column_number(corners[3])
            self._sheet.merged.append(Area(int(corners[2]), left, int(corners[4]), right))

    def data(self, text: str) -> None:
        """Ignore text."""

    def end(self, name: str) -> None:
        """Ignore end tags."""


class _Reader:
    """XML handler that writes the rows of a sheet."""

    def __init__(
        self,
        sheet: Sheet,
        texts: list[str],
        formats: list[str],
        fonts: list[str],
        epoch_1904: bool,
        margins: Asides,
    ) -> None:
        self._sheet, self._texts, self._formats, self._epoch_1904 = sheet, texts, formats, epoch_1904
        self._fonts, self._margins = fonts, margins
        self._row = self._column = 0
        self._kind = self._style = ""
        self._value: list[str] = []
        self._formula: list[str] = []
        self._begins, self._place = 0, ""  # start and vertical alignment of a rich text run
        self._hears: list[str] | None = None
        self._in_guide = self._is_hidden = False
        self._cells: dict[int, str] = {}

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self._row = whole(attributes.get("r"), self._row + 1)
            self._column = 0
            self._is_hidden = attributes.get("hidden") in ("1", "true")
        elif name == "col" and attributes.get("hidden") in ("1", "true"):
            first, last = whole(attributes.get("min"), 1), whole(attributes.get("max"), 1)
            if last - first < _MOST_HIDDEN:  # a longer range is all columns right of the table
                self._sheet.hidden_columns.update(range(first, last + 1))
        elif name == "c":
            letters = attributes.get("r", "").rstrip("0123456789")
            ascii_letters = letters.isascii() and letters.isalpha() and len(letters) <= 3
            self._column = column_number(letters) if ascii_letters else self._column + 1
            self._place = ""
            self._kind, self._style = attributes.get("t", "n"), attributes.get("s", "")
            self._value, self._formula = [], []
        elif name == "rPh":
            self._in_guide = True
        elif name in ("v", "t") and not self._in_guide:
            self._hears, self._begins = self._value, len(self._value)
        elif name == "r":
            self._place = ""
        elif name == "vertAlign":
            self._place = attributes.get("val", "")
        elif name == "strike" and attributes.get("val", "1") not in ("0", "false"):
            self._place = "struck"
        elif name == "f":
            self._hears = self._formula
        elif name in _MARGINS:
            self._hears = self._value = []

    def data(self, text: str) -> None:
        if self._hears is not None:
            self._hears.append(text)

    def end(self, name: str) -> None:
        if name in ("v", "t", "f"):
            self._hears = None
            if name == "t" and self._place in _MOVED:
                self._value[self._begins :] = [_MOVED[self._place]("".join(self._value[self._begins :]))]
        elif name == "c":
            if text := self._shown():
                style = whole(self._style)
                self._cells[self._column] = in_font(text, self._fonts[style] if style < len(self._fonts) else "")
        elif name == "row":
            self._sheet.row(self._row, self._cells, hidden=self._is_hidden)
            self._cells = {}
        elif name == "rPh":
            self._in_guide = False
        elif name in _MARGINS:
            self._hears = None
            self._margins.add(name[-6:], margin("".join(self._value)))

    def _shown(self) -> str:
        value = "".join(self._value)
        if not value:
            return f"={folded(''.join(self._formula))}" if self._formula else ""
        if self._kind == "s":
            number = whole(value, len(self._texts))
            return self._texts[number] if number < len(self._texts) else ""
        if self._kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if self._kind != "n":
            return unescaped(value)
        style = whole(self._style)
        code = self._formats[style] if style < len(self._formats) else ""
        return shown(value, code, self._epoch_1904)


def margin(text: str) -> str:
    """Return the text of a header or footer without formatting codes and page numbers."""
    texts = []
    for part in re.split("&[LCR]", text.replace("&&", "\0")):
        words = _CODE.sub(" ", part).replace("\0", "&")
        if not ("&P" in part or "&N" in part) or len(words.split()) > _WORDS_OF_A_NUMBER:
            texts.append(words)
    return " ".join(words for words in texts if any(map(str.isalnum, words)))


def _code_of(raw_of: Callable[[str], bytes], sheets: Mapping[str, str], formats: Sequence[str], cells: str) -> str:
    """Return the number format of the first cell in a range such as `'Q 2'!$B$2:$B$9`. `sheets`: parts by name."""
    name, _, first = cells.partition(":")[0].rpartition("!")
    place = first.replace("$", "").encode()
    raw = raw_of(sheets.get(name.strip("'").replace("''", "'"), "")) if place.isalnum() else b""
    cell = re.search(rb'<(?:\w+:)?c [^<>]*\br="' + place + rb'"[^<>]*', raw)
    style = re.search(rb'\bs="(\d{1,6})"', cell[0]) if cell else None
    return formats[int(style[1])] if style and int(style[1]) < len(formats) else ""


def _beside(package: Package, name: str, sheet: Sheet, code_of: CodeOf) -> None:
    """Write the comments by cell, and the text boxes, charts, diagrams and images of a sheet."""
    threads = [entry for part in package.related(name, "threadedComment") for entry in package.part(part)]
    comments = [(entry.get("ref", ""), folded(entry.findtext("text") or "")) for entry in threads]
    threaded = {cell for cell, _ in comments}  # cells whose plain comment only refers to the thread
    for part in package.related(name, "comments"):
        comments += [
            (comment.get("ref", ""), folded(" ".join(_rich(text) for text in comment)))
            for comment in package.part(part).iter("comment")
            if comment.get("ref", "") not in threaded
        ]
    for cell, text in comments:
        sheet.remark(cell, text and f"Comment at {cell}: {text}")
    for part in package.related(name, "drawing"):
        drawing = package.part(part)
        for paragraph in drawing.iter("p"):
            sheet.remark("", folded(text_of(paragraph)))
        for node in drawing.iter():
            if node.tag in ("pic", "graphicFrame") and (described := next(node.iter("cNvPr"), None)) is not None:
                words = folded(described.get("descr", ""))
                sheet.remark("", words and f"[Image: {words}]")
            for line in lines_of(package, part, node, code_of):
                sheet.remark("", line)
