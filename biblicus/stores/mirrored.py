"""Stores that keep runs in a database, with a copy of each run's tables on this machine: its *mirror*.

The database has a run's vectors as rows, for finding candidates. It also has the tables (`tables`) and the word index
as whole files, named with their sha256. On opening a run, missing files are fetched, verified and sealed in a folder
under `local/mirrors/`; words, texts, places and filters are then read locally, exactly as with a local run."""

from __future__ import annotations

import atexit
import hashlib
import json
import re
import secrets
import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, NoReturn

from biblicus.contracts import Call, ChunkTable, Fingerprints, Leg, LegReader
from biblicus.disk import files, seals, system
from biblicus.errors import ConfigInvalid, NotMaterialized, RunDamaged, StorageFailed, Untrusted
from biblicus.lazy import NDArray, np
from biblicus.models.manifest import Manifest
from biblicus.models.question import Allow
from biblicus.models.requests.query import INDEXED
from biblicus.retrieval.vectors import vector_rows
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw, Options
from biblicus.retrieval.words.lexical import Lexical
from biblicus.stores.contract import RunStore, Sums
from biblicus.stores.local import LocalStore
from biblicus.stores.nearest import Comparing, NearestReader
from biblicus.stores.tables import TableReader

FACTS = "facts.json"
"""File of a run with facts of its legs."""
_FILE = re.compile(r"(?:[\w-]+/)?\.?[\w-][\w.-]*")
"""Name of a run's file: of a table, or of the word index in its leg's folder."""
_REACH = 100
_TRIES = 3
Entry = Mapping[str, Any]
"""Description of a run in its database: `run_id`; `sums` (see `Sums`); `files`, sha256 by name; and the engine's
facts."""


class Allowed(NamedTuple):
    """The item rows that a query may return, ascending, and the number of their chunks."""

    items: list[int]
    chunks: int


class MirroredTables(TableReader):
    """The tables of a run, from its mirror. `facts`: of its legs."""

    def __init__(self, folder: Path, entry: Entry) -> None:
        super().__init__(folder)
        self.entry, self.run_id = entry, entry["run_id"]
        self.facts: Mapping[str, Any] = json.loads((folder / FACTS).read_text("utf-8"))
        self._allowed: dict[tuple[str, frozenset[int] | None], Allowed] = {}
        self._counts: dict[int, int] = {}

    def allowed(self, allow: Allow) -> Allowed:
        """Return the allowed rows. Cached, because the same filter is often used again."""
        key = repr(allow.filters), allow.item_rows
        if (cached := self._allowed.get(key)) is None:
            if not self._counts:
                self._counts = dict(self._rows("SELECT item, count(*) FROM chunks GROUP BY item"))
            rows = self.rows_where(allow.filters, indexed=any(getattr(allow.filters, name) for name in INDEXED))
            items = sorted(rows if allow.item_rows is None else rows & allow.item_rows)
            if len(self._allowed) >= _FILTERS:
                self._allowed = {}
            cached = self._allowed[key] = Allowed(items, sum(self._counts.get(item, 0) for item in items))
        return cached


_FILTERS = 64


class MirroredStore(RunStore, ABC):
    """The part of a `RunStore` that is the same for all databases.

    `name`: in the settings. `schema`: location of its runs in the database. `clone`: id of this clone. `folder`: for
    mirrors."""

    engine: ClassVar[str]
    """The kind of the store, for messages."""

    def __init__(self, name: str, schema: str, corpus_id: str, clone: str, folder: Path) -> None:
        self.keeper, self._schema, self._corpus_id, self._clone = name, schema, corpus_id, clone
        self._mirror = LocalStore(folder)
        self._legs: Mapping[str, Leg] = {}
        self._parents: dict[str, Entry] = {}
        self._opened: dict[str, MirroredTables] = {}

    def place(self, run_id: str) -> str:
        return f"{self.keeper}:{self._schema}/{run_id}"

    # --- what a database does ---

    @abstractmethod
    def entry(self, run_id: str) -> Entry | None:
        """Return a run's entry, or None. Raises `RunDamaged`."""

    @abstractmethod
    def prove(self, entry: Entry, *, deep: bool = False) -> None:
        """Raise `RunDamaged` if the database content differs from what was sealed. `deep`: read all of it."""

    @abstractmethod
    def pieces(self, entry: Entry, name: str) -> Iterable[bytes]:
        """Return the pieces of a file of a run, in order."""

    @abstractmethod
    def comparing(self, entry: Entry, facts: Mapping[str, Any], reach: int) -> Comparing:
        """Return the vectors of a leg. `reach`: of its graph."""

    def cut_before(self, name: str, removed: Sequence[int]) -> int:
        """Return the number of truncated texts of a leg in the parent run, without removed items."""
        (parent,) = self._parents.values()
        return self.count_cut(parent, self._tables(parent).facts["legs"][name], removed)

    def count_cut(self, entry: Entry, facts: Mapping[str, Any], removed: Sequence[int]) -> int:
        """Return the number of truncated texts of a leg in a run, without removed items."""
        raise AssertionError("a store that builds on no parents has nothing to count")

    @abstractmethod
    def prepare(self) -> None:
        """Prepare the database before a run is copied in."""

    @abstractmethod
    def _load(self, run_id: str, folder: Path, sums: Sums, known: Mapping[str, str]) -> None:
        """Copy in a run built in a folder: all of it or nothing. `known`: digests of files that are its parent's."""

    @abstractmethod
    def delete(self, run_id: str) -> int:
        """End this clone's lease of a run; delete the run if no other clone has one. Return the bytes it used."""

    @abstractmethod
    def renew(self, entry: Entry) -> None:
        """Renew this clone's lease of a run, at most once a day. A reader without write access has none."""

    # --- reading ---

    def holds(self, run_id: str) -> bool:
        return self.entry(run_id) is not None

    def check(self, run_id: str, *, deep: bool = False) -> None:
        """Raise `NotMaterialized` if the run is missing, `RunDamaged` if it differs from what was sealed."""
        entry = self._needed(run_id)
        self.prove(entry, deep=deep)
        self._mirrored(entry, deep=deep)

    def sizes(self, run_id: str, legs: Sequence[str]) -> dict[str, int]:
        return dict(self.tables(run_id).facts["sizes"]) if self.holds(run_id) else {}

    def open(self, manifest: Manifest) -> MirroredTables:
        """Return the tables of a run. Raises `NotMaterialized`, and `RunDamaged` if the store has another run of
        this name."""
        entry = self._needed(manifest.run_id)
        if Sums(*entry["sums"]) != Sums.of(manifest):
            raise RunDamaged(manifest.run_id, f"the store {self.keeper} holds something else by that name")
        self.prove(entry)
        self.renew(entry)
        opened = self._opened[manifest.run_id] = self._tables(entry)
        return opened

    def tables(self, run_id: str) -> MirroredTables:
        return self._tables(self._needed(run_id))

    def _tables(self, entry: Entry) -> MirroredTables:
        return MirroredTables(self._mirrored(entry), entry)

    def _needed(self, run_id: str) -> Entry:
        if (entry := self.entry(run_id)) is None:
            raise NotMaterialized(run_id, kept_by=self.keeper)
        return entry

    def reader(self, run_id: str, name: str, leg: Leg) -> LegReader:
        tables = self._opened.get(run_id) or self.tables(run_id)
        facts = tables.facts["legs"].get(name)
        if facts is None:
            raise RunDamaged(run_id, f"the store {self.keeper} has no leg {name} of it")
        leg = leg.leg if isinstance(leg, CopiedMeanings) else leg
        if isinstance(leg, Lexical):
            return leg.open(tables.folder / name)
        if isinstance(leg, (Exact, Hnsw)):
            reach = leg.options.reach if isinstance(leg, Hnsw) else _REACH
            return NearestReader(tables, leg.vectors, facts, self.comparing(tables.entry, facts, reach))
        raise self._unknown(name)

    # --- writing ---

    def legs(self, legs: Mapping[str, Leg]) -> Mapping[str, Leg]:
        self._legs = {name: self._leg(name, leg) for name, leg in legs.items()}
        return self._legs

    def _leg(self, name: str, leg: Leg) -> Leg:
        if isinstance(leg, (Exact, Hnsw)):
            return CopiedMeanings(leg, partial(self.cut_before, name))
        if isinstance(leg, Lexical) or not leg.materializes:
            return leg
        raise self._unknown(name)

    def _unknown(self, name: str) -> ConfigInvalid:
        problem = f"{self.engine} has no engine like that of the leg {name}."
        return ConfigInvalid(f"stores.{self.keeper}", problem, "the same with --store local")

    def begin(self, run_id: str, parent: str | None) -> Path:
        self.prepare()
        if parent is not None:
            self._parents[run_id] = entry = self._needed(parent)
            self._mirrored(entry)
        return self._mirror.begin(run_id, parent)

    def seal(self, run_id: str, sums: Sums) -> None:
        """Copy in the built run; its tables and word index become the run's mirror."""
        folder = self._mirror.unsealed(run_id)
        self._load(run_id, folder, sums, self._mirror.shared(run_id))
        for name, leg in self._legs.items():
            if isinstance(leg, CopiedMeanings):
                system.remove_tree(folder / name, ignore_errors=True)
        self._mirror.seal(run_id, sums)

    def abandon(self, run_id: str) -> None:
        self._parents.pop(run_id, None)
        self._mirror.abandon(run_id)

    def drop(self, run_id: str) -> int:
        """Drop a run. It is deleted when no other clone uses it; only then its bytes are returned."""
        self._mirror.drop(run_id)
        return self.delete(run_id)

    def settle(self) -> None:
        """Delete the mirrors of runs that the database no longer has."""
        self._mirror.settle()
        for run_id in {*self._mirror.runs()} - {*self.runs()}:
            self._mirror.drop(run_id)

    # --- mirrors ---

    def _mirrored(self, entry: Entry, *, deep: bool = False) -> Path:
        """Return the folder with a run's files, fetching missing ones. Raises `RunDamaged`."""
        run_id, digests = entry["run_id"], entry["files"]
        for left in range(_TRIES, -1, -1):
            with suppress(Untrusted, OSError):
                folder = self._mirror.folder(run_id)
                if seals.check_folder(folder, deep=deep) == digests:
                    return folder
            try:
                self._fetch(entry)
            except OSError as error:  # another process may have been first
                if not left:
                    raise StorageFailed(str(self._mirror.folder(run_id)), files.describe(error)) from error
        raise RunDamaged(run_id, "its mirror on this machine is altered again and again")

    def _fetch(self, entry: Entry) -> None:
        """Fetch a run's files to this machine."""
        target = self._mirror.folder(entry["run_id"])
        folder = target.with_name(f"{target.name}.{secrets.token_hex(4)}.tmp")
        try:
            files.make_folder(folder.parent)
            folder.mkdir()
        except (StorageFailed, OSError):  # the corpus's folder is not writable
            self._mirror = LocalStore(Path(tempfile.mkdtemp(prefix="biblicus-")))
            atexit.register(shutil.rmtree, self._mirror.folder(""), ignore_errors=True)
            return self._fetch(entry)
        try:
            for name, digest in entry["files"].items():
                if not _FILE.fullmatch(name):
                    self._refuse(entry, name)
                (folder / name).parent.mkdir(exist_ok=True)
                if not self._link(name, digest, folder / name):
                    with (folder / name).open("wb") as written:
                        written.writelines(self.pieces(entry, name))
                    if files.sha256(folder / name) != digest:
                        self._refuse(entry, name)
            seals.seal_folder(folder)
            with suppress(Untrusted):
                if seals.check_folder(target) == entry["files"]:  # another thread or process was first
                    return None
            if target.exists():
                self._mirror.drop(entry["run_id"])
            system.replace(folder, target)
        finally:
            system.remove_tree(folder, ignore_errors=True)
        return None

    def _refuse(self, entry: Entry, name: str) -> None:
        cause = f"the store {self.keeper} has its file {name} not as it was copied in"
        raise RunDamaged(entry["run_id"], cause)

    def _link(self, name: str, digest: str, path: Path) -> bool:
        """Link a file from the mirror of another run that has the same one."""
        for run_id in reversed(self._mirror.runs()):
            folder = self._mirror.folder(run_id)
            with suppress(Untrusted, OSError):
                if seals.check_folder(folder).get(name) == digest:
                    system.link(folder / name, path)
                    return True
        return False


def write_facts(
    folder: Path, facts: Mapping[str, Any], legs: Mapping[str, Leg], known: Mapping[str, str]
) -> dict[str, str]:
    """Write the facts of a built run's legs. Return the sha256 of each of its files by name, without rows of vectors.
    `known`: digests that need not be computed."""
    path = folder / FACTS
    path.unlink(missing_ok=True)  # it may be the parent's, by hard link
    path.write_text(json.dumps(facts, separators=(",", ":")), "utf-8")
    rows = tuple(f"{name}/" for name, leg in legs.items() if isinstance(leg, CopiedMeanings))
    names = [name for name in seals.members(folder) if not name.startswith(rows)]
    read = {name: files.sha256(folder / name) for name in names if name == FACTS or name not in known}
    return {name: read.get(name) or known[name] for name in names}


def bytes_of(folder: Path, name: str) -> int:
    """Return the bytes of a built leg's files."""
    return sum(path.stat().st_size for path in (folder / name).iterdir())


def pieces_of(path: Path, size: int) -> Iterator[bytes]:
    """Yield a file in pieces of a size; the last one may be shorter."""
    with path.open("rb") as read:
        while piece := read.read(size):
            yield piece


# --- digests of rows

# Each row used for evidence has a digest over all its values, computed before it is copied in. On reading, the digest
# is computed again: a damaged or edited row is refused. Digests have no key. They detect damage and stray edits; the
# database's owner could write matching digests.

_encoded = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def seal_of(values: Sequence[object] | Mapping[str, object]) -> int:
    """Return the digest of a row as a signed 64-bit integer (`bigint`).
    Values: texts, numbers, None, and lists and mappings of these."""
    return int.from_bytes(
        hashlib.blake2b(_encoded(values).encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True
    )


def refuse(run_id: str, store: str, table: str) -> NoReturn:
    """Raise `RunDamaged` for a row that was altered."""
    raise RunDamaged(run_id, f"the store {store} has a row of its {table} that is not as it was copied in")


class CopiedMeanings:
    """A vector leg (see `contracts.Leg`): its vectors are made on this machine and copied into a store. `leg`: the
    recipe's own. `cut_before`: returns the number of truncated texts of the parent run, without removed items."""

    materializes = True
    drifts = False

    def __init__(self, leg: Exact | Hnsw, cut_before: Callable[[Sequence[int]], int]) -> None:
        self.leg = leg
        self._cut_before = cut_before

    def fingerprints(self) -> Fingerprints:
        return self.leg.fingerprints()

    def open(self, folder: Path) -> LegReader:
        raise AssertionError("a store's leg is opened by the store")

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Embed missing texts, and record which local vectors are to be copied in."""
        counts = dict(vector_rows.write(self.leg.vectors, chunks, folder, None, call).counts())
        if parent is not None:
            counts["truncated"] += self._cut_before(chunks.removed_items())
        return counts

    @property
    def graph(self) -> Options | None:
        """Return the options of the graph; None: there is no graph."""
        return self.leg.options if isinstance(self.leg, Hnsw) else None

    def embedded(self, folder: Path) -> tuple[NDArray[np.uint32], NDArray[np.float32]]:
        """Return the table of chunks that have a vector (see `VectorRows`), and the local vectors."""
        rows = vector_rows.load(folder)
        return rows.embedded(), self.leg.vectors.matrix(rows.generation)
