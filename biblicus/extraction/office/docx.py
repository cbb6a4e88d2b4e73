"""Extractor of Word documents (docx, docm): paragraphs with outline and numbers, tables by row, notes, comments,
headers.

Insertions are included, deletions are not. It parses XML itself, because python-docx lacks footnotes, text boxes and
documents with macros. Parts in other formats (HTML, RTF, text) are read by their own extractors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biblicus import plugins
from biblicus.contracts import Extractor, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.characters import formula, in_font, is_symbol_font, lowered, raised, symbol
from biblicus.extraction.kit.composing import CAPTION, ENCRYPTED, Asides, Composer, folded, level_of_style
from biblicus.extraction.kit.grids import Cell, rows
from biblicus.extraction.kit.texts import extractor
from biblicus.extraction.office.charts import lines_of
from biblicus.extraction.office.numbering import Numbering, inherited
from biblicus.extraction.office.ooxml import EMPTY, Package, signed, text_of, whole
from biblicus.guards.archive import Encrypted
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.text.media import media_type

_LEFT_OUT = frozenset(
    ("del", "moveFrom", "rt", "instrText", "delText", "pPr", "rPr", "Fallback", "sdtPr", "sdtEndPr", "tblPr")
)
_HIDDEN = "Hidden text"
_DEEPEST = 60
_CODE = re.compile("[0-9A-Fa-f]{1,5}")
_BOXES = "☐☑"
_OFF = ("0", "false", "off")
_TOO_DEEP = f"What is nested deeper than {_DEEPEST} is left out."
_STYLES = re.compile(rb"<w:styles\b[^>]*>")
_READERS = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "multipart/related": "mhtml",
    "message/rfc822": "mhtml",
    "application/rtf": "rtf",
    "text/rtf": "rtf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
}
_LARGEST = 64 << 20


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    try:
        return _Document(Package(raw)).extraction()
    except Encrypted:
        return ENCRYPTED


build = extractor("docx/15", _extract)


class _Document:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._composer = Composer()
        self._main = package.main("word/document.xml")
        styles = next(package.related(self._main, "styles"), "word/styles.xml")
        of_paragraphs = package.part(styles, shortened=_of_paragraphs)
        chains = inherited(of_paragraphs)
        stated = {key: [_level_of(style) for style in chain] for key, chain in chains.items()}
        self._levels = {
            key: next((level for level in levels if level is not None), 0) for key, levels in stated.items()
        }
        lists = next(package.related(self._main, "numbering"), "word/numbering.xml")
        self._numbering = Numbering(package.part(lists), chains)
        self._of_runs = {
            style.get("styleId", ""): look for style in of_paragraphs.iter("style") for look in style.findall("rPr")
        }
        self._asides, self._within = Asides(), 0
        self._has_images = False
        self._is_counted = False  # the paragraph has the number of a figure or table
        self._after: list[str] = []
        self._initial = ""

    def extraction(self) -> Extraction | NoExtraction:
        root = self._package.part(self._main, needed=True)
        for body in root.findall("body") or [root]:
            self._blocks(body, 0)
        self._composer.paragraph(self._alone())
        self._beside()
        title, metadata = self._package.properties()
        image = NoExtraction("needs ocr", "the document holds images and no text")
        return self._composer.extraction(
            title=title,
            metadata=metadata,
            warnings=self._package.warnings,
            otherwise=image if self._has_images else None,
        )

    def _blocks(self, parent: Element, depth: int) -> None:
        """Compose paragraphs and tables in order, including those in content controls and insertions."""
        if depth > _DEEPEST:
            self._composer.warn(_TOO_DEEP)
            return
        for child in parent:
            if child.tag == "p":
                self._paragraph(child)
            elif child.tag == "tbl":
                self._composer.paragraph(self._alone())
                self._composer.block(rows(self._table(child, depth + 1), has_header=_has_header(child)))
                self._flush()
            elif child.tag == "altChunk":
                self._chunk(child.get("r:id", ""))
            elif child.tag not in _LEFT_OUT and child.find("sdtPr/showingPlcHdr") is None:
                self._blocks(child, depth + 1)

    def _chunk(self, relation: str) -> None:
        """Compose an embedded part in another format (ECMA-376, part 1, §17.17.2.1)."""
        name = next(
            (candidate.target for candidate in self._package.relations(self._main) if candidate.id == relation), ""
        )
        outcome = _in_other_format(self._package.raw(name), name)
        if isinstance(outcome, Extraction):
            self._composer.part(outcome.text, outcome.headings)
        elif name:
            self._composer.warn(f"The part {name} cannot be read.")

    def _paragraph(self, paragraph: Element) -> None:
        properties = paragraph.find("pPr")
        level = self._level(properties)
        if level > 0 and not _is_initial(paragraph):  # a drop cap continues in the next paragraph, which is no heading
            self._composer.paragraph(self._alone())
        had_images, self._has_images, self._is_counted = self._has_images, False, False
        text = self._with_initial(paragraph)
        label = self._numbering.label(properties)  # an empty paragraph has a number, too
        if self._has_images and not text.strip():
            self._composer.block((), "figure")
        self._has_images = self._has_images or had_images
        self._composer.styled(CAPTION if self._is_counted and not level else level, text, label)
        self._flush()

    def _flush(self) -> None:
        """Write the text boxes and charts anchored in the paragraph after it."""
        for text in self._after:
            self._composer.block([text], "figure")
        self._after.clear()

    def _level(self, properties: Element | None) -> int:
        """Return the outline level, `CAPTION`, or 0 for body text."""
        if properties is None:
            return 0
        direct = properties.find("outlineLvl")
        if direct is not None:
            number = whole(direct.get("val"), 9)
            return number + 1 if number < 9 else 0
        style = properties.find("pStyle")
        return self._levels.get(style.get("val", ""), 0) if style is not None else 0

    def _text(self, element: Element) -> str:
        parts: list[str] = []
        pending = list(reversed(element))
        while pending:
            node = pending.pop()
            tag = node.tag
            if tag == "t":
                parts.append(node.text or "")
            elif tag == "r" and self._within < _DEEPEST and (look := self._look(node)):
                parts.append(self._run(node, look))
            elif tag == "oMath":
                parts.append(formula(node))
            elif tag == "sym":
                code = node.get("char", "")
                parts.append(symbol(int(code, 16), node.get("font", "")) if _CODE.fullmatch(code) else "")
            elif tag == "ffData" and (box := node.find("checkBox")) is not None:
                parts.append(_BOXES[_is_ticked(box)] + " ")
            elif tag == "sdt" and node.find("sdtPr/showingPlcHdr") is not None:
                continue  # placeholder of an empty field
            elif tag == "instrText":
                self._is_counted = self._is_counted or _counts(node.text)
            elif tag in ("tab", "ptab"):
                parts.append(" ")
            elif tag in ("br", "cr"):
                parts.append("\n")
            elif tag == "noBreakHyphen":
                parts.append("-")
            elif tag in ("footnoteReference", "endnoteReference"):
                parts.append(f" [{node.get('id', '')}]")
            elif tag == "txbxContent":
                self._after += [text for text in map(text_of, node) if text.strip()]
            elif lines := list(lines_of(self._package, self._main, node)):
                self._after.append("\n".join(lines))
            elif tag in ("docPr", "blip", "imagedata"):
                self._has_images = self._has_images or tag != "docPr"
                if words := folded(node.get("descr", "")):
                    parts.append(f" [Image: {words}] ")
            elif tag not in _LEFT_OUT:
                self._is_counted = self._is_counted or (tag == "fldSimple" and _counts(node.get("instr")))
                pending.extend(reversed(node))
        return "".join(parts)

    def _look(self, run: Element) -> dict[str, str]:
        """Return the run formatting that changes meaning: hidden, superscript, subscript or in a symbol font."""
        run_properties = run.find("rPr")
        if run_properties is None:
            return {}
        style = run_properties.find("rStyle")
        looks = [run_properties] if style is None else [self._of_runs.get(style.get("val", ""), EMPTY), run_properties]
        properties = {part.tag: part for look in looks for part in look}
        hidden, *struck = (
            mark in properties and properties[mark].get("val", "1") not in _OFF
            for mark in ("vanish", "strike", "dstrike")
        )
        place = properties["vertAlign"].get("val", "") if "vertAlign" in properties else ""
        if "position" in properties and "sz" in properties and (shift := signed(properties["position"].get("val"))):
            place = "super" if shift > 0 else "sub"  # a smaller digit, moved by hand
        font = properties["rFonts"].get("ascii", "") if "rFonts" in properties else ""
        values = {"hidden": "1" if hidden else "", "place": place.removesuffix("script"), "font": font}
        values |= {"struck": "1"} if any(struck) else {}
        return (
            values
            if hidden or "struck" in values or values["place"] in ("super", "sub") or is_symbol_font(font)
            else {}
        )

    def _run(self, run: Element, look: dict[str, str]) -> str:
        """Return the text of a run; hidden text is added to the asides instead."""
        self._within += 1
        words = in_font(self._text(run), look["font"])
        self._within -= 1
        if "struck" in look:
            return ""
        if look["hidden"]:
            self._asides.add(_HIDDEN, words)
            return ""
        if run.find("footnoteReference") is not None or run.find("endnoteReference") is not None:
            return words
        return {"super": raised, "sub": lowered}.get(look["place"], str)(words)

    def _with_initial(self, paragraph: Element) -> str:
        """Return the text of a paragraph after a preceding drop cap; a drop cap itself is stored and gives no text."""
        text = self._text(paragraph)
        if _is_initial(paragraph):
            self._initial += text.rstrip("\n")
            return ""
        if not text.strip():
            return text
        return self._alone() + text

    def _alone(self) -> str:
        """Return the stored drop cap and clear it."""
        letter, self._initial = self._initial, ""
        return letter

    def _table(self, table: Element, depth: int) -> list[list[Cell]]:
        """Return the cells by row; a nested table's text is joined in its cell."""
        rows: list[list[Cell]] = []
        for row in _below(table, "tr"):
            cells: list[Cell] = []
            for cell in _below(row, "tc"):
                words = "\n".join(self._cell(cell, depth))
                span, above = cell.find("tcPr/gridSpan"), cell.find("tcPr/vMerge")
                across = whole(span.get("val"), 1) if span is not None else 1
                goes_on = above is not None and above.get("val", "continue") == "continue" and not words.strip()
                cells.append(Cell(words, max(1, across), 0 if goes_on else 1))
            rows.append(cells)
        return rows

    def _cell(self, cell: Element, depth: int) -> Iterator[str]:
        if depth > _DEEPEST:
            self._composer.warn(_TOO_DEEP)
            return
        for child in cell:
            if child.tag == "p":
                text = self._with_initial(child)
                label = self._numbering.label(child.find("pPr"))
                yield f"{label} {text}" if label and text.strip() else text
            elif child.tag == "tbl":
                yield "; ".join(
                    ", ".join(cell.text for cell in row if cell.text) for row in self._table(child, depth + 1)
                )
            elif child.tag not in _LEFT_OUT and child.find("sdtPr/showingPlcHdr") is None:
                yield from self._cell(child, depth + 1)
        if letter := self._alone():
            yield letter

    def _beside(self) -> None:
        """Compose notes, comments, headers and footers after the text."""
        package, asides = self._package, self._asides
        for kind, name in (("footnotes", "Footnote"), ("endnotes", "Endnote")):
            for part in package.related(self._main, kind):
                for note in package.part(part):
                    if note.get("type") in (None, "normal"):
                        asides.add(f"{name} [{note.get('id', '')}]", self._joined(note))
        for part in package.related(self._main, "comments"):
            for note in package.part(part):
                asides.add("Comment", self._joined(note), author=folded(note.get("author", "")))
        for kind, name in (("header", "Header"), ("footer", "Footer")):
            for part in package.related(self._main, kind):
                asides.add(name, text_of(package.part(part)))
        self._composer.beside(asides)

    def _joined(self, element: Element) -> str:
        return " ".join(" ".join(self._cell(element, 0)).split())


def _is_ticked(box: Element) -> bool:
    """Return the state of a check box field, or else its default."""
    mark = next((element for element in (box.find("checked"), box.find("default")) if element is not None), None)
    return mark is not None and mark.get("val", "1") not in _OFF


def _has_header(table: Element) -> bool:
    """Return True if the first row is marked as a header row, repeated on each page."""
    first = next(_below(table, "tr"), EMPTY)
    mark = first.find("trPr/tblHeader")
    return mark is not None and mark.get("val", "1") not in _OFF


def _counts(code: str | None) -> bool:
    """Return True for the field that numbers captions."""
    return (code or "").split()[:1] == ["SEQ"]


def _is_initial(paragraph: Element) -> bool:
    """Return True if a paragraph is the drop cap of the next."""
    frame = paragraph.find("pPr/framePr")
    return frame is not None and frame.get("dropCap") in ("drop", "margin")


def _below(element: Element, tag: str) -> Iterator[Element]:
    """Yield the children with a tag, including those in content controls and insertions."""
    pending = list(reversed(element))
    while pending:
        node = pending.pop()
        if node.tag == tag:
            yield node
        elif node.tag in ("sdt", "sdtContent", "ins", "customXml", "moveTo", "smartTag"):
            pending.extend(reversed(node))


def _of_paragraphs(raw: bytes) -> bytes:
    """Return the styles without those of tables, which take most of the parsing time."""
    opening = _STYLES.search(raw)
    if opening is None:
        return raw
    parts, at = [raw[: opening.end()]], opening.end()
    while (at := raw.find(b"<w:style ", at)) >= 0 and (end := raw.find(b"</w:style>", at)) >= 0:
        end += len(b"</w:style>")
        if b"tblStylePr" not in raw[at:end]:
            parts.append(raw[at:end])
        at = end
    return b"".join((*parts, b"</w:styles>"))


def _level_of(style: Element) -> int | None:
    """Return the outline level that a style states itself, or None."""
    level, name = style.find("pPr/outlineLvl"), style.find("name")
    if level is not None:
        number = whole(level.get("val"), 9)
        return number + 1 if number < 9 else 0
    return (
        level_of_style("" if name is None else name.get("val", "")) or level_of_style(style.get("styleId", "")) or None
    )


def _in_other_format(raw: bytes, name: str) -> Extraction | NoExtraction | None:
    """Return the extraction of a part, or None if its format is not supported here. A Word document inside another is
    not searched for further parts of this kind."""
    kind = media_type(name, raw[:8192])
    if not raw or len(raw) > _LARGEST:
        return None
    try:
        extractor = _extractor(kind)
        return None if extractor is None else extractor.extract(raw, MediaHint(name, kind))
    except (ExtractionFailed, RecursionError):
        return None


def _extractor(kind: str) -> Extractor | None:
    """Return the extractor of a media type, imported only on first use."""
    name = _READERS.get(kind) or ("text" if kind.startswith("text/") else None)
    if name is None:
        return None
    extractor: Extractor = plugins.make("extraction", name, {"content": "all"} if name in ("html", "mhtml") else {})
    return extractor
