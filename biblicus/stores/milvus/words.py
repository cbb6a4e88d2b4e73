"""The leg by words in Milvus: a sparse vector for each chunk, whose inner product with a question's is its BM25 score.

A term has a number, and so many dimensions for each kind of text, since what a kind is worth depends on the question:
one where it weighs as often as it stands there and as the chunk is long, one where it weighs 1 wherever it stands. A
question's vector holds the idf. What no inner product can say (of several variants of a word the best alone, words that
must stand together) it bounds from above; the chunk's `stream`, its terms in their order, then tells.
"""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections import Counter as Counts
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from biblicus.contracts import Call, ChunkTable
from biblicus.retrieval.words.analyst import Analyst
from biblicus.retrieval.words.lexical import Lexical
from biblicus.stores.asking import norms
from biblicus.stores.copying import CopiedLeg
from biblicus.stores.counting import Counted, Counter, byte_of
from biblicus.text.kinds import KINDS
from biblicus.text.terms import symbols

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SPOOL = "words.db"
_TEXT = 0
_CHECK_EVERY = 1024
_EVEN = len(KINDS)
WIDTH = 2 * len(KINDS)
"""Dimensions of a term."""
_NOTHING = {0: 1.0}
"""The vector of a chunk without terms: numbers begin at 1, so nobody asks for this."""


class Weighed(NamedTuple):
    """A chunk as the store keeps it. `mark`: how many other chunks its item has, its kind, and its length as a byte."""

    vector: dict[int, float]
    mark: int
    stream: str


def dimension(number: int, kind: int, *, is_even: bool = False) -> int:
    """Where a term's weight stands in the vectors of chunks of a kind."""
    return number * WIDTH + kind + (_EVEN if is_even else 0)


def marked(others: int, kind: int, length: int) -> int:
    return others << 16 | kind << 8 | byte_of(length)


def parts_of(mark: int) -> tuple[int, int, int]:
    """Others, kind and the byte of the length."""
    return mark >> 16, mark >> 8 & 255, mark & 255


class Words(CopiedLeg[Lexical]):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Count terms; weights are made when all are counted."""
        options = self.leg.options
        stemmers = options.stemmers(chunks.languages)
        counter = Counter(Analyst(options.title == "prefix", options.stopwords == "auto", stemmers))
        vocabulary = _Vocabulary()
        length = count = 0
        with closing(sqlite3.connect(folder / _SPOOL, isolation_level=None)) as spool:
            spool.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;" + _TABLES)
            for count, (row, _, counted) in enumerate(chunks.each(counter, added=False), 1):
                if count % _CHECK_EVERY == 0:
                    call.check()
                length += counted[3]
                spool.execute("INSERT INTO counted VALUES (?, ?, ?, ?, ?, ?)", vocabulary.taken(row, counted))
            spool.executemany("INSERT INTO terms VALUES (?, ?, ?, ?)", vocabulary.terms())
            summary = {"stemmers": stemmers.chosen, "length": length, "chunks": count}
            summary["kinds"] = sorted(vocabulary.kinds)
            spool.execute("INSERT INTO summary VALUES (?)", [json.dumps(summary)])
            spool.execute("COMMIT")
        return {}


_TABLES = """
CREATE TABLE counted (row INTEGER PRIMARY KEY, mark INTEGER, numbers BLOB, times BLOB, positions BLOB, called BLOB);
CREATE TABLE terms (field INTEGER, term TEXT, number INTEGER, chunks INTEGER);
CREATE TABLE summary (facts TEXT);
"""


class _Vocabulary:
    """Numbers for terms, and in how many chunks each is."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}
        self._chunks: Counts[int] = Counts()
        self.kinds: set[int] = set()

    def taken(self, row: int, counted: Counted) -> tuple[Any, ...]:
        """A chunk's row for the spool, with what weighs evenly at its end: names, and terms of definitions."""
        terms, times, positions, length, names, kind, others = counted
        self.kinds.add(kind)
        numbers = array("q", (self._number(_TEXT, term) for term in terms))
        called = {(field, term) for field, of_field in enumerate(names, 1) for term in of_field}
        even = array("q", sorted(self._number(*one) for one in called))
        even.extend(number for number, term in zip(numbers, terms, strict=True) if symbols.is_term(term))
        self._chunks.update(numbers)
        self._chunks.update(even[: len(called)])
        return row, marked(others, kind, length), numbers.tobytes(), times, positions, even.tobytes()

    def _number(self, field: int, term: str) -> int:
        return self._numbers.setdefault((field, term), len(self._numbers) + 1)

    def terms(self) -> Iterator[tuple[int, str, int, int]]:
        for (field, term), number in self._numbers.items():
            yield field, term, number, self._chunks[number]


class Spool:
    """What was counted, read in order of rows."""

    def __init__(self, folder: Path) -> None:
        self._spool = sqlite3.connect(folder / _SPOOL)
        ((facts,),) = self._spool.execute("SELECT facts FROM summary")
        self.facts: dict[str, Any] = json.loads(facts)

    def terms(self) -> Iterator[tuple[int, str, int, int]]:
        """Field, term, number, in how many chunks."""
        return iter(self._spool.execute("SELECT * FROM terms"))

    def weighed(self) -> Iterator[tuple[int, Weighed]]:
        """Each chunk's row, and the chunk."""
        import numpy as np

        added = np.array(norms(self.facts["chunks"], self.facts["length"]))
        for row, mark, numbers, times, positions, even in self._spool.execute("SELECT * FROM counted ORDER BY row"):
            of_terms, often = np.frombuffer(numbers, np.int64), np.frombuffer(times, np.int32)
            _, kind, byte = parts_of(mark)
            weights = often / (often + added[byte])
            vector = dict(zip((of_terms * WIDTH + kind).tolist(), weights.tolist(), strict=True))
            evenly = np.frombuffer(even, np.int64).tolist()
            vector.update({dimension(number, kind, is_even=True): 1.0 for number in evenly})
            stream = _stream(of_terms, often, np.frombuffer(positions, np.int32))
            yield row, Weighed(vector or _NOTHING, mark, stream)

    def close(self) -> None:
        self._spool.close()


def _stream(numbers: NDArray[Any], times: NDArray[Any], positions: NDArray[Any]) -> str:
    """The numbers of terms, by position, in hexadecimal; nothing where no term stands."""
    import numpy as np

    if not len(positions):
        return ""
    places = [""] * (int(positions.max()) + 1)
    for position, number in zip(positions.tolist(), np.repeat(numbers, times).tolist(), strict=True):
        places[position] = f"{number:x}"
    return " ".join(places)


Looked = Sequence[tuple[int, str]]
"""A phrase to be looked for: how far behind the first, and its number as streams have it, of each term."""


def looked(phrase: Sequence[tuple[int, int]]) -> Looked:
    """A phrase whose terms are told by their numbers."""
    return [(ahead, f"{number:x}") for ahead, number in phrase]


def times_in(places: Sequence[str], phrase: Looked) -> int:
    """How often a phrase stands in a stream's places."""
    (_, first), *others = phrase
    times = places.count(first)
    if not (times and others):
        return times
    starts = (at for at, number in enumerate(places) if number == first)
    return sum(all(places[at + ahead : at + ahead + 1] == [one] for ahead, one in others) for at in starts)
