"""The store `shards`: each run spread over several PostgreSQL stores, its *nodes*.

Every node has the files of a run (tables and word index), and the vectors of some of its items. A question's vector
is sent to all nodes side by side; their candidates are merged and scored here, so evidence does not depend on their
number. Questions leave out the vectors of a node that does not answer, and report it. Words are read
on this machine, once one node has named the run. Builds need all nodes.

Foreign tables (`postgres_fdw`) would spread rows as well, but one dead node makes every statement over them fail, and
joins fetch whole tables (research/stores.md)."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from biblicus.contracts import Leg, LegReader
from biblicus.errors import BiblicusError, DeadlineExceeded, NotMaterialized, StoreUnavailable
from biblicus.guards import deadlines
from biblicus.lazy import NDArray, np
from biblicus.stores.contract import Sums
from biblicus.stores.mirrored import Allowed, Entry, MirroredStore
from biblicus.stores.nearest import NearestReader
from biblicus.stores.postgres.loading import Meanings, Share, load, shares
from biblicus.stores.postgres.server import side_by_side
from biblicus.stores.postgres.store import PostgresStore

_PAUSE = 2.0
"""Seconds until a node that did not answer is tried again, beside the questions."""
RETRY = "biblicus-node"
"""Name of the threads that try them again."""
_PATIENCE = 15.0
"""Seconds to wait for a node in a question."""
Read = TypeVar("Read")


class ShardsStore(MirroredStore):
    """See `stores.contract.RunStore`. `nodes`: stores of the same schema. The others: as of `MirroredStore`.

    A run is complete if all its nodes have it from the same build. Its transactions are committed one after the other;
    if one fails, the run is not complete, and has no manifest."""

    engine = "a database"
    builds_on_parents = True

    def __init__(
        self, name: str, nodes: Sequence[PostgresStore], schema_name: str, corpus_id: str, clone: str, folder: Path
    ) -> None:
        super().__init__(name, schema_name, corpus_id, clone, folder)
        self._nodes = nodes
        self._retries: dict[int, float] = {}
        self._away: dict[int, float] = {}
        self._compared = -math.inf
        self._caching: WeakSet[NearestReader] = WeakSet()
        self._lock = threading.Lock()

    # --- nodes that do not answer ---

    def missing(self, since: float) -> list[str]:
        """See `RunStore`. None, where no vectors were compared since: words are read on this machine."""
        now = time.perf_counter()
        for at, again in list(self._retries.items()):
            with self._lock:
                if is_due := self._retries.get(at, math.inf) == again <= now:
                    self._retries[at] = math.inf
            if is_due:
                threading.Thread(target=self._retry, args=(at,), name=RETRY, daemon=True).start()
        away = [node.keeper for at, node in enumerate(self._nodes) if self._away.get(at, -math.inf) > since]
        return away if self._compared >= since else []

    def _retry(self, at: int) -> None:
        """Try a node again. If it answers, empty the caches before questions no longer report it."""
        try:
            self._nodes[at].runs()
        except BiblicusError:
            self._retries[at] = time.perf_counter() + _PAUSE
            return
        del self._retries[at]
        with self._lock:
            caching = list(self._caching)
        for reader in caching:
            reader.forget()
        self._away[at] = time.perf_counter()

    def _ask(self, act: Callable[[int], Read], nodes: Iterable[int] | None = None) -> dict[int, Read]:
        """Return the results of reading from these nodes, or from all, by number; only from those that answer.
        Raises `StoreUnavailable` if none does."""
        places = list(range(len(self._nodes)) if nodes is None else nodes)
        failures: list[StoreUnavailable] = []

        def tried(at: int) -> tuple[int, Read] | None:
            try:
                with deadlines.partly(_PATIENCE):
                    return at, act(at)
            except DeadlineExceeded:
                deadlines.check()
                failures.append(StoreUnavailable(self._nodes[at].keeper, "it does not answer in time"))
            except StoreUnavailable as error:
                failures.append(error)
            with self._lock:
                self._retries.setdefault(at, time.perf_counter() + _PAUSE)
                self._away[at] = math.inf
            return None

        results = dict(filter(None, side_by_side(tried, [at for at in places if at not in self._retries] or places)))
        if not results and failures:
            raise failures[0]
        return results

    def _parts(self, entry: Entry, act: Callable[[PostgresStore, Entry], Read]) -> list[Read]:
        """Return the results of reading each node's part of a run."""
        parts: dict[int, Entry] = entry["nodes"]

        def of_node(at: int) -> Read | None:
            if at not in parts and (node_entry := self._part(at, entry)) is not None:
                parts[at] = node_entry
            return act(self._nodes[at], parts[at]) if at in parts else None

        results = self._ask(of_node, sorted(parts) if len(parts) == entry["of"] else None)
        return [result for result in results.values() if result is not None]

    def _part(self, at: int, entry: Entry) -> Entry | None:
        """Return the entry of a node that did not answer when the run was opened; None: it has no part of it."""
        node_entry = self._nodes[at].entry(entry["run_id"])
        if node_entry is None or not node_entry["share"] or Share(*node_entry["share"]).load != entry["load"]:
            return None
        self._nodes[at].prove(node_entry)
        return node_entry

    # --- what there is ---

    def runs(self) -> list[str]:
        return sorted({*chain(*self._ask(lambda at: self._nodes[at].runs()).values())})

    def own(self) -> list[str]:
        return sorted({*chain(*side_by_side(PostgresStore.own, self._nodes))})

    def entry(self, run_id: str) -> Entry | None:
        """Return the run if its nodes have all of it, except those that do not answer."""
        entries = self._ask(lambda at: self._nodes[at].entry(run_id))
        loads: dict[tuple[str, int], dict[int, Entry]] = {}
        for at, entry in entries.items():
            if entry is not None and entry["share"]:
                share = Share(*entry["share"])
                loads.setdefault((share.load, share.of), {})[at] = entry
        away = len(self._nodes) - len(entries)
        for (name, of), nodes in loads.items():
            if len(nodes) + away >= of:
                sealed = next(iter(nodes.values()))
                return {
                    "run_id": run_id, "sums": sealed["sums"], "files": sealed["files"], "load": name, "of": of,
                    "nodes": nodes,
                }  # fmt: skip
        return None

    def prove(self, entry: Entry, *, deep: bool = False) -> None:
        self._parts(entry, lambda node, part: node.prove(part, deep=deep))

    def check(self, run_id: str, *, deep: bool = False) -> None:
        """See `MirroredStore`. Raises `StoreUnavailable` if a node does not answer."""
        side_by_side(PostgresStore.runs, self._nodes)
        super().check(run_id, deep=deep)

    def check_for_build(self, run_id: str) -> None:
        side_by_side(PostgresStore.runs, self._nodes)
        self._spread(self._needed(run_id))

    def _spread(self, entry: Entry) -> list[Entry]:
        """Return the entries of a run by node. Raises `NotMaterialized` if it is spread over other nodes."""
        nodes: Mapping[int, Entry] = entry["nodes"]
        count = len(self._nodes)
        if [(at, Share(*nodes[at]["share"])[1:3]) for at in sorted(nodes)] != [
            (at, (at, count)) for at in range(count)
        ]:
            raise NotMaterialized(entry["run_id"], kept_by=self.keeper)
        return [nodes[at] for at in range(count)]

    # --- reading ---

    def reader(self, run_id: str, name: str, leg: Leg) -> LegReader:
        reader = super().reader(run_id, name, leg)
        if isinstance(reader, NearestReader):
            with self._lock:
                self._caching.add(reader)
        return reader

    def pieces(self, entry: Entry, name: str) -> Iterator[bytes]:
        """Yield a file from the first node; where it breaks off, the next one continues."""
        sent = 0
        for at, part in entry["nodes"].items():
            with suppress(StoreUnavailable):
                for piece in self._nodes[at].pieces(part, name, sent):
                    yield piece
                    sent += 1
                return
        raise StoreUnavailable(self.keeper, "none of its nodes answers")

    def comparing(self, entry: Entry, facts: Mapping[str, Any], reach: int) -> _Meanings:
        def each(act: Callable[[Meanings], Read]) -> list[Read]:
            self._compared = time.perf_counter()
            return self._parts(entry, lambda node, part: act(node.comparing(part, facts, reach)))

        return _Meanings(each)

    # --- writing ---

    def count_cut(self, entry: Entry, facts: Mapping[str, Any], removed: Sequence[int]) -> int:
        return sum(self._parts(entry, lambda node, part: node.count_cut(part, facts, removed)))

    def prepare(self) -> None:
        side_by_side(PostgresStore.prepare, self._nodes)

    def _load(self, run_id: str, folder: Path, sums: Sums, known: Mapping[str, str]) -> None:
        parent, first = self._parents.get(run_id), 0
        parts: Sequence[Entry | None] = [None] * len(self._nodes)
        if parent is not None:
            parts = self._spread(parent)
            with closing(self._tables(parent)) as tables:
                first = tables.sizes().next_chunk
        with ExitStack() as transactions:
            load(
                [
                    transactions.enter_context(node.loading(run_id, folder, self._legs, part, share))
                    for node, part, share in zip(
                        self._nodes, parts, shares(folder, first, len(self._nodes)), strict=True
                    )
                ],
                sums,
                known,
            )

    def delete(self, run_id: str) -> int:
        return sum(side_by_side(lambda node: node.delete(run_id), self._nodes))

    def renew(self, entry: Entry) -> None:
        self._parts(entry, lambda node, part: node.renew(part))


class _Meanings:
    """See `nearest.Comparing`. `each`: returns the results of all nodes."""

    most = Meanings.most

    def __init__(self, each: Callable[[Callable[[Meanings], Any]], list[Any]]) -> None:
        self._each = each

    def nearest(
        self, vector: NDArray[np.float32], allowed: Allowed | None, limit: int, by_graph: bool
    ) -> Sequence[tuple[int, float]]:
        hits = chain(*self._each(lambda node: node.nearest(vector, allowed, limit, by_graph)))
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def fetched(self, rows: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        return {row: vector for part in self._each(lambda node: node.fetched(rows)) for row, vector in part.items()}
