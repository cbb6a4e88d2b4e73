"""Extractor of pictures: embedded title, description, author and date (EXIF, XMP, PNG text), and OCR if enabled.

The metadata is parsed here within limits, so that no image decoder processes untrusted files. Without OCR, a picture
without metadata is reported as `needs ocr`.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import replace

from biblicus.contracts import Extractor, Given, MediaHint, OcrStage
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer, day, folded
from biblicus.extraction.kit.texts import Options
from biblicus.extraction.ocr import unsure_of
from biblicus.guards import xml
from biblicus.models.extraction import Box, Extraction, NoExtraction

_TAGS = {
    0x010E: "Description", 0x013B: "Author", 0x8298: "Copyright", 0x9003: "Date", 0x0132: "Date", 0x9286: "Comment",
    0x9C9B: "Title", 0x9C9C: "Comment", 0x9C9D: "Author", 0x9C9E: "Keywords", 0x9C9F: "Subject",
}  # fmt: skip
_SUB_FOLDER = 0x8769
_WIDE = range(0x9C9B, 0x9CA0)
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 13: 4}
_MOST_ENTRIES = 500
_LARGEST = 1 << 20
_XMP = {
    "title": "Title", "description": "Description", "creator": "Author", "subject": "Keywords", "rights": "Copyright",
    "Headline": "Title", "CreateDate": "Date", "DateCreated": "Date", "City": "Place", "Country": "Place",
    "AltTextAccessibility": "Description", "ExtDescrAccessibility": "Description",
}  # fmt: skip
_PNG = {name.lower(): name for name in ("Title", "Author", "Description", "Copyright", "Comment")}
_ORDER = ("Title", "Subject", "Description", "Comment", "Keywords", "Author", "Place", "Date", "Copyright")
_PACKET = b"<x:xmpmeta", b"</x:xmpmeta>"
_NOT_SAID = re.compile(
    r"(?i)(?:\W*|(?:olympus|sony|samsung|kodak|minolta) (?:digital camera|dsc)|created with gimp|ascii|screenshot)\W*"
)


class Picture:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self, ocr: OcrStage | None) -> None:
        self._ocr = ocr
        self.fingerprint = "picture/1" if ocr is None else f"picture/1 {ocr.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        described = self._described(raw)
        return described if self._ocr is None else _with_pixels(described, raw, self._ocr)

    def _described(self, raw: bytes) -> Extraction | NoExtraction:
        """Extract the picture's metadata."""
        tags: dict[str, list[str]] = {}
        for name, words in _described(raw):
            text = folded(words)
            if text and not _NOT_SAID.fullmatch(text) and text not in tags.setdefault(name, []):
                tags[name].append(text)
        telling = [name for name in tags if name not in ("Author", "Date", "Copyright") and tags[name]]
        if not telling:
            return NoExtraction("needs ocr", "a picture without words of its own")
        composer = Composer()
        for name in _ORDER:
            if tags.get(name):
                composer.line(f"{name}: {'; '.join(tags[name])}")
        title = " ".join(tags.get("Title", ())[:1]) or None
        metadata = {"author": "; ".join(tags.get("Author", ()))[:300], "date": _date(tags.get("Date", []))}
        return composer.extraction(title=title, metadata=metadata)


def build(options: Options, given: Given) -> Extractor:
    return Picture(given.ocr)


def _with_pixels(described: Extraction | NoExtraction, raw: bytes, ocr: OcrStage) -> Extraction | NoExtraction:
    """Return the metadata of a picture followed by its OCR text."""
    text = f"{described.text}\n" if isinstance(described, Extraction) else ""
    starts: list[int] = [0]
    boxes: list[Box] = []
    unsure = False
    try:
        for number, reading in enumerate(ocr.read(raw)):
            if number:
                starts.append(len(text))
            boxes += [box._replace(start=box.start + len(text), end=box.end + len(text)) for box in reading.boxes]
            text += f"{reading.text}\n"
            unsure = unsure or reading.unsure
    except ExtractionFailed as error:
        if isinstance(described, NoExtraction):
            raise
        return replace(described, warnings=(*described.warnings, f"What it shows was not read: {error.reason}."))
    if isinstance(described, NoExtraction):
        if not boxes:
            return (
                NoExtraction("needs ocr", unsure_of(ocr))
                if unsure
                else NoExtraction("empty", f"{ocr.name} finds no words in the picture")
            )
        described = Extraction("")
    pages = tuple(starts) if len(starts) > 1 else ()
    warnings = (f"{unsure_of(ocr)}.",) if unsure else ()
    return replace(described, text=text, pages=pages, boxes=tuple(boxes), warnings=(*described.warnings, *warnings))


def _date(texts: list[str]) -> str:
    return next(filter(None, (day(text[:10].replace(":", "-")) for text in texts)), "")


def _described(raw: bytes) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of all metadata in a picture."""
    if raw[:3] == b"\xff\xd8\xff":
        for body in _segments(raw):
            if body.startswith(b"Exif\0\0"):
                yield from exif(body[6:])
    elif raw[:8] == b"\x89PNG\r\n\x1a\n":
        for kind, body in _chunks(raw, 8, ">"):
            yield from _png(kind, body)
    elif raw[:4] == b"RIFF":
        for kind, body in _chunks(raw, 12, "<"):
            if kind == b"EXIF":
                yield from exif(body.removeprefix(b"Exif\0\0"))
    elif raw[:4] in (b"II*\0", b"MM\0*"):
        yield from exif(raw)
    opening, closing = _PACKET
    start = raw.find(opening)
    if start >= 0 and (end := raw.find(closing, start, start + _LARGEST)) >= 0:
        yield from _xmp(raw[start : end + len(closing)])


def _segments(raw: bytes) -> Iterator[bytes]:
    """Yield the application segments of a JPEG before its pixels."""
    at = 2
    while at + 4 <= len(raw) and raw[at] == 0xFF:
        marker = raw[at + 1]
        if marker in (0xDA, 0xD9):
            return
        (length,) = struct.unpack_from(">H", raw, at + 2)
        if 0xE0 <= marker <= 0xEF:
            yield raw[at + 4 : at + 2 + length]
        at += 2 + max(2, length)


def _chunks(raw: bytes, at: int, order: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield the chunks of a PNG (big-endian, length first) or a RIFF file."""
    while at + 8 <= len(raw):
        if order == ">":
            (length,), kind = struct.unpack_from(">I", raw, at), raw[at + 4 : at + 8]
        else:
            (length,), kind = struct.unpack_from("<I", raw, at + 4), raw[at : at + 4]
        yield kind, raw[at + 8 : at + 8 + length]
        at += 8 + length + (4 if order == ">" else length % 2)


def _png(kind: bytes, body: bytes) -> Iterator[tuple[str, str]]:
    key, _, rest = body.partition(b"\0")
    name = _PNG.get(key.decode("latin-1").lower(), "")
    if kind == b"eXIf":
        yield from exif(body)
    elif kind == b"tEXt" and name:
        yield name, rest[:_LARGEST].decode("latin-1")
    elif kind == b"zTXt" and name:
        yield name, _unpacked(rest[1:]).decode("latin-1")
    elif kind == b"iTXt" and len(rest) > 2:
        _, _, text = rest[2:].partition(b"\0")
        _, _, text = text.partition(b"\0")
        words = _unpacked(text) if rest[0] else text
        if key == b"XML:com.adobe.xmp":
            yield from _xmp(words) if rest[0] else ()
        elif name:
            yield name, words[:_LARGEST].decode("utf-8", "replace")


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, _LARGEST)
    except zlib.error:
        return b""


def exif(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the texts in the directories of a TIFF structure."""
    order = {b"II": "<", b"MM": ">"}.get(data[:2])
    if order is None or len(data) < 8:
        return
    folders = [struct.unpack_from(f"{order}I", data, 4)[0]]
    visited: set[int] = set()
    while folders and len(visited) < 20:
        at = folders.pop()
        if at in visited or at + 2 > len(data):
            continue
        visited.add(at)
        (count,) = struct.unpack_from(f"{order}H", data, at)
        for number in range(min(count, _MOST_ENTRIES)):
            place = at + 2 + 12 * number
            if place + 12 > len(data):
                break
            tag, kind, items = struct.unpack_from(f"{order}HHI", data, place)
            (value,) = struct.unpack_from(f"{order}I", data, place + 8)
            if tag == _SUB_FOLDER:
                folders.append(value)
            elif tag in _TAGS and kind in _SIZES and 0 < items <= _LARGEST:
                size = items * _SIZES[kind]
                raw = data[place + 8 : place + 8 + size] if size <= 4 else data[value : value + size]
                yield _TAGS[tag], _decoded(tag, raw)


def _decoded(tag: int, raw: bytes) -> str:
    if tag in _WIDE:
        return raw.decode("utf-16-le", "replace").strip("\0")
    if tag == 0x9286:
        mark, raw = raw[:8], raw[8:]
        if mark.startswith(b"UNICODE"):
            return raw.decode("utf-16-le" if raw[1:2] == b"\0" else "utf-16-be", "replace").strip("\0")
    try:
        return raw.decode().strip("\0 ")
    except UnicodeDecodeError:
        return raw.decode("latin-1").strip("\0 ")


def _xmp(packet: bytes) -> Iterator[tuple[str, str]]:
    try:
        root = xml.read_part(packet)
    except xml.XmlRefused:
        return
    for node in root.iter():
        for key, value in node.items():
            if key in _XMP:
                yield _XMP[key], value
        if node.tag in _XMP:
            entries = [entry.text or "" for entry in node.iter("li")] or [node.text or ""]
            yield from ((_XMP[node.tag], text) for text in entries if text.strip())
