"""The store `postgres`: runs in a database schema that clones of a corpus share.

A run is built in a local folder and copied in by one transaction, so nobody sees half a run. Each clone that uses a run
has a lease on it; a run without leases is deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, LiteralString

from psycopg import Connection, errors, sql

from biblicus.contracts import Leg
from biblicus.errors import NotMaterialized, RunDamaged
from biblicus.stores.contract import Sums
from biblicus.stores.mirrored import Entry, MirroredStore, refuse, seal_of
from biblicus.stores.postgres import loading, schema
from biblicus.stores.postgres.loading import Build, Meanings, Share
from biblicus.stores.postgres.server import Row, Server

_LEASE: LiteralString = "renewed > now() - interval '30 days'"
_RENEWED = "1 day"
_NOT_WRITABLE = errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction
_ROW: LiteralString = f"""SELECT run_id, corpus_id, number, base, delta, body, seal, signs, {schema.SIGNS}
    FROM {{runs}} r WHERE run_id = %s"""


class PostgresStore(MirroredStore):
    """See `stores.contract.RunStore`. `schema_name`: of its runs. `clone`: id of this clone. `folder`: for mirrors."""

    engine = "a database"
    builds_on_parents = True

    def __init__(self, server: Server, schema_name: str, corpus_id: str, clone: str, folder: Path) -> None:
        super().__init__(server.name, schema_name, corpus_id, clone, folder)
        self._server = server
        self._is_known = False

    @property
    def address(self) -> tuple[str, ...]:
        """The location of the database, as far as its settings show it."""
        parameters = self._server.target.parameters()
        return tuple(parameters.get(key, "") for key in ("host", "hostaddr", "port", "service", "dbname"))

    # --- what there is ---

    def runs(self) -> list[str]:
        return [run_id for (run_id,) in self._asked('SELECT run_id FROM {runs} ORDER BY run_id COLLATE "C"')]

    def own(self) -> list[str]:
        """Return the runs that this clone uses, and those without a valid lease."""
        rows = self._asked(
            "SELECT r.run_id FROM {runs} r WHERE EXISTS (SELECT 1 FROM {leases} l WHERE l.run_id = r.run_id"
            " AND l.clone = %(clone)s) OR NOT EXISTS (SELECT 1 FROM {leases} l WHERE l.run_id = r.run_id"
            f' AND l.{_LEASE}) ORDER BY r.run_id COLLATE "C"',
            {"clone": self._clone},
        )
        return [run_id for (run_id,) in rows]

    def entry(self, run_id: str) -> Entry | None:
        rows = self._asked(_ROW, [run_id])
        if not rows:
            return None
        *sealed, seal, signs, now = rows[0]
        if seal_of(sealed) != seal:
            refuse(run_id, self.keeper, "runs")
        _, _, number, base, delta, body = sealed
        return {"run_id": run_id, "number": number, "base": base, "delta": delta, **body, "signs": signs, "now": now}

    def prove(self, entry: Entry, *, deep: bool = False) -> None:
        """Raise `RunDamaged` if a run's tables differ from those sealed.
        Digests are computed only if the fingerprint changed, or with `deep`."""
        run_id, sealed, now = entry["run_id"], entry["signs"], entry["now"]
        if sealed == now and not deep:
            return
        where = f"the store {self.keeper}"
        for name, (columns, expected) in entry["tables"].items():
            table = name.split("_", 2)[2]
            if name not in now:
                raise RunDamaged(run_id, f"{where} has lost its {table}")
            if now[name][0] != columns:
                raise RunDamaged(run_id, f"{where} has its {table} with other columns")
            if expected and (deep or now[name] != sealed.get(name)):
                table_sum = self._server.read(partial(loading.sum_of, schema_name=self._schema, table=name), run_id)
                if table_sum != expected:
                    raise RunDamaged(run_id, f"{where} has its {table} altered")
        if sealed != now:
            with self._server.connection() as connection, suppress(*_NOT_WRITABLE):
                loading.renew_signs(connection, self._schema, run_id)

    # --- reading ---

    def pieces(self, entry: Entry, name: str, at: int = 0) -> Iterator[bytes]:
        part = entry["number"] if name in entry["own"] else entry["base"]
        table = sql.Identifier(self._schema, f"part_{part}_files")
        query = sql.SQL("SELECT body FROM {} WHERE name = %s AND at = %s").format(table)
        while rows := self._server.rows(entry["run_id"], query, [name, at]):
            yield rows[0][0]
            at += 1

    def _view(self, entry: Entry, name: str) -> sql.Identifier:
        return sql.Identifier(self._schema, f"run_{entry['number']}_{name}")

    def comparing(self, entry: Entry, facts: Mapping[str, Any], reach: int) -> Meanings:
        return Meanings(self._server, entry["run_id"], self._view(entry, facts["view"]), facts["dim"], reach)

    # --- writing ---

    def prepare(self) -> None:
        with self._server.writing() as connection:
            schema.prepare(connection, self.keeper, self._schema, self._corpus_id)

    def count_cut(self, entry: Entry, facts: Mapping[str, Any], removed: Sequence[int]) -> int:
        """Return the number of truncated texts of a leg in a run, without removed items."""
        query = sql.SQL("SELECT count(*) FROM {} WHERE cut AND item <> ALL(%s::int[])")
        rows = self._server.rows(entry["run_id"], query.format(self._view(entry, facts["view"])), [list(removed)])
        return int(rows[0][0])

    def _load(self, run_id: str, folder: Path, sums: Sums, known: Mapping[str, str]) -> None:
        with self.loading(run_id, folder, self._legs, self._parents.get(run_id)) as build:
            loading.load([build], sums, known)

    @contextmanager
    def loading(
        self, run_id: str, folder: Path, legs: Mapping[str, Leg], parent: Entry | None, share: Share | None = None
    ) -> Iterator[Build]:
        """Yield a build in a transaction, which is committed afterwards. `share`: of this node, if there are more."""
        with self._server.writing() as connection, connection.transaction():
            if parent is not None:
                lock_query = self._named("SELECT 1 FROM {runs} WHERE run_id = %s FOR SHARE")
                if not connection.execute(lock_query, [parent["run_id"]]).fetchone():
                    raise NotMaterialized(parent["run_id"], kept_by=self.keeper)
            self._drop(connection, run_id)  # an existing run of this name does not match its manifest
            yield Build(
                connection, self.keeper, self._schema, self._corpus_id, run_id, folder, legs, parent, share
            )  # fmt: skip
            connection.execute(
                self._named("INSERT INTO {leases} (run_id, clone) VALUES (%s, %s)"), [run_id, self._clone]
            )

    def delete(self, run_id: str) -> int:
        values = {"run": run_id, "clone": self._clone}
        if not self._asked("SELECT 1"):
            return 0
        with self._server.writing() as connection, connection.transaction():
            schema.lock(connection, self._schema)
            connection.execute(self._named("DELETE FROM {leases} WHERE run_id = %(run)s AND clone = %(clone)s"), values)
            used = self._named(f"SELECT 1 FROM {{leases}} WHERE run_id = %(run)s AND {_LEASE}")
            return 0 if connection.execute(used, values).fetchone() else self._drop(connection, run_id)

    def _drop(self, connection: Connection[Row], run_id: str) -> int:
        """Delete a run with its views, and tables that no other run uses. Return their bytes."""
        deleted = connection.execute(self._named("DELETE FROM {runs} WHERE run_id = %s"), [run_id])
        return schema.sweep(connection, self._schema) if deleted.rowcount else 0

    def renew(self, entry: Entry) -> None:
        query = (
            "INSERT INTO {leases} AS l (run_id, clone) VALUES (%s, %s) ON CONFLICT (run_id, clone)"
            f" DO UPDATE SET renewed = now() WHERE l.renewed < now() - interval '{_RENEWED}'"
        )
        with self._server.connection() as connection, suppress(*_NOT_WRITABLE, errors.ForeignKeyViolation):
            connection.execute(self._named(query), [entry["run_id"], self._clone])

    # --- rows ---

    def _asked(self, query: LiteralString, values: Any = None) -> list[Row]:
        """Query the schema's own tables; nothing if the schema is missing or incomplete. Raises `StoreMismatch`."""

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
        """Return true if the schema exists and is complete."""
        return schema.check(connection, self.keeper, self._schema, self._corpus_id)

    def _named(self, query: LiteralString) -> sql.Composed:
        names = {name: sql.Identifier(self._schema, name) for name in ("runs", "leases", "touched")}
        return sql.SQL(query).format(**names, name=sql.Literal(self._schema))
