"""Bookmarks as browsers write them out, outlines (OPML) and canvases of Obsidian: each link, line or card with what is
noted of it, below its folder."""

from __future__ import annotations

import html
import re
from xml.etree.ElementTree import Element, SubElement

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.extraction.composing import BULLET, Composer, folded
from biblicus.extraction.text import Options, decoded, nothing
from biblicus.guards import json, xml
from biblicus.models.extraction import Extraction, NoExtraction

__all__ = ["Options", "build"]

_OPML, _CANVAS = "text/x-opml", "application/x-canvas+json"
_PART = re.compile(r"<(/?)(dl|h1|h3|a|dd|title)\b([^<>]*)>([^<]*)", re.IGNORECASE)
_ADDRESS = re.compile(r"\bhref\s*=\s*\"([^\"]*)\"", re.IGNORECASE)
_SHOWN = ("http:", "https:", "ftp:", "file:", "mailto:")
_ADDRESSES = ("xmlUrl", "htmlUrl", "url")
_NOTES = ("_note", "description")
_BETWEEN = " | "
_DEEPEST = 100
_MOST_BYTES = 64 << 20


class Links:
    """Text; a broken document is plain text."""

    fingerprint = "links/1"
    guarded = True

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        text, warnings = decoded(raw)
        if not text or text.isspace():
            return nothing()
        try:
            if hint.media_type == _CANVAS:
                return _canvas(text, warnings)
            root = xml.read(text, named_entities=True) if hint.media_type == _OPML else _bookmarks(text)
        except xml.XmlRefused as refused:
            cause = f"It is not XML and is read as plain text: {refused.message}"
            return Extraction(text, warnings=(*warnings, cause))
        except json.JsonRefused as refused:
            return Extraction(text, warnings=(*warnings, f"The file is not strict JSON: {refused.message}"))
        composer, title = Composer(), folded(root.findtext("head/title") or "")
        _write(composer, root.find("body"), 1)
        if composer.is_empty:
            return Extraction(text, warnings=warnings)
        return composer.extraction(title=title or None, titled=False, warnings=warnings)


def build(options: Options, given: Given) -> Extractor:
    """The extractor for bookmarks and outlines."""
    return Links()


def _canvas(text: str, warnings: tuple[str, ...]) -> Extraction | NoExtraction:
    """The cards as people read them, from above and from the left."""
    value = json.read(text, max_bytes=_MOST_BYTES)
    written = value.get("nodes") if isinstance(value, dict) else None
    cards = [card for card in written if isinstance(card, dict)] if isinstance(written, list) else []
    composer = Composer()
    for card in sorted(cards, key=lambda card: tuple(_number(card.get(side)) for side in ("y", "x"))):
        for name in ("text", "file", "url", "label"):
            if isinstance(said := card.get(name), str):
                composer.paragraph(said)
    return Extraction(text, warnings=warnings) if composer.is_empty else composer.extraction(warnings=warnings)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _write(composer: Composer, folder: Element | None, depth: int) -> None:
    """The lines of a folder, then the folders within it."""
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
    """What a line says, where it leads, and what is noted of it."""
    said = outline.get("text") or outline.get("title") or ""
    noted = (outline.get(name, "") for name in (*_ADDRESSES, *_NOTES))
    return list(dict.fromkeys(filter(None, map(folded, (said, *noted)))))


def _bookmarks(text: str) -> Element:
    """The file of a browser as the outline that it is."""
    root = Element("opml")
    title = SubElement(SubElement(root, "head"), "title")
    open_folders = [SubElement(root, "body")]
    last = open_folders[0]
    for ends, name, attributes, written in _PART.findall(text):
        kind, words = name.lower(), folded(html.unescape(written))
        if kind == "dl":
            inner = [*open_folders, last][:_DEEPEST]
            open_folders = (open_folders[:-1] or open_folders) if ends else inner
            last = open_folders[-1]
        elif ends or not words:
            continue
        elif kind == "dd":
            last.set("_note", words)
        elif kind in ("h1", "title"):
            title.text = title.text or words
        else:
            last = SubElement(open_folders[-1], "outline", text=words)
            if (address := _ADDRESS.search(attributes)) and address[1].lower().startswith(_SHOWN):
                last.set("url", html.unescape(address[1]))
    return root
