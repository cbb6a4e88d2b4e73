"""Equality of texts regardless of white space, quotation mark style and invisible characters."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_DROPPED = re.compile(f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{_INVISIBLE}]")
_QUOTES = {"'": "\u2018\u2019\u201a\u201b\u2039\u203a\u2032", '"': "\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033"}
"""Plain quotation marks, each with the other forms."""
_CONTROLS = bytes([*range(9), *range(14, 28), 127])
_SPACES = bytes(32 if 9 <= byte <= 13 or 28 <= byte <= 31 else byte for byte in range(256))
"""For ASCII text: characters that are dropped, and the mapping of white space."""
_NO_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
_SEVERAL = re.compile(b"  +")


def normalised(text: str) -> str:
    """Return NFC text without invisible characters, with plain quotes (' and ") and collapsed white space."""
    text = _DROPPED.sub("", text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
        for plain, forms in _QUOTES.items():
            for form in forms:  # a text has few of them, and looking for one is faster than for all
                text = text.replace(form, plain)
    return " ".join(text.split())


def without_controls(text: str) -> str:
    """Return a text without control characters; line feeds and tabs stay."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_NO_CONTROLS)


def content_hash(text: str) -> str | None:
    """Return the SHA-256 of the normalised text as a content id, `sha256:…`, or None if it is empty."""
    if text.isascii():  # same result, six times as fast
        words = _SEVERAL.sub(b" ", text.encode().translate(_SPACES, _CONTROLS)).strip(b" ")
    else:
        words = normalised(text).encode("utf-8", "surrogatepass")
    return f"sha256:{hashlib.sha256(words).hexdigest()}" if words else None
