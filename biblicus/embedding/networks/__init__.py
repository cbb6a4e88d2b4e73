"""Computation of built-in models: tokens, weights, and the network in numpy, torch and onnxruntime."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.embedding.networks import batches, bert, int8, onnx_weights, safetensors
else:
    __getattr__ = modules_of(__name__)
