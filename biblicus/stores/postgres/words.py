"""The leg by words in PostgreSQL: for each term the chunks that hold it, in lists, weighed as `lexical` weighs.

A term's list says of each chunk (`code`) how often it holds the term, what kind of text it is, and its length as one
byte keeps it; and of each place where the term stands (`occurrences`) the chunk's row and the position, as one number.
Weights are made of these when a question is asked, so that they are never older than the chunks that they count.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import BinaryIO

from biblicus.contracts import Call, ChunkTable, Fingerprints, LegReader, RankedChunk
from biblicus.retrieval.words.lexical import Analyst, Lexical
from biblicus.stores.postgres import copying
from biblicus.text import analysis

WORDS, POSTINGS, SUMMARY = "words.copy", "postings.copy", "summary.json"
POSITIONS = 20
"""Bits of a position within a chunk; what stands beyond is in no phrase."""
_TEXT = 0
"""The field of what a chunk says; the others are those of what it is called."""
_BLOCK = 1 << 20
"""Terms of chunks that are held in memory at a time, each with its places."""
_CHECK_EVERY = 1024
_MOST_TIMES = 0x7FFF

Counted = tuple[tuple[tuple[str, tuple[int, ...]], ...], int, tuple[tuple[str, ...], ...], int, int]
"""Of a chunk: its terms with their positions, how many there are, what it is called by field, its kind, and how many
other chunks its item has."""


def _length(byte: int) -> int:
    """What a byte keeps (Lucene's SmallFloat; `ranking.stored_length` is the way there and back)."""
    if byte < 32:
        return byte
    bits, shift = (byte - 24) & 7 | 8, ((byte - 24) >> 3) - 1
    return 24 + (bits << shift)


LENGTHS = [_length(byte) for byte in range(256)]
"""The lengths that one byte keeps, ascending."""


def byte_of(length: int) -> int:
    """The byte that keeps a length."""
    return bisect_right(LENGTHS, length) - 1


@dataclass(frozen=True)
class Counter:
    """Counts the terms of chunks, in whichever process."""

    analyst: Analyst

    def __call__(self, chunk: RankedChunk) -> Counted:
        text, stemmer, names, kind, others, *_ = self.analyst(chunk)
        stemmer = self.analyst.stemmers.chosen[0] if stemmer is None else stemmer
        places: dict[str, list[int]] = {}
        total = 0
        for position, term in analysis.positions(text, stemmer):
            places.setdefault(term, []).append(position)
            total += 1
        terms = tuple((term, tuple(positions)) for term, positions in places.items())
        return terms, total, tuple(tuple(takewhile(_is_name, of_field)) for of_field in names), kind, others


def _is_name(term: str) -> bool:
    """Whether a term of a name is one, and does not fill up a field."""
    return term != "-"


class Words:
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    materializes = True
    drifts = False

    def __init__(self, leg: Lexical) -> None:
        self.leg = leg

    def fingerprints(self) -> Fingerprints:
        return self.leg.fingerprints()

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Write what is to be copied in: of what was added, where there is a parent."""
        options = self.leg.options
        stemmers = analysis.Stemmers(("",))
        if parent is not None:
            stemmers = analysis.Stemmers(tuple(json.loads((folder / SUMMARY).read_text("utf-8"))["stemmers"]))
        elif options.stemming == "auto":
            stemmers = analysis.Stemmers.among(chunks.languages())
        counter = Counter(Analyst(options.title == "prefix", options.stopwords == "auto", stemmers))
        length = 0
        with (folder / WORDS).open("wb") as words, (folder / POSTINGS).open("wb") as postings:
            words.write(copying.head())
            lists = _Lists(postings)
            for number, (row, item, counted) in enumerate(chunks.each(counter, added=parent is not None)):
                if number % _CHECK_EVERY == 0:
                    call.check()
                _, total, _, kind, others = counted
                length += total
                fields = copying.integer(row), copying.integer(item), copying.smallint(others), copying.smallint(kind)
                words.write(copying.row((*fields, copying.integer(total))))
                lists.add(row, counted)
            lists.flush()
        summary = {"stemmers": list(stemmers.chosen), "length": length}
        (folder / SUMMARY).write_text(json.dumps(summary) + "\n", "utf-8")
        return {}

    def open(self, folder: Path) -> LegReader:
        raise AssertionError("a store's leg is opened by the store")


class _Lists:
    """Lists of terms, written a block of chunks at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lists: dict[tuple[int, str], tuple[array[int], array[int], array[int]]] = {}
        self._size = 0
        stream.write(copying.head())

    def add(self, row: int, counted: Counted) -> None:
        terms, total, names, kind, _ = counted
        mark = kind << 8 | byte_of(total)
        for term, positions in terms:
            rows, codes, occurrences = self._of(_TEXT, term)
            rows.append(row)
            codes.append(min(len(positions), _MOST_TIMES) << 16 | mark)
            first = row << POSITIONS
            occurrences.extend(first | position for position in positions if position < 1 << POSITIONS)
            self._size += len(positions)
        for field, called in enumerate(names, 1):
            for term in dict.fromkeys(called):
                rows, codes, _ = self._of(field, term)
                rows.append(row)
                codes.append(1 << 16 | mark)
        if self._size > _BLOCK:
            self.flush()

    def _of(self, field: int, term: str) -> tuple[array[int], array[int], array[int]]:
        key = field, term
        lists = self._lists.get(key)
        if lists is None:
            lists = self._lists[key] = array("i"), array("i"), array("q")
        return lists

    def flush(self) -> None:
        """Write the block."""
        for (field, term), (rows, codes, occurrences) in sorted(self._lists.items()):
            self._stream.write(
                copying.row(
                    (
                        copying.smallint(field),
                        term.encode(),
                        copying.integer(len(rows)),
                        copying.integers(rows),
                        copying.integers(codes),
                        copying.bigints(occurrences) if occurrences else None,
                    )
                )
            )
        self._lists.clear()
        self._size = 0
