"""The leg `scan`: BM25 computed just in time with rank-bm25 over chunks in memory. Nothing is persisted.

The reference for small corpora. It ranks as `lexical` does: the same terms, Lucene's idf, tantivy's rounding of lengths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.contracts import Call, ChunkTable, Fingerprints, Hit, LegReader, RankedChunk
from biblicus.errors import UsageError
from biblicus.models.question import Allow, Question
from biblicus.retrieval import analysis
from biblicus.retrieval.filters import allowed
from biblicus.retrieval.lexical import Options
from biblicus.retrieval.ranking import K1, B, idf, rounded, support, through_tie
from biblicus.retrieval.wording import Languages, Phrase, Wording, understood

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Scores = NDArray[float64]

_CHECK_EVERY = 256

__all__ = ["Options", "Scan", "ScanReader", "build", "reader"]


def build(options: Options) -> Scan:
    """The leg for a recipe's options."""
    return Scan(options)


def reader(chunks: Sequence[RankedChunk], options: Options) -> ScanReader:
    """A reader over chunks in memory."""
    return ScanReader(chunks, options)


class Scan:
    """A leg without a materialization: only its options and fingerprints enter a manifest (see `contracts.Leg`)."""

    materializes = False

    def __init__(self, options: Options) -> None:
        self.options = options

    def fingerprints(self) -> Fingerprints:
        return {"rank-bm25": version("rank-bm25"), "tantivy": version("tantivy"), "analysis": analysis.VERSION}

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> None:
        """Write nothing. The chunks are read to the end, as the table's owner may produce them meanwhile."""
        for number, _ in enumerate(chunks.rows()):
            if number % _CHECK_EVERY == 0:
                call.check()

    def open(self, folder: Path) -> LegReader:
        raise UsageError("A scan keeps nothing to open; it ranks the live files.", "biblicus query --recipe scan")
