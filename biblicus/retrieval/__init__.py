"""Ranking: the legs (`lexical`, `scan`, vectors), fusion, reranking, budgets and snippets."""
