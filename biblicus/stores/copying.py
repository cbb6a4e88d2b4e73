"""Legs for stores that copy in runs built in a local folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Generic, TypeVar

from biblicus.contracts import Call, ChunkTable, Fingerprints, Leg, LegReader, Vectors
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw, Options
from biblicus.retrieval.words import listing
from biblicus.retrieval.words.lexical import Lexical

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
    """A vector leg: its vectors are made on this machine."""

    @property
    def vectors(self) -> Vectors:
        """Return the vectors on this machine."""
        return self.leg.vectors

    @property
    def graph(self) -> Options | None:
        """Return the options of the graph; None: there is no graph."""
        return self.leg.options if isinstance(self.leg, Hnsw) else None
