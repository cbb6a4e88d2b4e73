"""A unigram tokenizer of SentencePiece (Kudo 2018): the most probable division of a word into pieces.

Each word is divided separately and cached, since most words of a text repeat."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

_BLANK: Final = "▁"
"""Character that SentencePiece writes for a space, at the start of a word."""
_UNKNOWN_COST = 10.0
"""Log-probability by which an unknown character is less than the least probable piece, as in SentencePiece."""
_REMEMBERED = 100_000
_BLANKS = re.compile(" {2,}")


class Unigram:
    """Tokenizer. `pieces`: in UTF-8, by id; `scores`: log-probability of each.

    `marks`: number of special pieces at the start. `unknown`: id for characters without a piece. `characters`: mapping
    of code points to text."""

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
        """Return the ids of a text, without special tokens. A lone surrogate counts as a question mark."""
        clean = text.encode("utf-8", "replace").decode().translate(self._characters)
        words = _BLANKS.sub(" ", clean).removeprefix(" ").split(" ")
        return [piece for word in words for piece in self._cut(_BLANK + word)]

    def _pieces(self, word: str) -> tuple[int, ...]:
        """Return the most probable division: for each position the best piece that ends there (Viterbi)."""
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
