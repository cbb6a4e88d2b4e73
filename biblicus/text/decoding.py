"""Decoding of bytes in any encoding: by the bytes themselves, then a declared encoding, then a guess.

Order: BOM; NUL pattern of UTF-16 and UTF-32; valid UTF-8; nearly valid UTF-8; a declaration that fits the bytes; the
encoding in which the text is of a language that is written in it; a guess from letter statistics (charset-normalizer).
Declarations come late since they are often wrong, while non-ASCII bytes are almost never valid UTF-8 by accident. Line
ends are kept.
"""

from __future__ import annotations

import codecs
import re
from itertools import pairwise
from typing import NamedTuple

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose BOM is the first half of this one
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
_SAMPLE, _GLANCE = 32_768, 4_096
"""Bytes from which a guess is made: at most, and in each of many encodings."""
_WESTERN = frozenset(
    "àâäáãåæçèéêëìíîïñòóôöõøœùúûüÿßÀÂÄÁÃÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖÕØŒÙÚÛÜ«»„“”‘’–—…•·°§©®™€£¿¡²³½ªº\u00a0\u00ad"
)  # letters and marks of western European texts
_MARKS = "«»„“”‘’‚–—…•·§°©®™€£¥№¿¡½¼¾¹²³ªº×\u00a0\u00ad\u200e\u200f"
_LAST_LATIN = "\u024f"
_INSIDE = re.compile("(?<=[^\\W\\d_])[«»„“”‚†‡…•§°©®™€£¥¿¡½¼¾¹²³×](?=[^\\W\\d_])")
_GROUPS = (
    ("cp1252 cp850 mac_roman", "af ca da de en es eu fi fr ga gl is it la nb nl nn no pt sv", "ýþðÝÞÐ"),
    ("cp1250 iso8859_2 cp852", "pl", "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"),
    ("cp1250 iso8859_2 cp852", "bs cs hr hu ro sk sl sq sr",
     "áâäăçčćďđéëěíîĺľňóôöőŕřšşťţúůüűýžÁÂÄĂÇČĆĎĐÉËĚÍÎĹĽŇÓÔÖŐŔŘŠŞŤŢÚŮÜŰÝŽß"),
    ("cp1254 cp857", "az tr", "çğıöşüâîûÇĞİÖŞÜÂÎÛ"),
    ("cp1257 iso8859_13", "et lt lv", "āčēģīķļņšūžąęėįųõäöüŗĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜ"),
    ("cp1255 cp862", "he yi", "".join(map(chr, range(0x5D0, 0x5EB)))),
    ("cp1256 iso8859_6", "ar fa ur", "".join(map(chr, range(0x60C, 0x6D3)))),
    ("cp1251 koi8_r koi8_u cp866 iso8859_5 mac_cyrillic", "be bg kk ky mk mn ru sr tg uk",
     "ґҐ" + "".join(map(chr, range(0x401, 0x460)))),
    ("cp1253 iso8859_7 cp737", "el", "".join(map(chr, range(0x384, 0x3CF)))),
)  # fmt: skip
"""Encodings of one byte a letter, with the languages that are written in them, and their letters."""
_CYRILLIC = {"cp1253": "cp1251", "iso8859_7": "cp1251", "cp737": "cp866"}
"""Encodings of Greek, which any Greek letters seem to be, with those in which accented Greek words have odd letters."""
_SEVEN_BITS = bytes(range(0x80))
_NO_LETTERS = bytes(byte for byte in _SEVEN_BITS if not chr(byte).isalpha())
_CONTROLS = bytes([*range(0x08), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])
_ASCII = bytes([*b"\t\n\r", *range(0x20, 0x7F)])
_KANA = re.compile(rb"\xa4[\xa1-\xf3]")
"""Hiragana in EUC-JP; the same row has rare characters in other East Asian encodings."""

_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2}")
_FEWEST_LETTERS = 4
"""Minimum letters in valid UTF-8 beside lines in another encoding, if the language of its lines is unknown."""
_FEWEST_SIGNS = 5
"""Minimum signs outside ASCII by which English text, which has few, tells its encoding."""
_NULS = re.compile(rb"\x00+")
_LINES_A_RUN = 1
"""Minimum lines for each run of NUL bytes in a text; other files have more runs."""

_NO_LEAD = bytes(byte for byte in range(256) if not 0xC2 <= byte <= 0xF4)
_C1 = re.compile("[\x80-\x9f]")
_BETWEEN_WORDS = re.compile("[\t-\x7f\xa0-\xff\u2010-\u203a\u3000-\u30ff\uff00-\uffef]")
"""Spaces, digits and punctuation of any text, Latin letters, kana."""


_USUAL = {"cp1125": "cp866", "shift_jis_2004": "shift_jis", "cp949": "euc_kr", "mac_iceland": "mac_roman"}
"""Rare supersets that charset-normalizer prefers, with the usual encoding that gives the same text."""


class Decoded(NamedTuple):
    """Decoded text, its encoding, and True if bytes were lost (each becomes U+FFFD)."""

    text: str
    encoding: str
    lossy: bool


def decode(raw: bytes, declared: str | None = None) -> Decoded:
    """Decode any bytes without errors. `declared`: an encoding given outside the bytes, as in a header."""
    for mark, encoding in _BOMS if raw[:1] in (b"\xef", b"\xff", b"\xfe", b"\0") else ():
        if raw.startswith(mark):
            return _forced(raw[len(mark) :], encoding)
    if b"\0" in raw:
        if wide := _wide(raw):
            return _forced(raw, wide)
        if _has_holes(raw[:4096]):  # holes left by a crash or by a copy of a sparse file
            hole = "\ufffd".encode() if _strict(raw, "utf-8") else b"?"
            return decode(_NULS.sub(hole, raw), declared)._replace(lossy=True)
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return _by_line(raw) or _nearly_utf8(raw) or _declared(raw, declared) or _guessed(raw)
    if b"\x1b$" in raw and (japanese := _strict(raw, "iso2022_jp")):
        return japanese
    return Decoded(text, "utf-8", False)


def is_binary(head: bytes) -> bool:
    """Return True if the first bytes of a file (4 KiB are enough) are no text in any encoding; an empty file is
    text."""
    if not head or head.startswith(tuple(mark for mark, _ in _BOMS)):
        return False
    if b"\0" in head:
        return _wide(head) is None and not _has_holes(head)
    return len(head) - len(head.translate(None, _CONTROLS)) > len(head) // 20


def _has_holes(head: bytes) -> bool:
    """Return True if the bytes are readable text except for a few runs of NULs."""
    text = _NULS.sub(b"", head)
    runs = len(_NULS.findall(head))
    is_apart = runs <= _LINES_A_RUN * max(1, text.count(b"\n")) and len(text.split()) >= 2
    if not is_apart or len(text) != len(text.translate(None, _CONTROLS + b"\x1b")):
        return False
    return text.isascii() or _strict(text[:-3], "utf-8") is not None or _of_a_language(text) is not None


def _strict(raw: bytes, encoding: str) -> Decoded | None:
    try:
        return Decoded(raw.decode(encoding), encoding, False)
    except (UnicodeError, LookupError):
        return None


def _forced(raw: bytes, encoding: str) -> Decoded:
    return _strict(raw, encoding) or Decoded(raw.decode(encoding, "replace"), encoding, True)


def _wide(head: bytes) -> str | None:
    """Return the encoding of UTF-16 or UTF-32 without a BOM, from the positions of NULs, or None."""
    head = head[:4096] if len(head) > 4096 else head[: len(head) // 2 * 2]
    if len(head.translate(None, _ASCII)) * 8 < len(head):
        return None  # ASCII pairs are no East Asian characters
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
    """Return True for text with hardly any control or unassigned characters and with usual spaces and punctuation.
    Decoded binary numbers fail this, since they give characters of many scripts only."""
    bad = sum(char == "\ufffd" or (not char.isprintable() and char not in "\t\n\r\f") for char in text)
    return bad <= 0.03 * len(text) and len(_BETWEEN_WORDS.findall(text)) >= 0.02 * len(text)


def _by_line(raw: bytes) -> Decoded | None:
    """Decode a file with lines in UTF-8 and others in an encoding of one byte a letter, as appended logs have, or
    return None. Lines of damaged UTF-8 are none of these."""
    lines = raw.splitlines(keepends=True)
    others = [line for line in lines if not line.isascii() and _strict(line, "utf-8") is None]
    apart = {*others}
    sound = b"".join(line for line in lines if not line.isascii() and line not in apart)
    if not sound or not others or any(map(_nearly_utf8, others)):
        return None
    from biblicus.text import languages  # lazy: most files are UTF-8

    if len(_MULTIBYTE.findall(sound)) < _FEWEST_LETTERS and languages.detect(sound.decode()) is None:
        return None
    part = b"".join(others)[:_SAMPLE]
    encoding = (_of_a_language(part, sound.decode()) or _guessed(part)).encoding
    texts = (_strict(line, "utf-8") or _strict(line, encoding) or _guessed(line) for line in lines)
    return Decoded("".join(text.text for text in texts), "utf-8", False)


def _of_a_language(raw: bytes, beside: str = "") -> Decoded | None:
    """Decode by the encoding in which the text is of a language that is written in it, with hardly any odd letters.
    `beside`: text of the same file in a known encoding, whose language counts if the text is too short."""
    from biblicus.text import languages  # lazy: most files are UTF-8

    sample = b"\n".join(line for line in raw.splitlines() if not line.isascii())[:_GLANCE]
    known = languages.detect(beside) if beside else None
    least, encoding = len(_high(sample)) // 20, None
    clean: set[str] = set()
    for names, codes, letters in _GROUPS:
        usual = {*letters, *_MARKS, *(_WESTERN if "cp1252" in names else ())}
        for name in names.split():
            decoded = _strict(sample, name)
            if decoded is None:
                continue
            odd = sum(sign > "\x7f" and sign not in usual for sign in decoded.text) + len(_INSIDE.findall(decoded.text))
            pairs = [(a, b) for a, b in pairwise(decoded.text) if a.isalpha() and b.isalpha()]
            odd += sum(a.islower() and b.isupper() for a, b in pairs)
            odd += sum(min(a, b) < "\x80" and max(a, b) > _LAST_LATIN for a, b in pairs)  # two scripts in one word
            is_less = odd < least or (encoding is None and odd == least)
            clean |= {name} if odd == 0 else set()
            if _CYRILLIC.get(name) in clean and not decoded.text.isupper():
                continue
            language = languages.detect(decoded.text) or known if is_less else None
            if language in codes.split() and not (language == "en" and len(_high(sample)) < _FEWEST_SIGNS):
                least, encoding = odd, name
    return _strict(raw, encoding) if encoding else None


def _nearly_utf8(raw: bytes) -> Decoded | None:
    """Decode UTF-8 with few invalid places, such as a cut end, or return None."""
    text = raw.decode("utf-8", "replace")
    damaged = text.count("\ufffd") - raw.count(b"\xef\xbf\xbd")
    sound = len(raw.translate(None, _NO_LEAD)) - damaged
    return Decoded(text, "utf-8", True) if sound >= 8 * damaged else None


def _declared(raw: bytes, declared: str | None) -> Decoded | None:
    """Decode by the declared encoding; None if it is UTF-8, which was tried before, or gives control characters."""
    name = declared or _declaration(raw[:1024])
    try:
        encoding = codecs.lookup(name or "").name
    except (LookupError, ValueError):
        return None
    if encoding in ("ascii", "iso8859-1"):
        encoding = "cp1252"  # actual meaning of these names (WHATWG Encoding Standard)
    if encoding.startswith(("utf", "unicode", "raw", "idna", "punycode", "undefined")):
        return None
    decoded = _strict(raw, encoding)
    return decoded if decoded and len(_C1.findall(decoded.text[:_SAMPLE])) * 50 <= len(_high(raw[:_SAMPLE])) else None


def _declaration(head: bytes) -> str | None:
    """Return the encoding declared in HTML or XML, or in the first two lines (PEP 263, Emacs, Vim), or None."""
    match = _IN_MARKUP.search(head)
    if match is None:
        match = next(filter(None, map(_IN_LINE.match, head.split(b"\n", 2)[:2])), None)
    return match[match.lastindex or 0].decode("ascii", "replace") if match else None


def _guessed(raw: bytes) -> Decoded:
    """Decode by a guess: western text by its letters, other text with charset-normalizer on a sample."""
    sample = b"\n".join(line for line in raw[: 8 * _SAMPLE].split(b"\n") if not line.isascii())[:_SAMPLE]
    if by_language := _of_a_language(sample):
        return _strict(raw, by_language.encoding) or Decoded(
            raw.decode(by_language.encoding, "replace"), by_language.encoding, True
        )
    if _is_western(sample):
        return _strict(raw, "cp1252") or Decoded(raw.decode("latin-1"), "latin-1", False)
    if len(_KANA.findall(sample)) * 8 > len(_high(sample)) and (japanese := _strict(raw, "euc_jp")):
        return japanese
    from charset_normalizer import from_bytes  # 30 ms to import; most corpora never get here

    for match in from_bytes(sample):
        if not match.encoding.startswith("utf") and (decoded := _strict(raw, match.encoding)):
            usual = _strict(raw, _USUAL.get(decoded.encoding, decoded.encoding))
            return usual if usual and usual.text == decoded.text else decoded
    return _strict(raw, "cp1252") or Decoded(raw.decode("latin-1"), "latin-1", False)


def _high(raw: bytes) -> bytes:
    """Return the bytes outside ASCII."""
    return raw.translate(None, _SEVEN_BITS)


def _is_western(sample: bytes) -> bool:
    """Return True if few letters are accented and all accented ones are of western European languages."""
    high = set(_high(sample).decode("cp1252", "replace"))
    return (
        len(_high(sample)) * 2 < len(sample.translate(None, _NO_LETTERS))
        and high <= _WESTERN
        and not high >= {"õ", "û"}  # of no language: ő and ű of cp1250
        and not _INSIDE.search(sample.decode("cp1252"))
    )
