"""How often a question goes to a database and back: counted on the wire, where every turn of the talk is seen."""

import json
import logging
import selectors
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic

import psycopg
import pytest
from psycopg import sql

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import Cancelled, DeadlineExceeded, StoreUnavailable
from biblicus.guards import deadlines
from biblicus.stores import options
from biblicus.stores.options import PostgresOptions
from biblicus.stores.postgres import server as servers
from tests.stores.test_conformance import TEXTS, filled
from tools.postgres import Server

RECIPES = {
    "exact": "{lexical: {}, vector: {engine: exact, embedder: minilm}}",
    "graph": "{lexical: {}, vector: {engine: hnsw, exact_below: 50, embedder: minilm}}",
    "words": "{lexical: {}}",
}
FILLER = {f"more/{number}.md": f"# Page {number}\n\nBerth {number} of the pier.\n" for number in range(150)}


_MAJOR = 3
"""Of the protocol's version, which the first message names; it alone, and requests for encryption before it, have no
type."""


class Said:
    """What a client says to PostgreSQL. It waits for all of the replies after `Query` and `Sync`; when these come, and
    in how many parts, makes no difference."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_typed = False

    def waits(self, data: bytes) -> int:
        """After how many messages that end with more of what is said it waits."""
        self._rest += data
        count = 0
        while True:
            at = 1 if self._is_typed else 0
            end = at + int.from_bytes(self._rest[at : at + 4])
            if len(self._rest) < max(at + 4, end):
                return count
            if self._is_typed:
                count += self._rest[:1] in (b"Q", b"S")
            else:
                self._is_typed = int.from_bytes(self._rest[4:6]) == _MAJOR
            self._rest = self._rest[end:]


class Wire:
    """Stands between a client and a server's socket. `trips`: how often the client has waited for the server; `flows`:
    whether what the server says comes through."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.trips = 0
        self.flows = threading.Event()
        self.flows.set()
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=[client], daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, selectors.DefaultSelector() as watched:
            try:
                server.connect(self._address)
            except OSError:
                return
            self._open |= {client, server}
            watched.register(client, selectors.EVENT_READ, server)
            watched.register(server, selectors.EVENT_READ, client)
            said = Said()
            with suppress(OSError):
                while True:
                    for key, _ in watched.select():
                        sent = key.fileobj.recv(1 << 16)  # type: ignore[union-attr]  # they are sockets
                        if not sent:
                            return
                        if key.fileobj is client:
                            self.trips += said.waits(sent)
                        else:
                            self.flows.wait()
                        key.data.sendall(sent)

    def cut(self) -> None:
        """Break off whatever is being said."""
        for end in [*self._open]:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self) -> None:
        self.cut()
        self._listener.close()


@pytest.fixture
def wire(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    made = Wire(f"{postgres.folder}/.s.PGSQL.5432")
    dsn = postgres.dsn.replace(str(postgres.folder), f"127.0.0.1 port={made.port}")
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "postgres", "dsn": dsn}}))
    monkeypatch.setenv("BIBLICUS_STORE", "team")
    yield made
    made.close()


@pytest.fixture
def corpus(tmp_path: Path, wire: Wire) -> Iterator[Corpus]:
    with filled(tmp_path / "harbour", {**TEXTS, **FILLER}) as made:
        folder = made.path / ".biblicus" / "recipes"
        folder.mkdir()
        for name, legs in RECIPES.items():
            text = f"name: {name}\nbuild:\n  chunking: {{default: {{by: paragraphs}}}}\n  legs: {legs}\n"
            (folder / f"{name}.yml").write_text(text, "utf-8")
        yield made


@pytest.mark.parametrize(("recipe", "first", "again"), [("words", 0, 0), ("exact", 3, 1), ("graph", 3, 1)])
def test_a_question_is_few_trips(corpus: Corpus, wire: Wire, recipe: str, first: int, again: int) -> None:
    corpus.reindex(recipe)

    def trips(question: str, **filters: tuple[str, ...]) -> int:
        before = wire.trips
        assert corpus.query(question, recipe=recipe, **filters).evidence  # type: ignore[arg-type]  # filters
        return wire.trips - before

    trips("gulls")  # opens the run
    assert trips("tides of the harbour") <= first  # the nearest vectors, and those of others
    assert trips("tides of the harbour") <= again
    assert trips("tides of the harbour", path=("**",)) <= again + 1  # what fits a filter is asked once
    assert trips("gulls", path=("**",)) <= again


# --- a server that says nothing ---------------------------------------------------------------------------------------


@pytest.fixture
def mute(corpus: Corpus, wire: Wire) -> Iterator[Corpus]:
    """A run was asked, and then nothing more comes from the server."""
    corpus.reindex("exact")
    corpus.query("gulls", recipe="exact")
    wire.flows.clear()
    yield corpus
    wire.flows.set()


@pytest.mark.parametrize("is_connected", [True, False])
def test_a_server_that_says_nothing_is_waited_for_until_the_deadline(
    mute: Corpus, wire: Wire, caplog: pytest.LogCaptureFixture, is_connected: bool
) -> None:
    if not is_connected:
        for held in servers._servers.values():
            held.close()
    with caplog.at_level(logging.DEBUG), pytest.raises(DeadlineExceeded):
        mute.query("tides", recipe="exact", call=Call(deadline=monotonic() + 0.3))
    assert not [record for record in caplog.records if record.name.startswith("psycopg")]
    wire.flows.set()
    assert mute.query("tides", recipe="exact").evidence


def test_a_question_to_a_server_that_says_nothing_is_taken_back(mute: Corpus) -> None:
    call = Call()
    threading.Timer(0.2, call.cancel.set).start()
    with pytest.raises(Cancelled):
        mute.query("tides", recipe="exact", call=call)


def test_without_a_deadline_a_server_that_greets_nobody_is_said_to_be_away(
    mute: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    for held in servers._servers.values():
        monkeypatch.setitem(held.target._parameters, "connect_timeout", "1")
        held.close()
    with pytest.raises(StoreUnavailable, match="it does not answer \\(nothing came in time\\)"):
        mute.query("tides", recipe="exact")


def reached(dsn: str) -> servers.Server:
    """A server of its own for this test."""
    return servers.Server(options.postgres_target("team", PostgresOptions.model_validate({"dsn": dsn}), {}))


def test_a_statement_that_was_given_up_ends_at_the_server_too(postgres: Server) -> None:
    held, call = reached(postgres.dsn), Call()

    def ask() -> None:
        with deadlines.during(call):
            held.rows("", sql.SQL("SELECT pg_advisory_lock(4711), pg_sleep(600)"))

    with ThreadPoolExecutor(1) as pool, psycopg.connect(postgres.dsn, autocommit=True) as other:
        answer = pool.submit(ask)
        while not other.execute("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711").fetchone():
            assert not answer.done()
        call.cancel.set()
        with pytest.raises(Cancelled):
            answer.result()
        other.execute("SET lock_timeout = '30s'")
        other.execute("SELECT pg_advisory_lock(4711)")
    held.close()


def test_who_connects_waits_for_nobody_elses_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        held = reached(f"host=127.0.0.1 port={silent.getsockname()[1]} dbname=x user=u connect_timeout=2")
        locked, connect, call = list[bool](), psycopg.Connection.connect.__func__, Call()  # type: ignore[attr-defined]

        def watched(made: type[psycopg.Connection], /, *words: object, **options: object) -> object:
            locked.append(held._lock.locked())
            return connect(made, *words, **options)

        monkeypatch.setattr(psycopg.Connection, "connect", classmethod(watched))
        call.cancel.set()
        with deadlines.during(call), pytest.raises(Cancelled) as told:
            held.rows("", sql.SQL("SELECT 1"))
    assert locked == [False]
    assert told.value.__context__ is None  # else it was told once the connection had failed


def test_connections_are_had_in_the_order_in_which_they_were_asked_for() -> None:
    turns = servers.Turns(2)
    first, second, third, fourth, fifth = (turns.join() for _ in range(5))
    assert [turn.is_set() for turn in (first, second, third)] == [True, True, False]
    turns.leave(fourth)  # who waits no longer
    turns.leave(second)
    assert (third.is_set(), fifth.is_set()) == (True, False)
    turns.leave(first)
    assert fifth.is_set()
