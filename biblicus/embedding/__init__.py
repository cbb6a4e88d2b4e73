"""Text to vectors: one module per embedder, found by name."""
