"""The leg by words in Milvus: lists of terms, which are fetched by their keys and ranked here (see `words.lists`)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from biblicus.models.question import Allow
from biblicus.retrieval.words.listing import Piece
from biblicus.retrieval.words.lists import ListsReader, Term
from biblicus.retrieval.words.wording import Languages
from biblicus.stores.milvus.collections import term_key
from biblicus.stores.milvus.tables import MilvusTables

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray


class WordsReader(ListsReader):
    """Reads the lists of a run. `facts`: of the leg."""

    def __init__(self, tables: MilvusTables, languages: Languages, facts: Mapping[str, Any]) -> None:
        super().__init__(languages, tables.facts["chunks"], facts["lengths"])
        self._tables, self._at = tables, facts["number"]

    def _fetched(self, terms: Mapping[Term, bool]) -> Iterator[Piece]:
        keys = {term_key(f"t{self._at}", *term): (term, "t") for term in terms}
        keys |= {term_key(f"p{self._at}", *term): (term, "p") for term, is_placed in terms.items() if is_placed}
        found = {keys[key]: values for key, values in self._tables.texts(keys)}
        for (field, term), is_placed in terms.items():
            pieces = found.get(((field, term), "t"), [])
            places = found.get(((field, term), "p"), [""] * len(pieces))
            for (first, chunks, data), where in zip(pieces, places, strict=True):
                yield Piece(field, term, first, chunks, b64decode(data), b64decode(where) if is_placed else None)

    def _allowed(self, allow: Allow) -> NDArray[bool_]:
        return self._tables.chunks_allowed(allow)

    def _items_of(self, rows: Sequence[int]) -> tuple[Sequence[Hashable], Sequence[int]]:
        places = self._tables.places(rows)
        return [places[row].item_id for row in rows], [places[row].chunks - 1 for row in rows]
