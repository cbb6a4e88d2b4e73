"""The store `milvus`: runs in collections that clones of a corpus share.

A run is built in a local folder and copied into new collections; a row in the schema's own collection, written last,
makes it visible, so nobody sees half a run. Each clone that uses a run has a lease on it; a run without leases is
deleted."""

from __future__ import annotations

import json
import secrets
import time
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from biblicus.errors import NewerSchema, RunDamaged, StoreMismatch, StoreUnavailable
from biblicus.stores.contract import Sums
from biblicus.stores.milvus import collections as kept
from biblicus.stores.milvus.collections import Build, Meanings, drop, file_key
from biblicus.stores.milvus.server import NOWHERE, Server, quoted
from biblicus.stores.mirrored import FACTS, Entry, MirroredStore, refuse, seal_of

VERSION = 3
_DAY = 86_400
LEASE = 30 * _DAY
"""Seconds until the lease of a clone expires after its last use of a run."""
_CORPUS = "corpus"
_AT_ONCE = 100
"""Pieces of a file that are fetched together: 6 MB."""


class MilvusStore(MirroredStore):
    """See `stores.contract.RunStore`.

    `schema`: prefix of its collections. `clone`: id of this clone of the corpus. `folder`: for mirrors. `partitions`:
    of a run's chunks."""

    engine = "Milvus"
    builds_on_parents = False

    def __init__(
        self, server: Server, schema: str, corpus_id: str, clone: str, folder: Path, partitions: int = 1
    ) -> None:
        super().__init__(server.name, schema, corpus_id, clone, folder)
        self._server, self._partitions = server, partitions
        self._is_known = False

    # --- what there is ---

    def runs(self) -> list[str]:
        return sorted(self._written("run"))

    def own(self) -> list[str]:
        """Return the runs that this clone uses, and those without a valid lease."""
        used: dict[str, set[str]] = {}
        for key, renewed in self._written("lease").items():
            run_id, clone = key.split(" ")
            if clone == self._clone or renewed > time.time() - LEASE:
                used.setdefault(run_id, set()).add(clone)
        return [run_id for run_id in self.runs() if self._clone in used.get(run_id, {self._clone})]

    def entry(self, run_id: str) -> Entry | None:
        entry = self._written("run").get(run_id)
        if entry is None:
            return None
        seal = entry.pop("seal", None) if isinstance(entry, dict) else None
        if seal_of([run_id, entry]) != seal:
            refuse(run_id, self.keeper, "runs")
        return {"run_id": run_id, **entry}

    def prove(self, entry: Entry, *, deep: bool = False) -> None:
        run_id, rows = entry["run_id"], entry["rows"]
        for part, (count, _) in rows.items():
            if self._server.count(f"{entry['name']}_{part}", run_id=run_id) != count:
                raise RunDamaged(run_id, f"the store {self.keeper} has not all rows of its {part}")
        if not deep:
            return
        fields = {
            "rest": [name for name, *_ in kept.REST_FIELDS if name != "none"],
            "chunks": [name for name, *_ in kept.CHUNK_FIELDS] + entry["fields"],
        }
        for part, sealed in rows.items():
            named = f"{entry['name']}_{part}"
            if kept.sum_of(self._server, named, fields[part], sealed[0], kept.WINDOWS[part], run_id) != sealed:
                raise RunDamaged(run_id, f"the store {self.keeper} has rows of it altered")

    def check_for_build(self, run_id: str) -> None:
        self.check(run_id, deep=True)

    # --- reading ---

    def pieces(self, entry: Entry, name: str) -> Iterator[bytes]:
        at = 0
        while True:
            keys = [file_key(name, at + ahead) for ahead in range(_AT_ONCE)]
            rows = self._server.among(f"{entry['name']}_rest", "key", keys, ("key", "body"), entry["run_id"])
            bodies = {row["key"]: row["body"] for row in rows}
            try:
                yield from [b64decode(bodies[key], validate=True) for key in keys if key in bodies]
            except ValueError:
                refuse(entry["run_id"], self.keeper, "files")
            if len(bodies) < len(keys):
                return
            at += _AT_ONCE

    def comparing(self, entry: Entry, facts: Mapping[str, Any], reach: int) -> Meanings:
        return Meanings(self._server, entry["run_id"], f"{entry['name']}_chunks", facts, reach)

    # --- writing ---

    def _load(self, run_id: str, folder: Path, sums: Sums, known: Mapping[str, str]) -> None:
        before = self._written("run").get(run_id)  # an existing run of this name does not match its manifest
        name = f"{self._built_here}{run_id.replace('-', '_')}_{secrets.token_hex(4)}"
        build = Build(self._server, name, run_id, folder, self._legs, self._partitions)
        try:
            build.load()
            self._write(f"lease {run_id} {self._clone}", int(time.time()))
            entry = {"sums": list(vars(sums).values()), **build.entry}
            self._write(f"run {run_id}", {**entry, "seal": seal_of([run_id, entry])})
        except BaseException:
            with suppress(StoreUnavailable):
                build.drop()
            raise
        if isinstance(before, dict) and "name" in before:
            drop(self._server, before["name"])

    def delete(self, run_id: str) -> int:
        self._forget(f"lease {run_id} {self._clone}")
        leases = self._written("lease")
        if any(key.startswith(f"{run_id} ") and renewed > time.time() - LEASE for key, renewed in leases.items()):
            return 0
        if (entry := self.entry(run_id)) is None:
            return 0
        freed = 0
        with suppress(RunDamaged, ValueError, KeyError):
            freed = sum(json.loads(b"".join(self.pieces(entry, FACTS)))["sizes"].values())
        self._forget(f"run {run_id}")
        for key in leases:
            if key.startswith(f"{run_id} "):
                self._forget(f"lease {key}")
        drop(self._server, entry["name"])
        return freed

    def prepare(self) -> None:
        """Create the schema's own collection if missing; drop remains of this clone's interrupted builds."""
        if not self._known():
            if self._server.has(self._schema):  # of an older version, or unfinished
                self._server.ask("drop_collection", self._schema)
            self._server.make(self._schema, kept.OWN_FIELDS, kept.NO_INDEX)
            self._write(_CORPUS, {"version": VERSION, "corpus_id": self._corpus_id})
        named = {entry["name"] for entry in self._written("run").values()}
        for collection in self._server.ask("list_collections"):
            name = collection.rpartition("_")[0]
            if name.startswith(self._built_here) and name not in named:
                self._server.ask("drop_collection", collection)

    @property
    def _built_here(self) -> str:
        """Return the prefix of collections that this clone created."""
        return f"{self._schema}__{self._clone}__"

    def renew(self, entry: Entry) -> None:
        run_id = entry["run_id"]
        renewed = self._written("lease").get(f"{run_id} {self._clone}", 0)
        if renewed < time.time() - _DAY:
            with suppress(StoreUnavailable):
                self._write(f"lease {run_id} {self._clone}", int(time.time()))

    # --- the schema's own collection ---

    def _known(self) -> bool:
        """Return true if the schema exists and belongs to this corpus. Raises `StoreMismatch`, `NewerSchema`."""
        if not self._is_known and self._server.has(self._schema):
            rows = self._server.rows(self._schema, f"key == {quoted(_CORPUS)}", ("body",))
            header = json.loads(rows[0]["body"]) if rows else None
            if header and header["corpus_id"] != self._corpus_id:
                raise StoreMismatch(self.keeper, self._schema, "holds another corpus")
            if header and header["version"] > VERSION:
                where = f"The schema {self._schema} of the store {self.keeper}"
                raise NewerSchema(where, header["version"], VERSION)
            self._is_known = header is not None and header["version"] == VERSION
        return self._is_known

    def _written(self, kind: str) -> dict[str, Any]:
        """Return the schema's entry of each run, or each lease, by name."""
        if not self._known():
            return {}
        begin = f"{kind} "
        named = f"key >= {quoted(begin)} and key < {quoted(kind + '!')}"
        rows = self._server.rows(self._schema, named, ("key", "body"))
        return {row["key"].removeprefix(begin): json.loads(row["body"]) for row in rows}

    def _write(self, key: str, value: Any) -> None:
        self._server.ask("upsert", self._schema, [{"key": key, "body": kept.packed(value), "none": NOWHERE}])

    def _forget(self, key: str) -> None:
        if self._known():
            self._server.ask("delete", self._schema, filter=f"key == {quoted(key)}")
