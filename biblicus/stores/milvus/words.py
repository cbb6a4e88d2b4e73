"""The leg by words in Milvus: a sparse vector for each chunk, whose inner product with a question's is its BM25 score.

A term of a field has a number, its dimension. There it weighs by how often it is in the field, how long that is, and
the chunk's multiplier; a question's vector holds the idf. What no inner product can say (of several variants of a word
the best alone, words that must stand together) it bounds from above. The chunk's `stream`, its terms in order, decides.
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
from biblicus.retrieval.words.fields import FIELDS
from biblicus.retrieval.words.lexical import Lexical
from biblicus.stores.asking import norms
from biblicus.stores.copying import CopiedLeg
from biblicus.stores.counting import Counted, Counter, byte_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SPOOL = "words.db"
_TEXT = 0
_CHECK_EVERY = 1024
_NOTHING = {0: 1.0}
"""The vector of a chunk without terms: numbers begin at 1, so nobody asks for this."""


class Weighed(NamedTuple):
    """A chunk as the store keeps it. `mark`: how many other chunks its item has, its multiplier, and the
    lengths of its fields, a byte each."""

    vector: dict[int, float]
    mark: int
    stream: str


def marked(others: int, multiplier: int, lengths: Sequence[int]) -> int:
    mark = others << 8 | multiplier
    for length in lengths:
        mark = mark << 8 | byte_of(length)
    return mark


def parts_of(mark: int) -> tuple[int, int, list[int]]:
    """Others, multiplier, and the bytes of the lengths."""
    lengths = []
    for _ in FIELDS:
        lengths.append(mark & 255)
        mark >>= 8
    return mark >> 8, mark & 255, lengths[::-1]


class Words(CopiedLeg[Lexical]):
    """Builds the leg of a recipe for the store (see `contracts.Leg`). `leg`: the recipe's own."""

    def build(self, chunks: ChunkTable, folder: Path, parent: Path | None, call: Call) -> Mapping[str, int]:
        """Count terms; weights are made when all are counted."""
        options = self.leg.options
        stemmers = options.stemmers(chunks.languages)
        counter = Counter(Analyst(options.title == "prefix", stemmers))
        vocabulary = _Vocabulary()
        lengths, count = [0] * len(FIELDS), 0
        with closing(sqlite3.connect(folder / _SPOOL, isolation_level=None)) as spool:
            spool.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;" + _TABLES)
            for count, (row, _, counted) in enumerate(chunks.each(counter, added=False), 1):
                if count % _CHECK_EVERY == 0:
                    call.check()
                lengths = [length + own[3] for length, own in zip(lengths, counted[0], strict=True)]
                spool.execute("INSERT INTO counted VALUES (?, ?, ?, ?, ?, ?)", vocabulary.taken(row, counted))
            spool.executemany("INSERT INTO terms VALUES (?, ?, ?, ?)", vocabulary.terms())
            summary = {"stemmers": stemmers.chosen, "lengths": lengths, "chunks": count}
            spool.execute("INSERT INTO summary VALUES (?)", [json.dumps(summary)])
            spool.execute("COMMIT")
        return {}


_TABLES = """
CREATE TABLE counted (row INTEGER PRIMARY KEY, mark INTEGER, numbers BLOB, terms BLOB, times BLOB, positions BLOB);
CREATE TABLE terms (field INTEGER, term TEXT, number INTEGER, chunks INTEGER);
CREATE TABLE summary (facts TEXT);
"""


class _Vocabulary:
    """Numbers for terms, and in how many chunks each is."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}
        self._chunks: Counts[int] = Counts()

    def taken(self, row: int, counted: Counted) -> tuple[Any, ...]:
        """A chunk's row for the spool: the number of terms of each field, and all terms, field after field."""
        fields, multiplier, others = counted
        numbers, times, positions = array("q"), array("i"), array("i")
        end = 0
        for field, (terms, often, places, length) in enumerate(fields):
            numbers.extend(self._number(field, term) for term in terms)
            times.frombytes(often)
            positions.extend(end + place for place in array("i", places))
            end = max(positions, default=-1) + 1 if length else end
        self._chunks.update(numbers)
        mark = marked(others, multiplier, [length for *_, length in fields])
        of_fields = array("i", (len(terms) for terms, *_ in fields))
        return row, mark, numbers.tobytes(), of_fields.tobytes(), times.tobytes(), positions.tobytes()

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

        added = np.array([norms(self.facts["chunks"], length) for length in self.facts["lengths"]])
        for row, mark, numbers, terms, times, positions in self._spool.execute("SELECT * FROM counted ORDER BY row"):
            of_terms, often = np.frombuffer(numbers, np.int64), np.frombuffer(times, np.int32)
            _, multiplier, lengths = parts_of(mark)
            norm = np.repeat(added[range(len(FIELDS)), lengths], np.frombuffer(terms, np.int32))
            weights = multiplier / 100 * often / (often + norm)
            vector = dict(zip(of_terms.tolist(), weights.tolist(), strict=True))
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
