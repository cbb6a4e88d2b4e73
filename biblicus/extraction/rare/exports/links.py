"""Extractor of browser bookmarks, outlines (OPML) and Obsidian canvases.

Each link, line or card comes with its notes, below its folder.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from biblicus.contracts import MediaHint
from biblicus.extraction.kit.composing import BULLET, Composer, folded
from biblicus.extraction.kit.texts import of_text
from biblicus.guards import json, xml
from biblicus.models.extraction import Extraction, NoExtraction

_OPML, _CANVAS = "text/x-opml", "application/x-canvas+json"
_PART = re.compile(
    r"<(/?)(dl|h1|h3|a|dd|title)\b([^<>]*)>([^<]*(?:<(?!/?(?:dl|dt|h1|h3|a|dd|title|meta|p|hr)\b)[^<]*)*)",
    re.IGNORECASE,
)
_MARK = re.compile(r"<[^<>]*>")
_ATTRIBUTE = re.compile(r"\b(href|tags)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_SHOWN = ("http:", "https:", "ftp:", "file:", "mailto:")
_ADDRESSES = ("xmlUrl", "htmlUrl", "url")
_NOTES = ("_note", "description")
_BETWEEN = " | "
_DEEPEST = 100
_LONGEST_NAME = 80
_MOST_BYTES = 64 << 20


def _extract(text: str, warnings: tuple[str, ...], hint: MediaHint) -> Extraction | NoExtraction:
    """Extract the links; a malformed document is plain text."""
    if hint.media_type == _CANVAS:
        return _canvas(text, warnings)
    root = xml.read(text, named_entities=True) if hint.media_type == _OPML else _bookmarks(text)
    composer, title = Composer(), folded(root.findtext("head/title") or "")
    composer.line(" ".join(folded(root.findtext(f"head/{name}") or "") for name in ("ownerName", "ownerEmail")))
    _write(composer, root.find("body"), 1)
    otherwise = Extraction(text, warnings=warnings)
    return composer.extraction(title=title, titled=False, warnings=warnings, otherwise=otherwise)


build = of_text("links/1", _extract, guarded=True)


def _canvas(text: str, warnings: tuple[str, ...]) -> Extraction | NoExtraction:
    """Extract the cards of a canvas from top to bottom and left to right."""
    value = json.read(text, max_bytes=_MOST_BYTES)
    written = value.get("nodes") if isinstance(value, dict) else None
    cards = [card for card in written if isinstance(card, dict)] if isinstance(written, list) else []
    composer = Composer()
    for card in sorted(cards, key=lambda card: tuple(_number(card.get(side)) for side in ("y", "x"))):
        composer.paragraph(_of_card(card))
    names = {str(card.get("id")): _of_card(card).lstrip("# ").partition("\n")[0][:_LONGEST_NAME] for card in cards}
    edges = value.get("edges") if isinstance(value, dict) else None
    for edge in edges if isinstance(edges, list) else []:
        if isinstance(edge, dict) and isinstance(label := edge.get("label"), str) and label.strip():
            ends = (names.get(str(edge.get(side)), "") for side in ("fromNode", "toNode"))
            composer.line(" – ".join(filter(None, (next(ends), folded(label), next(ends)))))
    return composer.extraction(warnings=warnings, otherwise=Extraction(text, warnings=warnings))


def _of_card(card: Mapping[str, object]) -> str:
    """Return the text of a card, or its file name with the linked section."""
    file = f"{card.get('file') or ''}{card.get('subpath') or ''}"
    texts = (card.get("text"), file, card.get("url"), card.get("label"))
    return "\n\n".join(text for text in texts if isinstance(text, str) and text)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _write(composer: Composer, folder: Element | None, depth: int) -> None:
    """Write the lines of a folder, then its subfolders."""
    lines = list(folder.iterfind("outline")) if folder is not None else []
    for line in lines:
        parts = _said(line)
        if parts and line.find("outline") is None:
            composer.line(_BETWEEN.join(parts) if len(parts) > 1 else f"{BULLET} {parts[0]}")
    for line in lines:
        if line.find("outline") is not None:
            name, *notes = _said(line) or [""]
            composer.heading(depth, name)
            for note in notes:
                composer.paragraph(note)
            _write(composer, line, depth + 1)


def _said(outline: Element) -> list[str]:
    """Return the text of a line, its links, its notes and its other attributes with their names."""
    words = outline.get("text") or outline.get("title") or ""
    used_attributes = ("text", "title", "type", *_ADDRESSES, *_NOTES)
    noted = (outline.get(name, "") for name in (*_ADDRESSES, *_NOTES, "title"))
    more = (f"{name}: {value}" for name, value in outline.items() if name not in used_attributes and value.strip())
    return list(dict.fromkeys(filter(None, map(folded, (words, *noted, *more)))))


def _bookmarks(text: str) -> Element:
    """Convert a bookmark file of a browser to an OPML element tree."""
    root = Element("opml")
    title = SubElement(SubElement(root, "head"), "title")
    open_folders = [SubElement(root, "body")]
    last = open_folders[0]
    for ends, name, attributes, written in _PART.findall(text):
        kind, words = name.lower(), folded(html.unescape(_MARK.sub(" ", written)))
        values = {match[0].lower(): html.unescape(match[1] or match[2]) for match in _ATTRIBUTE.findall(attributes)}
        address = values.get("href", "") if values.get("href", "").lower().startswith(_SHOWN) else ""
        if kind == "dl":
            inner = [*open_folders, last][:_DEEPEST]
            open_folders = (open_folders[:-1] or open_folders) if ends else inner
            last = open_folders[-1]
        elif ends or not (words or address):
            continue
        elif kind == "dd":
            last.set("_note", words)
        elif kind in ("h1", "title"):
            title.text = title.text or words
        else:
            last = SubElement(open_folders[-1], "outline", text=words or address, url=address)
            last.set("tags", values.get("tags", ""))
    return root
