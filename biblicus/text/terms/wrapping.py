"""Weights of question words: a fitted model of how likely each word occurs in the answering text.

Words that only frame a question ("tell me in one sentence what … does") get low weights, words about its subject 1. The
model is linear over hashed features (the word, its neighbours, its position), without word lists, for all languages.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from biblicus.text.terms import analysis

BUCKETS = 1 << 13
_EDGE = 4
"""Positions from either end of a question that are distinct features."""
_FULL = 0.5
"""Probability from which a word has weight 1; below it the weight is proportional."""
_SHORTEST, _LONGEST = 3, 16
"""Minimum and maximum words of a question that is weighted; in names and long passages all words weigh the same."""


def weights(words: Sequence[str]) -> list[float]:
    """Return the weight (0-1) of each word; numbers and scripts without spaces have weight 1. `words`: all words in
    order and lower case, including stop words."""
    if not _SHORTEST <= len(words) <= _LONGEST or any(analysis.is_unspaced(word) for word in words):
        return [1.0] * len(words)
    steps, scale = _model()
    sums = [sum([steps[bucket] for bucket in found]) - 128 * len(found) for found in features(words)]
    return [_weight(scale * total) if word.isalpha() else 1.0 for word, total in zip(words, sums, strict=True)]


def _weight(total: float) -> float:
    return round(min(1.0, 1 / (1 + math.exp(-total)) / _FULL), 3)


def features(words: Sequence[str]) -> list[list[int]]:
    """Return the hash buckets of the features of each word: itself, its neighbours and its position."""
    crc, count = zlib.crc32, len(words)
    edged = [b"^", *(word.encode("utf-8", "replace") for word in words), b"$"]
    carriers = []
    for at, (left, word, right) in enumerate(zip(edged, edged[1:], edged[2:], strict=False)):
        written = (b"w " + word, b"l " + left, b"r " + right, b"lw %b %b" % (left, word), b"wr %b %b" % (word, right))
        place = _of_place(min(at, _EDGE), min(count - 1 - at, _EDGE), min(count, 3 * _EDGE), min(len(words[at]), 9))
        carriers.append([*[crc(feature) % BUCKETS for feature in written], *place])
    return carriers


@cache
def _of_place(start: int, end: int, count: int, length: int) -> list[int]:
    """Return the buckets of the features of a position and a word's length."""
    written = ("bias", f"s {start}", f"e {end}", f"n {count}", f"c {length}", f"k {start} {count}")
    return [zlib.crc32(feature.encode()) % BUCKETS for feature in written]


@cache
def _model() -> tuple[bytes, float]:
    """Return the model: a step (0-255, 128 for zero) for each bucket, and the size of a step."""
    model = json.loads(Path(__file__).with_name("wrapping.json").read_bytes())
    return zlib.decompress(base64.b85decode(model["table"])), model["scale"]
