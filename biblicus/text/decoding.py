"""Bytes to text, in whatever encoding they are: evidence in the bytes first, then what they declare, then a guess.

Order: BOM; the NUL pattern of UTF-16 and UTF-32; valid UTF-8; nearly valid UTF-8; a declaration that fits the bytes;
a guess from letter statistics (charset-normalizer). A declaration comes late because it is often wrong, and valid
UTF-8 with other than ASCII in it is almost never an accident. Newlines are kept as they are.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its first half
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_IN_MARKUP = re.compile(
    rb"""<meta[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})"""
    rb"""|<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_IN_LINE = re.compile(rb"[^\n]{0,200}?coding[:=][ \t]*([\w.-]{1,40})")
_SAMPLE = 32_768
_WESTERN = frozenset(
    "àâäáãåæçèéêëìíîïñòóôöõøœùúûüÿßÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒÙÚÛÜ«»„“”‘’–—…•·°§©®™€£¿¡²³½ªº\u00a0\u00ad"
)  # letters and marks, meant as they are
_INSIDE_WORDS = re.compile("[A-Za-z][«»„“”•§©®™€£¿¡²³][A-Za-z]")
_NEVER_TOGETHER = (("ø", "èìù"), ("õ", "öüû"))
"""Letters of different western languages: together they are central Europe's cp1250."""

_LETTERS = re.compile(rb"[A-Za-z\x80-\xff]")
_HIGH = re.compile(rb"[\x80-\xff]")
_CONTROLS = bytes([*range(0x08), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
_ASCII = bytes([*b"\t\n\r", *range(0x20, 0x7F)])
_KANA = re.compile(rb"\xa4[\xa1-\xf3]")
"""Hiragana in EUC-JP; the same row holds rare signs in the other East Asian encodings."""

_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2}")
_NULS = re.compile(rb"\x00+")
_LINES_A_RUN = 1
"""Lines for each run of NULs in a text, at least: other files have more of them."""

_NO_LEAD = bytes(byte for byte in range(256) if not 0xC2 <= byte <= 0xF4)
_C1 = re.compile("[\x80-\x9f]")
_BETWEEN_WORDS = re.compile("[\t-\x7f\xa0-\xff\u2010-\u203a\u3000-\u30ff\uff00-\uffef]")
"""Spaces, digits and marks as any text has them, Latin letters, kana."""


_USUAL = {"cp1125": "cp866", "shift_jis_2004": "shift_jis", "cp949": "euc_kr", "mac_iceland": "mac_roman"}
"""Rare supersets that the guess prefers, and the encoding that is meant where both give the same text."""


class Decoded(NamedTuple):
    """The text, the encoding it was read in, and whether bytes were lost (each as U+FFFD)."""

    text: str
    encoding: str
    lossy: bool


def decode(raw: bytes, declared: str | None = None) -> Decoded:
    """The text of any bytes; never fails. `declared`: an encoding named outside the bytes, as in a header."""
    for mark, encoding in _BOMS if raw[:1] in (b"\xef", b"\xff", b"\xfe", b"\0") else ():
        if raw.startswith(mark):
            return _forced(raw[len(mark) :], encoding)
    if b"\0" in raw:
        if wide := _wide(raw):
            return _forced(raw, wide)
        if _has_holes(raw[:4096]):  # a crash, or a copy of a sparse file, left them
            return decode(_NULS.sub("\ufffd".encode(), raw), declared)._replace(lossy=True)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return _by_line(raw) or _nearly_utf8(raw) or _declared(raw, declared) or _guessed(raw)
    if b"\x1b$" in raw and (japanese := _strict(raw, "iso2022_jp")):
        return japanese
    return Decoded(text, "utf-8", False)


def is_binary(head: bytes) -> bool:
    """Whether the first bytes of a file are no text in any encoding. 4 KiB are enough; an empty file is text."""
    if not head or head.startswith(tuple(mark for mark, _ in _BOMS)):
        return False
    if b"\0" in head:
        return _wide(head) is None and not _has_holes(head)
    return len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 20


def _has_holes(head: bytes) -> bool:
    """Whether a text has few runs of NULs, and else nothing but lines that people read."""
    text = _NULS.sub(b"", head)
    runs = len(_NULS.findall(head))
    is_plain = not text.translate(None, _ASCII) or _strict(text[:-3], "utf-8") is not None
    return (
        len(text.split()) >= 2
        and is_plain
        and not len(text) - len(text.translate(None, _CONTROLS + b"\x1b"))
        and runs <= _LINES_A_RUN * max(1, text.count(b"\n"))
    )


def _strict(raw: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(raw.decode(encoding), encoding, False)
    except (UnicodeError, LookupError):
        return None


def _forced(raw: bytes, encoding: str) -> Decoded:
    return _strict(raw, encoding) or Decoded(raw.decode(encoding, "replace"), encoding, True)


def _wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: NULs at the same places of each unit, and nearly all of it is printable."""
    head = head[:4096] if len(head) > 4096 else head[: len(head) // 2 * 2]
    if len(head.translate(None, _ASCII)) * 8 < len(head):
        return None  # pairs of ASCII are no signs of East Asia
    zeros = [head[place::4].count(0) for place in range(4)]
    units = len(head) // 4
    if units and zeros[2] == zeros[3] == units:
        encoding = "utf-32-le"
    elif units and zeros[0] == zeros[1] == units:
        encoding = "utf-32-be"
    else:
        encoding = "utf-16-le" if zeros[1] + zeros[3] > zeros[0] + zeros[2] else "utf-16-be"
    return encoding if _is_readable(head.decode(encoding, "replace")) else None


def _is_readable(text: str) -> bool:
    """Nearly no control, private, unassigned or damaged characters, and between words what any text has: numbers in
    units of two bytes are signs of many scripts, and nothing else."""
    bad = sum(char == "\ufffd" or (not char.isprintable() and char not in "\t\n\r\f") for char in text)
    return bad <= 0.03 * len(text) and len(_BETWEEN_WORDS.findall(text)) >= 0.02 * len(text)


def _by_line(raw: bytes) -> Decoded | None:
    """Lines in two encodings, as programs append them to one file: UTF-8, and what western texts were before."""
    lines = raw.splitlines(keepends=True)
    others = [line for line in lines if not line.isascii() and _strict(line, "utf-8") is None]
    sound = sum(not line.isascii() for line in lines) - len(others)
    if not sound or not others or any(_MULTIBYTE.search(line) for line in others):
        return None
    if not _is_western(b"".join(others)[:_SAMPLE]):
        return None
    return Decoded("".join((_strict(line, "utf-8") or _guessed(line)).text for line in lines), "utf-8", False)


def _nearly_utf8(raw: bytes) -> Decoded | None:
    """UTF-8 with few damaged places, such as a cut end or one pasted byte."""
    text = raw.decode("utf-8", "replace")
    damaged = text.count("\ufffd") - raw.count(b"\xef\xbf\xbd")
    sound = len(raw.translate(None, _NO_LEAD)) - damaged
    return Decoded(text, "utf-8", True) if sound >= 8 * damaged else None


def _declared(raw: bytes, declared: str | None) -> Decoded | None:
    """The text by the declaration, unless it is UTF-8 (which did not fit) or gives control characters."""
    name = declared or _declaration(raw[:1024])
    try:
        encoding = codecs.lookup(name or "").name
    except (LookupError, ValueError):
        return None
    if encoding in ("ascii", "iso8859-1"):
        encoding = "cp1252"  # what these names mean in practice (WHATWG Encoding Standard)
    if encoding.startswith(("utf", "unicode", "raw", "idna", "punycode", "undefined")):
        return None
    decoded = _strict(raw, encoding)
    return (
        decoded
        if decoded and len(_C1.findall(decoded.text[:_SAMPLE])) * 50 <= len(_HIGH.findall(raw[:_SAMPLE]))
        else None
    )


def _declaration(head: bytes) -> str | None:
    """What an HTML or XML file, or one of the first two lines (PEP 263, Emacs, Vim), says of the encoding."""
    match = _IN_MARKUP.search(head)
    if match is None:
        match = next(filter(None, map(_IN_LINE.match, head.split(b"\n", 2)[:2])), None)
    return match[match.lastindex or 0].decode("ascii", "replace") if match else None


def _guessed(raw: bytes) -> Decoded:
    """Western text by its letters; other text by charset-normalizer on a sample of lines that tell something."""
    sample = b"\n".join(line for line in raw[: 8 * _SAMPLE].split(b"\n") if not line.isascii())[:_SAMPLE]
    if _is_western(sample):
        return _strict(raw, "cp1252") or Decoded(raw.decode("latin-1"), "latin-1", False)
    if len(_KANA.findall(sample)) * 8 > len(_HIGH.findall(sample)) and (japanese := _strict(raw, "euc_jp")):
        return japanese
    from charset_normalizer import from_bytes  # 30 ms to import; most corpora never get here

    for match in from_bytes(sample):
        if not match.encoding.startswith("utf") and (decoded := _strict(raw, match.encoding)):
            usual = _strict(raw, _USUAL.get(decoded.encoding, decoded.encoding))
            return usual if usual and usual.text == decoded.text else decoded
    return _strict(raw, "cp1252") or Decoded(raw.decode("latin-1"), "latin-1", False)


def _is_western(sample: bytes) -> bool:
    """Few accents among the letters, and each one a letter or mark that western European texts use."""
    high = set(b"".join(_HIGH.findall(sample)).decode("cp1252", "replace"))
    return (
        len(_HIGH.findall(sample)) * 2 < len(_LETTERS.findall(sample))
        and high <= _WESTERN
        and not any(one in high and high.intersection(others) for one, others in _NEVER_TOGETHER)
        and not _INSIDE_WORDS.search(sample.decode("cp1252"))
    )
