"""The leg by words in PostgreSQL: for each term the chunks that hold it, in lists, weighed as `lexical` weighs.

A term's list says of each chunk (`code`) how often it holds the term, what kind of text it is, and its length as one
byte keeps it; and of each place where the term stands (`occurrences`) the chunk's row and the position, as one number.
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
from biblicus.retrieval.words.lexical import Lexical
from biblicus.stores.copying import CopiedLeg
from biblicus.stores.counting import Counted, Counter, byte_of
from biblicus.stores.postgres import copying
from biblicus.text.terms import analysis

WORDS, POSTINGS, SUMMARY = "words.copy", "postings.copy", "summary.json"
POSITIONS = 20
"""Bits of a position within a chunk; what stands beyond counts as the last."""
_TEXT = 0
"""The field of what a chunk says; the others are those of what it is called."""
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
        counter = Counter(Analyst(options.title == "prefix", options.stopwords == "auto", stemmers))
        length = 0
        with (folder / WORDS).open("wb") as words, (folder / POSTINGS).open("wb") as postings:
            words.write(copying.head())
            lists = _Lists(postings)
            for number, (row, item, counted) in enumerate(chunks.each(counter, added=parent is not None)):
                if number % _CHECK_EVERY == 0:
                    call.check()
                _, _, _, total, _, kind, others = counted
                length += total
                fields = copying.integer(row), copying.integer(item), copying.smallint(others), copying.smallint(kind)
                words.write(copying.row((*fields, copying.integer(total))))
                lists.add(row, counted)
            lists.flush()
        summary = {"stemmers": list(stemmers.chosen), "length": length}
        (folder / SUMMARY).write_text(json.dumps(summary) + "\n", "utf-8")
        return {}


class _Lists:
    """Lists of terms, written a block of chunks at a time."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        stream.write(copying.head())
        self._clear()

    def _clear(self) -> None:
        self._known: dict[str, int] = {}
        self._chunks: list[tuple[int, int, int]] = []
        self._terms, self._times, self._positions = array("i"), array("i"), array("i")
        self._called: dict[tuple[int, str], tuple[array[int], array[int]]] = {}

    def add(self, row: int, counted: Counted) -> None:
        """Take a chunk."""
        terms, times, positions, total, names, kind, _ = counted
        mark, known = kind << 8 | byte_of(total), self._known
        self._chunks.append((row, mark, len(terms)))
        self._terms.extend([known.setdefault(term, len(known)) for term in terms])
        self._times.frombytes(times)
        self._positions.frombytes(positions)
        for field, called in enumerate(names, 1):
            for term in dict.fromkeys(called):
                rows, codes = self._called.setdefault((field, term), (array("i"), array("i")))
                rows.append(row)
                codes.append(1 << _TIMES | mark)
        if len(self._positions) > _BLOCK:
            self.flush()

    def flush(self) -> None:
        """Write the block."""
        import numpy as np

        chunks = np.array(self._chunks, np.int64).reshape(-1, 3)
        rows, marks = (np.repeat(chunks[:, column], chunks[:, 2]) for column in (0, 1))
        terms, times = np.array(self._terms), np.array(self._times)
        ends = np.cumsum(np.bincount(terms, minlength=len(self._known)))
        order = np.argsort(terms, kind="stable")
        places = np.repeat(rows << POSITIONS, times) | np.minimum(self._positions, (1 << POSITIONS) - 1)
        of_places = np.repeat(terms, times)
        ends_of_places = np.cumsum(np.bincount(of_places, minlength=len(self._known)))
        columns = (
            copying.elements(rows[order], "i4"),
            copying.elements((np.minimum(times, _MOST_TIMES) << _TIMES | marks)[order], "i4"),
        )
        occurrences = copying.elements(places[np.argsort(of_places, kind="stable")], "i8")
        first = first_place = 0
        for term, end, end_of_places in zip(self._known, ends.tolist(), ends_of_places.tolist(), strict=True):
            lists = [copying.array(column[first:end]) for column in columns]
            where = copying.array(occurrences[first_place:end_of_places])
            self._write(_TEXT, term, end - first, *lists, where)
            first, first_place = end, end_of_places
        for (field, term), (called, codes) in self._called.items():
            made = [copying.array(copying.elements(np.array(values), "i4")) for values in (called, codes)]
            self._write(field, term, len(called), *made, None)
        self._clear()

    def _write(self, field: int, term: str, chunks: int, *lists: bytes | None) -> None:
        fields = copying.smallint(field), term.encode(), copying.integer(chunks)
        self._stream.write(copying.row((*fields, *lists)))
