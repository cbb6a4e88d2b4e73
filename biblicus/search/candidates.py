"""Ranked chunks as candidates; texts are loaded only when needed."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from biblicus import models
from biblicus.errors import RunDamaged
from biblicus.models.evidence import Dropped
from biblicus.models.locator import sections_of
from biblicus.retrieval.budget import Candidate
from biblicus.retrieval.fusion import Fused
from biblicus.search.opened_run import OpenRun
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import ItemRow, Place
from biblicus.text.counting import estimate

if TYPE_CHECKING:
    from biblicus.models.answers.evaluation import RankedItem

_READ = 8
"""Candidates loaded at a time after the first ones."""
_FIRST = 16
"""Number of best candidates loaded first; most questions need no others."""
_BEYOND = 3
"""Number of candidates that most questions look at beside those that are shown."""
_TIED = 24
"""Maximum candidates loaded at a time if they tie."""
PAGE = "page"
"""Name of the stage in which another edition of a page takes the found one's score."""
JUDGE, NEAR, RERANK = "judge", "vector", "rerank"


class Found(NamedTuple):
    """Source data of a candidate, and its score at each stage."""

    chunk: ChunkRow
    row: ItemRow
    stages: Mapping[str, float]


class _Unread(Candidate):
    """A candidate whose text is loaded on access, since of many only the position is needed."""

    __slots__ = ()

    @property
    def text(self) -> str:
        content: Found = self.chunk
        return content.chunk.text

    @property
    def tokens(self) -> int:
        return estimate(self.text)

    def read(self) -> Candidate:
        text = self.text
        return Candidate(text, estimate(text), *self[2:])

    @property
    def length(self) -> int:
        content: Found = self.chunk
        return content.chunk.end - content.chunk.start


def with_context(found: Found) -> str:
    """Return a chunk's text with the title and headings ranked with it."""
    sections = "\n".join(sections_of(found.chunk.spots))
    return f"{found.row.title}\n{sections}\n{found.chunk.heading or ''}\n{found.chunk.text}"


def ranked_item(candidate: Candidate) -> RankedItem:
    """Return an item by one of its chunks, for evaluation."""

    content: Found = candidate.chunk
    start, end = content.chunk.start, content.chunk.end
    return models.answers.evaluation.RankedItem(
        candidate.source, candidate.path, candidate.score, candidate.chunk_id, start, end, content.stages
    )


def placed(run: OpenRun, ranked: Sequence[Fused], known: Container[str]) -> Iterator[RankedItem]:
    """Yield ranked chunks in the order of `Candidates` for items not yet `known`; texts are only loaded for the first
    ones."""

    first = Candidates(run, ranked)[:_FIRST]
    for candidate in first:
        if candidate.source not in known:
            yield ranked_item(candidate)
    for place, (_, score, stages, _) in _by_place(run, ranked)[len(first) :]:
        if place.item_id not in known:
            chunk_id = f"{place.item_id}:{place.ordinal}"
            yield models.answers.evaluation.RankedItem(
                place.item_id, place.path, score, chunk_id, place.start, place.end, stages
            )


def _by_place(run: OpenRun, ranked: Sequence[Fused]) -> list[tuple[Place, Fused]]:
    """Return ranked chunks by score, then item id and span, without loading texts."""
    places = run.tables.places([entry.row for entry in ranked])
    if len(places) < len(ranked):
        raise _lacking(run)
    pairs = [(places[entry.row], entry) for entry in ranked]
    return sorted(pairs, key=lambda pair: (-pair[1].score, pair[0].item_id, pair[0].start))


def _lacking(run: OpenRun) -> RunDamaged:
    return RunDamaged(run.manifest.run_id, "its index names a chunk that its tables lack")


class Candidates(Sequence[Candidate]):
    """Ranked chunks by score, ties by item id and span, loaded on access; the first few usually fill a budget.

    `shown`: number of candidates that the budget has room for. `per_item`: maximum chunks of an item; others are never
    loaded, as a long page may have a hundred chunks among the best.
    """

    def __init__(self, run: OpenRun, ranked: Sequence[Fused], shown: int = _FIRST, per_item: int | None = None) -> None:
        self._run = run
        self._first = min(_FIRST, shown + _BEYOND)
        self._ranked = sorted(ranked, key=lambda one: -one.score)
        self._beyond: list[Fused] = []
        if per_item:
            self._ranked, self._beyond = _limited(self._ranked, per_item)
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
        candidates = self._upto(max(places, default=-1))
        return [candidates[place] for place in places]

    def __iter__(self) -> Iterator[Candidate]:
        candidates = self._made
        for place in range(len(self._ranked)):
            if place >= len(candidates):
                self._read()
            yield candidates[place]

    def beyond(self, least: float) -> list[Dropped]:
        """Return the chunks left out by `per_item` with at least this score."""
        loaded = {candidate.item: candidate for candidate in self._made}
        out = []
        for row, score, _, item in self._beyond:
            if score >= least and item in loaded:
                candidate = loaded[item]
                chunk = candidate.chunk.chunk  # an item's chunks have consecutive rows
                chunk_id = f"{candidate.source}:{chunk.ordinal + row - chunk.row}"
                out.append(Dropped(chunk_id, candidate.path, "per_source"))
        return out

    def _upto(self, place: int) -> Sequence[Candidate]:
        while place >= len(self._made):
            self._read()
        return self._made

    def _read(self) -> None:
        begin = len(self._made)
        end = self._ordered(begin + (_READ if begin else self._first), begin + _TIED)
        ranked = self._ranked[begin:end]
        chunks = self._run.tables.chunks([entry.row for entry in ranked])
        if len(chunks) < len(ranked):
            raise _lacking(self._run)
        items = self._run.tables.items(sorted({chunk.item for chunk in chunks.values()}))
        more = [
            _candidate(score, Found(chunks[row], items[chunks[row].item], stages)) for row, score, stages, _ in ranked
        ]
        more.sort(key=_by_rank)
        self._made += more

    def _ordered(self, end: int, most: int) -> int:
        """Return how many to load: `end`, or with ties up to `most`. Longer ties, which may be thousands, are ordered
        without their texts."""
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


def _limited(ranked: Sequence[Fused], most: int) -> tuple[list[Fused], list[Fused]]:
    """Return the best `most` chunks of each item, and the others. Equal ones of an item are taken in its order."""
    best: list[Fused] = []
    beyond: list[Fused] = []
    counts: dict[int, int] = {}
    for entry in sorted(ranked, key=lambda entry: (-entry.score, entry.row)):
        counts[entry.item] = count = counts.get(entry.item, 0) + 1
        (best if count <= most or entry.item < 0 else beyond).append(entry)
    return best, beyond


def _by_rank(candidate: Candidate) -> tuple[float, str, int]:
    """Return the sort key of candidates."""
    piece: Found = candidate.chunk
    return -candidate.score, candidate.source, piece.chunk.start


def with_score(candidate: Candidate, score: float) -> Candidate:
    """Return the candidate with another's score."""
    content: Found = candidate.chunk
    return candidate._replace(score=score, chunk=content._replace(stages={**content.stages, PAGE: score}))


def _candidate(score: float, found: Found) -> Candidate:
    chunk, row, _ = found
    return _Unread("", 0, row.item_id, f"{row.item_id}:{chunk.ordinal}", row.path, score, chunk.item, found)
