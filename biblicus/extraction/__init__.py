"""Bytes to text, one module per family, and the guarded workers that parse binary formats."""
