"""Text of an Outlook message ([MS-OXMSG]): headers, body and names of attachments."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from biblicus.contracts import Extractor, MediaHint
from biblicus.extraction.kit.composing import Composer, clean, folded
from biblicus.extraction.kit.messages import composed
from biblicus.extraction.rare.ole.summary import codec
from biblicus.models.extraction import Extraction, NoExtraction

_SUBJECT, _BODY, _HTML, _TO, _CC = "0037", "1000", "1013", "0E04", "0E03"
_SENDER, _ADDRESS, _ADDRESS_SMTP = "0C1A", "0C1F", "5D01"
_NAME_LONG, _NAME = "3707", "3704"
_SENT, _DELIVERED = 0x0039, 0x0E06
_TIME, _WHOLE = 0x0040, 0x0003
_CODE_PAGES = 0x3FFD, 0x3FDE
"""Properties with the code page of 8-bit texts: the message's, else the internet mail's."""
_PROPERTIES = "__properties_version1.0"


def message(
    stream: Callable[[str], bytes], names: Sequence[Sequence[str]], html: Extractor
) -> Extraction | NoExtraction:
    """Return the extraction of a message. `names`: the paths of its streams."""

    encoding = _encoding(stream(_PROPERTIES))

    def text(tag: str) -> str:
        return _text(stream, tag, encoding)

    composer = Composer()
    composer.spot("message", "", "1")
    subject = folded(text(_SUBJECT))
    sent = _sent(stream(_PROPERTIES))
    address = folded(text(_ADDRESS_SMTP) or text(_ADDRESS))
    sender = folded(text(_SENDER))
    if "@" in address and address not in sender:
        sender = f"{sender} <{address}>".strip()
    composer.heading(1, subject)
    for name, value in (("From", sender), ("To", text(_TO)), ("Cc", text(_CC)), ("Date", sent)):
        if folded(value):
            composer.line(f"{name}: {folded(value)}")
    composer.gap()
    plain = text(_BODY)
    if not plain.strip() and (page := stream(f"__substg1.0_{_HTML}0102")):
        read = html.extract(page, MediaHint("", "text/html"))
        plain = read.text if isinstance(read, Extraction) else ""
    composed(composer, plain, subject, "1")
    for _, name in attachments(stream, names):
        if name:
            composer.line(f"Attachment: {name}")
    metadata = {"author": sender[:300], "date": sent[:10]}
    return composer.extraction(title=subject, metadata=metadata, titled=False)


def attachments(stream: Callable[[str], bytes], names: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the folder and name of each attachment."""
    encoding = _encoding(stream(_PROPERTIES))
    for folder in dict.fromkeys(path[0] for path in names if path[0].startswith("__attach_version1.0_")):
        long, short = (_text(stream, tag, encoding, f"{folder}/") for tag in (_NAME_LONG, _NAME))
        yield folder, folded(long or short)


def _text(stream: Callable[[str], bytes], tag: str, encoding: str, folder: str = "") -> str:
    wide = stream(f"{folder}__substg1.0_{tag}001F")
    if wide:
        return clean(wide.decode("utf-16-le", "replace")).strip("\0 ")
    narrow = stream(f"{folder}__substg1.0_{tag}001E")
    try:
        return clean(narrow.decode()).strip("\0 ")
    except UnicodeDecodeError:
        return clean(narrow.decode(encoding, "replace")).strip("\0 ")


def _sent(properties: bytes) -> str:
    """Return the time of sending in UTC, or an empty string if unknown."""
    times = _values(properties, _TIME)
    ticks = times.get(_SENT) or times.get(_DELIVERED)
    if not ticks or ticks > 1 << 58:
        return ""
    try:
        moment = datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10)
    except OverflowError:
        return ""
    return moment.strftime("%Y-%m-%d %H:%M")


_UNTOLD = frozenset((0, 65001))
"""Code pages that do not apply to 8-bit texts."""


def _encoding(properties: bytes) -> str:
    """Return the encoding of 8-bit texts that are not UTF-8."""
    named = (_values(properties, _WHOLE).get(tag, 0) & 0xFFFF for tag in _CODE_PAGES)
    return codec(next((page for page in named if page not in _UNTOLD), 1252))


def _values(properties: bytes, kind: int) -> dict[int, int]:
    """Return the properties of a type by tag."""
    entries = (struct.unpack_from("<HHIQ", properties, at) for at in range(32, len(properties) - 15, 16))
    return {tag: value for of_kind, tag, _, value in entries if of_kind == kind}
