"""All legs of a run asked at once, and with what they bring the texts, places and vectors that are looked at next: one
statement, so one trip to the database and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, LiteralString, NamedTuple, Protocol, runtime_checkable

from psycopg import sql

from biblicus.contracts import Call, Hit
from biblicus.models.question import Allow, Question
from biblicus.stores.postgres.server import Row

if TYPE_CHECKING:
    from biblicus.stores.postgres.tables import PostgresTables

_READ = 32
"""The best chunks of each leg, whose texts come with them."""
_CHUNK: LiteralString = (
    'c.row, c.item, c.ordinal, c.start, c."end", c.line_start, c.line_end, c.page, c.heading,'
    " CASE WHEN f.is_read THEN c.text END, c.spots, c.seal"
)
_ITEM: LiteralString = (
    "i.row, i.item_id, i.path, i.language, i.title, CASE WHEN f.is_read THEN i.record END, i.extraction_id, i.chunks,"
    " i.tokens, i.digest, i.note, i.stamp, i.seal"
)
_COLUMNS = 25
_QUERY: LiteralString = """
WITH {legs}, f AS (SELECT row, bool_or(is_read) AS is_read FROM ({ranked}) r GROUP BY row)
SELECT {chunk}, {item}{columns}
FROM f JOIN {chunks} c ON c.row = f.row JOIN {items} i ON i.row = c.item {joined}"""
_RANKED: LiteralString = "SELECT row, row_number() OVER (ORDER BY score DESC) <= {read} AS is_read FROM {leg}"


class Asking(NamedTuple):
    """What a leg asks. `query`: for rows of chunks, each with a `score` and what else `columns` names; `settings`:
    under which it is asked; `hits`: what is made of these rows, which may ask again."""

    query: sql.Composed
    values: Mapping[str, Any]
    settings: Mapping[str, str]
    columns: tuple[str, ...]
    hits: Callable[[Sequence[Row]], list[Hit]]


class AskingReader(Protocol):
    """A reader whose first query is known before it is asked."""

    def asking(self, question: Question, allow: Allow | None, k: int, call: Call) -> Asking | None:
        """The first query of a search; None where nothing is to be ranked."""


@runtime_checkable
class ComparedReader(Protocol):
    """A reader that is asked, next, how near the chunks of other legs are, and for vectors."""

    def beside(self, row: sql.Composable) -> tuple[sql.Composed, sql.Composed]:
        """Of a chunk, by its row: the two columns that `remember` takes, and the join that they need."""

    def remember(self, question: Question, rows: Sequence[tuple[int, float | None, bytes | None]]) -> None:
        """Keep them."""


def search(
    tables: PostgresTables,
    readers: Mapping[str, AskingReader],
    question: Question,
    allow: Allow | None,
    k: int,
    call: Call,
) -> dict[str, list[Hit]]:
    """What each leg finds (see `contracts.LegReader.search`)."""
    call.check()
    asked = {name: asking for name, reader in readers.items() if (asking := reader.asking(question, allow, k, call))}
    if not asked:
        return {name: [] for name in readers}
    compared = [reader for name, reader in readers.items() if name in asked and isinstance(reader, ComparedReader)]
    values: dict[str, Any] = {}
    settings: dict[str, str] = {}
    for asking in asked.values():
        values.update(asking.values)
        settings.update(asking.settings)
    fetched = tables.asked(_query(tables, asked, compared), values, settings)
    tables.remember(row[:_COLUMNS] for row in fetched)
    at = _COLUMNS
    of_legs: dict[str, list[Row]] = {}
    for name, asking in asked.items():
        end = at + len(asking.columns)
        of_legs[name] = [(row[0], *row[at:end]) for row in fetched if row[at] is not None]
        at = end
    for reader in compared:
        reader.remember(question, [(row[0], row[at], row[at + 1]) for row in fetched])
        at += 2
    return {name: asked[name].hits(of_legs[name]) if name in asked else [] for name in readers}


def _query(tables: PostgresTables, asked: Mapping[str, Asking], compared: Sequence[ComparedReader]) -> sql.Composed:
    names = [sql.Identifier(f"leg{number}") for number in range(len(asked))]
    columns: list[sql.Composable] = []
    joined: list[sql.Composable] = []
    for name, asking in zip(names, asked.values(), strict=True):
        columns += [sql.SQL("{}.{}").format(name, sql.Identifier(column)) for column in asking.columns]
        joined.append(sql.SQL("LEFT JOIN {leg} ON {leg}.row = f.row").format(leg=name))
    for reader in compared:
        selected, join = reader.beside(sql.SQL("f.row"))
        columns.append(selected)
        joined.append(join)
    legs = [
        sql.SQL("{} AS MATERIALIZED ({})").format(name, asking.query)
        for name, asking in zip(names, asked.values(), strict=True)
    ]
    ranked = [sql.SQL(_RANKED).format(read=sql.Literal(_READ), leg=name) for name in names]
    return sql.SQL(_QUERY).format(
        legs=sql.SQL(", ").join(legs),
        ranked=sql.SQL(" UNION ALL ").join(ranked),
        chunk=sql.SQL(_CHUNK),
        item=sql.SQL(_ITEM),
        columns=sql.SQL("").join(sql.SQL(", {}").format(column) for column in columns),
        chunks=tables.view("chunks"),
        items=tables.view("items"),
        joined=sql.SQL(" ").join(joined),
    )
