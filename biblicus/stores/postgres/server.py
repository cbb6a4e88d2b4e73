"""One database, spoken to by several threads: a pool of connections, and errors in our words without any secret."""

from __future__ import annotations

import atexit
import logging
import math
import re
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg import Connection, errors, sql
from psycopg_pool import ConnectionPool, PoolTimeout

from biblicus.errors import LockTimeout, RunDamaged, StoreUnavailable
from biblicus.guards import deadlines
from biblicus.stores.postgres.options import Pooled

_SOON, _PATIENCE = 1.0, 15.0
"""Seconds for which a thread waits for a connection: until it asks whether there is a server, and after that."""
_OLDEST = 150_000
_SUMS = "64MB"
"""What the sums of one question may take."""
_FORSAKEN = "500ms"
"""After how long the server ends a statement whose client has left: one that was given up, or whose process died."""
_REFUSED = re.compile(r".*failed: FATAL:  (.+)")
_UNREACHED = re.compile(r"(?:.*failed: |.*failed to resolve host [^:]*: (?:\[Errno -?\d+\] )?)(.+)")
_INSECURE = {
    "certificate verify failed": (
        "its certificate is not trusted, or not valid now",
        "sslrootcert=FILE of who signed it, in its dsn",
    ),
    "does not match host": ("its certificate is another host's", "host=NAME as its certificate has it, in its dsn"),
    "root certificate file": ("the file of sslrootcert cannot be read", "sslrootcert=FILE that is there, in its dsn"),
    "does not support SSL": ("it has no TLS", "ask who runs it for TLS"),
}
"""By what libpq says: what keeps a connection from being protected, and what would help."""
Row = tuple[Any, ...]
Read = TypeVar("Read")
Query = sql.SQL | sql.Composed
NO_SETTINGS: Mapping[str, str] = {}

logging.getLogger("psycopg").setLevel(logging.CRITICAL + 1)  # it logs what it raises, with the address


class _Bounded(Connection[Row]):
    """A connection on which nobody waits beyond the deadline of his call. One that was given up is not used again."""

    def wait(self, gen: Generator[Any, Any, Read], *words: Any, **options: Any) -> Read:
        return super().wait(_checked(gen), *words, **options)

    @classmethod
    def _connect_gen(cls, *words: Any, **options: Any) -> Generator[Any, Any, Any]:
        """The talk that makes one, of which `connect` waits for each step."""
        return _checked(super()._connect_gen(*words, **options))


def _checked(steps: Generator[Any, Any, Read]) -> Generator[Any, Any, Read]:
    """The same talk, which ends where it is time to stop: asked each time that something comes, and ten times a second
    where nothing does."""
    try:
        step = next(steps)
        while True:
            ready = yield step
            deadlines.check()
            step = steps.send(ready)
    except StopIteration as ended:
        value: Read = ended.value
        return value


class Turns:
    """Who may have a connection: as many as there are, in the order in which they came. Safe for several threads."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._line: list[threading.Event] = []
        self._lock = threading.Lock()

    def join(self) -> threading.Event:
        """A place in the line, which is set when it is its turn."""
        turn = threading.Event()
        with self._lock:
            self._line.append(turn)
            self._call()
        return turn

    def leave(self, turn: threading.Event) -> None:
        """Of who has had a connection, or waits no longer."""
        with self._lock:
            self._line.remove(turn)
            self._call()

    def _call(self) -> None:
        for turn in self._line[: self._count]:
            turn.set()


class Server:
    """The database of a store. Connections are made when they are needed, and let go when they are idle."""

    def __init__(self, target: Pooled) -> None:
        self.target = target
        self.name = target.name
        self._pool: ConnectionPool[Connection[Row]] | None = None
        self._turns = Turns(target.connections)
        self._lock = threading.Lock()

    @contextmanager
    def connection(self, run_id: str = "") -> Iterator[Connection[Row]]:
        """A connection; each statement stands for itself. `run_id`: the run that is read. Raises `StoreUnavailable`,
        `LockTimeout`, and `RunDamaged` where that run is gone."""
        with self._ours(run_id):
            pool = self._opened()
            turn = self._turns.join()
            try:
                self._waited(partial(_came, turn))
                lent = self._waited(pool.getconn)
                try:
                    yield lent
                finally:
                    pool.putconn(lent)
            finally:
                self._turns.leave(turn)

    def rows(
        self, run_id: str, query: Query, values: Any = None, settings: Mapping[str, str] = NO_SETTINGS
    ) -> list[Row]:
        """What a question to a run's tables gives, under settings of its own. Raises `RunDamaged` where they are
        gone."""

        def ask(connection: Connection[Row]) -> list[Row]:
            if not settings:
                return connection.execute(query, values, binary=True).fetchall()
            with connection.pipeline():  # one trip and, as none of it is committed before its end, one transaction
                for name, value in settings.items():
                    connection.execute("SELECT set_config(%s, %s, true)", [name, value])
                cursor = connection.execute(query, values, binary=True)
            return cursor.fetchall()

        return self.read(ask, run_id)

    def read(self, act: Callable[[Connection[Row]], Read], run_id: str = "") -> Read:
        """What is read over a connection. One that broke while nobody used it is replaced by another."""
        for left in range(self.target.connections, -1, -1):
            with self.connection(run_id) as connection:
                try:
                    return act(connection)
                except psycopg.OperationalError:
                    if not (left and connection.broken):
                        raise
        raise AssertionError("the last one is not tried again")

    @contextmanager
    def writing(self) -> Iterator[Connection[Row]]:
        """A connection that was looked at just now, since what is written is written once."""
        with self._ours():
            self._opened().check()
        with self.connection() as connection:
            yield connection

    def _waited(self, get: Callable[[float], Read]) -> Read:
        """What is waited for a little at a time, so that who is called off waits no longer; whether there is a server
        at all is asked before long. The pool would forget who came first, and has one for each whose turn it is."""
        with suppress(PoolTimeout):
            return get(deadlines.within(_SOON))
        self._probe()
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            with suppress(PoolTimeout):
                return get(deadlines.within(_SOON))
            deadlines.check()
        raise StoreUnavailable(self.name, "all its connections are busy")

    def close(self) -> None:
        """Let go of every connection."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def _opened(self) -> ConnectionPool[Connection[Row]]:
        if self._pool is None:
            self._probe()  # before the lock: each who waits keeps a deadline of his own
        with self._lock:
            if self._pool is None:
                self._pool = ConnectionPool(
                    connection_class=_Bounded,
                    kwargs={**self.target.parameters(), "autocommit": True, "prepare_threshold": None},
                    min_size=0,
                    max_size=self.target.connections,
                    max_idle=120,
                    configure=_configure,
                    num_workers=1,
                    reconnect_timeout=_SOON,
                    open=True,
                )
                atexit.register(self.close)
            return self._pool

    def _probe(self) -> None:
        """Connect at once, to hear why that does not go, and to see who is there."""
        parameters = self.target.parameters()
        parameters["connect_timeout"] = str(math.ceil(deadlines.within(float(parameters["connect_timeout"]))))
        with self._ours(), _Bounded.connect(**parameters, autocommit=True) as connection:  # type: ignore[arg-type]  # all are texts
            version = connection.info.server_version
        if version < _OLDEST:
            raise StoreUnavailable(
                self.name, f"it is PostgreSQL {version // 10_000}, and 15 is the oldest that will do"
            )

    @contextmanager
    def _ours(self, run_id: str = "") -> Iterator[None]:
        try:
            yield
        except (errors.LockNotAvailable, errors.DeadlockDetected) as error:
            raise LockTimeout(_seconds(error)) from None
        except (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName) as error:
            if not run_id:
                raise StoreUnavailable(self.name, _cause(error), "biblicus reindex") from None
            raise RunDamaged(run_id, f"the store {self.name} has it no more") from None
        except psycopg.Error as error:
            deadlines.check()
            raise StoreUnavailable(self.name, _cause(error), _hint(error)) from None


def _came(turn: threading.Event, seconds: float) -> None:
    """Wait so long for a turn. Raises `PoolTimeout`."""
    if not turn.wait(seconds):
        raise PoolTimeout


_servers: dict[tuple[str, frozenset[tuple[str, str]], int], Server] = {}
_lock = threading.Lock()


def server(target: Pooled) -> Server:
    """The one server of this process with that name and these settings."""
    key = target.name, frozenset(target.parameters().items()), target.connections
    with _lock:
        if key not in _servers:
            _servers[key] = Server(target)
        return _servers[key]


def _configure(connection: Connection[Row]) -> None:
    """Compiling a query costs more than it is worth here; sums over long lists do not go over the disk; nothing is
    worked out for nobody, where the server's system can tell."""
    connection.execute("SET jit = off")
    connection.execute(f"SET work_mem = '{_SUMS}'")
    connection.execute("SET bytea_output = 'hex'; SET extra_float_digits = 1")  # by which rows are summed up
    with suppress(errors.InvalidParameterValue, errors.UndefinedObject):
        connection.execute(f"SET client_connection_check_interval = '{_FORSAKEN}'")


def _seconds(error: psycopg.Error) -> float:
    return LOCK_SECONDS if isinstance(error, errors.LockNotAvailable) else 0.0


LOCK_SECONDS = 60.0
"""How long another clone that writes to the same schema is waited for."""


def _cause(error: psycopg.Error) -> str:
    """The server's own words in one line, without its address: a service tells it to others, too."""
    if error.diag.message_primary:
        return error.diag.message_primary.removesuffix(".")
    if isinstance(error, errors.ConnectionTimeout):
        return "it does not answer (nothing came in time)"
    if insecure := _insecure(error):
        return insecure[0]
    if refused := _REFUSED.search(str(error)):
        return refused[1].removesuffix(".")
    if unreached := _UNREACHED.search(str(error)):
        return f"it does not answer ({unreached[1].removesuffix('.')})"
    return "it broke off" if isinstance(error, psycopg.OperationalError) else type(error).__name__


def _insecure(error: psycopg.Error) -> tuple[str, str] | None:
    return next((advice for sign, advice in _INSECURE.items() if sign in str(error)), None)


def _hint(error: psycopg.Error) -> str:
    if _REFUSED.search(str(error)):
        return "another dsn or password under stores in your settings"
    if insecure := _insecure(error):
        return insecure[1]
    if isinstance(error, errors.InsufficientPrivilege):
        return "ask who runs it for what is missing"
    if isinstance(error, (errors.DiskFull, errors.OutOfMemory)):
        return "free space there, then the same command"
    return ""
