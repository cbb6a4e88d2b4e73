"""Builds posting lists for stores that keep the words of a run themselves (see `words.lists`).

A *piece* of a term's list covers at most about 65,000 chunk rows: rows, term frequency, the field's length as one byte,
and the chunk's multiplier. Positions are stored beside it, for phrases. The piece of the empty term has the exact
length of each chunk's field.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from biblicus.contracts import Call, ChunkTable, RankedChunk
from biblicus.lazy import np
from biblicus.retrieval.words.analyst import Analyst
from biblicus.retrieval.words.fields import FIELDS
from biblicus.retrieval.words.lexical import Options
from biblicus.text.terms import analysis

if TYPE_CHECKING:
    pass

SUMMARY, LISTS = "summary.json", "lists.db"
ALL = ""
"""Term of the pieces with the lengths of all chunks."""
_TEXT = 0
"""The field with phrase positions."""
_BLOCK = 1 << 21
"""Maximum words of chunks in memory."""
_SPAN, _MOST_TIMES = 1 << 16, (1 << 16) - 1
_CHECK_EVERY = 1024

Terms = tuple[tuple[str, ...], bytes, bytes, int]
"""Terms of a chunk's field, their frequencies, their positions by term, and the number of words."""


class Piece(NamedTuple):
    """A piece of a posting list. `first`: base of its row numbers; `places`: positions, only for the field `text`."""

    field: int
    term: str
    first: int
    chunks: int
    data: bytes
    places: bytes | None


def _length(byte: int) -> int:
    """Return the length stored in a byte (Lucene's SmallFloat; `ranking.stored_length` rounds to these)."""
    if byte < 32:
        return byte
    bits, shift = (byte - 24) & 7 | 8, ((byte - 24) >> 3) - 1
    return 24 + (bits << shift)


LENGTHS = [_length(byte) for byte in range(256)]
"""All lengths that a byte can store, ascending."""


@dataclass(frozen=True)
class Counter:
    """Counts the terms of chunks by field, with the chunk's multiplier; may run in other processes."""

    analyst: Analyst

    def __call__(self, chunk: RankedChunk) -> tuple[tuple[Terms, ...], int]:
        texts, multiplier, *_ = self.analyst(chunk)
        return tuple(map(_terms, texts)), multiplier


def _terms(text: str) -> Terms:
    places: dict[str, list[int]] = {}
    for position, term in analysis.placed(text):
        places.setdefault(term, []).append(position)
    length = sum(map(len, places.values()))
    cuts = [where[:_MOST_TIMES] for where in places.values()]
    return tuple(places), array("i", map(len, cuts)).tobytes(), array("i", chain.from_iterable(cuts)).tobytes(), length


def build(options: Options, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> None:
    """Write the posting lists of a run's chunks, or of chunks added to its parent's."""
    if parent is None:
        stemmers = options.stemmers(chunks.languages)
        folder.mkdir(parents=True, exist_ok=True)
    else:
        stemmers = analysis.Stemmers(tuple(summary(folder)["stemmers"]), options.accents)
    counter = Counter(Analyst(options.title == "prefix", stemmers))
    lengths = [0] * len(FIELDS)
    with closing(sqlite3.connect(folder / LISTS, isolation_level=None)) as spool:
        spool.executescript(
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE lists (field INTEGER, term TEXT,"
            " first INTEGER, chunks INTEGER, data BLOB, places BLOB); BEGIN;"
        )
        lists = _Lists(spool)
        for number, (row, _, (fields, multiplier)) in enumerate(chunks.each(counter, added=parent is not None)):
            if number % _CHECK_EVERY == 0:
                call.check()
            lengths = [length + terms[3] for length, terms in zip(lengths, fields, strict=True)]
            lists.add(row, fields, multiplier)
        lists.flush()
        spool.execute("COMMIT")
    facts = {"stemmers": list(stemmers.chosen), "lengths": lengths}
    (folder / SUMMARY).write_text(json.dumps(facts) + "\n", "utf-8")


def summary(folder: Path) -> dict[str, Any]:
    """Return the data of a leg or its parent: `stemmers`, `lengths`."""
    facts: dict[str, Any] = json.loads((folder / SUMMARY).read_text("utf-8"))
    return facts


def pieces(folder: Path) -> Iterator[Piece]:
    """Yield the built pieces in order of field, term and row."""
    with closing(sqlite3.connect(folder / LISTS)) as spool:
        yield from map(Piece._make, spool.execute("SELECT * FROM lists ORDER BY field, term, first"))


def between(pieces: Iterable[Piece], begin: int, end: int) -> Iterator[Piece]:
    """Yield the parts of pieces with the chunk rows from `begin` to `end`, based on their own first row."""

    for piece in pieces:
        rows = piece.first + np.frombuffer(piece.data, "<u2", piece.chunks).astype(np.int64)
        low, high = np.searchsorted(rows, (begin, end)).tolist()
        if high - low == piece.chunks:
            yield piece
        elif low < high:
            first, offset = int(rows[low]), 2 * piece.chunks
            data, places = (rows[low:high] - first).astype("<u2").tobytes(), piece.places
            for size in (4,) if piece.term == ALL else (2, 1, 1):
                data += piece.data[offset + low * size : offset + high * size]
                offset += piece.chunks * size
            if places is not None:
                times = np.frombuffer(piece.data, "<u2", piece.chunks, 2 * piece.chunks)
                ends = [0, *(4 * np.cumsum(times, dtype=np.int64)).tolist()]
                places = places[ends[low] : ends[high]]
            yield Piece(piece.field, piece.term, first, high - low, data, places)


class _Lists:
    """Posting lists, written a block of chunks at a time."""

    def __init__(self, spool: sqlite3.Connection) -> None:
        self._spool = spool
        self._clear()

    def _clear(self) -> None:
        self._first = -1
        self._known: list[dict[str, int]] = [{} for _ in FIELDS]
        self._chunks: list[list[tuple[int, int, int, int]]] = [[] for _ in FIELDS]
        self._terms, self._times, self._positions = ([array("i") for _ in FIELDS] for _ in range(3))

    def add(self, row: int, fields: Sequence[Terms], multiplier: int) -> None:
        """Add a chunk. Rows must ascend."""
        if self._first >= 0 and (row - self._first >= _SPAN or len(self._positions[_TEXT]) > _BLOCK):
            self.flush()
        self._first = row if self._first < 0 else self._first
        for field, (terms, times, positions, length) in enumerate(fields):
            numbers = self._known[field]
            self._chunks[field].append((row - self._first, length, multiplier, len(terms)))
            self._terms[field].extend([numbers.setdefault(term, len(numbers)) for term in terms])
            self._times[field].frombytes(times)
            self._positions[field].frombytes(positions)

    def flush(self) -> None:
        if self._first >= 0:
            for field in range(len(FIELDS)):
                self._spool.executemany("INSERT INTO lists VALUES (?, ?, ?, ?, ?, ?)", self._pieces(field))
        self._clear()

    def _pieces(self, field: int) -> Iterator[Piece]:

        term_numbers, of_chunks = self._known[field], np.array(self._chunks[field], np.int64).T
        rows = of_chunks[0].astype("<u2")
        yield Piece(field, ALL, self._first, len(rows), rows.tobytes() + of_chunks[1].astype("<u4").tobytes(), None)
        buckets = np.array([bisect_right(LENGTHS, length) - 1 for length in of_chunks[1].tolist()], np.uint8)
        terms, times = np.array(self._terms[field]), np.array(self._times[field])
        order = np.argsort(terms, kind="stable")
        columns = [np.repeat(column, of_chunks[3])[order] for column in (rows, buckets, of_chunks[2].astype(np.uint8))]
        columns.insert(1, times[order].astype("<u2"))
        of_places = np.repeat(terms, times)
        places = np.array(self._positions[field], "<u4")[np.argsort(of_places, kind="stable")]
        ends = np.cumsum(np.bincount(terms, minlength=len(term_numbers))).tolist()
        ends_of_places = np.cumsum(np.bincount(of_places, minlength=len(term_numbers))).tolist()
        first = first_place = 0
        for term, end, end_of_places in zip(term_numbers, ends, ends_of_places, strict=True):
            data = b"".join(column[first:end].tobytes() for column in columns)
            where = places[first_place:end_of_places].tobytes() if field == _TEXT else None
            yield Piece(field, term, self._first, end - first, data, where)
            first, first_place = end, end_of_places


def lengths_of(pieces: Sequence[Piece], gone: Sequence[int]) -> list[int]:
    """Return the number of words of all remaining chunks by field. `pieces`: those of the term `ALL`."""

    lengths = [0] * len(FIELDS)
    for piece in pieces:
        rows = piece.first + np.frombuffer(piece.data, "<u2", piece.chunks).astype(np.int32)
        of_rows = np.frombuffer(piece.data, "<u4", piece.chunks, 2 * piece.chunks)
        lengths[piece.field] += int(of_rows[~np.isin(rows, gone)].sum())
    return lengths
