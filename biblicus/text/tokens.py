"""Token counts estimated from characters, without a tokenizer.

An ideograph, a kana, a Hangul syllable or an emoji counts as one token, and so do four characters of other scripts,
about as in today's language models. `reach` and `reach_back` are its inverses.
"""

from __future__ import annotations

CHARACTERS_PER_TOKEN = 4

# Wide characters (from U+3000) are recognised by their first UTF-8 byte.
_OTHER_BYTES = bytes(range(0xE3))


def _quarters(text: str) -> int:
    """Return the size of `text` in quarters of a token."""
    if text.isascii():
        return len(text)
    wide = len(text.encode("utf-8", "surrogatepass").translate(None, _OTHER_BYTES))
    return len(text) + (CHARACTERS_PER_TOKEN - 1) * wide


def estimate(text: str) -> int:
    """Return the number of tokens, rounded up. Constant time for ASCII, else about a nanosecond a character."""
    return -(-_quarters(text) // CHARACTERS_PER_TOKEN)


def reach(text: str, start: int, end: int, tokens: int) -> int:
    """Return the largest offset up to `end` such that `estimate(text[start:offset]) <= tokens`."""
    low, high = start, min(end, start + tokens * CHARACTERS_PER_TOKEN)
    room = tokens * CHARACTERS_PER_TOKEN
    if text.isascii() or _quarters(text[start:high]) <= room:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if _quarters(text[start:middle]) <= room:
            low = middle
        else:
            high = middle
    return low


def reach_back(text: str, start: int, end: int, tokens: int) -> int:
    """Return the smallest offset from `start` such that `estimate(text[offset:end]) <= tokens`."""
    low, high = max(start, end - tokens * CHARACTERS_PER_TOKEN), end
    room = tokens * CHARACTERS_PER_TOKEN
    if text.isascii() or _quarters(text[low:end]) <= room:
        return low
    while high - low > 1:
        middle = (low + high) // 2
        if _quarters(text[middle:end]) <= room:
            high = middle
        else:
            low = middle
    return high
