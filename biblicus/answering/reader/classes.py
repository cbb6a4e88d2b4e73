"""Fitted data of the reader (`weights.json`, made by `make fit`), and its classifier of questions.

The classifier returns the kind of answer that a question expects, from character n-grams."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any


@cache
def data() -> dict[str, Any]:
    """Return the fitted data: `version`, the class model, and for each configuration weights and calibration."""
    text = files("biblicus.answering.reader").joinpath("weights.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


CLASSES = ("number", "time", "name", "clause", "other")
"""The kinds of answer. `clause`: several words that state something."""
BUCKETS, _SHORTEST, _LONGEST = 4_096, 2, 5
"""Number of hash buckets, and minimum and maximum characters of an n-gram."""
_MOST = 400
"""Maximum characters of a question that are used."""


def grams(question: str) -> Mapping[int, float]:
    """Return the weight of each bucket: normalised counts of hashed n-grams."""
    text = f" {' '.join(question.lower().split())[:_MOST]} "
    counts = Counter(
        zlib.crc32(text[at : at + size].encode("utf-8", "replace")) % BUCKETS
        for size in range(_SHORTEST, _LONGEST + 1)
        for at in range(len(text) - size + 1)
    )
    norm = math.sqrt(sum(count * count for count in counts.values())) or 1.0
    return {bucket: count / norm for bucket, count in counts.items()}


@lru_cache(maxsize=256)
def probabilities(question: str) -> Mapping[str, float]:
    """Return the probability of each class."""
    table, scale, bias = _model()
    sums = list(bias)
    for bucket, weight in grams(question).items():
        for at in range(len(CLASSES)):
            value = table[bucket * len(CLASSES) + at]
            sums[at] += weight * scale * (value - 256 if value > 127 else value)
    most = max(sums)
    shares = [math.exp(total - most) for total in sums]
    return {name: share / sum(shares) for name, share in zip(CLASSES, shares, strict=True)}


@lru_cache(maxsize=1)
def _model() -> tuple[bytes, float, tuple[float, ...]]:
    """Return the model: a signed byte for each bucket and class, the size of a step, and the bias of each class."""
    model = data()["classes"]
    return zlib.decompress(base64.b85decode(model["table"])), model["scale"], tuple(model["bias"])
