"""Questions to the leg by words in PostgreSQL: ranked there, filters first, by what `lexical` ranks by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

from psycopg import sql

from biblicus.contracts import Call, Hit
from biblicus.models.question import Allow, Question
from biblicus.retrieval.ranking import rounded
from biblicus.retrieval.words import company
from biblicus.retrieval.words.wording import Languages
from biblicus.stores.asking import Asked, ListsReader
from biblicus.stores.counting import LENGTHS
from biblicus.stores.postgres.at_once import Asking
from biblicus.stores.postgres.rounds import Lists, Ranking
from biblicus.stores.postgres.server import Row
from biblicus.stores.postgres.tables import PostgresTables

_LIVE: LiteralString = "AND u.row <> ALL(%(gone)s::int[])"


class WordsReader(ListsReader):
    """Asks the lists in a schema. `gone`: rows of chunks that the run does not hold any more."""

    def __init__(
        self,
        tables: PostgresTables,
        number: int,
        languages: Languages,
        chunks: int,
        lengths: Sequence[int],
        gone: Sequence[int],
    ) -> None:
        super().__init__(languages, chunks, lengths)
        self._tables, self._number, self._gone = tables, number, list(gone)

    def one_with(self, term: str) -> int:
        """The row of a chunk that holds the term."""
        query = "SELECT u.row FROM {postings} p, unnest(p.rows) u(row) WHERE p.field = 0 AND p.term = %(term)s"
        return int(self._rows(f"{query} {_LIVE} LIMIT 1", {"term": term, "gone": self._gone})[0][0])

    def _counts(self, terms: Sequence[tuple[int, str]]) -> Mapping[tuple[int, str], int]:
        counted = (
            "p.chunks" if not self._gone else "(SELECT count(*) FROM unnest(p.rows) u(row) WHERE true " + _LIVE + ")"
        )
        selected = self._rows(
            f"SELECT a.field, a.term, sum({counted})::int"
            " FROM unnest(%(fields)s::smallint[], %(terms)s::text[]) AS a(field, term)"
            ' JOIN {postings} p ON p.term = a.term COLLATE "C" AND p.field = a.field GROUP BY 1, 2',
            {"fields": [field for field, _ in terms], "terms": [term for _, term in terms], "gone": self._gone},
        )
        return {(field, term): chunks for field, term, chunks in selected}

    # --- ranking ---

    def _hits(self, asked: Sequence[Asked], required: Sequence[int], allow: Allow | None, k: int) -> list[Hit]:
        """The best chunks, by their multipliers and their company."""
        asking = self._asking(asked, required, allow, k)
        return asking.hits(self._tables.asked(asking.query, asking.values))

    def asking(self, question: Question, allow: Allow | None, k: int, call: Call) -> Asking | None:
        """The first query of a search; None where nothing is to be ranked."""
        asked, required = self._asked(question) if self._may_bring(allow, k) else ([], [])
        return self._asking(asked, required, allow, k) if asked else None

    def _asking(self, asked: Sequence[Asked], required: Sequence[int], allow: Allow | None, k: int) -> Asking:
        first = 2 * max(k, company.POOL)

        def hits(fetched: Sequence[Row]) -> list[Hit]:
            limit = first
            while (best := _finished(fetched, limit, k)) is None:
                limit *= 8
                fetched = self._tables.asked(*self._query(asked, required, allow, limit))
            return best

        query, values = self._query(asked, required, allow, first)
        return Asking(query, values, {}, ("score", "item", "others"), hits)

    def _query(
        self,
        asked: Sequence[Asked],
        required: Sequence[int],
        allow: Allow | None,
        limit: int,
    ) -> tuple[sql.Composed, dict[str, Any]]:
        """The query that ranks: rows, each with its score, its item and how many other chunks that has; its values."""
        narrowed = sql.SQL(_LIVE if self._gone else "")
        values: dict[str, Any] = {"gone": self._gone, "lengths": LENGTHS}
        values[self._own("norms")] = [norm for norms in self._norms for norm in norms]
        chunks = None
        if allow is not None:
            values["items"], chunks = self._tables.allowed(allow)
        lists = Lists(self._named, self._own, self._with, narrowed, chunks)
        return Ranking(lists, asked, required, limit, values).query(), values

    def _named(self, query: LiteralString, **parts: sql.Composable) -> sql.Composed:
        names = {name: self._tables.view(f"{name}_{self._number}") for name in ("words", "postings")}
        return sql.SQL(query).format(**names, norms=sql.Placeholder(self._own("norms")), **parts)

    def _own(self, name: str) -> str:
        """What a value is called that another leg, asked at once, has another of."""
        return f"{name}_{self._number}"

    def _rows(self, query: LiteralString, values: Mapping[str, Any]) -> list[Row]:
        return self._tables.asked(self._named(query), values)


def _finished(fetched: Sequence[Row], limit: int, k: int) -> list[Hit] | None:
    """The best chunks by their company; None where one that was not fetched could reach the last of them."""
    scores = [rounded(score) for _, score, *_ in fetched]
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], fetched[at][0]))
    hits = [Hit(fetched[at][0], scores[at]) for at in order]
    items, others = [fetched[at][2] for at in order], [fetched[at][3] for at in order]
    return company.settled(hits, items, others, min(scores, default=0.0), k, is_all=len(fetched) < limit)
