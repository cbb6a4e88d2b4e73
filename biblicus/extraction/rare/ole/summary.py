"""Summary information of older Office files ([MS-OLEPS]): title, author, code page of the texts."""

from __future__ import annotations

import struct
from typing import NamedTuple

_CODE_PAGE, _TITLE, _AUTHOR = 1, 2, 4
_NUMBER, _BYTES, _WIDE = 0x0002, 0x001E, 0x001F
_FIRST_SECTION = 44
_MOST = 100
"""Maximum properties, since a damaged file may declare billions."""
_LONGEST = 2_000
_CODECS = {
    10000: "mac-roman", 10006: "mac-greek", 10007: "mac-cyrillic", 10029: "mac-latin2", 10081: "mac-turkish",
    20866: "koi8-r", 21866: "koi8-u", 28591: "latin-1", 28592: "iso8859-2", 28595: "iso8859-5", 28605: "iso8859-15",
    50220: "iso2022_jp", 51932: "euc_jp", 51949: "euc_kr", 54936: "gb18030", 65001: "utf-8",
}  # fmt: skip
"""Codecs of code pages whose names do not follow `cp<number>`."""


class Summary(NamedTuple):
    """Summary information; missing fields are empty, `code_page` is 0 if not given."""

    title: str = ""
    author: str = ""
    code_page: int = 0


def codec(code_page: int) -> str:
    """Return the codec name of a code page, or `cp1252` if unknown."""
    name = _CODECS.get(code_page, f"cp{code_page}")
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name


def summary(stream: bytes) -> Summary:
    """Parse the stream `SummaryInformation` as far as it is valid."""
    if len(stream) < _FIRST_SECTION + 4:
        return Summary()
    (start,) = struct.unpack_from("<I", stream, _FIRST_SECTION)
    section = stream[start:]
    if len(section) < 8:
        return Summary()
    count = min(struct.unpack_from("<I", section, 4)[0], _MOST, (len(section) - 8) // 8)
    places = dict(struct.unpack_from("<II", section, 8 + 8 * number) for number in reversed(range(count)))
    code_page = _code_page(section, places.get(_CODE_PAGE, len(section)))
    title, author = (_text(section, places.get(key, len(section)), codec(code_page)) for key in (_TITLE, _AUTHOR))
    return Summary(title, author, code_page)


def _code_page(section: bytes, at: int) -> int:
    kind, number = struct.unpack_from("<IH", section, at) if at + 6 <= len(section) else (0, 0)
    return int(number) if kind == _NUMBER else 0


def _text(section: bytes, at: int, name: str) -> str:
    kind, length = struct.unpack_from("<II", section, at) if at + 8 <= len(section) else (0, 0)
    if kind not in (_BYTES, _WIDE):
        return ""
    is_wide = kind == _WIDE
    raw = section[at + 8 : at + 8 + min(length * (1 + is_wide), _LONGEST)]
    text = raw.decode("utf-16-le" if is_wide or name == "cp1200" else name, "replace")
    return " ".join(text.partition("\0")[0].split())
