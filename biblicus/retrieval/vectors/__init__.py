"""Vector legs: exact comparison, or approximate through a graph."""
