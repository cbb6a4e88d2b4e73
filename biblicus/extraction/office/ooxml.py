"""What Word, PowerPoint and Excel files share: a zip of XML parts that refer to each other (ECMA-376, part 2)."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from biblicus.errors import ExtractionFailed
from biblicus.extraction.composing import folded
from biblicus.extraction.heads.byline import day
from biblicus.guards import xml
from biblicus.guards.archive import Archive, ArchiveRefused, Encrypted, resolved

EMPTY = Element("empty")


class Relation(NamedTuple):
    """What a part refers to. `kind`: the last word of the relation's type."""

    id: str
    kind: str
    target: str


class Package:
    """An office document's parts. A part that is damaged costs itself: it is told in `warnings`.

    `typed`: parts may name a document type, as those of OpenOffice.org 1 do.
    """

    def __init__(self, raw: bytes, *, typed: bool = False) -> None:
        self.archive, self._typed = Archive(raw), typed
        self.warnings: list[str] = []
        self._relations: dict[str, list[Relation]] = {}

    @property
    def names(self) -> list[str]:
        """Its parts."""
        return self.archive.names

    def has(self, name: str) -> bool:
        return self.archive.has(name)

    def part(
        self, name: str, *, needed: bool = False, shortened: Callable[[bytes], bytes] = lambda raw: raw
    ) -> Element:
        """The root of a part; an empty element where there is none, unless it is `needed`: `ExtractionFailed`.

        `shortened`: leaves out of a large part what nobody asks for.
        """
        try:
            raw = self.archive.read(name)
            if raw:
                return xml.read_part(shortened(raw), typed=self._typed)
            problem = f"it has no {name}"
        except Encrypted:
            raise
        except (xml.XmlRefused, ArchiveRefused) as error:
            problem = f"{name} cannot be read: {error.message.rstrip('.')}"
        if needed:
            raise ExtractionFailed(problem)
        if self.has(name):
            self.warnings.append(f"{problem[:200]}.")
        return EMPTY

    def relations(self, name: str) -> list[Relation]:
        """What a part refers to inside the package; the empty name is the package's own part."""
        if name not in self._relations:
            folder, file = posixpath.split(name)
            root = self.part(posixpath.join(folder, "_rels", f"{file}.rels"))
            self._relations[name] = [
                Relation(
                    entry.get("Id", ""),
                    entry.get("Type", "").rpartition("/")[2],
                    resolved(name, entry.get("Target", "")),
                )
                for entry in root
                if entry.get("TargetMode") != "External"
            ]
        return self._relations[name]

    def related(self, name: str, kind: str) -> Iterator[str]:
        """The parts that a part refers to in this way."""
        return (relation.target for relation in self.relations(name) if relation.kind == kind)

    def main(self, fallback: str) -> str:
        """The name of the document's main part."""
        return next(self.related("", "officeDocument"), fallback)

    def properties(self) -> tuple[str | None, dict[str, Any]]:
        """The title, and `author` and `date`, as the document says them."""
        core = self.part(next(self.related("", "core-properties"), "docProps/core.xml"))
        values = {child.tag: folded(child.text or "") for child in core}
        metadata = {"author": values.get("creator", "")[:300], "date": day(values.get("created", ""))}
        return values.get("title") or None, metadata


def text_of(element: Element) -> str:
    """All texts (`t`) below an element, joined; paragraphs (`p`) by line feeds."""
    parts: list[str] = []
    for node in element.iter():
        if node.tag == "p" and parts:
            parts.append("\n")
        elif node.tag == "t" and node.text:
            parts.append(node.text)
        elif node.tag in ("br", "cr"):
            parts.append("\n")
    return "".join(parts)


def whole(text: str | None, otherwise: int = 0) -> int:
    """The whole number that an attribute says; `otherwise` where it says none that fits."""
    return int(text) if text and len(text) < 9 and text.isascii() and text.isdecimal() else otherwise
