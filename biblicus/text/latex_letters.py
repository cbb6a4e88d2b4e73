r"""Letters written as LaTeX commands: `Geb\"uhr` is `Gebühr`, `Stra\ss en` is `Straßen`."""

from __future__ import annotations

import re
import unicodedata

_ACCENT = re.compile(
    r"\\(?:(['`^\"~=.])[ \t]?|([cvuHkr])(?=[ {])[ \t]?)"
    r"(?:\{\\?(?P<within>[a-zA-Z])[ \t]?\}|\\(?P<dotless>[ij])(?![a-zA-Z])[ \t]*|\\?(?P<bare>[a-zA-Z]))"
)
ABOVE = dict(
    zip(
        "`'^\"~=.cvuHkr",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328\u030a",
        strict=True,
    )
)
LETTERS = {"ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "aa": "å", "AA": "Å", "l": "ł", "L": "Ł", "oe": "œ",
           "OE": "Œ", "i": "ı", "dh": "ð", "th": "þ"}  # fmt: skip
_HYPHENATION = re.compile(r"(?<=\w)\\-(?=[\w\\])")
_NAMES = "|".join(sorted(LETTERS, key=len, reverse=True))
_LETTER = re.compile(rf"\{{\\({_NAMES})[ \t]*\}}|\\({_NAMES})(?:\{{\}}|[ \t]+|(?![a-zA-Z]))")


_GERMAN, _SHORTHAND = (
    re.compile(r"\\usepackage\[[^\]]{0,200}german|\\documentclass\[[^\]]{0,200}german"),
    re.compile(r"\"([aouAOUs])(?=[a-zA-Z]*(?![a-zA-Z\"]))"),
)
_SHORT = dict(zip("aouAOUs", "äöüÄÖÜß", strict=True))
"""The option of a document in German, in which `"a` is ä unless a quotation mark ends the word."""


def with_accents(text: str) -> str:
    """Return a text with LaTeX accent commands replaced by letters."""
    return _ACCENT.sub(_accented, text)


def with_letters(text: str) -> str:
    r"""Return a text with LaTeX accents and letters replaced, without points of hyphenation (`\-`)."""
    if "\\" not in text:
        return text
    if '"' in text and _GERMAN.search(text, 0, 8_000):
        text = _SHORTHAND.sub(lambda match: _SHORT[match[1]], text)
    return _LETTER.sub(lambda match: LETTERS[match[1] or match[2]], with_accents(_HYPHENATION.sub("", text)))


def _accented(match: re.Match[str]) -> str:
    letter = match["within"] or match["dotless"] or match["bare"]
    return unicodedata.normalize("NFC", letter + ABOVE[match[1] or match[2]])
