"""The store `milvus`: runs in collections that clones of a corpus share.

A run is built in a folder of this machine and copied into new collections; a row in the schema's own collection,
written last, says that it is there: nobody ever sees half a run. Each clone that uses a run holds a lease on it; a run
goes when nobody does.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from biblicus.contracts import Leg, LegReader
from biblicus.errors import NewerSchema, NotMaterialized, RunDamaged, StoreMismatch, StoreUnavailable
from biblicus.models.manifest import Manifest
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw
from biblicus.retrieval.words.lexical import Lexical
from biblicus.retrieval.words.wording import Languages
from biblicus.stores.contract import Sums
from biblicus.stores.copying import CopiedLeg, CopyingStore
from biblicus.stores.milvus.collections import NO_INDEX, OWN_FIELDS, packed, proved, unpacked, whole
from biblicus.stores.milvus.loading import Build, drop
from biblicus.stores.milvus.meanings import Meanings, MeaningsReader
from biblicus.stores.milvus.server import NOWHERE, Server, quoted
from biblicus.stores.milvus.tables import MilvusTables
from biblicus.stores.milvus.words import WordsReader
from biblicus.stores.vouching import refuse, seal_of

VERSION = 1
_DAY = 86_400
LEASE = 30 * _DAY
"""Seconds for which a run stays for a clone that does not use it."""
_REACH = 100
_CORPUS = "corpus"


class MilvusStore(CopyingStore):
    """See `stores.contract.RunStore`. `schema`: what the names of its collections begin with; `clone`: which clone of
    the corpus this is; `folder`: where runs are built; `partitions`: among how many a run's chunks are shared out."""

    engine = "Milvus"
    builds_on_parents = False
    proved_by_reading = True

    def __init__(
        self, server: Server, schema: str, corpus_id: str, clone: str, folder: Path, partitions: int = 1
    ) -> None:
        super().__init__(server.name, folder)
        self._server, self._schema, self._corpus_id = server, schema, corpus_id
        self._clone, self._partitions = clone, partitions
        self._tables: dict[str, MilvusTables] = {}
        self._is_known = False

    def place(self, run_id: str) -> str:
        return f"{self._server.name}:{self._schema}/{run_id}"

    # --- what there is ---

    def runs(self) -> list[str]:
        return sorted(self._written("run"))

    def own(self) -> list[str]:
        """Those that this clone uses, and those that nobody has used for long."""
        used: dict[str, set[str]] = {}
        for key, renewed in self._written("lease").items():
            run_id, clone = key.split(" ")
            if clone == self._clone or renewed > time.time() - LEASE:
                used.setdefault(run_id, set()).add(clone)
        return [run_id for run_id in self.runs() if self._clone in used.get(run_id, {self._clone})]

    def holds(self, run_id: str) -> bool:
        return self._row(run_id) is not None

    def check(self, run_id: str, *, deep: bool = False) -> None:
        """Raise `NotMaterialized` where the run is not here, `RunDamaged` where it does not hold what was sealed."""
        row = self._row(run_id)
        if row is None:
            raise NotMaterialized(run_id, kept_by=self.keeper)
        tables = self._counted(run_id, row)
        if deep and tables.sums() != row["rows"]:
            raise RunDamaged(run_id, f"the store {self._server.name} has rows of it altered")

    def _counted(self, run_id: str, row: Any) -> MilvusTables:
        """The tables of a run, which have as many rows as were sealed. Raises `RunDamaged`."""
        tables = self._opened(run_id, row["name"])
        for part, collection in (("chunks", tables.chunk_rows), ("rest", tables.rest)):
            if self._server.count(collection, run_id=run_id) != row["rows"][part][0]:
                raise RunDamaged(run_id, f"the store {self._server.name} has not all rows of its {part}")
        return tables

    def sizes(self, run_id: str, legs: Sequence[str]) -> dict[str, int]:
        """About the bytes that were copied in: what they take there, Milvus does not tell."""
        if self._row(run_id) is None:
            return {}
        return dict(self.tables(run_id).facts["sizes"])

    # --- reading ---

    def open(self, manifest: Manifest) -> MilvusTables:
        """The tables of a run. Raises `NotMaterialized`, `RunDamaged` where the store has another run by its name."""
        row = self._row(manifest.run_id)
        if row is None:
            raise NotMaterialized(manifest.run_id, kept_by=self.keeper)
        if Sums(*row["sums"]) != Sums.of(manifest):
            raise RunDamaged(manifest.run_id, f"the store {self._server.name} holds something else by that name")
        self._renew(manifest.run_id)
        return self._counted(manifest.run_id, row)

    def tables(self, run_id: str) -> MilvusTables:
        row = self._row(run_id)
        if row is None:
            raise NotMaterialized(run_id, kept_by=self.keeper)
        return self._opened(run_id, row["name"])

    def reader(self, run_id: str, name: str, leg: Leg) -> LegReader:
        tables = self._tables.get(run_id) or self.tables(run_id)
        facts = tables.facts["legs"].get(name)
        if facts is None:
            raise RunDamaged(run_id, f"the store {self._server.name} has no leg {name} of it")
        leg = leg.leg if isinstance(leg, CopiedLeg) else leg
        if isinstance(leg, Lexical):
            languages = Languages(tuple(facts["stemmers"]), leg.options.stopwords == "auto")
            return WordsReader(tables, languages, facts)
        if isinstance(leg, (Exact, Hnsw)):
            reach = leg.options.reach if isinstance(leg, Hnsw) else _REACH
            return MeaningsReader(tables, leg.vectors, facts, reach)
        raise self._unknown(name)

    def _opened(self, run_id: str, name: str) -> MilvusTables:
        """The tables in these collections; those that are open, where they are the same."""
        tables = self._tables.get(run_id)
        if tables is None or tables.rest != f"{name}_rest":
            rows = self._server.rows(f"{name}_rest", 'key == "facts"', ("body", "more"), run_id)
            if not rows:
                raise RunDamaged(run_id, f"the store {self._server.name} has it no more")
            (body,) = whole(self._server, f"{name}_rest", ["facts"], rows, run_id)
            (facts,) = proved(self._server, run_id, body)
            tables = self._tables[run_id] = MilvusTables(self._server, run_id, name, facts)
        return tables

    # --- writing ---

    def _meanings(self, name: str, leg: Exact | Hnsw) -> Leg:
        return Meanings(leg)

    def begin(self, run_id: str, parent: str | None) -> Path:
        self._prepare()
        return self._begun(run_id)

    def seal(self, run_id: str, sums: Sums) -> None:
        """Copy in what was built; the row that says so comes last."""
        before = self._row(run_id)  # what is here by that name does not fit its manifest
        name = f"{self._built_here}{re.sub(r'[^A-Za-z0-9]', '_', run_id)}_{secrets.token_hex(4)}"
        build = Build(self._server, name, run_id, self._unsealed(run_id), self._legs, self._partitions)
        try:
            build.load(sums)
            self._write(f"lease {run_id} {self._clone}", int(time.time()))
            row = {"name": name, "sums": list(vars(sums).values()), "rows": build.sums}
            self._write(f"run {run_id}", {**row, "seal": seal_of([run_id, row])})
        except BaseException:
            with suppress(StoreUnavailable):
                build.drop()
            raise
        if before is not None:
            drop(self._server, before["name"])

    def drop(self, run_id: str) -> int:
        """Let go of a run; it is deleted once no other clone uses it, and then its bytes are told."""
        self._delete(f"lease {run_id} {self._clone}")
        leases = self._written("lease")
        if any(key.startswith(f"{run_id} ") and renewed > time.time() - LEASE for key, renewed in leases.items()):
            return 0
        row = self._row(run_id)
        if row is None:
            return 0
        freed = 0
        with suppress(RunDamaged):
            freed = sum(self.tables(run_id).facts["sizes"].values())
        self._delete(f"run {run_id}")
        for key in leases:
            if key.startswith(f"{run_id} "):
                self._delete(f"lease {key}")
        drop(self._server, row["name"])
        return freed

    def settle(self) -> None:
        """Nothing is left to do."""

    def _prepare(self) -> None:
        """Make the schema's own collection, where it is not; drop what builds of this clone left that did not end."""
        if not self._known():
            if not self._server.has(self._schema):
                self._server.make(self._schema, OWN_FIELDS, NO_INDEX)
            self._write(_CORPUS, {"version": VERSION, "corpus_id": self._corpus_id})
        named = {row["name"] for row in self._written("run").values()}
        for collection in self._server.ask("list_collections"):
            name = collection.rpartition("_")[0]
            if name.startswith(self._built_here) and name not in named:
                self._server.ask("drop_collection", collection)

    @property
    def _built_here(self) -> str:
        """What the names of collections begin with that this clone made."""
        return f"{self._schema}__{self._clone}__"

    def _renew(self, run_id: str) -> None:
        """Say that this clone uses a run, at most once a day. A reader who may not write cannot, and holds none."""
        key = f"lease {run_id} {self._clone}"
        renewed = self._written("lease").get(f"{run_id} {self._clone}", 0)
        if renewed < time.time() - _DAY:
            with suppress(StoreUnavailable):
                self._write(key, int(time.time()))

    # --- the schema's own collection ---

    def _known(self) -> bool:
        """Whether the schema holds this corpus. Raises `StoreMismatch`, `NewerSchema`."""
        if not self._is_known and self._server.has(self._schema):
            rows = self._server.rows(self._schema, f"key == {quoted(_CORPUS)}", ("body",))
            own = unpacked(rows[0]["body"]) if rows else None
            if own and own["corpus_id"] != self._corpus_id:
                raise StoreMismatch(self._server.name, self._schema, "holds another corpus")
            if own and own["version"] > VERSION:
                where = f"The schema {self._schema} of the store {self._server.name}"
                raise NewerSchema(where, own["version"], VERSION)
            self._is_known = own is not None
        return self._is_known

    def _row(self, run_id: str) -> Any:
        """What the schema says of a run; None where it has none. Raises `RunDamaged`."""
        row = self._written("run").get(run_id)
        if row is None:
            return None
        sealed = {name: value for name, value in row.items() if name != "seal"} if isinstance(row, dict) else row
        return row if sealed is not row and seal_of([run_id, sealed]) == row.get("seal") else self._refused(run_id)

    def _refused(self, run_id: str) -> NoReturn:
        refuse(run_id, self._server.name, "runs")

    def _written(self, kind: str) -> dict[str, Any]:
        """What the schema says of each run, or each lease, by its name."""
        if not self._known():
            return {}
        begin = f"{kind} "
        named = f"key >= {quoted(begin)} and key < {quoted(kind + '!')}"
        rows = self._server.rows(self._schema, named, ("key", "body"))
        return {row["key"].removeprefix(begin): unpacked(row["body"]) for row in rows}

    def _write(self, key: str, value: Any) -> None:
        self._server.ask("upsert", self._schema, [{"key": key, "body": packed(value), "none": NOWHERE}])

    def _delete(self, key: str) -> None:
        if self._known():
            self._server.ask("delete", self._schema, filter=f"key == {quoted(key)}")
