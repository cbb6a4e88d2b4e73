"""Thread-safe client of one database: a pool of connections; its errors contain no secrets."""

from __future__ import annotations

import atexit
import logging
import math
import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

import psycopg
from psycopg import Connection, errors, sql
from psycopg_pool import ConnectionPool, PoolTimeout

from biblicus.errors import LockTimeout, RunDamaged, StoreUnavailable
from biblicus.guards import deadlines
from biblicus.stores.options import Target

_SOON, _PATIENCE = 1.0, 15.0
"""Seconds that a thread waits for a connection: before checking that the server answers, and afterwards."""
_OLDEST = 150_000
_SUMS = "64MB"
"""Memory limit for the sums of one query."""
_FORSAKEN = "500ms"
"""Interval at which the server checks for vanished clients and ends their statements."""
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
"""Cause and remedy of TLS problems, by text of libpq's message."""
Row = tuple[Any, ...]
Read = TypeVar("Read")
Query = sql.SQL | sql.Composed
Node = TypeVar("Node")
NO_SETTINGS: Mapping[str, str] = {}

logging.getLogger("psycopg").setLevel(logging.CRITICAL + 1)  # it logs the errors it raises, with the address


class _Bounded(Connection[Row]):
    """A connection that observes the deadline of the current call. After a timeout it is not used again."""

    def wait(self, gen: Generator[Any, Any, Read], *words: Any, **options: Any) -> Read:
        return super().wait(_checked(gen), *words, **options)

    @classmethod
    def _connect_gen(cls, *words: Any, **options: Any) -> Generator[Any, Any, Any]:
        """Return the steps of connecting, each checked for the deadline."""
        return _checked(super()._connect_gen(*words, **options))


def _checked(steps: Generator[Any, Any, Read]) -> Generator[Any, Any, Read]:
    """Run a protocol generator and check the deadline after each step, at least ten times a second."""
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
    """Queue for a limited number of connections, first come, first served. Thread-safe."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._line: list[threading.Event] = []
        self._lock = threading.Lock()

    def join(self) -> threading.Event:
        """Join the queue; the returned event is set when it is the caller's turn."""
        turn = threading.Event()
        with self._lock:
            self._line.append(turn)
            self._call()
        return turn

    def leave(self, turn: threading.Event) -> None:
        """Leave the queue, after use or when giving up."""
        with self._lock:
            self._line.remove(turn)
            self._call()

    def _call(self) -> None:
        for turn in self._line[: self._count]:
            turn.set()


class Server:
    """The database of a store. Connections are created on demand and closed when idle."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.name = target.name
        self._pool: ConnectionPool[Connection[Row]] | None = None
        self._turns = Turns(target.connections)
        self._lock = threading.Lock()

    @contextmanager
    def connection(self, run_id: str = "") -> Iterator[Connection[Row]]:
        """Yield a connection in autocommit mode. `run_id`: the run that is read.
        Raises `StoreUnavailable`, `LockTimeout`, and `RunDamaged` if that run is gone."""
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
        """Return the rows of a query on a run's tables, with optional settings. Raises `RunDamaged` if the tables
        are gone."""

        def ask(connection: Connection[Row]) -> list[Row]:
            if not settings:
                return connection.execute(query, values, binary=True).fetchall()
            with connection.pipeline():  # one round trip and one transaction, since nothing is committed before its end
                for name, value in settings.items():
                    connection.execute("SELECT set_config(%s, %s, true)", [name, value])
                cursor = connection.execute(query, values, binary=True)
            return cursor.fetchall()

        return self.read(ask, run_id)

    def read(self, act: Callable[[Connection[Row]], Read], run_id: str = "") -> Read:
        """Run a read operation; a connection that broke while idle is replaced."""
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
        """Yield a connection that was just checked, since a write must not be repeated."""
        with self._ours():
            self._opened().check()
        with self.connection() as connection:
            yield connection

    def _waited(self, get: Callable[[float], Read]) -> Read:
        """Wait for a connection in short steps, so that cancellation is noticed; check early that the server answers.
        `Turns` keeps the order, because the pool does not."""
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
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def _opened(self) -> ConnectionPool[Connection[Row]]:
        if self._pool is None:
            self._probe()  # before the lock, so that each waiting thread keeps its own deadline
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
        """Connect once to find out why connecting fails, and to check the server's version."""
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
            raise LockTimeout(LOCK_SECONDS if isinstance(error, errors.LockNotAvailable) else 0.0) from None
        except (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName) as error:
            if not run_id:
                raise StoreUnavailable(self.name, _cause(error), "biblicus reindex") from None
            raise RunDamaged(run_id, f"the store {self.name} has it no more") from None
        except psycopg.Error as error:
            deadlines.check()
            raise StoreUnavailable(self.name, _cause(error), _hint(error)) from None


def copy_rows(
    connection: Connection[Row], table: sql.Composable, rows: Iterable[Sequence[Any]], types: Sequence[str]
) -> None:
    """Copy in rows of Python values, in the binary format, which is the fastest."""
    query = sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(table)
    with connection.cursor() as cursor, cursor.copy(query) as copy:
        copy.set_types(types)
        for values in rows:
            copy.write_row(values)


def side_by_side(act: Callable[[Node], Read], nodes: Sequence[Node]) -> list[Read]:
    """Return the results of an operation on several nodes at a time. Each observes the caller's deadline."""
    if len(nodes) == 1:
        return [act(nodes[0])]
    with ThreadPoolExecutor(len(nodes)) as threads:
        return [work.result() for work in [threads.submit(copy_context().run, act, node) for node in nodes]]


def _came(turn: threading.Event, seconds: float) -> None:
    """Wait for a turn. Raises `PoolTimeout`."""
    if not turn.wait(seconds):
        raise PoolTimeout


_servers: dict[tuple[str, frozenset[tuple[str, str]], int], Server] = {}
_lock = threading.Lock()


def server(target: Target) -> Server:
    """Return the process's server object for these settings."""
    key = target.name, frozenset(target.parameters().items()), target.connections
    with _lock:
        if key not in _servers:
            _servers[key] = Server(target)
        return _servers[key]


def _configure(connection: Connection[Row]) -> None:
    """Configure a connection: no JIT, memory for sums, stable number formats, detection of vanished clients."""
    connection.execute("SET jit = off")
    connection.execute(f"SET work_mem = '{_SUMS}'")
    connection.execute("SET bytea_output = 'hex'; SET extra_float_digits = 1")  # the digests of rows depend on these
    with suppress(errors.InvalidParameterValue, errors.UndefinedObject):
        connection.execute(f"SET client_connection_check_interval = '{_FORSAKEN}'")


LOCK_SECONDS = 60.0
"""Seconds to wait for another clone that writes to the same schema."""


def _cause(error: psycopg.Error) -> str:
    """Return the server's message on one line without its address, since services show it to others."""
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
