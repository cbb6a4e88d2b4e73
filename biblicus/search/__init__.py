"""Asks a run: from a question to evidence, and evidence proved against the corpus."""
