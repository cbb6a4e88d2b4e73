"""Bytes to text, one module per family; what a file is; and the guarded workers that parse binary formats."""
