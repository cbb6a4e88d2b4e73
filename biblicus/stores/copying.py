"""Legs for stores that copy in runs built in a local folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from biblicus.contracts import Call, ChunkTable, Fingerprints, Leg, LegReader
from biblicus.retrieval.vectors import vector_rows
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw, Options
from biblicus.retrieval.words import listing
from biblicus.retrieval.words.lexical import Lexical

if TYPE_CHECKING:
    from numpy import float32, uint32
    from numpy.typing import NDArray

Own = TypeVar("Own", bound=Leg)


class CopiedLeg(Generic[Own]):
    """Builds the data of a leg for copying into a store (see `contracts.Leg`). `leg`: the recipe's own."""

    materializes = True
    drifts = False

    def __init__(self, leg: Own) -> None:
        self.leg = leg

    def fingerprints(self) -> Fingerprints:
        return self.leg.fingerprints()

    def open(self, folder: Path) -> LegReader:
        raise AssertionError("a store's leg is opened by the store")


class CopiedWords(CopiedLeg[Lexical]):
    """A lexical leg: its posting lists are made on this machine."""

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        listing.build(self.leg.options, chunks, folder, parent, call)
        return {}


class CopiedMeanings(CopiedLeg[Exact | Hnsw]):
    """A vector leg: its vectors are made on this machine. `cut_before`: returns the number of truncated texts of the
    parent run, without removed items."""

    def __init__(self, leg: Exact | Hnsw, cut_before: Callable[[Sequence[int]], int]) -> None:
        super().__init__(leg)
        self._cut_before = cut_before

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

    def embedded(self, folder: Path) -> tuple[NDArray[uint32], NDArray[float32]]:
        """Return the table of chunks that have a vector (see `VectorRows`), and the local vectors."""
        rows = vector_rows.load(folder)
        return rows.embedded(), self.leg.vectors.matrix(rows.generation)
