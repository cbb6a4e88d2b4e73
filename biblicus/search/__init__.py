"""Queries to a run: from a question to evidence, and verification of evidence."""
