"""A unigram tokenizer of SentencePiece (Kudo 2018): of all ways to cut a word into pieces, the most probable one.

Each word is cut by itself, and remembered: most of a text is words that were met before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

_BLANK: Final = "▁"
"""What SentencePiece writes for a space: it begins a word."""
_UNKNOWN_COST = 10.0
"""How much less probable an unknown character is than the least probable piece (SentencePiece's own penalty)."""
_REMEMBERED = 100_000
_BLANKS = re.compile(" {2,}")


class Unigram:
    """`pieces`: in UTF-8, by id; `scores`: the logarithm of each one's probability. `marks`: how many pieces at the
    head are no text. `unknown`: the id for characters that no piece holds. `characters`: what code points are read as.
    """

    def __init__(
        self,
        pieces: Sequence[bytes],
        scores: Sequence[float],
        *,
        marks: int,
        unknown: int,
        characters: Mapping[int, str],
    ) -> None:
        self._ids = dict(zip(pieces, range(len(pieces)), strict=True))
        for mark in pieces[:marks]:
            del self._ids[mark]
        self._scores = scores
        self._longest = max(map(len, pieces))
        self._unknown = unknown
        self._unknown_score = min(scores) - _UNKNOWN_COST
        self._characters = characters
        self._cut = lru_cache(_REMEMBERED)(self._pieces)

    def ids(self, text: str) -> list[int]:
        """The ids of a text, without any mark. Half a surrogate pair counts as a question mark."""
        clean = text.encode("utf-8", "replace").decode().translate(self._characters)
        words = _BLANKS.sub(" ", clean).removeprefix(" ").split(" ")
        return [piece for word in words for piece in self._cut(_BLANK + word)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """The most probable cut: for each end of a character the best piece that ends there (Viterbi)."""
        raw = word.encode()
        ends = [at for at in range(1, len(raw)) if raw[at] & 0xC0 != 0x80] + [len(raw)]
        best = {0: 0.0}
        before: dict[int, tuple[int, int]] = {}
        start = 0
        for number, next_end in enumerate(ends):
            reached = best[start]
            for end in ends[number:]:
                if end - start > self._longest:
                    break
                piece = self._ids.get(raw[start:end])
                if piece is not None:
                    score = reached + self._scores[piece]
                elif end == next_end:
                    piece, score = self._unknown, reached + self._unknown_score
                else:
                    continue
                if end not in best or score > best[end]:
                    best[end] = score
                    before[end] = start, piece
            start = next_end
        cut = []
        while start:
            start, piece = before[start]
            cut.append(piece)
        return tuple(reversed(cut))
