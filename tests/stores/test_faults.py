"""A database that fails while runs are copied in, at random moments: nobody sees half a run, nothing that was told to
be there is lost, and nothing stays behind. `make test-faults-stores` says how it went."""

import json
import os
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import psycopg
import pytest

from biblicus import Corpus
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError
from biblicus.stores.postgres import server as servers
from tests.folders import write
from tests.stores.test_conformance import TEXTS, filled
from tests.stores.test_postgres import Database, schema_of
from tests.stores.test_trips import Wire
from tools.postgres import Server

TRIES = int(os.environ.get("BIBLICUS_STORE_FAULTS", "300"))
REFUSALS = {"disk full": "53100", "aborted": "40001"}
"""What a server answers then; the transaction is over."""
FAULTS = ("killed", "cut", *REFUSALS)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.stop()


@pytest.fixture
def wire(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    made = Wire(f"{server.folder}/.s.PGSQL.5432")
    dsn = server.dsn.replace(str(server.folder), f"127.0.0.1 port={made.port}")
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": dsn}}))
    monkeypatch.setenv("BIBLICUS_STORE", "team")
    yield made
    for held in servers._servers.values():  # else they go on looking for it
        held.close()
    made.close()


class Failing:
    """Lets the database fail at a statement, counted from the first one of a build; 0 for never."""

    def __init__(self, server: Server, wire: Wire) -> None:
        self._server, self._wire = server, wire
        self._execute, self._copy = psycopg.Connection.execute, psycopg.Cursor.copy
        self.at, self.fault, self.statements = 0, "", 0
        self.has_fired = self._is_down = False
        self._lock = threading.Lock()

    def watched(self) -> Any:
        """Statements are counted meanwhile."""
        failing = self

        def execute(connection: Any, *words: Any, **options: Any) -> Any:
            failing._reached(connection)
            return failing._execute(connection, *words, **options)

        def copy(cursor: Any, *words: Any, **options: Any) -> Any:
            failing._reached(cursor.connection)
            return failing._copy(cursor, *words, **options)

        return mock.patch.multiple(psycopg.Connection, execute=execute), mock.patch.multiple(psycopg.Cursor, copy=copy)

    def recover(self) -> None:
        """Start the server again, where it was killed; also where a thread of the pool's is still about it."""
        with self._lock:
            if self._is_down:
                self._server.start()
            self._is_down = False

    def _reached(self, connection: Any) -> None:
        self.statements += 1
        if self.statements != self.at:
            return
        self.has_fired = True
        if self.fault == "killed":
            with self._lock:
                self._is_down = True
                self._server.kill()
        elif self.fault == "cut":
            self._wire.cut()
        else:
            refusal = f"DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{REFUSALS[self.fault]}'; END $$"
            self._execute(connection, refusal)


@pytest.mark.faults
def test_whatever_fails_all_of_a_run_is_there_or_nothing(
    tmp_path: Path, server: Server, wire: Wire, tally: Callable[..., None]
) -> None:
    chance, failing, told = random.Random(1), Failing(server, wire), Counter[str]()
    database = Database(server)
    with filled(tmp_path / "harbour", TEXTS) as corpus, mock.patch("biblicus.runs.reindex.CHURN_LIMIT", 100.0):
        acknowledged = corpus.reindex().runs[0].manifest.run_id
        word = most = number = 0
        while told.total() < TRIES:
            number += 1
            write(corpus.path, {"new.md": f"Net number{number} of the harbour.\n"})
            failing.statements, failing.has_fired = 0, False
            failing.fault = FAULTS[number % len(FAULTS)]
            failing.at = chance.randint(1, most) if most else 0
            executing, copying = failing.watched()
            try:
                with executing, copying:
                    acknowledged, word = corpus.reindex().runs[0].manifest.run_id, number
                told[f"{failing.fault}, built all the same"] += failing.has_fired
                most = most or failing.statements
            except BiblicusError:
                told[failing.fault] += 1
            failing.recover()
            with Corpus.open(corpus.path) as again:
                store = CorpusFolder(corpus.path).store
                for run_id in store.runs():
                    store.check(run_id, deep=True)
                latest = max(run.run_id for run in again.runs())
                assert latest >= acknowledged
                if latest > acknowledged:  # it was there when the database failed, which was told as an error
                    acknowledged, word = latest, number
                result = again.query("harbour", limit=100)
                assert result.run_id == acknowledged
                assert not word or f"number{word} " in "".join(piece.text for piece in result.evidence)
        failing.at = 0
        corpus.reindex()
        corpus.prune_runs(keep=1)
        schema = schema_of(corpus)
        kept = {str(part) for row in database.rows(f"SELECT base, delta FROM {schema}.runs") for part in row}
        runs = {str(number) for (number,) in database.rows(f"SELECT number FROM {schema}.runs")}
        owners = {"part": kept, "run": runs}
        leaked = [name for name in database.tables(schema) if name.split("_")[1] not in owners[name.split("_")[0]]]
        assert leaked == []
        assert not list(CorpusFolder(corpus.path).index.glob("*"))
    failed = sum(told[fault] for fault in FAULTS)
    tally(faults=TRIES)
    print(f"\n{TRIES} tries, {failed} builds failed {dict(told)}: 0 runs half there, 0 lost, 0 tables left")  # noqa: T201
    assert failed > TRIES / 3
