"""Find quoted words again in an edited text, as W3C's `TextQuoteSelector` describes them.

Words that stand once are found. Of several places, the one is taken that has the context of the quotation, and twice as
much of it as any other. Anything less certain is lost.

`normalised` texts are equal regardless of white space, quotation mark style and invisible characters."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import NamedTuple

_LEAST = 32
"""Characters of context on each side."""
_NEXT = 8
"""Characters of a changed context that must still stand next to the words."""
_MOST = 512
"""Maximum characters of context to make the quoted words unique."""
_WORD = re.compile(r"\S+")
_INVISIBLE = "\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_DROPPED = re.compile(f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{_INVISIBLE}]")
_QUOTES = {"'": "\u2018\u2019\u201a\u201b\u2039\u203a\u2032", '"': "\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033"}
"""Plain quotation marks, each with the other forms."""
_CONTROLS = bytes([*range(9), *range(14, 28), 127])
_SPACES = bytes(32 if 9 <= byte <= 13 or 28 <= byte <= 31 else byte for byte in range(256))
"""For ASCII text: characters that are dropped, and the mapping of white space."""
_NO_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))
_SEVERAL = re.compile(b"  +")


class Quote(NamedTuple):
    """Exact words with the text before and after them. A context is empty where it did not make the words unique."""

    exact: str
    prefix: str
    suffix: str


def quote_of(text: str, start: int, end: int) -> Quote:
    """Return the words of a span with as much context as makes each side unique."""
    sizes = (_LEAST, 2 * _LEAST, 4 * _LEAST, _MOST)
    before = (text[max(0, start - size) : start] for size in sizes)
    after = (text[end : end + size] for size in sizes)
    exact = text[start:end]
    prefix = next((part for part in before if _stands_once(text, part + exact)), "")
    suffix = next((part for part in after if _stands_once(text, exact + part)), "")
    return Quote(exact, prefix, suffix)


def place_of(text: str, quote: Quote) -> int | None:
    """Return the offset of quoted words, or None if they are gone or their place is uncertain."""
    places = list(_places(text, quote.exact))
    if len(places) < 2:
        return places[0] if places else None
    (alike, best), (next_alike, _) = sorted(((sum(_common(text, quote, at)), at) for at in places), reverse=True)[:2]
    return best if _is_whole(text, quote, best) and next_alike <= alike / 2 else None


def spans_of(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of words in a text; white space may differ."""
    words, spaced = " ".join(words.split()), " ".join(text.split())
    at = spaced.find(words) if words else -1
    while at >= 0:
        end = at + len(words)
        yield _unspaced(text, spaced, at), _unspaced(text, spaced, end - 1) + 1
        at = spaced.find(words, end)


def _unspaced(text: str, spaced: str, at: int) -> int:
    """Return the offset in a text of a character, no white space, of the same text with single blanks."""
    word = next(islice(_WORD.finditer(text), spaced.count(" ", 0, at), None))
    return word.start() + at - (spaced.rfind(" ", 0, at) + 1)


def _is_whole(text: str, quote: Quote, place: int) -> bool:
    """Return True if one context stands there in full, and the end that is next to the words of the other one."""
    sides = list(zip(_common(text, quote, place), (len(quote.prefix), len(quote.suffix)), strict=True))
    return any(size and common == size for common, size in sides) and all(
        common >= min(_NEXT, size) for common, size in sides
    )


def _common(text: str, quote: Quote, place: int) -> tuple[int, int]:
    """Return how many characters of each context stand around a place."""
    after = text[place + len(quote.exact) : place + len(quote.exact) + len(quote.suffix)]
    before = text[max(0, place - len(quote.prefix)) : place]
    return _alike(before[::-1], quote.prefix[::-1]), _alike(after, quote.suffix)


def _alike(one: str, two: str) -> int:
    """Return the number of equal characters at the beginning of two texts."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))


def _stands_once(text: str, words: str) -> bool:
    first = text.find(words)
    return text.find(words, first + 1) < 0


def _places(text: str, words: str) -> Iterator[int]:
    """Yield the offsets of words, also of overlapping ones."""
    at = text.find(words) if words else -1
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


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
