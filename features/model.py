"""A model for the specification: words of one meaning have one vector, so that meaning can be told from wording.

It stands in for a real one, which `tests/embedding` tries; it is deterministic, and counts what it is asked.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from biblicus.contracts import Call
from biblicus.errors import Unavailable

MEANINGS = {
    word: meaning
    for meaning, words in {
        "boat": "boat boats ship ships vessel vessels",
        "tide": "tide tides ebb ebbs flood",
        "bird": "gull gulls bird birds",
        "rope": "rope ropes line lines cord",
        "moon": "moon moons mond",
        "loop": "loop loops branch branches perplexity",
    }.items()
    for word in words.split()
}
_STOP = frozenset({"the", "a", "an", "of", "is", "are", "by", "and", "in", "at", "to", "it", "on", "every", "day"})
_DIM = 64


@dataclass
class Meaning:
    """See `contracts.Embedder`. `embedded`: the texts embedded so far. `away`: it does not answer. `hates`: texts with
    this word cannot be embedded."""

    fingerprint: str = "meaning-1"
    dim: int = _DIM
    max_tokens: int = 40
    away: bool = False
    hates: str = ""
    languages: frozenset[str] | None = None
    embedded: list[str] = field(default_factory=list)

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[np.float32]:
        if self.away:
            raise Unavailable("The model does not answer.", "start it")
        self.embedded += texts
        found = np.stack([_vector(text) for text in texts])
        found[[bool(self.hates) and self.hates in text for text in texts]] = np.nan
        return found

    def question(self, text: str, call: Call) -> NDArray[np.float32]:
        if self.away:
            raise Unavailable("The model does not answer.", "start it")
        return _vector(text)

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def _vector(text: str) -> NDArray[np.float32]:
    total = np.zeros(_DIM)
    for word in re.findall(r"\w+", text.lower()):
        if word not in _STOP:
            total += _direction(MEANINGS.get(word, word))
    length = float(np.linalg.norm(total))
    return (total / length if length else _direction("nothing")).astype(np.float32)


@cache
def _direction(meaning: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(meaning.encode()).digest()[:8], "big")
    direction = np.random.default_rng(seed).normal(size=_DIM)
    found: NDArray[np.float64] = direction / np.linalg.norm(direction)
    return found
