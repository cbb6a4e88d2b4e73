"""Interfaces of a run store and of a run's tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from biblicus.contracts import Leg, LegReader
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import Manifest
from biblicus.models.requests.query import Filters
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import Facets, ItemRow, LayerRow, Place, TableReader


class Tables(Protocol):
    """The part of a run's tables that a search needs."""

    def chunks(self, rows: Sequence[int]) -> dict[int, ChunkRow]: ...

    def items(self, rows: Sequence[int]) -> dict[int, ItemRow]: ...

    def places(self, rows: Sequence[int]) -> dict[int, Place]: ...

    def rows_where(self, filters: Filters) -> frozenset[int]: ...

    def has_bare(self) -> bool: ...

    def without_text(self, beginnings: Sequence[Sequence[str]]) -> list[ItemRow]: ...

    def facets(self) -> Iterator[Facets]: ...

    def in_layers(self, layers: Sequence[str]) -> list[LayerRow]: ...

    def contexts(self, paths: Sequence[str]) -> dict[str, tuple[int, object]]: ...

    def toolkits(self) -> frozenset[str]: ...

    def records(self) -> dict[str, str] | None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Sums:
    """A run's counts and digests, from its manifest."""

    items: int
    chunks: int
    corpus_digest: str
    chunks_digest: str

    @classmethod
    def of(cls, manifest: Manifest) -> Sums:
        counts = manifest.counts
        return cls(counts["items"], counts["chunks"], manifest.corpus_digest, manifest.chunks_digest)


class RunStore(Protocol):
    """Stores the materializations of one corpus's runs.

    A run is built in a folder, then sealed and read. It counts once its manifest is written. Builders hold the corpus's
    lock.

    `keeper`: name of the database in the settings; empty for the local disk. `builds_on_parents`: runs can be built as
    a difference from another.
    `place` returns the location of a run for messages."""

    builds_on_parents: bool
    keeper: str

    def place(self, run_id: str) -> str: ...

    # --- what there is ---

    def runs(self) -> list[str]:
        """Return the existing runs, oldest first."""

    def own(self) -> list[str]:
        """Return the runs that this clone of the corpus may drop."""

    def holds(self, run_id: str) -> bool:
        """Return true if a run exists."""

    def check(self, run_id: str, *, deep: bool = False) -> None:
        """Raise an error if a run is missing or differs from what was sealed. `deep`: read all of it."""

    def check_for_build(self, run_id: str) -> None:
        """Raise an error if a build must replace an opened run: it differs in what `open` does not read, or is not
        spread as the settings say. For most stores, `open` reads all that may differ."""
        return

    def missing(self, since: float) -> list[str]:
        """Return the databases that did not answer at some time after a moment of `time.perf_counter`. None, where
        a run is in one place."""
        return []

    def sizes(self, run_id: str, legs: Sequence[str]) -> dict[str, int]:
        """Return the bytes of a run, by `tables` and leg."""

    # --- reading ---

    def open(self, manifest: Manifest) -> TableReader:
        """Return the tables of a run after comparing them with its manifest. Raises the errors of `check`."""

    def tables(self, run_id: str) -> TableReader:
        """Return the tables of a run without comparing them, for callers that do so."""

    def reader(self, run_id: str, name: str, leg: Leg) -> LegReader:
        """Return the reader of a leg, by its name in the run."""

    # --- writing ---

    def legs(self, legs: Mapping[str, Leg]) -> Mapping[str, Leg]:
        """Return a recipe's legs as this store builds them. Raises `ConfigInvalid` for an unsupported kind."""

    def begin(self, run_id: str, parent: str | None) -> Path:
        """Return a folder to build a run in, based on its parent's content. Raises the errors of `check` for the
        parent."""

    def seal(self, run_id: str, sums: Sums) -> None:
        """Put the built run in place, durably: all of it or nothing."""

    def abandon(self, run_id: str) -> None:
        """Remove the remains of a build that was not sealed."""

    def drop(self, run_id: str) -> int:
        """Drop a run. Return the bytes it used."""

    def settle(self) -> None:
        """Finish after a run is sealed and older ones are dropped."""
