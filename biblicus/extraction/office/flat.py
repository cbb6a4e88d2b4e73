"""Office documents in a single XML file: Word 2003 (WordML) and Flat OPC.

WordML has notes, comments, headers and footers inline; they are moved to separate parts as in later versions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from xml.etree.ElementTree import Element

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import day, folded
from biblicus.extraction.office.ooxml import EMPTY, Package
from biblicus.guards import xml

__all__ = ["opened"]

_MAIN = "document"
_GONE = "del"
_NOTES = ("footnote", "endnote")
_MARGINS = {"hdr": "header", "ftr": "footer"}


def opened(raw: bytes) -> Package:
    """Return the package of an Office document, zipped or flat."""
    if not raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return Package(raw)
    try:
        root = xml.read_part(raw)
    except xml.XmlRefused as error:
        raise ExtractionFailed(error.message.rstrip(".")) from error
    return _Word2003(root) if root.tag == "wordDocument" else _Flat(root)


class _Flat(Package):
    """Package of a Flat OPC document: all its parts are elements of one XML file."""

    def __init__(self, root: Element) -> None:
        self.warnings, self._relations = [], {}
        self.parts: dict[str, Element] = {}
        for part in root.findall("part"):
            if (inside := part.find("xmlData")) is not None and len(inside):
                self.parts[part.get("name", "").lstrip("/")] = inside[0]

    @property
    def names(self) -> list[str]:
        return list(self.parts)

    def has(self, name: str) -> bool:
        return name in self.parts

    def raw(self, name: str) -> bytes:
        return b""

    def part(
        self, name: str, *, needed: bool = False, shortened: Callable[[bytes], bytes] = lambda raw: raw
    ) -> Element:
        if needed and name not in self.parts:
            raise ExtractionFailed(f"it has no {name}")
        return self.parts.get(name, EMPTY)


class _Word2003(_Flat):
    """A Word 2003 document; each part is named after its relation kind."""

    def __init__(self, root: Element) -> None:
        super().__init__(root)
        body, styles = root.find("body"), root.find("styles")
        if body is None:
            raise ExtractionFailed("it has no body")
        self._about = {node.tag: folded(node.text or "") for node in root.iterfind("DocumentProperties/*")}
        self.parts = {_MAIN: root, "styles": EMPTY if styles is None else styles, "comments": Element("comments")}
        self.parts |= {f"{kind}s": Element(f"{kind}s") for kind in _NOTES}
        for node in list(body.iter()):
            self._sort(node)
        root[:] = [body]

    def _sort(self, node: Element) -> None:
        """Move a note, comment, header or footer to its own part."""
        kind = node.get("type", "") if node.tag == "annotation" else node.tag
        if kind == "Word.Comment":
            self._take(node, "comment", author=node.get("author", ""))
            node.tag = _GONE
        elif kind in ("Word.Deletion", "Word.Formatting"):
            node.tag = _GONE
        elif kind in _NOTES:
            number = str(len(self.parts[f"{kind}s"]) + 1)
            self._take(node, kind, id=number)
            node.tag, node.attrib = f"{kind}Reference", {"id": number}
        elif kind in _MARGINS:
            self.parts[f"{_MARGINS[kind]} {len(self.parts)}"] = _with(Element(kind), node)
            node.tag = _GONE
        elif kind == "listPr":
            node.tag = "numPr"

    def _take(self, node: Element, kind: str, **attributes: str) -> None:
        self.parts[f"{kind}s"].append(_with(Element(kind, attributes), node))

    def main(self, fallback: str) -> str:
        return _MAIN

    def related(self, name: str, kind: str) -> Iterator[str]:
        return (part for part in self.parts if part.partition(" ")[0] == kind)

    def properties(self) -> tuple[str | None, dict[str, Any]]:
        metadata = {"author": self._about.get("Author", "")[:300], "date": day(self._about.get("Created", ""))}
        return self._about.get("Title") or None, metadata


def _with(parent: Element, node: Element) -> Element:
    """Move the children of `node` to `parent` and return it."""
    parent[:] = list(node)
    node[:] = []
    return parent
