"""Whether the text of a page is characters: fonts that do not name their glyphs give codes, marks and private signs."""

from __future__ import annotations

import re
from collections.abc import Iterable

SAMPLE = 250
"""Characters of a page that are looked at, evenly spread."""
GARBLED = 0.5
"""From this share of wrong characters on, a page's text is none."""
DOUBTFUL = 0.15
_WRONG = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffd\uffff\U000f0000-\U0010ffff]"
)
_SMALL_LETTER, _CAPITAL = re.compile("[a-z]"), re.compile("[A-Z]")
_LETTERS = 5
"""Of so many codes one at least is a letter where they are what they say: tables of figures have few, and contents
with rows of dots."""


def wrong_share(characters: Iterable[tuple[str, bool]]) -> float:
    """The share of wrong characters. Each with whether its font leaves unsaid which it is, so that it is a mere code;
    codes whose letters are mostly small ones are what they say all the same, as old fonts have them."""
    shown = [(char, is_code) for char, is_code in characters if char not in " \t\r\n\xa0\ufffe"]
    codes = [char for char, is_code in shown if is_code]
    small, capitals = (sum(map(bool, map(kind.match, codes))) for kind in (_SMALL_LETTER, _CAPITAL))
    are_codes_wrong = small < capitals or _LETTERS * (small + capitals) < len(codes)
    wrong = sum(bool(_WRONG.match(char)) or (is_code and are_codes_wrong) for char, is_code in shown)
    return wrong / len(shown) if shown else 0.0
