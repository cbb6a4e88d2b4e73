"""One Milvus, spoken to by several threads: its client, and errors in our words without any secret."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # else it tells the terminal, beside raising it, of every lost line

import grpc
from pymilvus import DataType, MilvusClient
from pymilvus.exceptions import MilvusException

from biblicus.errors import RunDamaged, StoreUnavailable
from biblicus.guards import deadlines
from biblicus.stores.reaching import Target

FIRST, PATIENCE, LOADING = 5.0, 15.0, 600.0
"""Seconds: until a server has greeted, has answered, and has taken in a batch."""
_AT_ONCE = 2_000
MOST = 16_384
"""Rows that one question may bring, whoever serves."""
_READING = ("search", "query", "has_collection", "list_collections")
_RELEASED = ("released", "not loaded")
_ABSENT = ("not found", "not exist", "can't find collection")
_AWAY = ("Retry timeout", "UNAVAILABLE", "DEADLINE_EXCEEDED", "Fail connecting", "illegal connection")
STRING = 65_535
"""Bytes of a text field, whoever serves."""
PIECE = 16_000
"""Characters of a text that fit into a field, whatever they are."""

Rows = list[dict[str, Any]]

logging.getLogger("pymilvus").setLevel(logging.CRITICAL + 1)  # it logs what it raises, with a trace and the address


class Server:
    """The server of a store. Its client is made when it is needed."""

    def __init__(self, target: Target) -> None:
        self.name = target.name
        self._target = target
        self._client: MilvusClient | None = None
        self._lock = threading.Lock()

    def ask(self, method: str, *words: Any, run_id: str = "", seconds: float | None = None, **options: Any) -> Any:
        """What a method of the client's gives. `run_id`: the run that is read. Raises `StoreUnavailable`, and
        `RunDamaged` where that run is gone."""
        is_left = method in _READING and self._client is not None
        is_released = False  # as a server that was started again leaves what it served
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
            is_left = False  # a connection that broke while nobody used it is replaced once

    def rows(self, collection: str, fits: str, fields: Sequence[str], run_id: str = "") -> Rows:
        """The rows that fit an expression, at most `MOST`."""
        rows: Rows = self.ask(
            "query", collection, run_id=run_id, filter=fits, output_fields=list(fields), limit=MOST,
            consistency_level="Strong" if not run_id else "Bounded",
        )  # fmt: skip
        return rows

    def among(self, collection: str, field: str, values: Iterable[Any], fields: Sequence[str], run_id: str) -> Rows:
        """The rows whose field has one of these values."""
        wanted = list(dict.fromkeys(values))
        batches = (wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE))
        return [
            row for batch in batches for row in self.rows(collection, f"{field} in {listed(batch)}", fields, run_id)
        ]

    def has(self, collection: str) -> bool:
        return bool(self.ask("has_collection", collection))

    def count(self, collection: str, fits: str = "", run_id: str = "") -> int:
        """How many rows there are for whoever asks from now on."""
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
        """A new collection. `fields`: name, type and options of each, the key first; `indexes`: of vectors, by inner
        product; `shared`: the field by which rows are shared out, and among how many partitions."""
        schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
        for at, (name, kind, options) in enumerate(fields):
            schema.add_field(
                name, kind, is_primary=at == 0, is_partition_key=shared is not None and name == shared[0], **options
            )
        made = MilvusClient.prepare_index_params()
        for name, kind, parameters in indexes:
            made.add_index(name, index_type=kind, metric_type="IP", params=parameters)
        more: dict[str, Any] = {} if shared is None else {"num_partitions": shared[1]}
        self.ask("create_collection", collection, schema=schema, index_params=made, seconds=LOADING, **more)

    def insert(self, collection: str, rows: Sequence[Any]) -> None:
        self.ask("insert", collection, rows, seconds=LOADING)

    def flush(self, collection: str) -> None:
        """Let what was inserted be kept, and be found."""
        self.ask("flush", collection, seconds=LOADING)

    def _connected(self) -> MilvusClient:
        client = self._client
        if client is None:  # made before the lock: each who waits keeps a deadline of his own
            client = MilvusClient(**self._target.parameters(), timeout=deadlines.within(FIRST), dedicated=True)
            with self._lock:
                first = self._client = self._client or client
            if first is not client:
                client.close()
            return first
        return client

    def _let_go(self) -> None:
        """A client that lost its server never finds it again."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            with suppress(MilvusException, grpc.RpcError):
                client.close()


def _first_line(message: str) -> str:
    """The server's own words in one line."""
    return (message.strip().splitlines() or ["it broke off"])[0].removesuffix(".")


_servers: dict[tuple[tuple[str, str], ...], Server] = {}
_lock = threading.Lock()


def server(target: Target) -> Server:
    """The one server of this process with that name and these settings."""
    key = (("name", target.name), *sorted(target.parameters().items()))
    with _lock:
        if key not in _servers:
            _servers[key] = Server(target)
        return _servers[key]


_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def quoted(text: str) -> str:
    """A text as expressions have it."""
    return f'"{text.translate(_ESCAPED)}"'


def listed(values: Iterable[Any]) -> str:
    """Numbers or texts as a list in an expression."""
    return f"[{', '.join(quoted(value) if isinstance(value, str) else str(int(value)) for value in values)}]"


KEY, TEXT, NUMBER, YES = DataType.VARCHAR, DataType.VARCHAR, DataType.INT64, DataType.BOOL
NO_VECTOR = ("none", DataType.FLOAT_VECTOR, {"dim": 2})
"""A collection without any vector is none."""
NOWHERE = [0.0, 0.0]
