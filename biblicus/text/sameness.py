"""When two texts say the same: white space, forms of quotes, and characters that show nothing do not count."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_DROPPED = re.compile(f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{_INVISIBLE}]")
_SINGLE = re.compile("[\u2018-\u201b\u2039\u203a\u2032]")
_DOUBLE = re.compile("[\u00ab\u00bb\u201c-\u201f\u2033]")
_QUOTE = re.compile(_SINGLE.pattern[:-1] + _DOUBLE.pattern[1:])
_CONTROLS = bytes([*range(9), *range(14, 28), 127])
_SPACES = bytes(32 if 9 <= byte <= 13 or 28 <= byte <= 31 else byte for byte in range(256))
"""The same in ASCII: what is dropped, and what is white space to a text."""
_SEVERAL = re.compile(b"  +")


def normalised(text: str) -> str:
    """NFC without control and invisible characters, quotes unified to ' and ", white space collapsed, stripped."""
    text = _DROPPED.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        if _QUOTE.search(text):
            text = _SINGLE.sub("'", _DOUBLE.sub('"', text))
    return " ".join(text.split())


def content_hash(text: str) -> str | None:
    """The sha256 of the normalised text as a content id, `sha256:…`; None where there is none."""
    if text.isascii():  # as below, six times as fast
        words = _SEVERAL.sub(b" ", text.encode().translate(_SPACES, _CONTROLS)).strip(b" ")
    else:
        words = normalised(text).encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(words).hexdigest()}" if words else None
