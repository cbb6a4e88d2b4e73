"""What stores do alike that copy in runs which are built in a folder of this machine."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from biblicus.contracts import Call, ChunkTable, Fingerprints, Leg, LegReader, Vectors
from biblicus.disk import files
from biblicus.errors import ConfigInvalid
from biblicus.retrieval.vectors.exact import Exact
from biblicus.retrieval.vectors.hnsw import Hnsw, Options
from biblicus.retrieval.words import listing
from biblicus.retrieval.words.lexical import Lexical

Own = TypeVar("Own", bound=Leg)


class CopiedLeg(Generic[Own]):
    """Builds what a store is to copy in of a leg (see `contracts.Leg`). `leg`: the recipe's own."""

    materializes = True
    drifts = False

    def __init__(self, leg: Own) -> None:
        self.leg = leg

    def fingerprints(self) -> Fingerprints:
        return self.leg.fingerprints()

    def open(self, folder: Path) -> LegReader:
        raise AssertionError("a store's leg is opened by the store")


class CopiedWords(CopiedLeg[Lexical]):
    """A leg by words: its lists are made on this machine."""

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        listing.build(self.leg.options, chunks, folder, parent, call)
        return {}


class CopiedMeanings(CopiedLeg[Exact | Hnsw]):
    """A leg by meaning: its vectors are made on this machine."""

    @property
    def vectors(self) -> Vectors:
        """Those on this machine, of which `reindex` asks what languages the model knows."""
        return self.leg.vectors

    @property
    def graph(self) -> Options | None:
        """How a graph is made; None: there never is one."""
        return self.leg.options if isinstance(self.leg, Hnsw) else None


class CopyingStore(ABC):
    """The part of a `RunStore` that builds. `name`: what the settings call it; `folder`: where runs are built."""

    engine: ClassVar[str]
    """What the store is, in a sentence."""

    def __init__(self, name: str, folder: Path) -> None:
        self.keeper, self._folder = name, folder
        self._legs: Mapping[str, Leg] = {}

    @abstractmethod
    def _meanings(self, name: str, leg: Exact | Hnsw) -> Leg:
        """The store's own leg by meaning."""

    def legs(self, legs: Mapping[str, Leg]) -> Mapping[str, Leg]:
        self._legs = {name: self._leg(name, leg) for name, leg in legs.items()}
        return self._legs

    def _leg(self, name: str, leg: Leg) -> Leg:
        if isinstance(leg, Lexical):
            return CopiedWords(leg)
        if isinstance(leg, (Exact, Hnsw)):
            return self._meanings(name, leg)
        if not leg.materializes:
            return leg
        raise self._unknown(name)

    def _unknown(self, name: str) -> ConfigInvalid:
        problem = f"{self.engine} has no engine like that of the leg {name}."
        return ConfigInvalid(f"stores.{self.keeper}", problem, "the same with --store local")

    def _begun(self, run_id: str) -> Path:
        """A new folder to build a run in."""
        files.make_folder(self._folder)
        path = self._unsealed(run_id)
        if path.exists():
            shutil.rmtree(path)
        path.mkdir()
        return path

    def abandon(self, run_id: str) -> None:
        shutil.rmtree(self._unsealed(run_id), ignore_errors=True)

    def _unsealed(self, run_id: str) -> Path:
        return self._folder / f"{run_id}.tmp"
