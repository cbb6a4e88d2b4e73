"""Extractor of SVG drawings: each text label once, one a line. Nothing is rendered, executed or fetched."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from biblicus.contracts import MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.texts import extractor
from biblicus.guards import xml
from biblicus.models.extraction import Extraction, NoExtraction

_SAYING = frozenset(("text", "title", "desc", "flowPara"))
_UNSHOWN = frozenset(("style", "script", "metadata", "defs"))
_APART = frozenset(("x", "y", "dy"))
"""Attributes that separate a part of a text from the part before it."""


def _extract(raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
    try:
        root = xml.read_part(raw, typed=True)
    except xml.XmlRefused as error:
        raise ExtractionFailed(error.message.rstrip(".")) from error
    labels = dict.fromkeys(label for label in _labels(root) if any(map(str.isalpha, label)))
    drawing = Composer()
    for label in labels:
        drawing.line(label)
    return drawing.extraction(title=folded(root.findtext("title") or "") or None)


build = extractor("drawing/1", _extract)


def _labels(root: Element) -> Iterator[str]:
    """Yield the labels in document order: the first choice of a `switch`, each HTML block of a `foreignObject`."""
    pending = [root]
    while pending:
        element = pending.pop()
        if element.tag in _UNSHOWN:
            continue
        if element.tag in _SAYING:
            yield folded("".join(_parts(element)))
        elif element.tag == "foreignObject":
            yield from (folded(part) for part in "".join(_parts(element)).split("\n"))
        else:
            pending.extend(list(element)[:1] if element.tag == "switch" else reversed(element))


def _parts(element: Element) -> Iterator[str]:
    """Yield the texts of an element, with a space before positioned parts and a line feed around blocks."""
    pending: list[Element | str] = [element]
    while pending:
        part = pending.pop()
        if isinstance(part, str):
            yield part
            continue
        is_block = part.tag in ("div", "p", "li", "br")
        if is_block or _APART & part.attrib.keys():
            yield "\n" if is_block else " "
        yield part.text or ""
        for child in reversed(part):
            pending += [child.tail or "", child]
