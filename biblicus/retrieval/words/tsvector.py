"""The leg `tsvector`: PostgreSQL's own text search, `ts_rank` over a `tsvector`. Its store alone builds and asks it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from biblicus.contracts import Call, ChunkTable, Fingerprints, Given, LegReader
from biblicus.errors import ConfigInvalid
from biblicus.models.frozen import dataclass
from biblicus.models.records import Record

VERSION = "1"
AUTO = "auto"


@dataclass(frozen=True, kw_only=True)
class Options(Record):
    """Options of `tsvector` in a recipe.

    `configuration`: the database's text search configuration (`english`, `simple`, one of its own), or `auto`, by the
    chunk's language. `title`: rank a chunk's title and heading with its text, or not.
    """

    configuration: str = AUTO
    title: Literal["prefix", "none"] = "prefix"


def build(options: Options, given: Given) -> Tsvector:
    """The leg for a recipe's options."""
    return Tsvector(options)


class Tsvector:
    """What a store of PostgreSQL makes its own leg of (see `contracts.Leg`)."""

    materializes = True
    drifts = False

    def __init__(self, options: Options) -> None:
        self.options = options

    def fingerprints(self) -> Fingerprints:
        return {"tsvector": VERSION}

    def refused(self) -> ConfigInvalid:
        """What a store says that is no PostgreSQL."""
        return ConfigInvalid(
            "build.legs",
            "only a PostgreSQL ranks by tsvector.",
            "biblicus reindex --store NAME, of a PostgreSQL under `stores` in your settings",
        )

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        raise self.refused()

    def open(self, folder: Path) -> LegReader:
        raise self.refused()
