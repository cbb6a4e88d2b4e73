"""Package format shared by Word, PowerPoint and Excel: a zip of XML parts with relations (ECMA-376, part 2)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.characters import formula, in_font, is_symbol_font, lowered, raised
from biblicus.extraction.kit.composing import day, folded
from biblicus.guards import xml
from biblicus.guards.archive import Archive, ArchiveRefused, Encrypted, resolved

EMPTY = Element("empty")
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


class Relation(NamedTuple):
    """A reference from a part to another. `kind`: last component of the relation's type URI."""

    id: str
    kind: str
    target: str


class Package:
    """The parts of an Office document. A damaged part is skipped with an entry in `warnings`. `typed`: parts may have a
    document type declaration, as in OpenOffice.org 1."""

    def __init__(self, raw: bytes, *, typed: bool = False) -> None:
        self.archive, self._typed = Archive(raw), typed
        self.warnings: list[str] = []
        self._relations: dict[str, list[Relation]] = {}

    @property
    def names(self) -> list[str]:
        """The names of its parts."""
        return self.archive.names

    def has(self, name: str) -> bool:
        return self.archive.has(name)

    def raw(self, name: str) -> bytes:
        """Return the bytes of a part; empty if it is missing or refused."""
        try:
            return self.archive.read(name)
        except ArchiveRefused:
            return b""

    def part(
        self, name: str, *, needed: bool = False, shortened: Callable[[bytes], bytes] = lambda raw: raw
    ) -> Element:
        """Return the root of a part, or an empty element if there is none. Raises `ExtractionFailed` if the part is
        `needed`. `shortened`: removes unused content from a large part."""
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
        """Return the relations of a part inside the package; the empty name gives those of the package."""
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
        """Yield the names of the parts that a part refers to by relations of a kind."""
        return (relation.target for relation in self.relations(name) if relation.kind == kind)

    def main(self, fallback: str) -> str:
        return next(self.related("", "officeDocument"), fallback)

    def properties(self) -> tuple[str | None, dict[str, Any]]:
        """Return the title, and `author` and `date`, from the document's core properties."""
        core = self.part(next(self.related("", "core-properties"), "docProps/core.xml"))
        values = {child.tag: folded(child.text or "") for child in core}
        metadata = {"author": values.get("creator", "")[:300], "date": day(values.get("created", ""))}
        return values.get("title") or None, metadata


def text_of(element: Element) -> str:
    """Return the texts (`t`) below an element, with line feeds between paragraphs (`p`)."""
    parts: list[str] = []
    pending = [element]
    while pending:
        node = pending.pop()
        if node.tag == "p" and parts:
            parts.append("\n")
        elif node.tag == "t" and node.text:
            parts.append(unescaped(node.text))
        elif node.tag in ("br", "cr"):
            parts.append("\n")
        if node.tag in ("r", "fld"):
            parts.append(run_text(node))
        elif node.tag == "oMath":
            parts.append(formula(node))
        elif node.tag != "Fallback" or node is element:
            pending.extend(reversed(node))
    return "".join(parts)


def run_text(run: Element) -> str:
    """Return the text of a run with superscript, subscript and symbol fonts resolved; none if it is struck out."""
    words = "".join(
        unescaped(node.text or "") if node.tag == "t" else "\n" * (node.tag in ("br", "cr")) for node in run
    )
    look = run.find("rPr")
    if look is None:
        return words
    struck = look.find("strike")
    if look.get("strike", "noStrike") != "noStrike" or (struck is not None and struck.get("val", "1") != "0"):
        return ""
    fonts = [part.get("typeface") or part.get("val") or "" for part in look if part.tag in ("sym", "latin", "rFont")]
    words = next((in_font(words, font) for font in fonts if is_symbol_font(font)), words)
    place, aligned = look.get("baseline", "0"), look.find("vertAlign")
    if aligned is not None:
        place = {"superscript": "1", "subscript": "-1"}.get(aligned.get("val", ""), "0")
    return words if place.strip("-0%") == "" else lowered(words) if place.startswith("-") else raised(words)


def unescaped(text: str) -> str:
    """Return text with escaped control characters decoded (`_x000D_`: ECMA-376, part 1, §22.9.2.19)."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def whole(text: str | None, otherwise: int = 0) -> int:
    """Return an attribute as a non-negative integer, or `otherwise` if it is none of up to nine digits."""
    return int(text) if text and len(text) < 10 and text.isascii() and text.isdecimal() else otherwise


def signed(text: str | None) -> int:
    """Return an attribute as an integer of either sign, or 0 if it is none."""
    return -whole(text[1:]) if text and text.startswith("-") else whole(text)
