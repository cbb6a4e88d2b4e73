"""Runs in Milvus: collections for each run, with posting lists and dense vectors."""
