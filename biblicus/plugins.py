"""Finds plug-ins by kind and name: ours in a table, a third party's by the entry point group `biblicus.<kind>`.

A plug-in is a module with `Options` and `build(options)` (see `contracts`). Lookup is lazy: nothing is imported before
it is asked for. Names never come with a module path, so that no file of a corpus can cause an import.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from biblicus.errors import UnknownName

_BUILT_IN: dict[str, dict[str, str]] = {
    "extraction": {
        name: f"biblicus.extraction.{module}"
        for name, module in {
            "text": "text",
            "markdown": "markdown",
            "html": "html",
            "pdf": "pdf",
            "json": "json",
            "csv": "csv",
            "rst": "rst",
            "notebook": "notebook",
            "code": "code",
            "tree-sitter": "tree_sitter",
        }.items()
    },
    "chunking": {
        name: f"biblicus.chunking.{name}"
        for name in ("paragraphs", "windows", "sentences", "lines", "definitions", "cells", "whole")
    },
    "retrieval": {
        "tantivy": "biblicus.retrieval.lexical",
        "rank-bm25": "biblicus.retrieval.scan",
        "exact": "biblicus.retrieval.exact",
        "hnsw": "biblicus.retrieval.hnsw",
    },
    "embedding": {
        "minilm": "biblicus.embedding.minilm",
        "static": "biblicus.embedding.static",
        "sentence-transformers": "biblicus.embedding.sentence_model",
        "ollama": "biblicus.embedding.ollama",
        "openai-compatible": "biblicus.embedding.openai_compatible",
    },
    "rerank": {"mmr": "biblicus.retrieval.mmr", "cross-encoder": "biblicus.retrieval.cross_encoder"},
    "answering": {
        "quote": "biblicus.answering.quote",
        "llm": "biblicus.answering.llm",
        "dspy": "biblicus.answering.dspy_answerer",
    },
    "llm": {"ollama": "biblicus.llm.ollama", "openai-compatible": "biblicus.llm.openai_compatible"},
}


def _third_party(kind: str) -> dict[str, str]:
    from importlib.metadata import entry_points  # slow; only when ours do not know the name

    return {point.name: point.value for point in entry_points(group=f"biblicus.{kind}")}


def names(kind: str) -> list[str]:
    """Every plug-in name of a kind, ours first."""
    ours = _BUILT_IN.get(kind, {})
    return [*ours, *sorted(set(_third_party(kind)) - set(ours))]


def find(kind: str, name: str) -> ModuleType:
    """The plug-in's module. An unknown name raises `UnknownName`, which lists what exists."""
    module = _BUILT_IN.get(kind, {}).get(name) or _third_party(kind).get(name)
    if module is None:
        raise UnknownName(f"{kind} plug-in", name, names(kind))
    return import_module(module)
