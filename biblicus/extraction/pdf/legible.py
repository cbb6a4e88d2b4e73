"""Check of a page's text for wrong characters, as fonts without a Unicode mapping give."""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import ascii_lowercase, ascii_uppercase

SAMPLE = 250
"""Number of characters sampled from a page at even distances."""
GARBLED = 0.5
"""Share of wrong characters from which on a page's text is discarded."""
DOUBTFUL = 0.15
_WRONG = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufffd\uffff\U000f0000-\U0010ffff]"
)
_LETTERS = 5
"""Maximum characters for each letter among unmapped codes that are correct; tables of figures have few letters."""


def wrong_share(characters: Iterable[tuple[str, bool]]) -> float:
    """Return the share of wrong characters. Each character comes with True if its font has no Unicode mapping for it.
    Such codes count as correct if their letters are mostly lower case, as in old fonts."""
    visible = [(char, is_code) for char, is_code in characters if char not in " \t\r\n\xa0\ufffe"]
    codes = "".join(char for char, is_code in visible if is_code)
    small, capitals = (sum(map(letters.__contains__, codes)) for letters in (ascii_lowercase, ascii_uppercase))
    are_codes_wrong = small < capitals or _LETTERS * (small + capitals) < len(codes)
    judged = "".join(char for char, is_code in visible if not (is_code and are_codes_wrong))
    wrong = len(visible) - len(_WRONG.sub("", judged))
    return wrong / len(visible) if visible else 0.0
