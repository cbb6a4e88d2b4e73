"""A BERT encoder in numpy, without torch, for a question or a few texts.

The weights are mapped into memory, so that a first question costs 20 ms; to open the same model as an ONNX session
costs ten times that. Formulas: Devlin et al. 2018, as in Hugging Face's `BertModel`; mean pooling over all tokens and
L2 norm as in sentence-transformers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biblicus.lazy import NDArray, np

if TYPE_CHECKING:
    from biblicus.embedding.networks.safetensors import Tensors

    Matrix = NDArray[np.float32]

_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
"""Coefficients of Abramowitz and Stegun 7.1.26: erf within 1.5e-7."""


@dataclass(frozen=True)
class Model:
    """A model: `weights`, by the names of Hugging Face's `BertModel`, and its parameters.

    `epsilon`: of the layer norms. `words`: returns the vectors (n, dim) of n token ids, if the weights are not stored
    as plain arrays."""

    weights: Tensors
    layers: int
    heads: int
    epsilon: float = 1e-12
    words: Callable[[NDArray[Any]], Matrix] | None = None


class NumpyBert:
    """Forward pass over concatenated texts, without padding."""

    def __init__(self, model: Model) -> None:
        self._weights: dict[str, Any] = dict(model.weights)
        self._model = model

    def embed(self, tokens: Sequence[Sequence[int]]) -> Matrix:
        """Convert token ids of n ≥ 1 non-empty texts to normalised vectors (n, dim)."""
        lengths = [len(ids) for ids in tokens]
        starts = np.cumsum([0, *lengths])[:-1].tolist()
        states = self.embeddings(tokens)
        for layer in range(self._model.layers):
            states = self._layer(f"encoder.layer.{layer}.", states, starts, lengths)
        return pooled(states, starts)

    def embeddings(self, tokens: Sequence[Sequence[int]], second_from: int | None = None) -> Matrix:
        """Return the concatenated input vectors (tokens, dim) of the first layer. `second_from`: start of a second
        text."""
        name = "embeddings."
        words = self._model.words
        lengths = [len(ids) for ids in tokens]
        flat = np.concatenate([np.asarray(ids) for ids in tokens])
        states: Matrix = words(flat) if words else self._weights[name + "word_embeddings.weight"][flat]
        positions = self._weights[name + "position_embeddings.weight"]
        states += np.concatenate([positions[:length] for length in lengths])
        first, second = self._weights[name + "token_type_embeddings.weight"][:2]
        states[:second_from] += first
        if second_from is not None:
            states[second_from:] += second
        return self._norm(name, states)

    def _layer(self, name: str, states: Matrix, starts: Sequence[int], lengths: Sequence[int]) -> Matrix:
        heads = (-1, self._model.heads, states.shape[1] // self._model.heads)
        query, key, value = (
            self._linear(f"{name}attention.self.{part}", states).reshape(heads) for part in ("query", "key", "value")
        )
        query *= np.float32(heads[2] ** -0.5)
        mixed = np.empty_like(query)
        for start, length in zip(starts, lengths, strict=True):
            rows = slice(start, start + length)
            share = query[rows].transpose(1, 0, 2) @ key[rows].transpose(1, 2, 0)
            share -= share.max(axis=-1, keepdims=True)
            np.exp(share, out=share)
            share /= share.sum(axis=-1, keepdims=True)
            mixed[rows] = (share @ value[rows].transpose(1, 0, 2)).transpose(1, 0, 2)
        attended = self._linear(name + "attention.output.dense", mixed.reshape(states.shape))
        attended += states
        attended = self._norm(name + "attention.output.", attended)
        result = self._linear(name + "output.dense", _gelu(self._linear(name + "intermediate.dense", attended)))
        result += attended
        return self._norm(name + "output.", result)

    def _linear(self, name: str, states: Matrix) -> Matrix:
        result: Matrix = states @ self._weights[name + ".weight"].T
        result += self._weights[name + ".bias"]
        return result

    def _norm(self, name: str, states: Matrix) -> Matrix:
        states -= states.mean(axis=1, keepdims=True)
        spread = np.einsum("ij,ij->i", states, states) / states.shape[1]
        states /= np.sqrt(spread + np.float32(self._model.epsilon))[:, None]
        states *= self._weights[name + "LayerNorm.weight"]
        states += self._weights[name + "LayerNorm.bias"]
        return states


def pooled(states: Matrix, starts: Sequence[int]) -> Matrix:
    """Return the normalised mean vector of each text; `starts`: positions of their first tokens."""
    summed: Matrix = np.add.reduceat(states, starts, axis=0)
    summed /= np.linalg.norm(summed, axis=1, keepdims=True)
    return summed


def _gelu(states: Matrix) -> Matrix:
    """x/2 · (1 + erf(x/√2)), row by row so that the intermediate values stay in the processor's cache."""
    for row in range(0, len(states), 16):
        part = states[row : row + 16]
        size = np.abs(part)
        size *= np.float32(0.5**0.5)
        step = 1 / (1 + np.float32(0.3275911) * size)
        tail = step * np.float32(_ERF[0])
        for coefficient in _ERF[1:]:
            tail += np.float32(coefficient)
            tail *= step
        size *= size
        np.negative(size, out=size)
        tail *= np.exp(size, out=size)
        tail *= np.float32(0.5)
        part *= np.where(part > 0, 1 - tail, tail)
    return states
