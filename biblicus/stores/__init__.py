"""Storage of runs' tables and vectors. Stores receive folders, never a corpus."""
