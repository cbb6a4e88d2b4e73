"""Ranked chunks as candidates: with their texts where they are looked at, else by their places alone."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from biblicus.errors import RunDamaged
from biblicus.models.locator import sections_of
from biblicus.retrieval.budget import Candidate
from biblicus.retrieval.fusion import Fused
from biblicus.search.opened_run import OpenRun
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import ItemRow, Place
from biblicus.text.tokens import estimate

if TYPE_CHECKING:
    from biblicus.models.answers.evaluation import RankedItem

_READ = 8
"""Candidates that are read at a time behind the first."""
_FIRST = 16
"""The best candidates, which are read first: most questions look at no others."""
_TIED = 24
"""Candidates that are read at a time at most, where they tie."""
PAGE = "page"
"""The stage in which another edition of a page takes the score of the one that was found."""
JUDGE, NEAR, RERANK = "judge", "vector", "rerank"


class Found(NamedTuple):
    """What a candidate was made from, and its score at each stage."""

    chunk: ChunkRow
    row: ItemRow
    stages: Mapping[str, float]


class _Unread(Candidate):
    """A candidate whose text is its chunk's, and is not read before it is wanted: of many, the place alone is."""

    __slots__ = ()

    @property
    def text(self) -> str:
        found: Found = self.chunk
        return found.chunk.text

    @property
    def tokens(self) -> int:
        return estimate(self.text)

    def read(self) -> Candidate:
        text = self.text
        return Candidate(text, estimate(text), *self[2:])

    @property
    def length(self) -> int:
        found: Found = self.chunk
        return found.chunk.end - found.chunk.start


def with_context(found: Found) -> str:
    """A chunk with what was ranked beside it."""
    sections = "\n".join(sections_of(found.chunk.spots))
    return f"{found.row.title}\n{sections}\n{found.chunk.heading or ''}\n{found.chunk.text}"


def ranked_item(candidate: Candidate) -> RankedItem:
    """An item by one of its chunks, for evaluation."""
    from biblicus.models.answers.evaluation import RankedItem  # lazy: a query ranks chunks

    content: Found = candidate.chunk
    start, end = content.chunk.start, content.chunk.end
    return RankedItem(candidate.source, candidate.path, candidate.score, candidate.chunk_id, start, end, content.stages)


def placed(run: OpenRun, ranked: Sequence[Fused], known: Container[str]) -> Iterator[RankedItem]:
    """Ranked chunks in the order of `Candidates`, but for the first of them without their texts, where their items are
    not known yet."""
    from biblicus.models.answers.evaluation import RankedItem  # lazy, as above

    first = Candidates(run, ranked)[:_FIRST]
    for candidate in first:
        if candidate.source not in known:
            yield ranked_item(candidate)
    for place, (_, score, stages) in _by_place(run, ranked)[len(first) :]:
        if place.item_id not in known:
            chunk_id = f"{place.item_id}:{place.ordinal}"
            yield RankedItem(place.item_id, place.path, score, chunk_id, place.start, place.end, stages)


def _by_place(run: OpenRun, ranked: Sequence[Fused]) -> list[tuple[Place, Fused]]:
    """Ranked chunks by score, then by item id and span, which needs no text."""
    places = run.tables.places([entry.row for entry in ranked])
    if len(places) < len(ranked):
        raise _lacking(run)
    pairs = [(places[entry.row], entry) for entry in ranked]
    return sorted(pairs, key=lambda pair: (-pair[1].score, pair[0].item_id, pair[0].start))


def _lacking(run: OpenRun) -> RunDamaged:
    return RunDamaged(run.manifest.run_id, "its index names a chunk that its tables lack")


class Candidates(Sequence[Candidate]):
    """Ranked chunks, in order of score, ties by item id and span. Read as far as they are looked at, texts where they
    are wanted: a budget is mostly filled by the first few."""

    def __init__(self, run: OpenRun, ranked: Sequence[Fused]) -> None:
        self._run = run
        self._ranked = sorted(ranked, key=lambda one: -one.score)
        self._made: list[Candidate] = []
        self._upto_tie = 0

    def __len__(self) -> int:
        return len(self._ranked)

    @overload
    def __getitem__(self, at: int) -> Candidate: ...

    @overload
    def __getitem__(self, at: slice) -> list[Candidate]: ...

    def __getitem__(self, at: int | slice) -> Candidate | list[Candidate]:
        places = range(len(self))[at]
        if isinstance(places, int):
            return self._upto(places)[places]
        made = self._upto(max(places, default=-1))
        return [made[place] for place in places]

    def __iter__(self) -> Iterator[Candidate]:
        made = self._made
        for place in range(len(self._ranked)):
            if place >= len(made):
                self._read()
            yield made[place]

    def _upto(self, place: int) -> Sequence[Candidate]:
        while place >= len(self._made):
            self._read()
        return self._made

    def _read(self) -> None:
        """Some more of them."""
        begin = len(self._made)
        end = self._ordered(begin + (_READ if begin else _FIRST), begin + _TIED)
        ranked = self._ranked[begin:end]
        chunks = self._run.tables.chunks([entry.row for entry in ranked])
        if len(chunks) < len(ranked):
            raise _lacking(self._run)
        items = self._run.tables.items(sorted({chunk.item for chunk in chunks.values()}))
        more = [_candidate(score, Found(chunks[row], items[chunks[row].item], stages)) for row, score, stages in ranked]
        more.sort(key=_by_rank)
        self._made += more

    def _ordered(self, end: int, most: int) -> int:
        """How many are read, `end` or what ties with the last of them, too, as far as `most`. More that ties is put in
        order without its texts: that may be thousands."""
        ranked, last = self._ranked, min(end, len(self._ranked))
        if last <= self._upto_tie:
            return last
        score = ranked[last - 1].score
        while last < len(ranked) and ranked[last].score == score:
            last += 1
        if last <= most:
            return last
        first = next((at for at in range(end - 1, 0, -1) if ranked[at - 1].score != score), 0)
        ranked[first:last] = [entry for _, entry in _by_place(self._run, ranked[first:last])]
        self._upto_tie = last
        return end


def _by_rank(candidate: Candidate) -> tuple[float, str, int]:
    """By what candidates are put in order."""
    piece: Found = candidate.chunk
    return -candidate.score, candidate.source, piece.chunk.start


def with_score(candidate: Candidate, score: float) -> Candidate:
    """The candidate with the score of another."""
    own: Found = candidate.chunk
    return candidate._replace(score=score, chunk=own._replace(stages={**own.stages, PAGE: score}))


def _candidate(score: float, found: Found) -> Candidate:
    chunk, row, _ = found
    return _Unread("", 0, row.item_id, f"{row.item_id}:{chunk.ordinal}", row.path, score, chunk.item, found)
