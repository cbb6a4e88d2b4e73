"""Thread-safe client of one Milvus server; its errors contain no secrets."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

# else it reports every lost connection on the terminal, besides raising it
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
from pymilvus import DataType, MilvusClient
from pymilvus.exceptions import MilvusException

from biblicus.errors import RunDamaged, StoreUnavailable
from biblicus.guards import deadlines
from biblicus.stores.options import Target

FIRST, PATIENCE, LOADING = 5.0, 15.0, 600.0
"""Timeouts in seconds for connecting, a reply, and inserting a batch."""
_AT_ONCE = 2_000
MOST = 16_384
"""Maximum rows of one query, for any server."""
_READING = ("search", "query", "has_collection", "list_collections")
_RELEASED = ("released", "not loaded")
_ABSENT = ("not found", "not exist", "can't find collection")
_AWAY = ("Retry timeout", "UNAVAILABLE", "DEADLINE_EXCEEDED", "Fail connecting", "illegal connection")
STRING = 65_535
"""Maximum bytes of a text field, for any server."""

Rows = list[dict[str, Any]]

# it logs the errors it raises, with a traceback and the address
logging.getLogger("pymilvus").setLevel(logging.CRITICAL + 1)


class Server:
    """The server of a store. Its client is created on first use."""

    def __init__(self, target: Target) -> None:
        self.name = target.name
        self._target = target
        self._client: MilvusClient | None = None
        self._lock = threading.Lock()

    def ask(self, method: str, *words: Any, run_id: str = "", seconds: float | None = None, **options: Any) -> Any:
        """Call a method of the client. Raises `StoreUnavailable`, and `RunDamaged` if the run read (`run_id`) is
        gone."""
        is_left = method in _READING and self._client is not None
        is_released = False  # after a restart a server has released its collections
        while True:
            try:
                if is_released:
                    self._connected().load_collection(words[0], timeout=deadlines.within(LOADING))
                patience = deadlines.within(seconds or PATIENCE)
                return getattr(self._connected(), method)(*words, timeout=patience, **options)
            except (MilvusException, grpc.RpcError) as error:
                deadlines.check()
                message = str(error.message if isinstance(error, MilvusException) else error.details())
                if run_id and any(word in message for word in _ABSENT):
                    raise RunDamaged(run_id, f"the store {self.name} has it no more") from None
                if not is_released and any(word in message for word in _RELEASED):
                    is_released = True
                    continue
                code = error.code if isinstance(error, MilvusException) else error.code()
                if not isinstance(code, grpc.StatusCode) and not any(word in message for word in _AWAY):
                    raise StoreUnavailable(self.name, _first_line(message)) from None
                self._let_go()
                if not is_left:
                    raise StoreUnavailable(self.name, "it does not answer") from None
            is_left = False  # replace a connection once if it broke while idle

    def rows(self, collection: str, fits: str, fields: Sequence[str], run_id: str = "") -> Rows:
        """Return the rows that match an expression, at most `MOST`."""
        rows: Rows = self.ask(
            "query", collection, run_id=run_id, filter=fits, output_fields=list(fields), limit=MOST,
            consistency_level="Strong" if not run_id else "Bounded",
        )  # fmt: skip
        return rows

    def among(self, collection: str, field: str, values: Iterable[Any], fields: Sequence[str], run_id: str) -> Rows:
        """Return the rows whose field has one of these values."""
        unique = list(dict.fromkeys(values))
        batches = (unique[start : start + _AT_ONCE] for start in range(0, len(unique), _AT_ONCE))
        return [
            row for batch in batches for row in self.rows(collection, f"{field} in {listed(batch)}", fields, run_id)
        ]

    def has(self, collection: str) -> bool:
        return bool(self.ask("has_collection", collection))

    def count(self, collection: str, fits: str = "", run_id: str = "") -> int:
        """Return the number of rows, including all earlier inserts."""
        ((counted,),) = (
            row.values()
            for row in self.ask(
                "query", collection, run_id=run_id, filter=fits, output_fields=["count(*)"],
                consistency_level="Strong", seconds=LOADING,
            )
        )  # fmt: skip
        return int(counted)

    def make(
        self,
        collection: str,
        fields: Sequence[tuple[Any, ...]],
        indexes: Sequence[tuple[str, str, Any]],
        shared: tuple[str, int] | None = None,
    ) -> None:
        """Create a collection.

        `fields`: name, type and options, the key first. `indexes`: of vectors, by inner product. `shared`: partition
        key and number of partitions."""
        schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
        for at, (name, kind, options) in enumerate(fields):
            schema.add_field(
                name, kind, is_primary=at == 0, is_partition_key=shared is not None and name == shared[0], **options
            )
        index_params = MilvusClient.prepare_index_params()
        for name, kind, parameters in indexes:
            index_params.add_index(name, index_type=kind, metric_type="IP", params=parameters)
        more: dict[str, Any] = {} if shared is None else {"num_partitions": shared[1]}
        self.ask("create_collection", collection, schema=schema, index_params=index_params, seconds=LOADING, **more)

    def insert(self, collection: str, rows: Sequence[Any]) -> None:
        self.ask("insert", collection, rows, seconds=LOADING)

    def flush(self, collection: str) -> None:
        """Make inserted rows durable and searchable."""
        self.ask("flush", collection, seconds=LOADING)

    def _connected(self) -> MilvusClient:
        client = self._client
        if client is None:  # created before the lock, so that each waiting thread keeps its own deadline
            client = MilvusClient(**self._target.parameters(), timeout=deadlines.within(FIRST), dedicated=True)
            with self._lock:
                first = self._client = self._client or client
            if first is not client:
                client.close()
            return first
        return client

    def _let_go(self) -> None:
        """Discard the client: it never reconnects to a lost server."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            with suppress(MilvusException, grpc.RpcError):
                client.close()


def _first_line(message: str) -> str:
    """Return the first line of the server's message."""
    return (message.strip().splitlines() or ["it broke off"])[0].removesuffix(".")


_servers: dict[tuple[tuple[str, str], ...], Server] = {}
_lock = threading.Lock()


def server(target: Target) -> Server:
    """Return the process's server object for these settings."""
    key = (("name", target.name), *sorted(target.parameters().items()))
    with _lock:
        if key not in _servers:
            _servers[key] = Server(target)
        return _servers[key]


_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def quoted(text: str) -> str:
    """Quote a text for an expression."""
    return f'"{text.translate(_ESCAPED)}"'


def listed(values: Iterable[Any]) -> str:
    """Return numbers or texts as a list for an expression."""
    return f"[{', '.join(quoted(value) if isinstance(value, str) else str(int(value)) for value in values)}]"


KEY, TEXT, NUMBER, YES = DataType.VARCHAR, DataType.VARCHAR, DataType.INT64, DataType.BOOL
NO_VECTOR = ("none", DataType.FLOAT_VECTOR, {"dim": 2})
"""Placeholder field: every collection needs a vector."""
NOWHERE = [0.0, 0.0]
