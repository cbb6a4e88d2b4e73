"""Computation of built-in models: tokens, weights, and the network in numpy, torch and onnxruntime."""
