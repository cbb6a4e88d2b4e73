"""The layers of a BERT encoder as an ONNX graph with eight-bit matrix products.

States have eight bits, weights seven. Two products then fit into the 16 bits in which processors without VNNI add them,
and integer results are the same everywhere. With eight bits the vectors of such a machine had a cosine of .993."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from biblicus.embedding.networks import onnx_file
from biblicus.lazy import NDArray, np

if TYPE_CHECKING:
    from biblicus.embedding.networks.bert import Model

_OURS = "com.microsoft"
"""Namespace of onnxruntime's own operators."""
_OPSET, _IR = 20, 9
"""First version with `Gelu` as one operator, and its file format."""


_MOST = 63
"""Maximum magnitude of a weight."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """A quantized matrix: `numbers` (in, out), int8, and the scale of each output (out,)."""

    numbers: NDArray[np.int8]
    scales: NDArray[np.float32]


def graph(model: Model, *, first_only: bool = False) -> bytes:
    """Return an ONNX model from `states` (1, tokens, dim), the embeddings, to the states after the last layer.

    `first_only`: in the last layer, compute only the first token, (1, 1, dim)."""
    return _Layers(model, first_only).serialized()


class _Layers:
    def __init__(self, model: Model, first_only: bool) -> None:
        self._model = model
        self._weights: dict[str, Any] = dict(model.weights)
        self._first_only = first_only
        self._parts: list[bytes] = []

    def serialized(self) -> bytes:
        dim = int(self._weights["embeddings.LayerNorm.bias"].shape[0])
        self._head = dim // self._model.heads
        self._tensor("by_head", np.array([0, -1, self._model.heads, self._head]))
        self._tensor("side_by_side", np.array([0, -1, dim]))
        for name, number in (("from", 0), ("to", 1), ("axis", 1)):
            self._tensor(name, np.array([number]))
        states = "states"
        for layer in range(self._model.layers):
            is_last = layer == self._model.layers - 1
            states = self._layer(f"encoder.layer.{layer}.", states, self._first_only and is_last)
        shape: list[int | str] = [1, "tokens", dim]
        ends = [("states", shape), (states, [1, 1, dim] if self._first_only else shape)]
        return onnx_file.model(self._parts, ends, {"": _OPSET, _OURS: 1}, _IR)

    def _layer(self, name: str, states: str, first_only: bool) -> str:
        heads = name + "attention.self."
        asking = self._node("Slice", [states, "from", "to", "axis"]) if first_only else states
        # Written out: as one operator (MultiHeadAttention) it takes a quarter longer.
        query = self._heads(heads + "query", asking, [0, 2, 1, 3])
        key = self._heads(heads + "key", states, [0, 2, 3, 1])
        value = self._heads(heads + "value", states, [0, 2, 1, 3])
        share = self._node("Softmax", [self._node("FusedMatMul", [query, key], _OURS, alpha=self._head**-0.5)], axis=-1)
        mixed = self._node("Transpose", [self._node("MatMul", [share, value])], perm=[0, 2, 1, 3])
        attended = self._linear(name + "attention.output.dense", self._node("Reshape", [mixed, "side_by_side"]))
        attended = self._norm(name + "attention.output.", self._node("Add", [attended, asking]))
        hidden = self._node("Gelu", [self._linear(name + "intermediate.dense", attended)])
        result = self._linear(name + "output.dense", hidden)
        return self._norm(name + "output.", self._node("Add", [result, attended]))

    def _heads(self, name: str, states: str, order: list[int]) -> str:
        split = self._node("Reshape", [self._linear(name, states), "by_head"])
        return self._node("Transpose", [split], perm=order)

    def _linear(self, name: str, states: str) -> str:
        weights = seven_bits(self._weights[name + ".weight"])
        inputs = [
            states, self._tensor(name + ".weight", weights.numbers), self._tensor(name + ".scale", weights.scales),
            self._tensor(name + ".zero", np.zeros(len(weights.scales), np.int8)), self._tensor(name + ".bias"),
        ]  # fmt: skip
        return self._node("DynamicQuantizeMatMul", inputs, _OURS)

    def _norm(self, name: str, states: str) -> str:
        inputs = [states, *(self._tensor(f"{name}LayerNorm.{kind}") for kind in ("weight", "bias"))]
        return self._node("LayerNormalization", inputs, epsilon=self._model.epsilon)

    def _tensor(self, name: str, value: NDArray[Any] | None = None) -> str:
        """Add a constant of this name: `value`, or the weights of this name."""
        numbers = self._weights[name] if value is None else value
        self._parts.append(onnx_file.tensor(name, numbers))
        return name

    def _node(self, kind: str, inputs: list[str], domain: str = "", **options: Any) -> str:
        result = f"{kind}{len(self._parts)}"
        self._parts.append(onnx_file.operator(onnx_file.Operator(kind, inputs, [result]), domain, options))
        return result


def seven_bits(weights: Scaled | NDArray[np.float32]) -> Scaled:
    """Quantize weights (out, in), or stored ones, with 63 as the largest number of an output.

    (absmax, Dettmers et al. 2022.) Outputs stored in fewer bits are unchanged."""
    if isinstance(weights, Scaled):
        stored = weights.numbers
        largest = np.maximum(stored.max(axis=0), -stored.min(axis=0).astype(np.int16))
        large = np.flatnonzero(largest > _MOST)
        factors = np.float32(_MOST) / largest[large]
        numbers, scales = stored.copy(), weights.scales.copy()
        numbers[:, large] = np.rint(stored[:, large] * factors)
        scales[large] /= factors
        return Scaled(numbers, scales)
    scales = np.abs(weights).max(axis=1) / np.float32(_MOST)
    units = np.divide(weights, scales[:, None], out=np.zeros_like(weights), where=scales[:, None] > 0)
    return Scaled(np.rint(units).astype(np.int8).T, scales)
