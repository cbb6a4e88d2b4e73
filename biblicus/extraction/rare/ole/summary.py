"""Summary information of older Office files ([MS-OLEPS]): title, author, code page of the texts."""

from __future__ import annotations

from typing import Any, NamedTuple

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


def summary(file: Any) -> Summary:
    """Return the file's summary as olefile reads it, empty if it is damaged."""
    try:
        about = file.get_metadata()
    except (OSError, ValueError, LookupError, TypeError):
        return Summary()
    code_page = (about.codepage or 0) & 0xFFFF  # olefile gives a signed number
    name = codec(code_page)
    return Summary(_text(about.title, name), _text(about.author, name), code_page)


def _text(value: str | bytes | None, name: str) -> str:
    text = (
        (value or b"").decode("utf-16-le" if name == "cp1200" else name, "replace")
        if not isinstance(value, str)
        else value
    )
    return " ".join(text[:_LONGEST].partition("\0")[0].split())
