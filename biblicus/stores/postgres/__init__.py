"""Runs in PostgreSQL: a schema for each corpus, posting lists in tables, vectors by pgvector."""
