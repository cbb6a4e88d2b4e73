"""What the leg `lexical` indexes of a chunk, and the document of tantivy that holds it. Only a build imports it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from biblicus.contracts import RankedChunk
from biblicus.models.frozen import dataclass
from biblicus.retrieval.words import company, fields
from biblicus.text.terms import analysis

if TYPE_CHECKING:
    from tantivy import Document, Schema

Analysed = tuple[tuple[str, str, str], int, int, list[str]]
"""Terms of the text, title and heading of a chunk (see `analysis.indexed`); multiplier, others; facts for filters."""


@dataclass(frozen=True)
class Analyst:
    """Analyses chunks, in whichever process."""

    is_titled: bool
    stemmers: analysis.Stemmers

    def __call__(self, chunk: RankedChunk) -> Analysed:
        stemmer = self.stemmers.of(chunk.language)
        context = chunk.context if self.is_titled else ""
        text = analysis.indexed(context, chunk.text, stemmer, chunk.symbols)
        titles = fields.titles_of(chunk, stemmer) if self.is_titled else ("", "")
        facts = _facts(chunk.media_type, chunk.doctype, chunk.path, chunk.tags, chunk.language)
        return (text, *titles), fields.multiplier_of(chunk), min(chunk.others, company.OTHERS), facts


@lru_cache(maxsize=8)
def _facts(media_type: str, doctype: str, path: str, tags: tuple[str, ...], language: str | None) -> list[str]:
    """Terms that filters look for: one list for all chunks of an item, which crosses to another process once."""
    facts = [f"type:{media_type}", f"doctype:{doctype}", f"path:{path}", *(f"tag:{tag}" for tag in tags)]
    return [*facts, f"language:{language}"] if language else facts


def document_of(made: type[Document], schema: Schema, row: int, item: int, analysed: Analysed) -> Document:
    """`made`: tantivy's class, which is not looked up for each."""
    texts, multiplier, others, facts = analysed
    values: dict[str, object] = {"row": row, "item": item, "multiplier": multiplier, "others": others, "facts": facts}
    values.update({field: text for field, text in zip(fields.FIELDS, texts, strict=True) if text})
    return made.from_dict(values, schema)  # a value at a time costs half as much again
