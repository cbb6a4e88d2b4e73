"""Finds, checks and builds plug-ins by kind and name: ours by a table, a third party's by its entry point.

A plug-in is a module with `build(options, given)` and, where there is anything to choose, `Options` (see `contracts`).
Lookup is lazy: nothing is imported before it is asked for. Names never come with a module path, so that no file of a
corpus can cause an import.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from biblicus.config import options_of
from biblicus.contracts import Given
from biblicus.errors import UnknownName
from biblicus.models.records import NoOptions

if TYPE_CHECKING:
    from pydantic import BaseModel

    from biblicus.contracts import Extractor
    from biblicus.models.recipe import Choice

OURS: dict[str, dict[str, str]] = {
    "extraction": {
        name: f"biblicus.extraction.{module}"
        for name, module in {
            "text": "text",
            "markdown": "markdown",
            "html": "web.html",
            "pdf": "pdf",
            "json": "json",
            "csv": "csv",
            "rst": "rst",
            "notebook": "notebook",
            "code": "source_code.code",
            "tree-sitter": "source_code.tree_sitter",
            "outline": "outline",
            "man": "rare.man",
            "asciidoc": "rare.markup.asciidoc",
            "org": "rare.markup.org",
            "info": "rare.markup.info",
            "settings": "settings.commented",
            "wiki": "rare.markup.wiki",
            "xml": "rare.markup.written_in_xml",
            "pod": "rare.markup.pod",
            "subtitles": "subtitles",
            "mail": "messages.mail",
            "mhtml": "web.mhtml",
            "epub": "epub",
            "fictionbook": "rare.fictionbook",
            "feed": "web.feed",
            "icalendar": "messages.icalendar",
            "chat": "rare.exports.chat",
            "drawing": "drawing",
            "links": "rare.exports.links",
            "places": "rare.exports.places",
            "literature": "rare.exports.literature",
            "accounts": "rare.exports.accounts",
            "genealogy": "rare.exports.genealogy",
            "tnef": "rare.tnef",
            "docx": "office.docx",
            "pptx": "office.pptx",
            "xlsx": "office.xlsx",
            "odf": "office.odf",
            "spreadsheetml": "office.spreadsheetml",
            "rtf": "rare.rtf",
            "ole": "rare.ole",
            "calamine": "office.calamine",
            "picture": "picture",
            "recording": "recording",
            "archive": "archive",
        }.items()
    },
    "ocr": {"rapidocr": "biblicus.extraction.ocr.rapid", "tesseract": "biblicus.extraction.ocr.tesseract"},
    "stt": {
        "openai-compatible": "biblicus.extraction.stt.openai_compatible",
        "whisper": "biblicus.extraction.stt.whisper",
    },
    "chunking": {
        name: f"biblicus.chunking.{name}"
        for name in ("paragraphs", "windows", "sentences", "lines", "definitions", "cells", "whole")
    },
    "retrieval": {
        "tantivy": "biblicus.retrieval.words.lexical",
        "rank-bm25": "biblicus.retrieval.words.scan",
        "exact": "biblicus.retrieval.vectors.exact",
        "hnsw": "biblicus.retrieval.vectors.hnsw",
    },
    "embedding": {
        "minilm": "biblicus.embedding.minilm",
        "minilm-int8": "biblicus.embedding.minilm_int8",
        "e5": "biblicus.embedding.e5",
        "e5-int8": "biblicus.embedding.e5_int8",
        "static": "biblicus.embedding.static",
        "sentence-transformers": "biblicus.embedding.sentence_model",
        "ollama": "biblicus.embedding.ollama",
        "openai-compatible": "biblicus.embedding.openai_compatible",
        "embed-text": "biblicus.embedding.embed_text",
    },
    "rerank": {
        "judge": "biblicus.retrieval.judge",
        "mmr": "biblicus.retrieval.mmr",
        "cross-encoder": "biblicus.retrieval.cross_encoder",
        "llm": "biblicus.answering.llm_reranker",
    },
    "answering": {
        "quote": "biblicus.answering.reader.answerer",
        "llm": "biblicus.answering.llm",
        "dspy": "biblicus.answering.dspy_answerer",
    },
    "llm": {"ollama": "biblicus.llm.ollama", "openai-compatible": "biblicus.llm.openai_compatible"},
}
"""Every kind there is, and the modules of ours by name. A kind's entry point group is `biblicus.<kind>`."""


KEYS = {"chunking": "by", "retrieval": "engine", "rerank": "by", "ocr": "engine"}
"""The key of a recipe that names the plug-in, by kind."""


def _third_party(kind: str) -> dict[str, str]:
    from importlib.metadata import entry_points  # slow; only when ours do not know the name

    return {point.name: point.value for point in entry_points(group=f"biblicus.{kind}")}


def names(kind: str) -> list[str]:
    """Every plug-in name of a kind, ours first."""
    return list({**OURS[kind], **dict(sorted(_third_party(kind).items()))})


def find(kind: str, name: str) -> ModuleType:
    """The plug-in's module. An unknown name raises `UnknownName`, which lists what exists."""
    module = OURS[kind].get(name) or _third_party(kind).get(name)
    if module is None:
        remedy = f'pip install a package that has "{name}" among its entry points "biblicus.{kind}"'
        raise UnknownName(f"{kind} plug-in", name, names(kind), remedy)
    return import_module(module)


def options_class(module: ModuleType) -> type[Any]:
    """Return the plug-in's `Options`; one without fields where it states none."""
    return getattr(module, "Options", NoOptions)


def checked(kind: str, name: str, options: Mapping[str, Any], where: str = "", remedy: str = "") -> Any:
    """The plug-in's `Options` with these values. Raises `UnknownName`, and `ConfigInvalid`, which names `where`."""
    return options_of(options_class(find(kind, name)), options, where or f"{kind} {name}", remedy)


def make(
    kind: str,
    name: str,
    options: Mapping[str, Any] | BaseModel,
    given: Given | None = None,
    *,
    where: str = "",
    remedy: str = "",
) -> Any:
    """The plug-in, built. `options`: its own, or values for them; raises what `checked` and the plug-in raise."""
    ready = checked(kind, name, options, where, remedy) if isinstance(options, Mapping) else options
    return build(find(kind, name), ready, given or Given())


def chosen(kind: str, choice: Choice, given: Given | None = None) -> Any:
    """Build the plug-in that a resolved choice of a recipe names."""
    key = KEYS[kind]
    return make(kind, choice[key], {name: value for name, value in choice.items() if name != key}, given)


def build(module: ModuleType, options: Any, given: Given) -> Any:
    """Build the plug-in of a module. It may make extractors of other formats, for what stands within a file."""
    return module.build(options, replace(given, extractor=_extractor))


def _extractor(name: str, **options: Any) -> Extractor:
    extractor: Extractor = make("extraction", name, options)
    return extractor
