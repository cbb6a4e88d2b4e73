"""Reads a BERT's weights out of an ONNX file that keeps them as bytes with a scale for each output.

Such a file multiplies each stored matrix `X_q` (int8) by `X_scale`; the products are matrices (in, out) that stand
before the bias whose name says what they are. They come back by the names of Hugging Face's `BertModel`, as float32
(out, in), so that questions run in numpy and texts in eight bits as from any other file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from biblicus.embedding.networks import onnx_file
from biblicus.errors import ConfigInvalid

if TYPE_CHECKING:
    from biblicus.embedding.networks.safetensors import Tensors

_ROOT = "inner."
"""The name of the model within the exported one."""
_BYTES, _SCALE = "_q", "_scale"


def read(path: Path) -> Tensors:
    """Weights by name. Raises `ConfigInvalid` where the file is not of this kind, and `OSError`."""
    try:
        return _weights(*onnx_file.read(path.read_bytes()))
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigInvalid(str(path), "no ONNX file of a BERT in eight bits.", "biblicus models get") from error


def _weights(stored: dict[str, Any], operators: list[onnx_file.Operator]) -> dict[str, Any]:
    plain = {name: tensor for name, tensor in stored.items() if name.startswith(_ROOT)}
    scaled = {
        name.removesuffix(_BYTES): _scaled(stored, name.removesuffix(_BYTES))
        for name in stored
        if name.endswith(_BYTES)
    }
    weights = {name.removeprefix(_ROOT): array for name, array in plain.items() if not name.endswith((_BYTES, _SCALE))}
    weights |= {name.removeprefix(_ROOT): array for name, array in scaled.items() if name.startswith(_ROOT)}
    products = {node.outputs[0]: node.inputs[1] for node in operators if node.kind == "MatMul"}
    for node in operators:
        if node.kind != "Add":
            continue
        matrix = next((products[name] for name in node.inputs if name in products), None)
        bias = next((name for name in node.inputs if name.startswith(_ROOT) and name.endswith(".bias")), None)
        if matrix in scaled and bias is not None:
            name = f"{bias.removeprefix(_ROOT).removesuffix('.bias')}.weight"
            weights[name] = np.ascontiguousarray(scaled[matrix].T)
    return weights


def _scaled(stored: dict[str, Any], name: str) -> Any:
    return stored[name + _BYTES].astype(np.float32) * stored[name + _SCALE].astype(np.float32)
