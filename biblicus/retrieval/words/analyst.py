"""What the leg `lexical` indexes of a chunk, and the document of tantivy that holds it. Only a build imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.contracts import RankedChunk
from biblicus.models.frozen import dataclass
from biblicus.retrieval.words import called, company
from biblicus.retrieval.words.lexical import NAMES
from biblicus.text import kinds
from biblicus.text.terms import analysis

if TYPE_CHECKING:
    from tantivy import Document, Schema

Analysed = tuple[
    tuple[str, str, str],
    *tuple[str | None, tuple[tuple[str, ...], ...], int, int, str, str, str | None, tuple[str, ...], str],
]
"""What the index holds of a chunk: its text in parts, one of which is most often the chunk's own, so that it crosses to
another process once; its stemmer, None for the main language's, whose text tantivy's thread
analyses; the terms of what it is called, field by field; kind, others, media type, doctype, language, tags, path."""


@dataclass(frozen=True)
class Analyst:
    """Analyses chunks, in whichever process."""

    is_titled: bool
    drops_stopwords: bool
    stemmers: analysis.Stemmers

    def __call__(self, chunk: RankedChunk) -> Analysed:
        stemmer = self.stemmers.of(chunk.language)
        names: tuple[tuple[str, ...], ...] = ()
        if self.is_titled:
            own = analysis.plain(stemmer)
            stop_list = (own or analysis.stop_list_of(chunk.language)) if self.drops_stopwords else ""
            names = called.of(chunk, stemmer, stop_list)
        return (
            analysis.ranked_parts(chunk.context if self.is_titled else "", chunk.text, chunk.symbols),
            None if stemmer == self.stemmers.chosen[0] else stemmer,
            names,
            kinds.of(chunk.path, chunk.text, chunk.superseded, chunk.media_type),
            min(chunk.others, company.OTHERS),
            chunk.media_type,
            chunk.doctype,
            chunk.language,
            chunk.tags,
            chunk.path,
        )


def document_of(made: type[Document], schema: Schema, row: int, item: int, analysed: Analysed) -> Document:
    """`made`: tantivy's class, which is not looked up for each."""
    parts, stemmer, names, kind, others, media_type, doctype, language, tags, path = analysed
    text = "".join(parts)
    values: dict[str, object] = {
        "row": row,
        "item": item,
        "kind": kind,
        "others": others,
        "type": media_type,
        "doctype": doctype,
        "tag": list(tags),
        "path": path,
    }
    for field, terms in zip(NAMES, names, strict=False):
        if terms:
            values[field] = list(terms)
    if language:
        values["language"] = language
    if stemmer is None:
        values["text"] = text
    document = made.from_dict(values, schema)  # a value at a time costs half as much again
    if stemmer is not None:
        document.add_pre_tokenized_text("text", analysis.analyzer(stemmer).pre_tokenize(text))
    return document
