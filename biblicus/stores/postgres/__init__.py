"""Runs in PostgreSQL: a schema for each corpus, terms in lists of our own, vectors by pgvector."""
