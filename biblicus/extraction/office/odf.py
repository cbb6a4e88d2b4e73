"""Extractor of OpenDocument texts, spreadsheets, presentations and drawings (ODF 1.3).

It reads zipped (odt, ods, odp, odg, templates) and flat XML files (fodt, fods, fodp, fodg), and OpenOffice.org 1 files
(sxw, sxc, sxi, sxd). Cells are written as displayed; sheet rows and slides are spots; deletions are left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from biblicus.contracts import MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.blocks import Box, from_top
from biblicus.extraction.kit.characters import formula, in_font, lowered, raised
from biblicus.extraction.kit.composing import CAPTION, Asides, Composer, day, folded
from biblicus.extraction.kit.grids import Cell, rows
from biblicus.extraction.kit.texts import extractor
from biblicus.extraction.office.number_formats import shown
from biblicus.extraction.office.odf_styles import (
    LISTS,
    Lists,
    chart_codes,
    count,
    derived,
    hidden_styles,
    image,
    is_calc,
    is_page_number,
    looks,
    of,
    shortened,
)
from biblicus.extraction.office.ooxml import Package, whole
from biblicus.extraction.office.sheets import Area, Sheet
from biblicus.guards import xml
from biblicus.guards.archive import Encrypted
from biblicus.models.extraction import Extraction, NoExtraction

_ENCRYPTED = NoExtraction("encrypted", "the file asks for a password, in a way that is not read")
_LEFT_OUT = frozenset(
    ("tracked-changes", "sequence-decls", "variable-decls", "forms", "settings", "scripts", "binary-data", "document")
)
"""Skipped elements; `binary-data` and `document` are pictures and objects in a flat file."""
_IN_ZIP = b"PK"
_REPEATED = 1_000
"""Maximum repetitions of an equal cell or row; the rest is dropped with a warning."""
_CONTENTS = frozenset(("text", "spreadsheet", "presentation", "drawing", "chart", "image", "database"))
_NOTES = frozenset(("note", "footnote", "endnote"))
_IN_CELLS = frozenset(("p", "h", "section"))
_SHAPES = frozenset(("frame", "custom-shape", "rect", "g", "ellipse", "line", "a"))
"""Elements that are drawn in a cell."""
_MOVED = ("super", "sub")
_UNSEEN = ("collapse", "filter")
_UNSAID = ("annotation-end", "deletion", "ruby-text")
_COLUMN_GROUPS = ("table-column-group", "table-header-columns", "table-columns")
_UNKNOWN = "???"
"""Value of a field in the page styles that LibreOffice adds to each sheet."""
_FIELDS = ("page-number", "page-count", "sheet-name", "date", "time", "file-name")
_WORDS_OF_A_NUMBER = 2
"""Maximum words beside a page-number field for a line such as `Page 3 of 7` to be dropped."""
_DEEPEST = 60
_LENGTH = re.compile(r"(-?[0-9.]{1,12})(mm|cm|in|pt)")
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72}
_DEEPEST_OBJECT = 4
"""Maximum nesting of documents inside documents."""
_TOO_DEEP_OBJECT = f"Documents within documents are read {_DEEPEST_OBJECT} deep; what is deeper is left out."
_TOO_DEEP = f"What is nested deeper than {_DEEPEST} is left out."


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    try:
        return _of_package(Package(raw, typed=True)) if raw.startswith(_IN_ZIP) else _of_one_part(raw)
    except Encrypted:
        return _ENCRYPTED


build = extractor("odf/20", _extract)


def _of_package(package: Package) -> Extraction | NoExtraction:
    manifest = package.part("META-INF/manifest.xml")
    if any(True for _ in manifest.iter("encryption-data")):
        return _ENCRYPTED
    root = package.part("content.xml", needed=True)
    return _extraction(root, package.part("styles.xml"), package.part("meta.xml"), package.warnings, package)


def _of_one_part(raw: bytes) -> Extraction | NoExtraction:
    try:
        root = xml.read_part(raw, typed=True)
    except xml.XmlRefused as error:
        raise ExtractionFailed(error.message.rstrip(".")) from error
    about = root.find("meta")
    return _extraction(root, root, Element("none") if about is None else about, [])


def _extraction(
    root: Element, styles: Element, about: Element, warnings: list[str], package: Package | None = None
) -> Extraction | NoExtraction:
    body = root.find("body")
    if body is None or not len(body):
        raise ExtractionFailed("it has no body")
    document = _Document(root, styles, package)
    content = next((child for child in body if child.tag in _CONTENTS), body)  # the body itself in OpenOffice.org 1
    is_sheets = content.tag == "spreadsheet" or (content is body and body.find("table") is not None and is_calc(root))
    if is_sheets:
        document.sheets(content)
        document.margins(styles)
    elif content.tag in ("presentation", "drawing") or content.find("page") is not None:
        document.slides(content)
    else:
        document.blocks(content, 0)
        document.margins(styles)
    document.composer.beside(document.asides)
    properties = {node.tag: folded(node.text or "") for node in about.iter()}
    metadata = {
        "author": (properties.get("initial-creator") or properties.get("creator", ""))[:300],
        "date": day(properties.get("creation-date", "")),
    }
    return document.composer.extraction(
        title=properties.get("title"),
        language=properties.get("language"),
        metadata=metadata,
        warnings=warnings,
        titled=not is_sheets,
    )


def _box(frame: Element) -> Box | None:
    """Return the box of a frame in millimetres, that of a group around its shapes, or None."""
    if frame.tag == "g":
        inner = [box for box in (_box(shape) for shape in frame if shape.tag != "g") if box]
        lefts, tops, rights, bottoms = zip(*inner, strict=True) if inner else ((), (), (), ())
        return (min(lefts), min(tops), max(rights), max(bottoms)) if inner else None
    sizes = [_LENGTH.fullmatch(frame.get(side, "")) for side in ("x", "y", "width", "height")]
    left, top, width, height = (float(size[1]) * _MILLIMETRES[size[2]] if size else -1.0 for size in sizes)
    return (left, top, left + width, top + height) if width >= 0 and height >= 0 else None


def _level(heading: Element) -> int:
    """Return the level of a heading, or 0 for a paragraph."""
    return whole(heading.get("outline-level") or heading.get("level"), int(heading.tag == "h"))


class _Document:
    def __init__(self, root: Element, styles: Element, package: Package | None) -> None:
        self.composer = Composer()
        self._titles, self._captions = derived("title", root, styles), derived("caption", root, styles)
        self._looks = looks(root, styles)
        self._lists = Lists(styles, root)
        self._spans = 0
        """Current nesting of formatted spans."""
        self._hidden, self._package = hidden_styles(root), package
        self.asides = Asides()
        self._boxes: list[str] = []
        self._objects: set[str] = set()
        """Names of embedded documents already read, so that each is read once even if it refers to itself."""
        self._within = 0
        self._codes: dict[int, str] = {}  # number formats of a chart's columns, from 1
        self._hidden_rows: set[int] = set()

    def blocks(self, parent: Iterable[Element], depth: int) -> None:
        """Compose headings, paragraphs, lists and tables in order."""
        if depth > _DEEPEST:
            self.composer.warn(_TOO_DEEP)
            return
        composer = self.composer
        for child in parent:
            tag = child.tag
            if tag == "h":
                level = _level(child)
                composer.styled(level, self._text(child), self._lists.number(child, level))
                self._flush()
            elif tag == "p":
                level = int(child.get("style-name") in self._titles)
                composer.styled(CAPTION if self._is_caption(child) else level, self._text(child))
                self._flush()
            elif tag in LISTS:
                with self._lists.within(child):
                    self.blocks(child, depth + 1)
            elif tag == "list-item":
                self._item(child, depth)
            elif tag == "table":
                has_header = child.find("table-header-rows") is not None
                cells = [[cell for _, cell in row] for _, row in self._rows(child)]
                composer.block(rows(cells, has_header=has_header))
                self._flush()
            elif tag in ("title", "desc"):
                composer.paragraph(image(child))
            elif tag == "object":
                composer.block([self._object(child)], "figure")
                self._flush()
            elif tag == "section" and child.get("display") == "none":
                self.asides.add("Hidden text", " ".join(self._text(p) for p in child.iter() if p.tag in ("p", "h")))
            elif tag not in _LEFT_OUT:
                self.blocks(child, depth + 1)

    def _item(self, item: Element, depth: int) -> None:
        """Compose a list item: its paragraphs on one line, nested lists below."""
        if paragraphs := [child for child in item if child.tag in ("p", "h")]:
            words = " ".join(self._text(child).strip() for child in paragraphs)
            self.composer.styled(_level(paragraphs[0]), words, self._lists.label(item))
        self._flush()
        others = [child for child in item if child.tag not in ("p", "h")]
        self.blocks(others, depth + any(child.tag == "list-item" for child in others))  # a list has counted its level

    def _flush(self) -> None:
        """Write the text boxes anchored in the paragraph after it."""
        for text in self._boxes:
            self.composer.block([text], "figure")
        self._boxes.clear()

    def _is_caption(self, paragraph: Element) -> bool:
        return paragraph.get("style-name") in self._captions or paragraph.find("sequence") is not None

    def slides(self, presentation: Element) -> None:
        number = 0
        for page in presentation:
            if page.tag != "page":
                continue
            number += 1
            self.composer.gap()
            self.composer.spot("slide", "", str(number))
            if page.get("style-name", "") in self._hidden:
                self.composer.paragraph("(hidden slide)")
            frames = list(page)
            for frame in (frames[at] for at in from_top([_box(frame) for frame in frames])):
                if frame.tag == "notes":
                    paragraphs = (self._text(p).strip() for p in frame.iter("p") if not is_page_number(p))
                    notes = "\n".join(filter(None, paragraphs))
                    self.composer.paragraph(f"Notes: {notes}" if notes else "")
                elif frame.get("class") == "title":
                    self.composer.heading(1, " ".join(self._text(p) for p in frame.iter("p")))
                else:
                    self.blocks(frame, 0)
            for text in self._taken():
                self.composer.paragraph(text)
        for page in presentation:
            if page.tag in ("header-decl", "footer-decl"):
                self.asides.add(page.tag.partition("-")[0].capitalize(), self._text(page))

    def sheets(self, spreadsheet: Element) -> None:
        for table in spreadsheet.findall("table"):
            hidden = table.get("style-name", "") in self._hidden
            sheet = Sheet(self.composer, table.get("name", ""), hidden=hidden)
            boxes = [text for shapes in table.findall("shapes") for text in self._boxed(shapes, 0)]
            column = 1
            for entry in of(table, "table-column", _COLUMN_GROUPS):
                times = count(entry.get("number-columns-repeated"))
                if entry.get("visibility") in _UNSEEN and times < _REPEATED:
                    sheet.hidden_columns.update(range(column, column + times))
                column += times
            for number, cells in self._rows(table):
                for column, (_, across, down) in cells:
                    if across > 1 or down > 1:
                        sheet.merged.append(Area(number, column, number + down - 1, column + across - 1))
                sheet.row(number, {column: cell.text for column, cell in cells}, hidden=number in self._hidden_rows)
            self._hidden_rows.clear()
            sheet.close()
            for text in (*boxes, *self._boxes, *self._taken()):
                sheet.remark("", text)
            self._boxes.clear()

    def _rows(self, table: Element, depth: int = 0) -> Iterator[tuple[int, list[tuple[int, Cell]]]]:
        """Yield the rows that have text: row number from 1, and cells by column from 1."""
        number = 1
        for row in of(table, "table-row", ("table-row-group", "table-header-rows", "table-rows")):
            times = count(row.get("number-rows-repeated"))
            cells = list(self._cells(row, depth))
            if any(cell.text for _, cell in cells):
                for copy in range(self._copies(times)):
                    if not depth and row.get("visibility") in _UNSEEN:
                        self._hidden_rows.add(number + copy)
                    yield number + copy, cells
            number += times

    def _in_cell(self, cell: Element, depth: int) -> Iterator[str]:
        """Yield the texts of a cell; rows of a nested table are joined."""
        for child in cell:
            if child.tag in LISTS and depth < _DEEPEST:
                with self._lists.within(child):
                    for item in child:
                        label = f"{self._lists.label(item)} " if item.find("p") is not None else ""
                        yield label + "\n".join(self._in_cell(item, depth + 1))
            elif child.tag in _IN_CELLS:
                yield self._text(child)
            elif child.tag == "table" and depth < _DEEPEST:
                inner = (
                    ", ".join(filter(None, (cell.text.strip() for _, cell in row)))
                    for _, row in self._rows(child, depth + 1)
                )
                yield "; ".join(inner)
            elif child.tag == "table":
                self.composer.warn(_TOO_DEEP)
            elif child.tag in _SHAPES and not self._within:  # shapes in a chart's table name ranges of cells
                self._boxes += self._boxed((child,), depth + 1)

    def _cells(self, row: Element, depth: int) -> Iterator[tuple[int, Cell]]:
        column = 1
        for cell in row:
            if cell.tag not in ("table-cell", "covered-table-cell"):
                continue
            times = count(cell.get("number-columns-repeated"))
            if cell.tag == "covered-table-cell":
                column += times
                continue
            text = "\n".join(map(folded, self._in_cell(cell, depth))) if len(cell) else ""
            if (date := cell.get("date-value", "")) and not any(map(str.isalpha, text)):
                text = date.partition(".")[0].removesuffix("T00:00:00").removesuffix(":00").replace("T", " ")
            if self._within and cell.get("value-type") == "float":
                value, code = cell.get("value", ""), self._codes.get(column, "")
                text = "" if value == "NaN" else shown(value, code) if code else text
            text = in_font(text, self._looks.get(cell.get("style-name", ""), ""))
            for note in cell.iter("annotation") if len(cell) else ():
                self._remark("Comment", note)
            if not text.strip():
                text = cell.get("string-value", "") or cell.get("value", "")
            spans = count(cell.get("number-columns-spanned")), count(cell.get("number-rows-spanned"))
            for copy in range(self._copies(times) if text.strip() else 1):
                yield column + copy, Cell(text, *spans)
            column += times

    def _copies(self, times: int) -> int:
        """Return how many copies of a repeated row or cell to write, within the limit."""
        if times > _REPEATED:
            self.composer.warn(f"Equal rows, or cells, are repeated at most {_REPEATED:,} times; the rest is left out.")
        return min(times, _REPEATED)

    def _text(self, element: Element) -> str:
        """Return the text of a paragraph or span as displayed; notes, comments and hidden text go to the asides."""
        look = self._looks.get(element.get("style-name", ""), "")
        if look == "struck":
            return ""
        if look and element.tag in ("p", "h", "span"):
            words = self._words(element)
            if look != "hidden":
                return {"super": raised, "sub": lowered}[look](words) if look in _MOVED else in_font(words, look)
            self.asides.add("Hidden text", words)
            return ""
        return self._words(element)

    def _words(self, element: Element) -> str:
        if not len(element):
            return element.text or ""
        parts = [element.text or ""]
        pending: list[Element | str] = [child for node in reversed(element) for child in (node.tail or "", node)]
        while pending:
            node = pending.pop()
            if isinstance(node, str):
                parts.append(node)
                continue
            tag = node.tag
            if tag == "s":
                parts.append(" ")
            elif tag in ("tab", "line-break"):
                parts.append(" " if tag == "tab" else "\n")
            elif tag in _NOTES:
                mark = folded(node.findtext(f"{tag}-citation") or "")
                parts.append(f" [{mark}]")
                kind = "Endnote" if "endnote" in (tag, node.get("note-class")) else "Footnote"
                self._remark(f"{kind} [{mark}]", node.find(f"{tag}-body"))
            elif tag == "annotation":
                self._remark("Comment", node)
            elif tag == "text-box":
                self._boxes += self._boxed(node, 0)
            elif tag == "object":
                self._boxes.append(self._object(node))
            elif tag in ("desc", "title"):
                parts.append(f" {image(node)} ")
            elif tag == "span" and node.get("style-name", "") in self._looks and self._spans < _DEEPEST:
                self._spans += 1
                parts.append(self._text(node))
                self._spans -= 1
            elif tag == "placeholder" or tag in _UNSAID or (tag == "hidden-text" and node.get("is-hidden") == "true"):
                continue
            elif tag not in _LEFT_OUT:
                parts.append(node.text or "")
                pending.append(" " if tag in ("p", "h") else "")
                pending += [child for inner in reversed(node) for child in (inner.tail or "", inner)]
        return "".join(parts)

    def _boxed(self, parts: Iterable[Element], depth: int) -> Iterator[str]:
        """Yield the paragraphs of a text box, shape or embedded object; a table counts as one."""
        for child in parts:
            text = ""
            if child.tag in ("p", "h"):
                text = self._text(child)
            elif child.tag == "table":
                text = "\n".join(rows([[cell for _, cell in row] for _, row in self._rows(child, depth + 1)]))
            elif child.tag == "object":
                text = self._object(child)
            elif child.tag in ("title", "desc") and not len(child):
                text = image(child)
            elif child.tag not in _LEFT_OUT and depth < _DEEPEST:
                yield from self._boxed(child, depth + 1)
            if text.strip():
                yield text

    def _object(self, node: Element) -> str:
        """Return the titles, texts and values of a chart or another embedded document."""
        root = node.find("document")
        name = f"{node.get('href', '').removeprefix('./')}/content.xml"
        if root is None and self._package is not None and name not in self._objects and self._package.has(name):
            self._objects.add(name)
            root = self._package.part(name)
        if root is not None and root.tag == "math":
            written = next((words.text or "" for words in root.iter("annotation")), "")
            return folded(formula(root)) or folded(written)
        body = None if root is None else root.find("body")
        if root is None or body is None:
            return ""
        if self._within >= _DEEPEST_OBJECT:
            self.composer.warn(_TOO_DEEP_OBJECT)
            return ""
        self._within += 1
        codes, self._codes = self._codes, chart_codes(root)
        texts = list(self._boxed(body, 0))
        self._codes = codes
        self._within -= 1
        return "\n".join(texts if body.find("chart") is None else map(shortened, texts))

    def _remark(self, kind: str, node: Element | None) -> None:
        if node is None:
            return
        author = folded(node.findtext("creator") or node.get("author") or "")
        self.asides.add(kind, " ".join(self._text(p) for p in node.iter("p")), author=author)

    def margins(self, styles: Element) -> None:
        """Add the headers and footers of pages to the asides."""
        for page in styles.iter("master-page"):
            for part in page:
                kind = part.tag.partition("-")[0].capitalize()  # for example `header-left`, `footer-first`
                if kind in ("Header", "Footer") and part.get("display") != "false":
                    self.asides.add(kind, " ".join(map(self._in_margin, part.iter("p"))))

    def _in_margin(self, paragraph: Element) -> str:
        """Return the text of a paragraph of a header or footer without fields; empty if it is a page number."""
        fields = [node for node in paragraph.iter() if node.tag in _FIELDS or node.text == _UNKNOWN]
        for node in fields:
            node.text = ""
        words = self._text(paragraph)
        is_number = any(node.tag in _FIELDS[:2] for node in fields) and len(words.split()) <= _WORDS_OF_A_NUMBER
        return "" if is_number else words

    def _taken(self) -> list[str]:
        """Return the notes and comments added since the last call."""
        taken, self.asides = self.asides, Asides()
        return taken.lines()
