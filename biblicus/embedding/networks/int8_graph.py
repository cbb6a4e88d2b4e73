"""The layers of a BERT encoder as an ONNX graph whose products of matrices are of eight bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from biblicus.embedding.networks import onnx_file

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from biblicus.embedding.networks.bert import Model

_OURS = "com.microsoft"
"""The namespace of onnxruntime's own operators."""
_OPSET, _IR = 20, 9
"""The first with `Gelu` as one operator, and the file format of its time."""


def graph(model: Model, block: int) -> bytes:
    """An ONNX model from `states` (1, tokens, dim), as the embeddings give them, to those after the last layer."""
    return _Layers(model, block).serialized()


class _Layers:
    def __init__(self, model: Model, block: int) -> None:
        self._model = model
        self._weights: dict[str, Any] = dict(model.weights)
        self._block = block
        self._parts: list[bytes] = []

    def serialized(self) -> bytes:
        states = "states"
        for layer in range(self._model.layers):
            states = self._layer(f"encoder.layer.{layer}.", states)
        shape: list[int | str] = [1, "tokens", int(self._weights["embeddings.LayerNorm.bias"].shape[0])]
        ends = [(name, shape) for name in ("states", states)]
        return onnx_file.model(self._parts, ends, {"": _OPSET, _OURS: 1}, _IR)

    def _layer(self, name: str, states: str) -> str:
        heads = name + "attention.self."
        parts = [self._linear(heads + part, states) for part in ("query", "key", "value")]
        mixed = self._node("MultiHeadAttention", parts, _OURS, num_heads=self._model.heads)
        attended = self._linear(name + "attention.output.dense", mixed)
        attended = self._norm(name + "attention.output.", self._node("Add", [attended, states]))
        hidden = self._node("Gelu", [self._linear(name + "intermediate.dense", attended)])
        result = self._linear(name + "output.dense", hidden)
        return self._norm(name + "output.", self._node("Add", [result, attended]))

    def _linear(self, name: str, states: str) -> str:
        weights = np.asarray(self._weights[name + ".weight"], np.float32)
        bytes_, scales = eight_bits(weights, self._block)
        inputs = [
            states, self._tensor(name + ".weight", bytes_), self._tensor(name + ".scale", scales), "", "",
            self._tensor(name + ".bias", self._weights[name + ".bias"]),
        ]  # fmt: skip
        out, into = weights.shape
        return self._node("MatMulNBits", inputs, _OURS, K=into, N=out, bits=8, block_size=self._block, accuracy_level=4)

    def _norm(self, name: str, states: str) -> str:
        inputs = [states, *(self._tensor(f"{name}LayerNorm.{kind}") for kind in ("weight", "bias"))]
        return self._node("LayerNormalization", inputs, epsilon=self._model.epsilon)

    def _tensor(self, name: str, value: NDArray[Any] | None = None) -> str:
        """A constant by that name; that of the weights, if no other `value` is given."""
        numbers = self._weights[name] if value is None else value
        self._parts.append(onnx_file.tensor(name, numbers))
        return name

    def _node(self, kind: str, inputs: list[str], domain: str = "", **options: Any) -> str:
        result = f"{kind}{len(self._parts)}"
        self._parts.append(onnx_file.operator(onnx_file.Operator(kind, inputs, [result]), domain, options))
        return result


def eight_bits(weights: NDArray[float32], block: int) -> tuple[NDArray[np.uint8], NDArray[float32]]:
    """Weights (out, in) as bytes (out, blocks, block), 128 meaning 0, and the scale of each block (out, blocks).

    `in` is filled up to whole blocks with zeros."""
    out, into = weights.shape
    blocks = -(-into // block)
    filled = np.zeros((out, blocks * block), np.float32)
    filled[:, :into] = weights
    parts = filled.reshape(out, blocks, block)
    scales = np.abs(parts).max(axis=2) / np.float32(127)
    units = np.divide(parts, scales[:, :, None], out=np.zeros_like(parts), where=scales[:, :, None] > 0)
    return (np.rint(units) + 128).astype(np.uint8), scales
