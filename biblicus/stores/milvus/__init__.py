"""Runs in Milvus: collections for each run, terms as sparse vectors with weights of our own, dense ones for meaning."""
