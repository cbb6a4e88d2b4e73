"""Near copies: items that share most of their runs of three words.

MinHash (Broder, "On the resemblance and containment of documents", 1997) with bands (Leskovec, Rajaraman, Ullman,
"Mining of Massive Datasets", 3.4) finds candidates. Their runs of words are then compared in full."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SIMILAR = 0.7
"""Minimum share of common runs of words (Jaccard index)."""
_FEWEST = 20
"""Minimum runs of words: shorter texts are alike by chance."""
_HASHES, _ROWS = 64, 4
"""Numbers in a signature, and in a band: at a similarity of 0.7, 99 of 100 pairs share a band."""
_PIECE = 1_024
"""Runs of words that are hashed at a time."""
_WORD = re.compile(r"\w+")

Numbers = NDArray[np.uint32]


class NearCopy(NamedTuple):
    """An item, the item before it that is most similar, and how similar (0 to 1)."""

    path: str
    of: str
    similarity: float


class NearCopies:
    """Collects texts, then finds the near copies among them."""

    def __init__(self) -> None:
        self._words: defaultdict[str, int] = defaultdict(count().__next__)
        self._signatures: dict[str, Numbers] = {}
        random = np.random.default_rng(0).integers(1 << 63, size=_HASHES + 3, dtype=np.uint64) | np.uint64(1)
        self._mixers, self._factors = random[:3], random[3:]

    def add(self, path: str, text: str) -> None:
        """Add an item by its path. Texts that are too short are ignored."""
        runs = self._runs(text)
        if len(runs) >= _FEWEST:
            pieces = (runs[start : start + _PIECE, None] for start in range(0, len(runs), _PIECE))
            lowest = [(piece * self._factors).min(axis=0) for piece in pieces]
            self._signatures[path] = self._hashed(np.minimum.reduce(lowest))

    def found(self, texts: Callable[[Set[str]], Iterable[tuple[str, str]]]) -> list[NearCopy]:
        """Return the near copies by path. `texts`: returns the texts of these paths again."""
        paths = sorted(self._signatures)
        candidates = {(paths[first], paths[later]) for first, later in self._candidates(paths)}
        wanted = {path for pair in candidates for path in pair}
        runs = {path: np.unique(self._runs(text)) for path, text in texts(wanted)}
        best: dict[str, NearCopy] = {}
        for first, later in sorted(candidates):
            common = len(np.intersect1d(runs[first], runs[later], assume_unique=True))
            similarity = common / (len(runs[first]) + len(runs[later]) - common)
            if similarity >= SIMILAR and (later not in best or similarity > best[later].similarity):
                best[later] = NearCopy(later, first, similarity)
        return sorted(best.values())

    def _runs(self, text: str) -> NDArray[np.uint64]:
        """Return the runs of three words as numbers of 32 bits."""
        words = _WORD.findall(text.lower())
        numbers = np.fromiter(map(self._words.__getitem__, words), np.uint64, len(words))
        first, second, third = self._mixers
        mixed = numbers[:-2] * first + numbers[1:-1] * second + numbers[2:] * third
        return self._hashed(mixed).astype(np.uint64)

    def _candidates(self, paths: list[str]) -> Iterator[tuple[int, int]]:
        """Yield pairs that share a band: each item with the first that has the same numbers."""
        if not paths:
            return
        signatures = np.array([self._signatures[path] for path in paths])
        for band in range(0, _HASHES, _ROWS):
            keys = np.ascontiguousarray(signatures[:, band : band + _ROWS]).view(np.dtype((np.void, 4 * _ROWS))).ravel()
            _, firsts, groups = np.unique(keys, return_index=True, return_inverse=True)
            first = firsts[groups]
            later = np.flatnonzero(first < np.arange(len(paths)))
            yield from zip(first[later].tolist(), later.tolist(), strict=True)

    @staticmethod
    def _hashed(numbers: NDArray[np.uint64]) -> Numbers:
        """Return the upper half of each product, which is well mixed."""
        return (numbers >> np.uint64(32)).astype(np.uint32)
