"""Fits the reader: `capture` makes the table of features, `fit` makes `weights.json` from that table."""
