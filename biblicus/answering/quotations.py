"""Finds words that somebody claims to quote: white space, quotation marks, dashes and case aside, they must be there.

Models change those four when they copy. What is cited is the text's own span, exact to the character.
"""

from __future__ import annotations

import re

from biblicus.models.extraction import Span

_SAME = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_HIDDEN = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff")
_ENDS = " \t\n\r\"'“”„«»‘’*_`"
_GAP = re.compile(r"\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\(\s*(?:\.\.\.|…)\s*\)|\.\.\.|…)\s*")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")


def find(text: str, quote: str) -> list[Span]:
    """The spans of `text` that a quotation stands for, ascending: one, or one for each part between ellipses.

    Empty where any part does not stand there after the one before it, as whole words.
    """
    parts = [part for part in (part.strip(_ENDS) for part in _GAP.split(quote)) if any(map(str.isalnum, part))]
    if not parts:
        return []
    plain, offsets = _plain(text)
    spans: list[Span] = []
    at = 0
    for part in parts:
        wanted = _plain(part)[0].strip()
        span = _whole(plain, wanted, at)
        if span < 0:
            return []
        at = span + len(wanted)
        spans.append(Span(offsets[span], offsets[at - 1] + 1))
    return spans


def _plain(text: str) -> tuple[str, list[int]]:
    """The text in one spelling, and for each of its characters the offset that it comes from."""
    characters: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character in _HIDDEN:
            continue
        if character.isspace():
            if characters and characters[-1] == " ":
                continue
            character = " "
        else:
            character = _SAME.get(character, character)
            lower = character.lower()
            character = lower if len(lower) == 1 else character
        characters.append(character)
        offsets.append(offset)
    return "".join(characters), offsets


def _whole(plain: str, wanted: str, start: int) -> int:
    """Where `wanted` stands and cuts no word in two; -1 where it does not."""
    at = plain.find(wanted, start)
    while at >= 0:
        if _apart(plain, at) and _apart(plain, at + len(wanted)):
            return at
        at = plain.find(wanted, at + 1)
    return -1


def _apart(plain: str, offset: int) -> bool:
    """Whether no word goes on across the offset."""
    if offset <= 0 or offset >= len(plain):
        return True
    before, after = plain[offset - 1], plain[offset]
    return not (before.isalnum() and after.isalnum()) or bool(_UNSPACED.match(before) or _UNSPACED.match(after))
