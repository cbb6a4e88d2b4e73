"""Embedders, which convert text to vectors: one module for each, found by name."""
