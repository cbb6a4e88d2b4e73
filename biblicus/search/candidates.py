"""Ranked chunks as candidates: with their texts where they are looked at, else by their places alone."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, overload

from biblicus.errors import RunDamaged
from biblicus.models.locator import sections_of
from biblicus.models.question import Question
from biblicus.retrieval.budget import Candidate
from biblicus.retrieval.fusion import Fused
from biblicus.retrieval.words.wording import in_all_languages
from biblicus.search.opened_run import OpenRun
from biblicus.search.weighting import WEIGHTS
from biblicus.stores.packing import ChunkRow
from biblicus.stores.tables import ItemRow, Place
from biblicus.text import kinds
from biblicus.text.terms import analysis, titles
from biblicus.text.tokens import estimate

if TYPE_CHECKING:
    from biblicus.models.answers.evaluation import RankedItem

_READ = 24
"""Candidates that are read at a time at most."""
_FIRST = 16
"""The best candidates, which are read first: most questions look at no others. Among them a section that but names a
page is told from the page."""
_AS_GOOD = 0.8
"""The share of an older edition's score that the newer one has at least, where that takes its place."""
_NOT_NAMING, _BEGINS = "0123456789-_. ", 3
"""What a name may begin with, and how many letters behind it those of editions of one document share at least."""
_OF_EDITIONS = (
    *("19", "20", "v", "fass", "old", "outd", "obso", "alt", "anci", "vieu", "anti", "bak"),
    *("draft", "entw", "brou", "borr", "bozz", "ontw", "rasc"),
)
"""One of which stands in the name of an edition."""
_NAMING = 400
"""Characters of a section that but names a page, at most."""


PAGE = "page"
"""The stage in which a section that but names a page trades scores with it, and an older edition with the newest."""
JUDGE, RERANK = "judge", "rerank"


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


def placed(run: OpenRun, ranked: Sequence[Fused], question: Question, known: Container[str]) -> Iterator[RankedItem]:
    """Ranked chunks in the order of `Candidates`, but for the first of them without their texts, where their items are
    not known yet."""
    from biblicus.models.answers.evaluation import RankedItem  # lazy, as above

    first = Candidates(run, ranked, question)[:_FIRST]
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
    are wanted: a budget is mostly filled by the first few. `question`: what was asked, where a section among the
    first ones that but names a page is to trade places with it."""

    def __init__(self, run: OpenRun, ranked: Sequence[Fused], question: Question | None = None) -> None:
        self._run = run
        self._question = question
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
        end = self._ordered(begin + (_READ if begin else _FIRST), begin + _READ)
        ranked = self._ranked[begin:end]
        chunks = self._run.tables.chunks([entry.row for entry in ranked])
        if len(chunks) < len(ranked):
            raise _lacking(self._run)
        items = self._run.tables.items(sorted({chunk.item for chunk in chunks.values()}))
        more = [_candidate(score, Found(chunks[row], items[chunks[row].item], stages)) for row, score, stages in ranked]
        more.sort(key=_by_rank)
        if self._question is not None and not begin:
            first = more[:_FIRST]
            _put_pages_first(first, self._question)
            _put_newest_first(first, self._question.text)
            more[:_FIRST] = first
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


def _put_pages_first(candidates: list[Candidate], question: Question) -> None:
    """Let each short section that is called as another page trade places, and scores, with the first piece of that page
    below it: it only points there. What is weighted keeps its place."""
    if any(WEIGHTS in candidate.chunk.stages for candidate in candidates):
        return
    stemmer = in_all_languages(question).stemmers[0]
    asked = set(titles.telling(analysis.normalised(question.text), stemmer, ""))
    for at, candidate in enumerate(candidates):
        if (page := _page_of(candidate, candidates[at + 1 :], asked, stemmer)) is not None:
            below = at + 1 + page
            candidates[at], candidates[below] = (
                with_score(candidates[below], candidate.score),
                with_score(candidate, candidates[below].score),
            )


def _put_newest_first(candidates: list[Candidate], question: str) -> None:
    """Let what one edition of a document says trade places, and scores, with what the one that the question names, or
    the newest, says in its place nearly as well (`rules 2023.docx`, `rules 2024.docx`)."""
    alike: dict[str, list[str]] = {}
    for path in dict.fromkeys(candidate.path for candidate in candidates):
        folder, _, name = path.rpartition("/")
        alike.setdefault(f"{folder}/{name.lstrip(_NOT_NAMING)[:_BEGINS].casefold()}", []).append(path)
    several = " ".join(path for paths in alike.values() if len(paths) > 1 for path in paths).casefold()
    if not any(part in several for part in _OF_EDITIONS):
        return
    from biblicus.text import editions  # lazy: few questions find files that are called alike

    by_name: dict[str, list[int]] = {}
    for at, candidate in enumerate(candidates):
        by_name.setdefault(editions.of_path(candidate.path).of, []).append(at)
    for places in by_name.values():
        if len(places) < 2 or any(WEIGHTS in candidates[at].chunk.stages for at in places):
            continue
        for rank, at in enumerate(places):
            candidate, best = candidates[at], at
            least = _AS_GOOD * candidate.score
            for below in (place for place in places[rank + 1 :] if candidates[place].score >= least):
                is_meant = editions.is_meant(question, candidates[below].path, candidates[best].path)
                best = below if is_meant and _says_instead(question, candidates[below], candidate) else best
            if best != at:
                candidates[at], candidates[best] = (
                    with_score(candidates[best], candidate.score),
                    with_score(candidate, candidates[best].score),
                )


def _says_instead(question: str, newer: Candidate, older: Candidate) -> bool:
    """Whether a newer edition begins with it, or says it below the same heading; not of programs, nor of release notes,
    each of which is about a version of its own."""
    from biblicus.text.editions import headed_alike, tells_as_much  # lazy, as above

    own, its = newer.chunk, older.chunk
    if own.row.item.doctype == "code":
        return False
    is_release = kinds.of_path(newer.path) == kinds.RELEASE
    are_first = own.chunk.ordinal == its.chunk.ordinal == 0
    is_same_place = are_first or headed_alike(own.chunk.heading, its.chunk.heading)
    return not is_release and is_same_place and tells_as_much(question, newer.text, older.text)


def _page_of(candidate: Candidate, others: Sequence[Candidate], asked: Set[str], stemmer: str) -> int | None:
    """Among others, the place of the page that a section only names. What the question names, and an entry of a
    glossary, is no mere name."""
    section: Found = candidate.chunk
    if not section.chunk.heading or candidate.length > _NAMING:
        return None
    heading = _called(section.chunk.heading, stemmer)
    if heading & _called(section.row.title, stemmer) or any(set(term.split()) <= asked for term in heading):
        return None
    titled = (
        place
        for place, other in enumerate(others)
        if other.source != candidate.source and heading & _called(other.chunk.row.title, stemmer)
    )
    page = next(titled, None)
    if page is None or kinds.called(candidate.path, section.row.title, section.chunk.heading).term:
        return None
    # A definition is none, though a module is called the same.
    return page if section.row.item.doctype != "code" else None


@lru_cache(maxsize=4_096)
def _called(name: str, stemmer: str) -> frozenset[str]:
    return frozenset(titles.terms(name, stemmer, ""))


def with_score(candidate: Candidate, score: float) -> Candidate:
    own: Found = candidate.chunk
    return candidate._replace(score=score, chunk=own._replace(stages={**own.stages, PAGE: score}))


def _candidate(score: float, found: Found) -> Candidate:
    chunk, row, _ = found
    return _Unread("", 0, row.item_id, f"{row.item_id}:{chunk.ordinal}", row.path, score, chunk.item, found)
