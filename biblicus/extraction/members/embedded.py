"""Documents embedded as objects in Office files: workbooks, texts, PDFs.

Workbooks of charts are skipped, since the chart's own text has their values.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Sequence

from biblicus.extraction.office.ooxml import Package
from biblicus.models.extraction import Packed
from biblicus.text.media import of_bytes, usable_extension

_HOLDERS = ("word/document.xml", "ppt/slides/", "xl/worksheets/")
_KINDS = ("package", "oleObject")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NATIVE = "\x01Ole10Native"
_STREAMS = ("CONTENTS", "Package")
_LONGEST_NAME = 260


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the embedded documents in the order of the parts that show them."""
    package = Package(raw)
    targets = set()
    for part in package.names:
        if not part.startswith(_HOLDERS) or part.endswith(".rels"):
            continue
        for relation in package.relations(part):
            if relation.kind in _KINDS and relation.target not in targets and package.has(relation.target):
                targets.add(relation.target)
                data = package.raw(relation.target)
                inside, data = _unwrapped(data) if data.startswith(_OLE) else ("", data)
                stem = relation.target.rpartition("/")[2]
                if data:
                    yield Packed(inside or _named(stem, data), [data])


def _named(name: str, data: bytes) -> str:
    """Return a part's name with the extension of its detected type."""
    return name if not name.endswith(".bin") else name.removesuffix(".bin") + usable_extension(of_bytes(data))


def _unwrapped(data: bytes) -> tuple[str, bytes]:
    """Return the file inside an OLE object, and its name if known; the object itself if it is a document."""
    try:
        import olefile
    except ImportError:
        return "", data
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as storage:
            if storage.exists(_NATIVE):
                return _native(storage.openstream(_NATIVE).read())
            for stream in _STREAMS:
                if storage.exists(stream):
                    return "", storage.openstream(stream).read()
    except (OSError, ValueError, IndexError, TypeError):
        return "", b""
    return "", data


def _native(stream: bytes) -> tuple[str, bytes]:
    """Return the name and bytes of a packaged file ([MS-OLEDS], 2.3.6)."""
    label, end = _text(stream, 6)
    _, end = _text(stream, end)
    (length,) = struct.unpack_from("<I", stream, end + 4)
    _, end = _text(stream, end + 8) if length < len(stream) else ("", end + 8)
    (size,) = struct.unpack_from("<I", stream, end)
    data = stream[end + 4 : end + 4 + size]
    return label.replace("\\", "/").rpartition("/")[2], data


def _text(stream: bytes, at: int) -> tuple[str, int]:
    end = stream.index(b"\0", at, at + _LONGEST_NAME)
    return stream[at:end].decode("cp1252", "replace"), end + 1
