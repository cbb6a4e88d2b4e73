"""Extractor of Outlook mail in `winmail.dat` (TNEF, [MS-OXTNEF]): subject, text, names of attachments."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from biblicus.contracts import Extractor, Given, MediaHint
from biblicus.errors import ExtractionFailed
from biblicus.extraction.kit.composing import Composer, folded
from biblicus.extraction.kit.messages import attached_name
from biblicus.extraction.kit.texts import Options
from biblicus.models.extraction import Extraction, NoExtraction, Packed
from biblicus.text.decoding import decode
from biblicus.text.media import of_bytes

_SIGNATURE = 0x223E9F78
_SUBJECT, _BODY, _OF_MESSAGE, _BEGINS, _OF_FILE, _NAME, _DATA = (
    0x8004, 0x800C, 0x9003, 0x9002, 0x9005, 0x8010, 0x800F
)  # fmt: skip
_MAPI_SUBJECT, _MAPI_BODY, _MAPI_HTML, _MAPI_RTF, _MAPI_NAME, _MAPI_SHORT_NAME, _MAPI_DATA = (
    0x0037, 0x1000, 0x1013, 0x1009, 0x3707, 0x3704, 0x3701
)  # fmt: skip
_WIDE, _TEXTS = 0x1F, (0x1E, 0x1F, 0x102, 0x0D)
_SIZES = {0x02: 4, 0x03: 4, 0x04: 4, 0x0A: 4, 0x0B: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x14: 8, 0x40: 8, 0x48: 16}
_MOST = 10_000
_LARGEST = 64 << 20
_DICTIONARY = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript "
    b"\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par "
    b"\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""Initial dictionary of compressed RTF ([MS-OXRTFCP])."""


class Attached(NamedTuple):
    """A file attached to a message."""

    name: str
    data: bytes


class Message(NamedTuple):
    """A message. `values`: text properties by MAPI property id."""

    subject: str
    body: bytes
    values: dict[int, bytes]
    files: list[Attached]


class Tnef:
    """Extractor that runs in a guarded worker."""

    guarded = True

    def __init__(self, html: Extractor, rtf: Extractor) -> None:
        self._html, self._rtf = html, rtf
        self.fingerprint = f"tnef/1 {html.fingerprint} {rtf.fingerprint}"

    def extract(self, raw: bytes, hint: MediaHint) -> Extraction | NoExtraction:
        message = read(raw)
        composer = Composer()
        composer.heading(1, message.subject)
        outcome = self._words(message)
        if isinstance(outcome, Extraction):
            composer.part(outcome.text, outcome.headings)
        elif isinstance(outcome, str):
            composer.part(outcome, ())
        for file in message.files:
            composer.line(f"Attachment: {file.name}")
        return composer.extraction(title=message.subject or None, titled=False)

    def _words(self, message: Message) -> Extraction | NoExtraction | str:
        """Return the text of a message: plain, else HTML, else RTF."""
        page, rich = message.values.get(_MAPI_HTML), message.values.get(_MAPI_RTF)
        plain = message.body or message.values.get(_MAPI_BODY, b"")
        if plain.strip(b"\0 \r\n"):
            return decode(plain.rstrip(b"\0")).text
        if page:
            return self._html.extract(page, MediaHint("", "text/html"))
        return self._rtf.extract(unpacked(rich), MediaHint("", "application/rtf")) if rich else ""


def build(options: Options, given: Given) -> Extractor:
    return Tnef(given.extractor("html", content="all"), given.extractor("rtf"))


def members(raw: bytes, name: str, passwords: Sequence[str]) -> Iterator[Packed]:
    """Yield the attachments in order; none from a damaged file, which text extraction reports."""
    try:
        files = read(raw).files
    except ExtractionFailed:
        return
    for number, file in enumerate(files, 1):
        if file.data:
            yield Packed(attached_name(file.name, number, of_bytes(file.data)), [file.data])


def read(raw: bytes) -> Message:
    """Parse a message. Raises `ExtractionFailed`."""
    if len(raw) < 6 or struct.unpack_from("<I", raw)[0] != _SIGNATURE:
        raise ExtractionFailed("the file is no winmail.dat (TNEF)")
    subject, body, values = "", b"", {}
    files: list[Attached] = []
    for number, data in _attributes(raw):
        if number == _SUBJECT:
            subject = folded(decode(data.rstrip(b"\0")).text)
        elif number == _BODY:
            body = data
        elif number == _OF_MESSAGE:
            values = dict(_properties(data))
        elif number == _BEGINS:
            files.append(Attached("", b""))
        elif files and number == _NAME:
            files[-1] = files[-1]._replace(name=files[-1].name or folded(decode(data.rstrip(b"\0")).text))
        elif files and number == _DATA:
            files[-1] = files[-1]._replace(data=data)
        elif files and number == _OF_FILE:
            of_file = dict(_properties(data))
            name = of_file.get(_MAPI_NAME) or of_file.get(_MAPI_SHORT_NAME) or b""
            file_name = folded(decode(name.rstrip(b"\0")).text)
            files[-1] = Attached(file_name or files[-1].name, files[-1].data or of_file.get(_MAPI_DATA, b"")[16:])
    subject = subject or folded(decode(values.get(_MAPI_SUBJECT, b"").rstrip(b"\0")).text)
    return Message(subject, body, values, files)


def _attributes(raw: bytes) -> Iterator[tuple[int, bytes]]:
    at = 6
    while at + 9 <= len(raw):
        number, _, size = struct.unpack_from("<HHI", raw, at + 1)
        if at + 9 + size > len(raw):
            return
        yield number, raw[at + 9 : at + 9 + size]
        at += 11 + size


def _properties(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the text and binary MAPI properties, texts as UTF-8, up to a damaged one."""
    try:
        (count,) = struct.unpack_from("<I", data)
        at = 4
        for _ in range(min(count, _MOST)):
            kind, number = struct.unpack_from("<HH", data, at)
            at += 4
            if number >= 0x8000:
                at = _past_name(data, at)
            many, kind = kind & 0x1000, kind & 0xFFF
            times = 1
            if many or kind in _TEXTS:
                (times,) = struct.unpack_from("<I", data, at)
                at += 4
            for _ in range(min(times, _MOST)):
                size = _SIZES.get(kind, 0)
                if kind in _TEXTS:
                    (size,) = struct.unpack_from("<I", data, at)
                    at += 4
                    text = data[at : at + size]
                    yield number, text.decode("utf-16-le", "replace").encode() if kind == _WIDE else text
                    size = -(-size // 4) * 4
                elif not size:
                    return
                at += size
    except struct.error:
        return


def _past_name(data: bytes, at: int) -> int:
    """Return the offset after a property's name."""
    (kind,) = struct.unpack_from("<I", data, at + 16)
    if kind == 0:
        return at + 24
    (size,) = struct.unpack_from("<I", data, at + 20)
    return at + 24 + -(-int(size) // 4) * 4


def unpacked(data: bytes) -> bytes:
    """Decompress RTF ([MS-OXRTFCP]); the result is empty if it is damaged."""
    if len(data) < 16:
        return b""
    _, size, kind, _ = struct.unpack_from("<IIII", data)
    if kind == 0x414C454D or size > _LARGEST:
        return data[16 : 16 + size]
    window = bytearray(_DICTIONARY.ljust(4096, b"\0"))
    place, at, text = len(_DICTIONARY), 16, bytearray()
    while at < len(data) and len(text) < size:
        flags = data[at]
        at += 1
        for bit in range(8):
            is_copied = flags >> bit & 1
            token = int.from_bytes(data[at : at + 1 + is_copied])
            if at + is_copied >= len(data) or (is_copied and token >> 4 == place):
                return bytes(text)
            at += 1 + is_copied
            for number in range((token & 15) + 2 if is_copied else 1):
                byte = window[((token >> 4) + number) % 4096] if is_copied else token
                text.append(byte)
                window[place] = byte
                place = (place + 1) % 4096
    return bytes(text)
