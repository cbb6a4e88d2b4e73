"""Letters that are written in several ways, as one: for terms, never for what is shown.

Letters of African languages that no accent makes, as their look-alikes in other scripts, with which they are often
typed (`wɔn` is never `won`, another word); digits of any script (`१९४३`, `١٩٤٣` are `1943`); the Turkish capital İ;
Arabic letters as Persian and Urdu write them, without vowel signs, and words without their article and what is joined
before it (Larkey, Ballesteros and Connell 2002, "light" stemming); Hebrew without points; katakana as hiragana; Chinese
characters as their simplified forms; what is not seen (soft hyphens, spaces without width) is no part of a word; and
Indic words without the marks at which the engine would divide them
(`ग्रैमी` is one word, not `ग` and `रैमी`), nor, in Devanagari, the commonest endings of case and number (`बिल्लियों`,
`बिल्ली`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from biblicus.models.extraction import Span

_ZEROS = "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50"
"""The digit zero of each script, before its nine others."""
_DROPPED = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u093c\u09bc\u0a3c\u0abc\u0b3c\u200d"
"""Marks that join consonants or change one, in the scripts of the north of India, where texts often lack the latter."""
_AFRICAN = dict(zip("ɔƆɛƐəƏǝƎŋŊɣƔʋƲɩƖɖƉ", "ͻͻεεәәәәӈӈγγυυιιԁԁ", strict=True))
"""Letters, and what they are indexed as: the engine would take them for ASCII letters with an accent."""
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
"""All that is folded, but the Turkish letter: a text is looked through once, however little of it is so written.
(These are compiled where a text is not ASCII.)"""
_DEVANAGARI = "[\u093e-\u094c]"
_LETTER = "[\u0900-\u0963\u0970-\u097f]"
_ENDING = (
    rf"(?<={_LETTER}{_LETTER})(?:\u093f\u092f(?:\u094b\u0902|\u093e\u0902)|\u093e\u0913\u0902|\u0941\u0913\u0902"
    rf"|\u094b\u0902|\u0947\u0902|[\u093e\u093f\u0940\u0947\u094b])(?!{_LETTER})"
)

_ARABIC_BEFORE = "(?<!\\w)(?:\u0648?(?:\u0628|\u0643|\u0641)?\u0627\u0644|\u0648?\u0644\u0644)(?=\\w{2})"
"""The article, with `and` and a preposition before it."""
_HAN = "[\u4e00-\u9fff]"

_WORD = "[\\w\u0900-\u0963\u0966-\u0d7f\u200d]+"
"""A word with its marks, which are no letters to the engine."""


def folded(text: str) -> str:
    """A text with its letters as they are indexed."""
    if text.isascii():
        return text
    if "\u0130" in text or re.search(_SCRIPTS, text):
        text = text.translate(_TABLE)
        text = re.sub(_ENDING, "", text) if re.search(_DEVANAGARI, text) else text
        text = re.sub(_ARABIC_BEFORE, "", text) if "\u0644" in text else text
    return text.translate(_simplified()) if re.search(_HAN, text) else text


@lru_cache(maxsize=1)
def _simplified() -> dict[int, int]:
    lines = Path(__file__).with_name("simplified.txt").read_text("utf-8").splitlines()
    return str.maketrans(*lines[-2:])


def folded_words(text: str) -> Iterator[tuple[Span, str]]:
    """The words of a text that are indexed with other letters than they are written: where each stands, and how."""
    if folded(text) != text:
        for word in re.finditer(_WORD, text):
            if (indexed := folded(word[0])) != word[0]:
                yield Span(*word.span()), indexed
