"""Reads a BERT's weights out of an ONNX file that keeps them as bytes with a scale for each output.

Such a file multiplies each stored matrix `X_q` (int8) by `X_scale`; the products are matrices (in, out) that stand
before the bias whose name says what they are. They come back by the names of Hugging Face's `BertModel`, as float32
(out, in), so that questions run in numpy and texts in eight bits as from any other file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import onnx
from onnx import numpy_helper

from biblicus.errors import ConfigInvalid

if TYPE_CHECKING:
    from biblicus.embedding.networks.safetensors import Tensors

_ROOT = "inner."
"""The name of the model within the exported one."""
_BYTES, _SCALE = "_q", "_scale"


def read(path: Path) -> Tensors:
    """Weights by name. Raises `ConfigInvalid` where the file is not of this kind, and `OSError`."""
    try:
        graph = onnx.load(str(path), load_external_data=False).graph
        weights = _weights(graph)
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigInvalid(str(path), "no ONNX file of a BERT in eight bits.", "biblicus models get") from error
    except Exception as error:  # the parser of protocol buffers raises nothing narrower
        if isinstance(error, OSError):
            raise
        raise ConfigInvalid(str(path), "no ONNX file.", "biblicus models get") from error
    return weights


def _weights(graph: Any) -> dict[str, Any]:
    stored = {tensor.name: tensor for tensor in graph.initializer}
    plain = {name: numpy_helper.to_array(tensor) for name, tensor in stored.items() if name.startswith(_ROOT)}
    scaled = {
        name.removesuffix(_BYTES): _scaled(stored, name.removesuffix(_BYTES))
        for name in stored
        if name.endswith(_BYTES)
    }
    weights = {name.removeprefix(_ROOT): array for name, array in plain.items() if not name.endswith((_BYTES, _SCALE))}
    weights |= {name.removeprefix(_ROOT): array for name, array in scaled.items() if name.startswith(_ROOT)}
    products = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul"}
    for node in graph.node:
        if node.op_type != "Add":
            continue
        matrix = next((products[name] for name in node.input if name in products), None)
        bias = next((name for name in node.input if name.startswith(_ROOT) and name.endswith(".bias")), None)
        if matrix in scaled and bias is not None:
            name = f"{bias.removeprefix(_ROOT).removesuffix('.bias')}.weight"
            weights[name] = np.ascontiguousarray(scaled[matrix].T)
    return weights


def _scaled(stored: dict[str, Any], name: str) -> Any:
    bytes_ = numpy_helper.to_array(stored[name + _BYTES]).astype(np.float32)
    return bytes_ * numpy_helper.to_array(stored[name + _SCALE]).astype(np.float32)
