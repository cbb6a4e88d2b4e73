"""What a store of runs is: the one door to materializations, and what their tables give."""

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
    """What a search needs of a run's tables."""

    def chunks(self, rows: Sequence[int]) -> dict[int, ChunkRow]: ...

    def items(self, rows: Sequence[int]) -> dict[int, ItemRow]: ...

    def places(self, rows: Sequence[int]) -> dict[int, Place]: ...

    def rows_where(self, filters: Filters) -> frozenset[int]: ...

    def without_text(self, beginnings: Sequence[Sequence[str]]) -> list[ItemRow]: ...

    def facets(self) -> Iterator[Facets]: ...

    def in_layers(self, layers: Sequence[str]) -> list[LayerRow]: ...

    def contexts(self, paths: Sequence[str]) -> dict[str, tuple[int, object]]: ...

    def toolkits(self) -> frozenset[str]: ...

    def records(self) -> dict[str, str] | None: ...

    def close(self) -> None: ...


@dataclass(frozen=True)
class Sums:
    """What a manifest says that its run holds."""

    items: int
    chunks: int
    corpus_digest: str
    chunks_digest: str

    @classmethod
    def of(cls, manifest: Manifest) -> Sums:
        counts = manifest.counts
        return cls(counts["items"], counts["chunks"], manifest.corpus_digest, manifest.chunks_digest)


class RunStore(Protocol):
    """Keeps the materializations of one corpus's runs. A run is built in a folder, sealed, and read from then on; the
    manifest, which is written after that, makes it count. Builders hold the corpus's lock.

    `place`: how a person is told where a run lies. `keeper`: the database that has them, by its name in the settings;
    empty: this machine's disk. `builds_on_parents`: whether a run can be built as the difference to
    another; else each is built whole. `proved_by_reading`: whether `open` does not see that a run was altered, so that
    a build reads all of it.
    """

    builds_on_parents: bool
    proved_by_reading: bool
    keeper: str

    def place(self, run_id: str) -> str: ...

    # --- what there is ---

    def runs(self) -> list[str]:
        """The runs that are in place, oldest first."""

    def own(self) -> list[str]:
        """Those of them that this clone of the corpus may drop."""

    def holds(self, run_id: str) -> bool:
        """Whether a run is in place."""

    def check(self, run_id: str, *, deep: bool = False) -> None:
        """Raise what is wrong with a run that is not here, or not what was sealed. `deep`: read all of it."""

    def sizes(self, run_id: str, legs: Sequence[str]) -> dict[str, int]:
        """Bytes of a run, by `tables` and leg."""

    # --- reading ---

    def open(self, manifest: Manifest) -> TableReader:
        """The tables of a run, after they were held against what its manifest says. Raises what `check` raises."""

    def tables(self, run_id: str) -> TableReader:
        """The same as they are, for who holds them against something himself."""

    def reader(self, run_id: str, name: str, leg: Leg) -> LegReader:
        """A leg of a run, by its name there."""

    # --- writing ---

    def legs(self, legs: Mapping[str, Leg]) -> Mapping[str, Leg]:
        """A recipe's legs as this store builds them. Raises `ConfigInvalid` where it has none of a kind."""

    def begin(self, run_id: str, parent: str | None) -> Path:
        """A folder to build a run in, on top of what its parent holds. Raises what `check` raises of that."""

    def seal(self, run_id: str, sums: Sums) -> None:
        """Put what was built in place, durably: all of it or nothing."""

    def abandon(self, run_id: str) -> None:
        """Remove what a build that was not sealed left."""

    def drop(self, run_id: str) -> int:
        """Let go of a run. Returns the bytes it held."""

    def settle(self) -> None:
        """What is to be done once a run is sealed and older ones are dropped."""
