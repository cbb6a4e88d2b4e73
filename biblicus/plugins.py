"""Find, check and build plug-ins by kind and name: built-in ones by a table, third-party ones by entry points.

A plug-in is a module with `build(options, given)` and, if it has options, `Options` (see `contracts`). Modules are
imported only when needed. A name never contains a module path, so no file of a corpus can cause an import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from biblicus.config import options_of
from biblicus.contracts import Extractor, Given
from biblicus.errors import UnknownName
from biblicus.models.records import NoOptions

if TYPE_CHECKING:
    from pydantic import BaseModel

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
            "wiki": "rare.markup.wiki",
            "xml": "rare.markup.written_in_xml",
            "pod": "rare.markup.pod",
            "subtitles": "subtitles",
            "mail": "messages.mail",
            "mhtml": "web.mhtml",
            "epub": "epub",
            "feed": "web.feed",
            "icalendar": "messages.icalendar",
            "chat": "rare.chat",
            "drawing": "drawing",
            "literature": "rare.literature",
            "genealogy": "rare.genealogy",
            "tnef": "rare.tnef",
            "docx": "office.docx",
            "pptx": "office.pptx",
            "xlsx": "office.xlsx",
            "odf": "office.odf",
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
        "cross-encoder": "biblicus.retrieval.cross_encoder",
    },
    "answering": {
        "quote": "biblicus.answering.reader.answerer",
        "llm": "biblicus.answering.llm",
        "dspy": "biblicus.answering.dspy_answerer",
    },
    "sources": {
        "git": "biblicus.sources.git",
        "url": "biblicus.sources.url",
        "site": "biblicus.sources.site",
        "feed": "biblicus.sources.feed",
        "folder": "biblicus.sources.local",
        "share": "biblicus.sources.share",
        "imap": "biblicus.sources.connectors.imap",
        "issues": "biblicus.sources.connectors.issues",
        "zotero": "biblicus.sources.connectors.zotero",
    },
    "llm": {"ollama": "biblicus.llm.ollama", "openai-compatible": "biblicus.llm.openai_compatible"},
}
"""Every kind of plug-in, with the built-in modules by name. Entry point group of a kind: `biblicus.<kind>`."""


NEW_RUN = "biblicus reindex, which builds a new run, or "
"""Remedy if the manifest of a run names a plug-in that is not here."""
KEYS = {"chunking": "by", "retrieval": "engine", "rerank": "by", "ocr": "engine"}
"""Key of a recipe that names the plug-in, by kind."""


def _third_party(kind: str) -> dict[str, str]:
    from importlib.metadata import entry_points  # slow; only if no built-in plug-in has the name

    return {point.name: point.value for point in entry_points(group=f"biblicus.{kind}")}


def names(kind: str) -> list[str]:
    """Return every plug-in name of a kind, built-in ones first."""
    return list({**OURS[kind], **dict(sorted(_third_party(kind).items()))})


def find(kind: str, name: str) -> ModuleType:
    """Return the plug-in's module. Raises `UnknownName`, which lists the known names."""
    module = OURS[kind].get(name) or _third_party(kind).get(name)
    if module is None:
        remedy = f'pip install a package that has "{name}" among its entry points "biblicus.{kind}"'
        raise UnknownName(f"{kind} plug-in", name, names(kind), remedy)
    return import_module(module)


def options_class(module: ModuleType) -> type[Any]:
    """Return the plug-in's `Options`, or an empty class if it has none."""
    return getattr(module, "Options", NoOptions)


def checked(kind: str, name: str, options: Mapping[str, Any], where: str = "", remedy: str = "") -> Any:
    """Validate values as the plug-in's `Options`. Raises `UnknownName`, and `ConfigInvalid` with `where`."""
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
    """Build a plug-in from its options or their values. Raises the errors of `checked` and of the plug-in."""
    ready = checked(kind, name, options, where, remedy) if isinstance(options, Mapping) else options
    return build(find(kind, name), ready, given or Given())


def chosen(kind: str, choice: Choice, given: Given | None = None) -> Any:
    """Build the plug-in of a recipe's resolved choice. Raises `UnknownName` for one of an older version."""
    key = KEYS[kind]
    try:
        return make(kind, choice[key], {name: value for name, value in choice.items() if name != key}, given)
    except UnknownName as error:
        error.hint = f"{NEW_RUN}{error.hint}"
        raise


def build(module: ModuleType, options: Any, given: Given) -> Any:
    """Build the plug-in of a module; extractors can create those of embedded formats."""
    return module.build(options, replace(given, extractor=_extractor))


def _extractor(name: str, **options: Any) -> Extractor:
    extractor: Extractor = make("extraction", name, options)
    return extractor
