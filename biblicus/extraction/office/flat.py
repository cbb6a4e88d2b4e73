"""Office documents in a single XML file (Flat OPC)."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

from biblicus.errors import ExtractionFailed
from biblicus.extraction.office.ooxml import EMPTY, Package
from biblicus.guards import xml

__all__ = ["opened"]


def opened(raw: bytes) -> Package:
    """Return the package of an Office document, zipped or flat."""
    if not raw.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return Package(raw)
    try:
        root = xml.read_part(raw)
    except xml.XmlRefused as error:
        raise ExtractionFailed(error.message.rstrip(".")) from error
    return _Flat(root)


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
