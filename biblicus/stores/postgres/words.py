"""The leg by words in PostgreSQL: lists of terms, which are fetched whole and ranked here (see `words.lists`)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, LiteralString

from psycopg import sql

from biblicus.models.question import Allow
from biblicus.retrieval.words.listing import Piece
from biblicus.retrieval.words.lists import ListsReader, Term
from biblicus.retrieval.words.wording import Languages
from biblicus.stores.postgres.tables import PostgresTables

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

_LISTS: LiteralString = """
SELECT p.field, p.term, p.first, p.chunks, p.data, CASE WHEN a.is_placed THEN p.places END
FROM unnest(%s::smallint[], %s::text[], %s::boolean[]) AS a(field, term, is_placed)
JOIN {lists} p ON p.term = a.term COLLATE "C" AND p.field = a.field"""


class WordsReader(ListsReader):
    """Reads the lists of a run. `facts`: of the leg; `gone`: rows of chunks that are gone."""

    def __init__(
        self, tables: PostgresTables, facts: Mapping[str, Any], languages: Languages, chunks: int, gone: Sequence[int]
    ) -> None:
        super().__init__(languages, chunks, facts["lengths"], gone)
        self._tables = tables
        self._query = sql.SQL(_LISTS).format(lists=tables.view(f"postings_{facts['number']}"))

    def _fetched(self, terms: Mapping[Term, bool]) -> Iterator[Piece]:
        wanted = [(field, term, is_placed) for (field, term), is_placed in terms.items() if "\0" not in term]
        columns = [list(column) for column in zip(*wanted, strict=True)] or [[], [], []]
        return map(Piece._make, self._tables.asked(self._query, columns))

    def _allowed(self, allow: Allow) -> NDArray[bool_]:
        return self._tables.allowed(allow).of_chunks

    def _items_of(self, rows: Sequence[int]) -> tuple[Sequence[Hashable], Sequence[int]]:
        places = self._tables.places(rows)
        return [places[row].item_id for row in rows], [places[row].chunks - 1 for row in rows]
