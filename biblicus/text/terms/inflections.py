"""Forms of a word that no stemmer brings together: stems with a common beginning, and parts of compounds."""

from __future__ import annotations

from itertools import takewhile

BEGINNING, _ENDING, _PART = 4, 3, 5
"""Letters that two forms share at least, of an ending at most, and of a part of a compound at least."""
_FORM, _COMPOUND = 0.8, 0.6


def likeness(one: str, other: str) -> float:
    """Return how far one stem counts for another (0-1): `rebuilt` for `rebuild`, `hafen` in `hafenmeist`; never
    `1842` for `1843`."""
    short, long = sorted((one, other), key=len)
    if len(short) < BEGINNING or not long.isalpha():
        return 0.0
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(short, long, strict=False)))
    rest = len(long) - common
    if common >= BEGINNING and 2 * rest <= common and rest <= _ENDING:
        return _FORM
    is_part = len(short) >= _PART and (long.startswith(short) or long.endswith(short))
    return _COMPOUND if is_part else 0.0
