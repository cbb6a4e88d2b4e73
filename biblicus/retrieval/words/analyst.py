"""Index content of a chunk for the leg `lexical`, and its tantivy document; only imported by builds."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from biblicus.contracts import RankedChunk
from biblicus.models.frozen import dataclass
from biblicus.retrieval.words import fields, sibling_boost
from biblicus.text.terms import analysis

if TYPE_CHECKING:
    from tantivy import Document, Schema

Analysed = tuple[tuple[str, str, str], int, int, list[str]]
"""Terms of a chunk's text, title and heading (see `analysis.indexed`); multiplier; other chunks; filter facts."""


@dataclass(frozen=True)
class Analyst:
    """Computes the index content of chunks; may run in other processes."""

    is_titled: bool
    stemmers: analysis.Stemmers

    def __call__(self, chunk: RankedChunk) -> Analysed:
        stemmer = self.stemmers.of(chunk.language)
        context = chunk.context if self.is_titled else ""
        text = analysis.indexed(context, chunk.text, stemmer, chunk.symbols)
        titles = fields.titles_of(chunk, stemmer) if self.is_titled else ("", "")
        facts = _facts(chunk.media_type, chunk.doctype, chunk.path, chunk.tags, chunk.language)
        return (text, *titles), fields.multiplier_of(chunk), min(chunk.others, sibling_boost.OTHERS), facts


@lru_cache(maxsize=8)
def _facts(media_type: str, doctype: str, path: str, tags: tuple[str, ...], language: str | None) -> list[str]:
    """Return the filter terms of an item; cached, so that they are sent to another process once."""
    facts = [f"type:{media_type}", f"doctype:{doctype}", f"path:{path}", *(f"tag:{tag}" for tag in tags)]
    return [*facts, f"language:{language}"] if language else facts


def document_of(made: type[Document], schema: Schema, row: int, item: int, analysed: Analysed) -> Document:
    """Return the tantivy document. `made`: tantivy's class, passed to avoid a lookup for each."""
    texts, multiplier, others, facts = analysed
    values: dict[str, object] = {"row": row, "item": item, "multiplier": multiplier, "others": others, "facts": facts}
    values.update({field: text for field, text in zip(fields.FIELDS, texts, strict=True) if text})
    return made.from_dict(values, schema)  # adding values one at a time takes half as long again
