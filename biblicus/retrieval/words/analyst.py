"""What the leg `lexical` indexes of a chunk, and the document of tantivy that holds it. Only a build imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.contracts import RankedChunk
from biblicus.models.frozen import dataclass
from biblicus.retrieval.words import company, fields
from biblicus.text.terms import analysis

if TYPE_CHECKING:
    from tantivy import Document, Schema

Analysed = tuple[
    tuple[str, str, str], *tuple[str | None, tuple[str, str], int, int, str, str, str | None, tuple[str, ...], str]
]
"""What the index holds of a chunk: its text in parts, one of which is most often the chunk's own, so that it crosses to
another process once; its stemmer, None for the main language's, whose text tantivy's thread analyses; the texts of its
title and heading; multiplier, others, media type, doctype, language, tags, path."""


@dataclass(frozen=True)
class Analyst:
    """Analyses chunks, in whichever process."""

    is_titled: bool
    stemmers: analysis.Stemmers

    def __call__(self, chunk: RankedChunk) -> Analysed:
        stemmer = self.stemmers.of(chunk.language)
        return (
            analysis.ranked_parts(chunk.context if self.is_titled else "", chunk.text, chunk.symbols),
            None if stemmer == self.stemmers.chosen[0] else stemmer,
            fields.titles_of(chunk, stemmer) if self.is_titled else ("", ""),
            fields.multiplier_of(chunk),
            min(chunk.others, company.OTHERS),
            chunk.media_type,
            chunk.doctype,
            chunk.language,
            chunk.tags,
            chunk.path,
        )


def document_of(made: type[Document], schema: Schema, row: int, item: int, analysed: Analysed) -> Document:
    """`made`: tantivy's class, which is not looked up for each."""
    parts, stemmer, titles, multiplier, others, media_type, doctype, language, tags, path = analysed
    texts = dict(zip(fields.FIELDS, ("".join(parts), *titles), strict=True))
    values: dict[str, object] = {
        "row": row,
        "item": item,
        "multiplier": multiplier,
        "others": others,
        "type": media_type,
        "doctype": doctype,
        "tag": list(tags),
        "path": path,
    }
    if language:
        values["language"] = language
    if stemmer is None:
        values.update({field: text for field, text in texts.items() if text})
    document = made.from_dict(values, schema)  # a value at a time costs half as much again
    for field, text in texts.items() if stemmer is not None else ():
        if text:
            document.add_pre_tokenized_text(field, analysis.analyzer(stemmer).pre_tokenize(text))
    return document
