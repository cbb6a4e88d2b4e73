"""Reads a run's tables in a schema: what `stores.tables` reads from a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, LiteralString, NamedTuple, TypeVar

from psycopg import sql

from biblicus.models.question import Allow
from biblicus.models.requests.query import Filters
from biblicus.stores.packing import ChunkRow
from biblicus.stores.postgres.conditions import TOOLKIT, fitting, rows_of
from biblicus.stores.postgres.escapes import given_back
from biblicus.stores.postgres.server import Query, Row, Server
from biblicus.stores.tables import Facets, ItemRow, LayerRow, Place, Records, TableSizes
from biblicus.stores.vouching import refuse, seal_of
from biblicus.text.fitting import fits, texts_of
from biblicus.text.globs import fits_type
from biblicus.text.paths import MEMBER

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

_ITEM: LiteralString = (
    "row, item_id, path, language, title, record, extraction_id, chunks, tokens, digest, note, stamp, seal"
)
_CHUNK: LiteralString = 'row, item, ordinal, start, "end", line_start, line_end, page, heading, text, spots, seal'
_FACTS = ("metadata", "source", "sha256", "content_hash", "layer", "approval")
_COLUMNS = len(ChunkRow._fields) + 1
_AT_ONCE = 2_000
_MOST = 1_000
_FEW = 1_000
"""Items without text, and items that say a context, up to which all of them are remembered."""
_FILTERS = 64
_ROWS, _PLACES = 2_000, 100_000
"""Whose rows, and whose places, are remembered: many questions find the same."""


Kept = TypeVar("Kept")


class Memory(Generic[Kept]):
    """Rows that were read, some `most` of them. Threads share it: what one reads from never shrinks."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[int, Kept] = {}

    def of(self, rows: Iterable[int]) -> dict[int, Kept]:
        """Those of these rows that are known."""
        known = self._known
        return {row: known[row] for row in rows if row in known}

    def add(self, rows: dict[int, Kept]) -> dict[int, Kept]:
        """Remember these, which are given back."""
        if len(self._known) > self._most:
            self._known = {}
        self._known.update(rows)
        return rows


class Allowed(NamedTuple):
    """Rows of the items that a question may bring, ascending; how many chunks these have; for each row of a chunk,
    whether it is one of them."""

    items: list[int]
    chunks: int
    of_chunks: NDArray[bool_]


class PostgresTables:
    """See `stores.contract.RunTables`. Safe for several threads."""

    def __init__(self, server: Server, schema: str, run_id: str, number: int, next_chunk: int = 0) -> None:
        self._server, self._schema, self._run_id, self._number = server, schema, run_id, number
        self._next_chunk = next_chunk
        self._fitting: dict[str, Mapping[int, tuple[int, int]]] = {}
        self._allowed: dict[tuple[str, frozenset[int] | None], Allowed] = {}
        self._bare: tuple[list[ItemRow], Records] | None = None
        self._contexts: dict[str, tuple[int, object]] | None = None
        self._types: list[str] | None = None
        self._chunks: Memory[ChunkRow] = Memory(_ROWS)
        self._items: Memory[ItemRow] = Memory(_ROWS)
        self._places: Memory[Place] = Memory(_PLACES)

    def view(self, name: str) -> sql.Identifier:
        """A view of the run's."""
        return sql.Identifier(self._schema, f"run_{self._number}_{name}")

    def rows(self, query: LiteralString, values: Any = None) -> list[Row]:
        """What a question to the tables gives; `{items}`, `{chunks}` and `{runs}` stand for their names."""
        names = {name: self.view(name) for name in ("items", "chunks")}
        runs = sql.Identifier(self._schema, "runs")
        return self.asked(sql.SQL(query).format(**names, runs=runs), values)

    def asked(self, query: Query, values: Any = None, settings: Mapping[str, str] | None = None) -> list[Row]:
        """What a whole question gives, under settings of its own. Raises `RunDamaged` where the run is no more."""
        return self._server.rows(self._run_id, query, values, settings or {})

    def chunks(self, rows: Sequence[int]) -> dict[int, ChunkRow]:
        """The chunks of these rows. Their items come with them, since they are asked for next."""
        chunks = self._chunks.of(rows)
        if missing := [row for row in rows if row not in chunks]:
            selected = self.rows(
                f"SELECT {_prefixed('c', _CHUNK)}, {_prefixed('i', _ITEM)} FROM {{chunks}} c"
                " JOIN {items} i ON i.row = c.item WHERE c.row = ANY(%s::int[])",
                [missing],
            )
            chunks |= self._chunks.add({values[0]: self._chunk(values[:_COLUMNS]) for values in selected})
            self._items.add({values[_COLUMNS]: self._item(values[_COLUMNS:]) for values in selected})
        return chunks

    def items(self, rows: Sequence[int]) -> dict[int, ItemRow]:
        items = self._items.of(rows)
        if missing := [row for row in rows if row not in items]:
            selected = self.rows(f"SELECT {_ITEM} FROM {{items}} WHERE row = ANY(%s::int[])", [missing])
            items |= self._items.add({values[0]: self._item(values) for values in selected})
        return items

    def places(self, rows: Sequence[int]) -> dict[int, Place]:
        places = self._places.of(rows)
        if missing := [row for row in rows if row not in places]:
            selected = self.rows(
                'SELECT c.row, i.item_id, i.path, c.ordinal, c.start, c."end", i.chunks FROM {chunks} c'
                " JOIN {items} i ON i.row = c.item WHERE c.row = ANY(%s::int[])",
                [missing],
            )
            places |= self._places.add({values[0]: Place(*values) for values in selected})
        return places

    def rows_where(self, filters: Filters) -> frozenset[int]:
        """Rows of the items that fit every filter."""
        return frozenset(self._rows_where(filters))

    def allowed(self, allow: Allow) -> Allowed:
        """What a question may bring. Remembered: the same filter is usually asked again."""
        key = repr(allow.filters), allow.item_rows
        if key not in self._allowed:
            chunks = self._rows_where(allow.filters)
            rows = sorted(chunks if allow.item_rows is None else allow.item_rows & chunks.keys())
            if len(self._allowed) >= _FILTERS:
                self._allowed = {}
            self._allowed[key] = self._among(rows, [chunks[row] for row in rows])
        return self._allowed[key]

    def _among(self, items: list[int], chunks: Sequence[tuple[int, int]]) -> Allowed:
        """Items with their chunks: the row of the first of each, and how many it has."""
        import numpy as np

        of_chunks = np.zeros(self._next_chunk, bool)
        for first, count in chunks:
            of_chunks[first : first + count] = True
        return Allowed(items, sum(count for _, count in chunks), of_chunks)

    def _rows_where(self, filters: Filters) -> Mapping[int, tuple[int, int]]:
        """Rows of the items that fit every filter, with the row of the first chunk of each, and how many it has.
        Remembered: the tables never change."""
        key = repr(filters)
        if (rows := self._fitting.get(key)) is None:
            if len(self._fitting) >= _FILTERS:
                self._fitting = {}
            self._fitting[key] = rows = self._find_rows(filters)
        return rows

    def _find_rows(self, filters: Filters) -> Mapping[int, tuple[int, int]]:
        condition = fitting(filters, self._types_among)
        fit = None
        if condition is None:
            fit, condition = {row.row for row in self.all_items() if fits(row.item, filters)}, ("true", [])
        query, values = rows_of(self.view("items"), condition)
        found = self.asked(query, values)
        return {row: (first, chunks) for row, first, chunks in found if fit is None or row in fit}

    def _types_among(self, wanted: Sequence[str]) -> list[str]:
        if self._types is None:
            self._types = [name for (name,) in self.rows("SELECT DISTINCT media_type FROM {items}")]
        return [name for name in self._types if fits_type(name, wanted)]

    def without_text(self, beginnings: Sequence[Sequence[str]]) -> list[ItemRow]:
        """Items without chunks whose records hold, of each word, one of these beginnings; by path."""
        if self._bare is None:
            rows = self._without_text([], _FEW + 1)
            self._bare = rows, Records(row.record for row in rows)
        rows, records = self._bare
        if len(rows) > _FEW:
            return self._without_text(beginnings, _MOST)
        return [rows[place] for place in records.holding(beginnings)]

    def _without_text(self, beginnings: Sequence[Sequence[str]], most: int) -> list[ItemRow]:
        held = 'AND lower(record COLLATE "C") LIKE ANY(%s::text[]) ' * len(beginnings)
        patterns = [[f"%{_literal(text)}%" for text in one] for one in beginnings]
        selected = self.asked(
            sql.SQL('SELECT {} FROM {} WHERE chunks = 0 {} ORDER BY path COLLATE "C" LIMIT {}').format(
                sql.SQL(_ITEM), self.view("items"), sql.SQL(held), sql.Literal(most)
            ),
            patterns,
        )
        return [self._item(values) for values in selected]

    def facets(self) -> Iterator[Facets]:
        selected = self.asked(
            sql.SQL("SELECT i.row, i.item_id, i.path, i.doctype, {} FROM {} i").format(
                sql.SQL(TOOLKIT),
                self.view("items"),
            ),
        )
        return (Facets(row, item_id, path, kind, texts_of(value)) for row, item_id, path, kind, value in selected)

    def in_layers(self, layers: Sequence[str]) -> list[LayerRow]:
        """The items that stand in one of these layers."""
        selected = self.rows(
            "SELECT row, path, facts ->> 'sha256', facts ->> 'layer', facts ->> 'approval',"
            " facts #> ARRAY['metadata', 'expires'] FROM {items} WHERE facts ->> 'layer' = ANY(%s::text[])",
            [list(layers)],
        )
        return [LayerRow(*values) for values in selected]

    def contexts(self, paths: Sequence[str]) -> dict[str, tuple[int, object]]:
        """By path, the rows of the items that say a context, and what they say."""
        if self._contexts is None:
            self._contexts = self._saying("", {})
        if len(self._contexts) > _FEW:
            named = (
                "AND path = ANY(%(paths)s::text[]) AND hashtextextended(path, 0) = ANY(ARRAY("
                "SELECT hashtextextended(p, 0) FROM unnest(%(paths)s::text[]) p))"
            )
            return self._saying(named, {"paths": list(paths)})
        return {path: self._contexts[path] for path in paths if path in self._contexts}

    def _saying(self, named: LiteralString, values: Mapping[str, Any]) -> dict[str, tuple[int, object]]:
        """Some of the items that say a context, one more than are remembered at most."""
        context: LiteralString = "facts #> ARRAY['metadata', 'context']"
        query = f"SELECT path, row, {context} FROM {{items}} WHERE {context} IS NOT NULL {named} LIMIT {_FEW + 1}"
        return {path: (row, text) for path, row, text in self.rows(query, values) if text is not None}

    def toolkits(self) -> frozenset[str]:
        query = sql.SQL("SELECT DISTINCT {} FROM {} i").format(sql.SQL(TOOLKIT), self.view("items"))
        return frozenset(name for (value,) in self.asked(query) for name in texts_of(value))

    def records(self) -> dict[str, str]:
        return dict(self.rows("SELECT path, record FROM {items}"))

    def items_of(self, path: str) -> list[ItemRow]:
        selected = self.rows(
            f'SELECT {_ITEM} FROM {{items}} WHERE path = %s OR starts_with(path, %s) ORDER BY path COLLATE "C"',
            [path, f"{path}{MEMBER}"],
        )
        return [self._item(values) for values in selected]

    def all_items(self) -> Iterator[ItemRow]:
        """Every item that stands, by path."""
        for values in self.rows(f'SELECT {_ITEM} FROM {{items}} ORDER BY path COLLATE "C"'):
            yield self._item(values)

    def compared(self, lines: Mapping[str, bytes]) -> Iterator[tuple[ItemRow, bool]]:
        """Every item that stands, by path, and whether its record is its path's line here."""
        return ((row, row.record.encode() == lines.get(row.path)) for row in self.all_items())

    def chunks_of(self, item_row: int) -> list[ChunkRow]:
        selected = self.rows(f"SELECT {_CHUNK} FROM {{chunks}} WHERE item = %s ORDER BY ordinal", [item_row])
        return [self._chunk(values) for values in selected]

    def all_chunks(self) -> Iterator[ChunkRow]:
        """Every chunk that stands, in order of row, some at a time."""
        after = -1
        while selected := self.rows(
            f"SELECT {_CHUNK} FROM {{chunks}} WHERE row > %s ORDER BY row LIMIT {_AT_ONCE}", [after]
        ):
            yield from map(self._chunk, selected)
            after = selected[-1][0]

    def sizes(self) -> TableSizes:
        ((items, chunks, next_item, next_chunk, base_chunks, churned),) = self.rows(
            "SELECT items, chunks, next_item, next_chunk, base_chunks,"
            " chunks - base_chunks + 2 * cardinality(removed_chunks) FROM {runs} WHERE run_id = %s",
            [self._run_id],
        )
        return TableSizes(items, chunks, next_item, next_chunk, base_chunks, churned)

    def close(self) -> None:
        """Nothing is held open: connections are the server's."""

    def _item(self, values: Row) -> ItemRow:
        """An item as it was copied in. Raises `RunDamaged` for one that is not."""
        row = ItemRow._make(values[:-1])
        row = row._replace(title=given_back(row.title), note=row.note and given_back(row.note))
        return row if seal_of(row) == values[-1] else refuse(self._run_id, self._server.name, "items")

    def _chunk(self, values: Row) -> ChunkRow:
        """A chunk as it was copied in. Raises `RunDamaged` for one that is not."""
        row = ChunkRow._make(values[:-1])
        row = row._replace(text=given_back(row.text), heading=row.heading and given_back(row.heading))
        return row if seal_of(row) == values[-1] else refuse(self._run_id, self._server.name, "chunks")


def _prefixed(table: LiteralString, columns: LiteralString) -> LiteralString:
    return ", ".join(f"{table}.{column}" for column in columns.split(", "))


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def as_facts(record: str) -> Any:
    """What filters look at, of an item's record, with nothing that PostgreSQL does not take."""
    data = json.loads(record)
    facts = {key: data.get(key) for key in _FACTS}
    text = json.dumps(facts, ensure_ascii=False).encode("utf-8", "replace").decode()
    return json.loads(text.replace("\\u0000", "\\ufffd"))
