"""The store `postgres`: runs in a schema of a database that clones of a corpus share.

A run is built in a folder of this machine and copied in by one transaction, whose end is its seal: nobody ever sees
half a run. Each clone that uses a run holds a lease on it; a run goes when nobody does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, LiteralString

from psycopg import Connection, errors, sql

from biblicus.contracts import Leg, LegReader
from biblicus.errors import NotMaterialized, RunDamaged
from biblicus.models.manifest import Manifest
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw
from biblicus.retrieval.words.lexical import Lexical
from biblicus.retrieval.words.listing import SUMMARY
from biblicus.retrieval.words.wording import Languages
from biblicus.stores.contract import Sums
from biblicus.stores.copying import CopiedLeg, CopyingStore
from biblicus.stores.postgres import loading, schema
from biblicus.stores.postgres.loading import Parent
from biblicus.stores.postgres.meanings import Meanings, MeaningsReader
from biblicus.stores.postgres.server import Row, Server
from biblicus.stores.postgres.tables import PostgresTables
from biblicus.stores.postgres.words import WordsReader
from biblicus.stores.vouching import refuse, seal_of

LEASE = "30 days"
"""How long a run stays for a clone that does not use it."""
_RENEWED = "1 day"
_REACH = 100
_NOT_WRITABLE = errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction
_SEALED = (
    *("run_id", "corpus_id", "number", "base", "delta", "removed", "removed_chunks", "items", "chunks"),
    *("corpus_digest", "chunks_digest", "base_chunks", "next_item", "next_chunk", "legs", "sums"),
)
_COLUMNS = (*_SEALED, "seal", "signs")
_ROW: LiteralString = f"SELECT {', '.join(_COLUMNS)}, {schema.SIGNS} FROM {{runs}} r WHERE run_id = %s"


class PostgresStore(CopyingStore):
    """See `stores.contract.RunStore`. `name`: what the settings call the store; `clone`: which clone of the corpus
    this is; `folder`: where runs are built."""

    engine = "a database"
    builds_on_parents = True
    proved_by_reading = False

    def __init__(self, server: Server, schema_name: str, corpus_id: str, clone: str, folder: Path) -> None:
        super().__init__(server.name, folder)
        self._server, self._schema, self._corpus_id = server, schema_name, corpus_id
        self._clone = clone
        self._parents: dict[str, Parent] = {}
        self._rows: dict[str, dict[str, Any]] = {}
        self._opened: dict[str, PostgresTables] = {}
        self._is_known = False

    def place(self, run_id: str) -> str:
        return f"{self._server.name}:{self._schema}/{run_id}"

    # --- what there is ---

    def runs(self) -> list[str]:
        return [run_id for (run_id,) in self._asked('SELECT run_id FROM {runs} ORDER BY run_id COLLATE "C"')]

    def own(self) -> list[str]:
        """Those that this clone uses, and those that nobody has used for long."""
        found = self._asked(
            "SELECT r.run_id FROM {runs} r WHERE EXISTS (SELECT 1 FROM {leases} l WHERE l.run_id = r.run_id"
            " AND l.clone = %(clone)s) OR NOT EXISTS (SELECT 1 FROM {leases} l WHERE l.run_id = r.run_id"
            f" AND l.renewed > now() - interval '{LEASE}')"
            ' ORDER BY r.run_id COLLATE "C"',
            {"clone": self._clone},
        )
        return [run_id for (run_id,) in found]

    def holds(self, run_id: str) -> bool:
        return bool(self._asked("SELECT 1 FROM {runs} WHERE run_id = %s", [run_id]))

    def check(self, run_id: str, *, deep: bool = False) -> None:
        """Raise `NotMaterialized` where the run is not here, `RunDamaged` where it does not hold what was sealed."""
        row = self._row(run_id)
        if row is None:
            raise NotMaterialized(run_id, kept_by=self.keeper)
        self._prove(row, deep=deep)

    def _prove(self, row: Mapping[str, Any], *, deep: bool = False) -> None:
        """Raise `RunDamaged` where a run's tables are not those that were sealed. They are summed up where they look
        as if somebody had written to them since; `deep`: in any case."""
        run_id, sealed, now = row["run_id"], row["signs"], row["now"]
        if sealed == now and not deep:
            return
        where = f"the store {self._server.name}"
        for name, (columns, expected) in row["sums"].items():
            table = name.split("_", 2)[2]
            if name not in now:
                raise RunDamaged(run_id, f"{where} has lost its {table}")
            if now[name][0] != columns:
                raise RunDamaged(run_id, f"{where} has its {table} with other columns")
            if expected and (deep or now[name] != sealed.get(name)):
                found = self._server.read(partial(loading.sum_of, schema_name=self._schema, table=name), run_id)
                if found != expected:
                    raise RunDamaged(run_id, f"{where} has its {table} altered")
        if sealed != now:
            with self._server.connection() as connection, suppress(*_NOT_WRITABLE):
                loading.renew_signs(connection, self._schema, run_id)

    def sizes(self, run_id: str, legs: Sequence[str]) -> dict[str, int]:
        row = self._row(run_id)
        if row is None:
            return {}
        numbers = {str(facts["number"]): name for name, facts in row["legs"].items()}
        sizes = dict.fromkeys(["tables", *legs], 0)
        parts = row["base"], row["delta"]
        for table, size in self._server.read(partial(schema.sizes, schema=self._schema, parts=parts)):
            name = numbers.get(table.rpartition("_")[2], "tables")
            sizes[name] = sizes.get(name, 0) + size
        return sizes

    # --- reading ---

    def open(self, manifest: Manifest) -> PostgresTables:
        """The tables of a run. Raises `NotMaterialized`, `RunDamaged` where the store has another run by its name."""
        row = self._row(manifest.run_id)
        if row is None:
            raise NotMaterialized(manifest.run_id, kept_by=self.keeper)
        if Sums(row["items"], row["chunks"], row["corpus_digest"], row["chunks_digest"]) != Sums.of(manifest):
            raise RunDamaged(manifest.run_id, f"the store {self._server.name} holds something else by that name")
        self._prove(row)
        self._rows[manifest.run_id] = row
        self._renew(manifest.run_id)
        opened = self._opened[manifest.run_id] = self._tables(manifest.run_id, row)
        return opened

    def tables(self, run_id: str) -> PostgresTables:
        row = self._row(run_id)
        if row is None:
            raise NotMaterialized(run_id, kept_by=self.keeper)
        return self._tables(run_id, row)

    def _tables(self, run_id: str, row: Mapping[str, Any]) -> PostgresTables:
        return PostgresTables(self._server, self._schema, run_id, row["number"], row["next_chunk"])

    def reader(self, run_id: str, name: str, leg: Leg) -> LegReader:
        row = self._rows.get(run_id) or self._row(run_id)
        if row is None:
            raise NotMaterialized(run_id, kept_by=self.keeper)
        facts = row["legs"].get(name)
        if facts is None:
            raise RunDamaged(run_id, f"the store {self._server.name} has no leg {name} of it")
        tables = self._opened.get(run_id) or self._tables(run_id, row)
        leg = _own(leg)
        if isinstance(leg, Lexical):
            languages = Languages(tuple(facts["stemmers"]), leg.options.stopwords == "auto")
            return WordsReader(tables, facts, languages, row["chunks"], row["removed_chunks"])
        if isinstance(leg, (Exact, Hnsw)):
            return MeaningsReader(tables, leg.vectors, facts, leg.options.reach if isinstance(leg, Hnsw) else _REACH)
        raise self._unknown(name)

    # --- writing ---

    def _meanings(self, name: str, leg: Exact | Hnsw) -> Leg:
        return Meanings(leg, name, self)

    def begin(self, run_id: str, parent: str | None) -> Path:
        with self._server.writing() as connection:
            schema.prepare(connection, self._server.name, self._schema, self._corpus_id)
        path = self._begun(run_id)
        if parent is not None:
            row = self._row(parent)
            if row is None:
                raise NotMaterialized(parent, kept_by=self.keeper)
            self._parents[run_id] = Parent(parent, row)
            for name, facts in row["legs"].items():
                (path / name).mkdir()
                (path / name / SUMMARY).write_text(json.dumps(facts), "utf-8")
        return path

    def cut_before(self, name: str, removed: Sequence[int]) -> int:
        """How many texts of a leg the model cut in the run that is built upon, but for items that are gone."""
        (parent,) = self._parents.values()
        number = parent.row["legs"][name]["number"]
        view = sql.Identifier(self._schema, f"run_{parent.row['number']}_vectors_{number}")
        query = sql.SQL("SELECT count(*) FROM {} WHERE cut AND item <> ALL(%s::int[])").format(view)
        return int(self._server.rows(parent.run_id, query, [list(removed)])[0][0])

    def seal(self, run_id: str, sums: Sums) -> None:
        """Copy in what was built, as one transaction."""
        folder, parent = self._unsealed(run_id), self._parents.get(run_id)
        build = loading.Build(self._server.name, self._schema, self._corpus_id, run_id, folder, self._legs, parent)
        with self._server.writing() as connection, connection.transaction():
            if build.parent is not None:
                held = self._named("SELECT 1 FROM {runs} WHERE run_id = %s FOR SHARE")
                if not connection.execute(held, [build.parent.run_id]).fetchone():
                    raise NotMaterialized(build.parent.run_id, kept_by=self.keeper)
            self._drop(connection, run_id)  # what is here by that name does not fit its manifest
            build.load(connection, sums)
            connection.execute(
                self._named("INSERT INTO {leases} (run_id, clone) VALUES (%s, %s)"), [run_id, self._clone]
            )

    def abandon(self, run_id: str) -> None:
        self._parents.pop(run_id, None)
        super().abandon(run_id)

    def drop(self, run_id: str) -> int:
        """Let go of a run; it is deleted once no other clone uses it, and then its bytes are told."""
        values = {"run": run_id, "clone": self._clone}
        if not self._asked("SELECT 1"):
            return 0
        with self._server.writing() as connection, connection.transaction():
            schema.lock(connection, self._schema)
            connection.execute(self._named("DELETE FROM {leases} WHERE run_id = %(run)s AND clone = %(clone)s"), values)
            used = self._named(
                f"SELECT 1 FROM {{leases}} WHERE run_id = %(run)s AND renewed > now() - interval '{LEASE}'"
            )
            if connection.execute(used, values).fetchone():
                return 0
            return self._drop(connection, run_id)

    def settle(self) -> None:
        """Nothing is left to do."""

    def _drop(self, connection: Connection[Row], run_id: str) -> int:
        """Delete a run with its views, and the tables that no other run reads. Returns their bytes."""
        deleted = connection.execute(self._named("DELETE FROM {runs} WHERE run_id = %s"), [run_id])
        return schema.sweep(connection, self._schema) if deleted.rowcount else 0

    def _renew(self, run_id: str) -> None:
        """Say that this clone uses a run, at most once a day. A reader who may not write cannot, and holds none."""
        query = (
            "INSERT INTO {leases} AS l (run_id, clone) VALUES (%s, %s) ON CONFLICT (run_id, clone)"
            f" DO UPDATE SET renewed = now() WHERE l.renewed < now() - interval '{_RENEWED}'"
        )
        with (
            self._server.connection() as connection,
            suppress(*_NOT_WRITABLE, errors.ForeignKeyViolation),
        ):
            connection.execute(self._named(query), [run_id, self._clone])

    # --- rows ---

    def _row(self, run_id: str) -> dict[str, Any] | None:
        """What the schema says of a run, and `now`: the signs of its tables. Raises `RunDamaged`."""
        rows = self._asked(_ROW, [run_id])
        if not rows:
            return None
        row = dict(zip((*_COLUMNS, "now"), rows[0], strict=True))
        if seal_of({name: row[name] for name in _SEALED}) != row["seal"]:
            refuse(run_id, self._server.name, "runs")
        return row

    def _asked(self, query: LiteralString, values: Any = None) -> list[Row]:
        """What a question to the schema gives: nothing, where there is none yet, or not the whole. Raises
        `StoreMismatch`."""

        def ask(connection: Connection[Row]) -> list[Row]:
            self._is_known = self._is_known or self._look(connection)
            if not self._is_known:
                return []
            try:
                return connection.execute(self._named(query), values).fetchall()
            except (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName):
                self._is_known = False
                if self._look(connection):
                    raise
                return []

        return self._server.read(ask)

    def _look(self, connection: Connection[Row]) -> bool:
        """Whether the schema is there, and whole."""
        return schema.check(connection, self._server.name, self._schema, self._corpus_id)

    def _named(self, query: LiteralString) -> sql.Composed:
        names = {name: sql.Identifier(self._schema, name) for name in ("runs", "leases", "touched")}
        return sql.SQL(query).format(**names, name=sql.Literal(self._schema))


def _own(leg: Leg) -> Leg:
    """A recipe's own leg, of which this store made one to build."""
    return leg.leg if isinstance(leg, CopiedLeg) else leg
