"""Folding of variant letters for index terms; displayed text is never changed.

* African letters as look-alikes in other scripts, with which they are often typed (`wɔn` must not match `won`)
* digits of any script (`१९४३`, `١٩٤٣` are `1943`); the Turkish capital İ
* Arabic letters of Persian and Urdu; Arabic without vowel signs, articles and prefixes (Larkey, Ballesteros and
  Connell 2002, "light" stemming); Hebrew without points and without joined prefixes
* katakana as hiragana; Chinese in simplified characters; no invisible characters
* Indic words without marks at which the engine would split them (`ग्रैमी`), and in Devanagari without the most frequent
  endings (`बिल्लियों`, `बिल्ली`)

`likeness` compares forms of a word that no stemmer brings together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from pathlib import Path

from biblicus.models.extraction import Span

_ZEROS = "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50"
"""The digit zero of each script; its other digits follow in code order."""
_DROPPED = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u093c\u09bc\u0a3c\u0abc\u0b3c\u200d"
"""Marks that join or modify consonants in northern Indian scripts, where texts often omit the latter."""
_AFRICAN = dict(zip("ɔƆɛƐəƏǝƎŋŊɣƔʋƲɩƖɖƉ", "ͻͻεεәәәәӈӈγγυυιιԁԁ", strict=True))
"""African letters with their indexed form, since the engine would fold them to ASCII letters."""
_TABLE = str.maketrans(
    {
        **_AFRICAN,
        **{chr(ord(zero) + digit): str(digit) for zero in _ZEROS for digit in range(10)},
        **dict.fromkeys(_DROPPED),
        **dict.fromkeys(
            map(chr, (*range(0x64B, 0x653), 0x670, 0x640, *range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C7))
        ),
        **dict.fromkeys("\u00ad\u200b\u200c\u2060\ufeff"),
        **{chr(kana): chr(kana - 0x60) for kana in range(0x30A1, 0x30F7)},
        "\u0130": "I",
        "\u06a9": "\u0643",
        "\u06cc": "\u064a",
        "\u0649": "\u064a",
        "\u0901": "\u0902",
    }
)
_SCRIPTS = "[\u00adƆƉƎƏƐƔƖƲǝŊŋɔɖəɛɣɩʋ\u0591-\u0d6f\u0e50-\u0e59\u200b-\u200d\u2060\u30a1-\u30f6\ufeff]"
"""All folded characters except İ, so that one search decides if a text needs folding; compiled for non-ASCII text."""
_LETTER = "[\u0900-\u0963\u0970-\u097f]"
_ENDING = (
    rf"(?<={_LETTER}{_LETTER})(?:\u093f\u092f(?:\u094b\u0902|\u093e\u0902)|\u093e[\u0913\u090f]\u0902|\u0941\u0913\u0902"
    rf"|\u094b\u0902|\u0947\u0902|[\u093e\u093f\u0940\u0947\u094b])(?!{_LETTER})"
)

_ARABIC_BEFORE = "(?<!\\w)(?:\u0648?(?:\u0628|\u0643|\u0641)?\u0627\u0644|\u0648?\u0644\u0644)(?=\\w{2})"
"""The Arabic article, with `and` and a preposition before it."""
_HEBREW_BEFORE = "(?<!\\w)[\u05d5\u05d4\u05d1\u05db\u05dc\u05de\u05e9]{1,3}(?=[\u05d0-\u05ea]{3})"
"""The Hebrew article, `and` and prepositions before a word of at least three letters."""
_HEBREW = "[\u05d0-\u05ea]"
_HAN = "[\u4e00-\u9fff]"

_WORD = "[\\w\u0900-\u0963\u0966-\u0d7f\u200d]+"
"""A word with its combining marks, which the engine does not count as letters."""
BEGINNING, _LONGEST_ENDING, _PART = 4, 3, 5
"""Letters that two forms share at least, of an ending at most, and of a part of a compound at least."""
_FORM, _COMPOUND = 0.8, 0.6


def folded(text: str) -> str:
    """Return a text with its letters folded."""
    if text.isascii():
        return text
    if "\u0130" in text or re.search(_SCRIPTS, text):
        text = text.translate(_TABLE)
        text = re.sub(_ENDING, "", text)
        text = re.sub(_ARABIC_BEFORE, "", text) if "\u0644" in text else text
    if re.search(_HEBREW, text):
        text = re.sub(_HEBREW_BEFORE, "", text)
    return text.translate(_simplified()) if re.search(_HAN, text) else text


@lru_cache(maxsize=1)
def _simplified() -> dict[int, int]:
    lines = Path(__file__).with_name("simplified.txt").read_text("utf-8").splitlines()
    return str.maketrans(*lines[-2:])


def folded_words(text: str) -> Iterator[tuple[Span, str]]:
    """Yield the span and folded form of each word that folding changes."""
    if folded(text) != text:
        for word in re.finditer(_WORD, text):
            if (indexed := folded(word[0])) != word[0]:
                yield Span(*word.span()), indexed


def likeness(one: str, other: str) -> float:
    """Return how far one stem counts for another (0-1): `rebuilt` for `rebuild`, `hafen` in `hafenmeist`; never
    `1842` for `1843`."""
    short, long = sorted((one, other), key=len)
    if len(short) < BEGINNING or not long.isalpha():
        return 0.0
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(short, long, strict=False)))
    rest = len(long) - common
    if common >= BEGINNING and 2 * rest <= common and rest <= _LONGEST_ENDING:
        return _FORM
    is_part = len(short) >= _PART and (long.startswith(short) or long.endswith(short))
    return _COMPOUND if is_part else 0.0
