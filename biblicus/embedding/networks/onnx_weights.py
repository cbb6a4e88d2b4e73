"""Reads a BERT's weights from an ONNX file that stores them as bytes with scales.

Such a file has a matrix `X_q` (int8) with `X_scale`, a number for each output, or `X_quantized` with `X_scale` and
`X_zero_point`, one number each. Matrix products have no names of their own: each is identified by the bias added to it.
Matrices multiplied in eight bits are returned as stored, without conversion to floats."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

from biblicus.embedding.networks import onnx_file
from biblicus.embedding.networks.bert import Model
from biblicus.embedding.networks.int8_graph import Scaled
from biblicus.errors import ConfigInvalid
from biblicus.lazy import NDArray, np

_ROOTS = ("inner.", "bert.")
"""Prefixes of names in an exported model."""
_NUMBERS, _SCALE, _ZERO = ("_q", "_quantized"), "_scale", "_zero_point"
_PRODUCTS = ("MatMul", "MatMulInteger")
_WORDS = "embeddings.word_embeddings.weight"


def read(path: Path, heads: int) -> Model:
    """Return the model. Raises `ConfigInvalid` for a file of another kind, and `OSError`."""
    try:
        return _model(*onnx_file.read(path.read_bytes()), heads)
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigInvalid(str(path), "no ONNX file of a BERT in eight bits.", "biblicus models get") from error


def _model(stored: dict[str, Any], operators: list[onnx_file.Operator], heads: int) -> Model:
    tables = {name.removesuffix(end): name for end in _NUMBERS for name in stored if name.endswith(end)}
    weights: dict[str, Any] = {
        _plain(name): _table(stored, tables[name], name) for name in tables if name.endswith(".weight")
    }
    weights |= {_plain(name): array for name, array in stored.items() if name.endswith((".weight", ".bias"))}
    for matrix, bias in _products(operators):
        name = next(
            (table for table in (matrix, *(matrix.removesuffix(end) for end in _NUMBERS)) if table in tables), ""
        )
        if name:
            weights[_plain(bias).removesuffix("bias") + "weight"] = _scaled(stored, tables[name], name)
    words = weights.pop(_WORDS)
    layers = len({name.split(".")[2] for name in weights if name.startswith("encoder.layer.")})
    return Model(weights, layers, heads, words=words)


def _plain(name: str) -> str:
    """Return the name in Hugging Face's `BertModel`."""
    for root in _ROOTS:
        name = name.removeprefix(root)
    return name


def _products(operators: list[onnx_file.Operator]) -> list[tuple[str, str]]:
    """Return each product's matrix, and the bias added to its result."""
    users = defaultdict(list)
    for node in operators:
        for name in node.inputs:
            users[name].append(node)
    pairs = []
    for product in operators:
        node = product
        while product.kind in _PRODUCTS and len(following := users[node.outputs[0]]) == 1:
            node = following[0]
            bias = next((name for name in node.inputs if name.endswith(".bias")), None)
            if node.kind == "Add":
                if bias is not None:
                    pairs.append((product.inputs[1], bias))
                break
    return pairs


def _table(stored: dict[str, Any], numbers: str, name: str) -> Any:
    """Return a matrix of embeddings as floats; that of words, by far the largest, as a function of rows."""
    scale, zero = stored[name + _SCALE], stored.get(name + _ZERO, 0)

    def rows(ids: NDArray[Any] | slice) -> NDArray[np.float32]:
        part: NDArray[np.float32] = stored[numbers][ids].astype(np.float32)
        part -= np.float32(zero)
        part *= scale[ids] if scale.ndim else scale
        return part

    return rows if _plain(name) == _WORDS else rows(slice(None))


def _scaled(stored: dict[str, Any], numbers: str, name: str) -> Scaled:
    if np.any(stored.get(name + _ZERO, 0)):
        raise ValueError("weights that do not lie around zero")
    outputs = stored[numbers].shape[1]
    return Scaled(stored[numbers], np.broadcast_to(stored[name + _SCALE].ravel(), (outputs,)))
