"""The leg by words in PostgreSQL: for each term the chunks that hold it, in lists, weighed as `lexical` weighs.

A term's list says of each chunk (`code`) how often the field holds the term, the chunk's multiplier, and the field's
length as one byte keeps it. Of each place where the term stands in the text (`occurrences`) it has the chunk's row and
the position, as one number.
Rows and places ascend, so that a chunk can be looked up in a list (see `rounds`).
Weights are made of these when a question is asked, so that they are never older than the chunks that they count.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from biblicus.contracts import Call, ChunkTable
from biblicus.retrieval.words.analyst import Analyst
from biblicus.retrieval.words.fields import FIELDS
from biblicus.retrieval.words.lexical import Lexical
from biblicus.stores.copying import CopiedLeg
from biblicus.stores.counting import Counted, Counter, byte_of
from biblicus.stores.postgres import copying
from biblicus.text.terms import analysis

WORDS, POSTINGS, SUMMARY = "words.copy", "postings.copy", "summary.json"
POSITIONS = 20
"""Bits of a position within a chunk; what stands beyond counts as the last."""
_TEXT = 0
"""The field that has phrases."""
_BLOCK = 1 << 21
"""Words of chunks that are held in memory at a time."""
_CHECK_EVERY = 1024
_TIMES, _MOST_TIMES = 16, 0x7FFF
"""From which bit on a code says how often, and at most."""


class Words(CopiedLeg[Lexical]):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Write what is to be copied in: of what was added, where there is a parent."""
        options = self.leg.options
        if parent is None:
            stemmers = options.stemmers(chunks.languages)
        else:
            of_parent = json.loads((folder / SUMMARY).read_text("utf-8"))["stemmers"]
            stemmers = analysis.Stemmers(tuple(of_parent), options.accents)
        counter = Counter(Analyst(options.title == "prefix", stemmers))
        lengths = [0] * len(FIELDS)
        with (folder / WORDS).open("wb") as words, (folder / POSTINGS).open("wb") as postings:
            words.write(copying.head())
            lists = _Lists(postings)
            for number, (row, item, counted) in enumerate(chunks.each(counter, added=parent is not None)):
                if number % _CHECK_EVERY == 0:
                    call.check()
                fields, multiplier, others = counted
                own = [length for _, _, _, length in fields]
                lengths = [length + one for length, one in zip(lengths, own, strict=True)]
                ids = copying.integer(row), copying.integer(item)
                marks = copying.smallint(others), copying.smallint(multiplier)
                words.write(copying.row((*ids, *marks, *map(copying.integer, own))))
                lists.add(row, counted)
            lists.flush()
        summary = {"stemmers": list(stemmers.chosen), "lengths": lengths}
        (folder / SUMMARY).write_text(json.dumps(summary) + "\n", "utf-8")
        return {}


class _Lists:
    """Lists of terms, written a block of chunks at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        stream.write(copying.head())
        self._clear()

    def _clear(self) -> None:
        self._known: list[dict[str, int]] = [{} for _ in FIELDS]
        self._chunks: list[list[tuple[int, int, int]]] = [[] for _ in FIELDS]
        self._terms, self._times, self._positions = ([array("i") for _ in FIELDS] for _ in range(3))

    def add(self, row: int, counted: Counted) -> None:
        """Take a chunk."""
        fields, multiplier, _ = counted
        for field, (terms, times, positions, length) in enumerate(fields):
            known = self._known[field]
            self._chunks[field].append((row, multiplier << 8 | byte_of(length), len(terms)))
            self._terms[field].extend([known.setdefault(term, len(known)) for term in terms])
            self._times[field].frombytes(times)
            self._positions[field].frombytes(positions)
        if len(self._positions[_TEXT]) > _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write the block."""
        for field in range(len(FIELDS)):
            self._flush(field)
        self._clear()

    def _flush(self, field: int) -> None:
        import numpy as np

        known = self._known[field]
        chunks = np.array(self._chunks[field], np.int64).reshape(-1, 3)
        rows, marks = (np.repeat(chunks[:, column], chunks[:, 2]) for column in (0, 1))
        terms, times = np.array(self._terms[field]), np.array(self._times[field])
        ends = np.cumsum(np.bincount(terms, minlength=len(known)))
        order = np.argsort(terms, kind="stable")
        positions = np.minimum(self._positions[field], (1 << POSITIONS) - 1)
        places = np.repeat(rows << POSITIONS, times) | positions
        of_places = np.repeat(terms, times)
        ends_of_places = np.cumsum(np.bincount(of_places, minlength=len(known)))
        columns = (
            copying.elements(rows[order], "i4"),
            copying.elements((np.minimum(times, _MOST_TIMES) << _TIMES | marks)[order], "i4"),
        )
        occurrences = copying.elements(places[np.argsort(of_places, kind="stable")], "i8")
        first = first_place = 0
        for term, end, end_of_places in zip(known, ends.tolist(), ends_of_places.tolist(), strict=True):
            lists = [copying.array(column[first:end]) for column in columns]
            where = copying.array(occurrences[first_place:end_of_places]) if field == _TEXT else None
            self._write(field, term, end - first, *lists, where)
            first, first_place = end, end_of_places

    def _write(self, field: int, term: str, chunks: int, *lists: bytes | None) -> None:
        fields = copying.smallint(field), term.encode(), copying.integer(chunks)
        self._stream.write(copying.row((*fields, *lists)))
