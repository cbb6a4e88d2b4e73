"""Ranks a chunk by the share of the question's words that it holds. Keeps one JSON line a chunk."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from biblicus.contracts import Call, ChunkTable, Fingerprints, Given, Held, Hit, Leg, LegReader, RankedChunk
from biblicus.models.question import Allow, Question
from biblicus.retrieval.filters import allowed

_FILE = "chunks.jsonl"


class Options(BaseModel):
    """Nothing to choose."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class SharedWords:
    """A leg: builds its folder of a run, and opens it again."""

    materializes = True
    drifts = False  # nothing that was removed leaves a trace

    def fingerprints(self) -> Fingerprints:
        return {"shared-words": "1"}

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """All chunks; with a parent, those of the parent that stay and those that came."""
        kept: list[RankedChunk] = []
        if parent is not None:
            gone = set(chunks.removed_items())
            kept = [chunk for chunk in _read(parent) if chunk.item not in gone]
        new = folder / f"{_FILE}.new"  # a parent's files are shared: replace them, never write into them
        with new.open("w", encoding="utf-8") as stream:
            for chunk in [*kept, *(chunks.rows() if parent is None else chunks.added())]:
                call.check()
                stream.write(json.dumps(asdict(chunk)) + "\n")
        os.replace(new, folder / _FILE)
        return {}  # nothing that a user should be told

    def open(self, folder: Path) -> LegReader:
        return Reader(_read(folder))


class Reader:
    """Safe for several threads: nothing changes after it was made."""

    by_words = True  # what `support` says is the share of the question's words

    def __init__(self, chunks: Sequence[RankedChunk]) -> None:
        self._chunks = [(chunk, _words(f"{chunk.context} {chunk.text}")) for chunk in chunks]

    def search(self, question: Question, allow: Allow | None, k: int, call: Call) -> list[Hit]:
        wanted = _words(question.text)
        hits = [
            Hit(chunk.row, len(wanted & words) / len(wanted))
            for chunk, words in self._chunks
            if wanted & words and allowed(allow, chunk)  # filters act before ranking
        ]
        hits.sort(key=lambda hit: (-hit.score, hit.row))
        return [hit for hit in hits if hit.score >= hits[k - 1].score] if len(hits) > k else hits  # through the tie

    def scores(self, question: Question, rows: Sequence[int]) -> Mapping[int, float]:
        wanted, asked = _words(question.text), set(rows)
        return {chunk.row: len(wanted & words) / len(wanted) for chunk, words in self._chunks if chunk.row in asked}

    def floor(self, question: Question) -> float:
        return 0.0  # a chunk that has nothing to do with the question holds none of its words

    def support(self, question: Question, best: Sequence[Held]) -> float:
        wanted = _words(question.text)
        return max((len(wanted & _words(held.text)) / len(wanted) for held in best), default=0.0) if wanted else 0.0

    def close(self) -> None: ...


def _read(folder: Path) -> list[RankedChunk]:
    lines = (folder / _FILE).read_text(encoding="utf-8").splitlines()
    return [RankedChunk(**json.loads(line)) for line in lines]  # by name: a later version may know more of a chunk


def _words(text: str) -> frozenset[str]:
    return frozenset("".join(c if c.isalnum() else " " for c in text.casefold()).split())


def build(options: Options, given: Given) -> Leg:
    return SharedWords()
