"""Extractor of FictionBook 2 (fb2): each section of the body is a chapter; notes follow as a spot of their own."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biblicus.contracts import MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Asides, Composer, day, folded
from biblicus.extraction.kit.grids import Cell, rows
from biblicus.extraction.kit.raised import lowered, raised
from biblicus.extraction.kit.texts import extractor
from biblicus.guards import xml
from biblicus.models.extraction import Extraction, NoExtraction

_DEEPEST = 40
_MOVED = {"sup": raised, "sub": lowered}
_NAMES = ("first-name", "middle-name", "last-name", "nickname")


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    try:
        root = xml.read_part(raw, typed=True)
    except xml.XmlRefused as error:
        raise ExtractionFailed(error.message.rstrip(".")) from error
    book, asides, number = Composer(), Asides(), 0
    for body in root.findall("body"):
        if body.get("name"):
            for section in body.findall("section"):
                mark = folded(" ".join(_words(title) for title in section.findall("title")))
                asides.add(f"Footnote [{mark}]", " ".join(_words(part) for part in section if part.tag != "title"))
            continue
        for part in body:
            if part.tag == "section":
                number += 1
                book.gap()
                book.spot("chapter", folded(" ".join(map(_words, part.findall("title")))), str(number))
            _block(book, part, 0)
    book.beside(asides)
    about = root.find("description/title-info")
    about = Element("none") if about is None else about
    authors = [
        " ".join(filter(None, (folded(author.findtext(name) or "") for name in _NAMES)))
        for author in about.findall("author")
    ]
    return book.extraction(
        title=folded(about.findtext("book-title") or "") or None,
        language=folded(about.findtext("lang") or "") or None,
        metadata={"author": ", ".join(filter(None, authors))[:300], "date": day(about.findtext("date") or "")},
    )


build = extractor("fictionbook/8", _extract)


def _block(book: Composer, element: Element, depth: int) -> None:
    """Write a section, a paragraph, or a wrapper such as a poem, quotation or epigraph."""
    if element.tag == "title":
        book.heading(max(1, depth), _words(element))
    elif element.tag in ("p", "subtitle", "text-author", "date"):
        book.paragraph(_words(element))
    elif element.tag == "v":
        book.line(_words(element))
    elif element.tag == "table":
        book.gap()
        for line in rows([[_cell(cell) for cell in row] for row in element.iter("tr")]):
            book.line(line)
        book.gap()
    elif element.tag == "image":
        words = folded(" ".join(filter(None, (element.get("title"), element.get("alt")))))
        book.paragraph(words and f"[Image: {words}]")
    elif element.tag != "empty-line":
        if depth > _DEEPEST:
            book.warn(f"What is nested deeper than {_DEEPEST} is left out.")
            return
        book.gap()
        for child in element:
            _block(book, child, depth + (element.tag == "section"))
        book.gap()


def _words(element: Element) -> str:
    """Return the text below an element, with spaces between paragraphs."""
    return folded(" ".join("".join(_texts(part)) for part in ([*element.iter("p")] or [element])))


def _texts(element: Element) -> Iterator[str]:
    """Yield the texts within an element, with superscript and subscript, without deleted text."""
    yield element.text or ""
    for child in element:
        if child.tag != "strikethrough":
            yield _MOVED.get(child.tag, str)("".join(_texts(child)))
        yield child.tail or ""


def _cell(cell: Element) -> Cell:
    across, down = (cell.get(name, "") for name in ("colspan", "rowspan"))
    return Cell(_words(cell), *(int(text) if text.isdecimal() and 0 < len(text) < 4 else 1 for text in (across, down)))
