"""Weights of question words: a fitted model of how likely each word occurs in the answering text.

Words that only frame a question ("tell me in one sentence what … does") get low weights, words about its subject 1. The
model is linear over hashed features (the word, its neighbours, its position), without word lists, for all languages.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterator, Sequence
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
    return [_weight(scale * sum(steps[bucket] - 128 for bucket in features(words, at))) if words[at].isalpha() else 1.0
            for at in range(len(words))]  # fmt: skip


def _weight(total: float) -> float:
    return round(min(1.0, 1 / (1 + math.exp(-total)) / _FULL), 3)


def features(words: Sequence[str], at: int) -> Iterator[int]:
    """Yield the hash bucket of each feature of the word at a position."""
    word, count = words[at], len(words)
    left = words[at - 1] if at else "^"
    right = words[at + 1] if at + 1 < count else "$"
    written = (
        "bias", f"w {word}", f"l {left}", f"r {right}", f"lw {left} {word}", f"wr {word} {right}",
        f"s {min(at, _EDGE)}", f"e {min(count - 1 - at, _EDGE)}", f"n {min(count, 3 * _EDGE)}",
        f"c {min(len(word), 9)}", f"k {min(at, _EDGE)} {min(count, 3 * _EDGE)}",
    )  # fmt: skip
    return (zlib.crc32(feature.encode("utf-8", "replace")) % BUCKETS for feature in written)


@cache
def _model() -> tuple[bytes, float]:
    """Return the model: a step (0-255, 128 for zero) for each bucket, and the size of a step."""
    model = json.loads(Path(__file__).with_name("wrapping.json").read_bytes())
    return zlib.decompress(base64.b85decode(model["table"])), model["scale"]
