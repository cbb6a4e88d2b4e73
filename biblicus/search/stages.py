"""Pipeline from a question to the kept evidence: retrieve → rerank → weights → filter → budget."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import compress, count, takewhile
from math import inf
from typing import TYPE_CHECKING, cast

from biblicus import retrieval, search, telemetry
from biblicus.contracts import (
    Call,
    Held,
    Hit,
    JudgingReranker,
    NotReranked,
    Reranker,
    Reranking,
)
from biblicus.errors import ConfigInvalid
from biblicus.models.evidence import Dropped, Judged, Likeness, Rarity
from biblicus.models.frozen import dataclass
from biblicus.models.question import Allow, Budget, Question
from biblicus.models.recipe import Choice, Fusion, Recipe
from biblicus.models.requests.query import Filters
from biblicus.models.weights import Weighing
from biblicus.retrieval.budget import Candidate, Spent, spend
from biblicus.retrieval.fusion import Fused, Ranked, fuse, leg_weights
from biblicus.retrieval.ranking import beyond_one_word
from biblicus.retrieval.words.fields import multiplier
from biblicus.retrieval.words.reading import AsMeant, Meant, as_meant
from biblicus.retrieval.words.wording import in_all_languages, understood, without_quotes
from biblicus.search.candidates import JUDGE, NEAR, RERANK, Candidates, Found, placed, ranked_item, with_context
from biblicus.search.copies import Copies, repeated
from biblicus.search.opened_run import OpenRun
from biblicus.search.weighting import among, joined, unseen

if TYPE_CHECKING:
    from biblicus.models.answers.evaluation import RankedItem

_FRAME = re.compile(r"(?<=File )\"([^\"\n]{1,300})\"(?=, line \d)")
_BY_WORDS = "What is in quotes stands nowhere; this is by its words."
_UNKNOWN = 'No document names "{}", so that what was found is about something else.'
_READ_FOR_NAMES = 20
"""Number of chunks in which other spellings of a question's names are searched."""
_FURTHEST = 10_000
"""Maximum chunks that are fetched because weights could raise them."""
_BEST = 3
"""Number of best chunks that decide if a result is sufficient."""


@dataclass(frozen=True)
class Outcome:
    """The result of the pipeline.

    `spent`: kept and dropped candidates. `support`: share of the question in the best chunks by leg. `insufficient`: no
    leg has good chunks. `notes`: deviations from the recipe. `rarity`, `likeness`: rarity of the question's words and
    similarity of texts, if a leg supports them. `copies`: paths of copies by chunk id. `meant`: the question with sure
    spelling corrections, or empty. `rerank`: outcome of reranking, None without it. `embedded`: candidates embedded for
    this question. `judged`: the judge, if it ran in time. `unknown_names`: names in the question that no document has.
    """

    spent: Spent
    support: Mapping[str, float]
    insufficient: bool
    notes: tuple[str, ...] = ()
    rarity: Rarity | None = None
    likeness: Likeness | None = None
    copies: Mapping[str, Sequence[str]] = field(default_factory=dict)
    meant: str = ""
    rerank: Reranking | None = None
    embedded: int = 0
    judged: Judged | None = None
    unknown_names: Sequence[str] = ()


@dataclass(frozen=True)
class Stages:
    """The pipeline of a recipe on a run.

    `rerankers`: creates the recipe's reranker. `weighing`: weights of items. `leg_weights`: the question's weights for
    legs instead of the recipe's. `trusted`: rows of the only items that may be shown, if the question names layers.
    """

    run: OpenRun
    recipe: Recipe
    rerankers: Callable[[Choice], Reranker | JudgingReranker]
    weighing: Weighing = field(default_factory=Weighing)
    leg_weights: Mapping[str, float] = field(default_factory=dict)
    trusted: frozenset[int] | None = None

    @cached_property
    def fusion(self) -> Fusion:
        """The recipe's fusion with the question's leg weights. Raises `UsageError`."""
        fusion = self.recipe.query.retrieve.fusion
        if not self.leg_weights:
            return fusion
        weights = leg_weights(self.leg_weights, self._legs(), self.recipe.name)
        return replace(fusion, weights=weights)

    def outcome(self, text: str, filters: Filters, budget: Budget, call: Call) -> Outcome:
        """Return the candidates kept by a budget. Quoted phrases that occur nowhere are searched as words."""
        outcome = self._outcome(text, filters, budget, call)
        if outcome.spent.kept or (loose := without_quotes(text)) == text:
            return outcome
        again = self._outcome(loose, filters, budget, call)
        return replace(again, notes=(*again.notes, _BY_WORDS)) if again.spent.kept else outcome

    def _outcome(self, text: str, filters: Filters, budget: Budget, call: Call) -> Outcome:
        with telemetry.span("parse"):
            reading, allow = self._asked(text, filters)
            question, judged = reading.question, reading.judged
        section = self.recipe.query
        reranker = self.rerankers(section.rerank) if section.rerank else None
        # The judged chunks must not depend on limits.
        k = max(section.retrieve.candidates, 0 if reranker and isinstance(reranker, JudgingReranker) else budget.items)
        per_item = None
        if reranker is None and len(self._legs()) == 1:
            k = 4 * budget.items
            if section.filter.near_duplicates is None and budget.per_source:
                per_item = max(budget.per_source, _BEST)
        notes, first = list(reading.notes), None
        status: Reranking | None = None
        while True:
            call.check()
            fused, is_all, ceiling = self._found(question, allow, k, call)
            fetched = Candidates(self.run, fused, budget.items, per_item)
            candidates: Sequence[Candidate] = fetched
            best = fetched[:_BEST]
            if reranker:
                try:
                    with telemetry.span("rerank"):
                        candidates = first = self._rerank(reranker, question, candidates, call, first)
                    status = "done"
                except NotReranked as left:
                    reranker, status = None, left.status
                    if left.reason:
                        notes.append(f"The order is the one before reranking. {left.reason}")
                is_all = is_all or len(candidates) < len(fetched)  # further candidates would not be shown to it
            with telemetry.span("filter"):
                doubles = self._doubles(candidates)
            copies = Copies(text)
            with telemetry.span("budget"):
                different = compress(candidates, (place not in doubles for place in count())) if doubles else candidates
                spent = spend(copies.left_out(different), budget)
            if per_item and copies.dropped and not spent.filled:
                per_item = None  # more chunks of the item take the place of its copies
                continue
            settled = reranker or k >= _FURTHEST or not spent.kept or spent.kept[-1].score >= ceiling
            if is_all or (spent.filled and settled):
                break
            k *= 3
        beyond = fetched.beyond(spent.kept[-1].score) if per_item and spent.kept else ()
        if passed := (*beyond, *_passed(candidates, doubles, spent), *copies.dropped):
            spent = replace(spent, dropped=(*passed, *spent.dropped))
        if not spent.filled and len(candidates) < len(fetched):
            unshown = fetched[len(candidates)]
            spent = replace(spent, dropped=(*spent.dropped, Dropped(unshown.chunk_id, unshown.path, RERANK)))
        support = self._support(judged, best)
        stages = _stages(first[: reranker.candidates]) if reranker and first is not None else []
        logits = [scores[JUDGE] for scores in stages if JUDGE in scores]
        embedded = 0 if NEAR in self.run.legs else sum(NEAR in scores for scores in stages)
        falls_short = _is_below(logits) if logits else self._falls_short(support)
        unknown = self._unknown_names(judged, fetched, is_judged=bool(logits))
        notes += [_UNKNOWN.format(name) for name in unknown]
        takes_anything = bool(section.threshold) and not any(section.threshold.values())
        insufficient = not spent.kept or falls_short or (bool(unknown) and not takes_anything)
        rarity, likeness = self._rarity(judged), self._likeness(judged, call)
        read = None
        if status == "done" and isinstance(reranker, JudgingReranker):
            read = Judged(partial(reranker.logits, judged, call=call))
        meant = reading.mended if reading.notes and reading.mended != _unquoted(text) else ""
        return Outcome(
            spent, support, insufficient, tuple(notes), rarity, likeness, copies.of, meant, status, embedded, read,
            unknown,
        )  # fmt: skip

    def ranking(self, text: str, filters: Filters, depth: int, call: Call) -> list[RankedItem]:
        """Return the best `depth` items, each by its best chunk: in the order of `outcome`, then further ones.

        Fused scores and rerankers depend on the number of candidates, so items found with a query's usual number come
        first.
        """
        call = replace(call, patient=True)
        ranked = self._ranking(text, filters, depth, call)
        if ranked or (loose := without_quotes(text)) == text:
            return ranked
        return self._ranking(loose, filters, depth, call)

    def _ranking(self, text: str, filters: Filters, depth: int, call: Call) -> list[RankedItem]:
        section = self.recipe.query
        if section.filter.near_duplicates is not None:
            spent = self.outcome(text, filters, Budget(items=depth, tokens=None, per_source=1), call).spent
            return [ranked_item(candidate) for candidate in spent.kept]
        reading, allow = self._asked(text, filters)
        question = reading.question
        ranked: dict[str, RankedItem] = {}
        is_plain = section.rerank is None and len(self._legs()) == 1
        k = max(section.retrieve.candidates, 2 * depth if is_plain else 0)
        while True:
            call.check()
            fused, is_all, ceiling = self._found(question, allow, k, call)
            if section.rerank and not ranked:
                again: Sequence[Candidate] = Candidates(self.run, fused)
                try:
                    again = self._rerank(self.rerankers(section.rerank), question, again, call)
                except NotReranked as left:  # an evaluation measures the recipe as it is
                    if left.error is not None:
                        raise left.error from left
                items: Iterable[RankedItem] = (ranked_item(candidate) for candidate in again)
            else:
                items = placed(self.run, fused, ranked)
            if not section.rerank and not is_all and k < _FURTHEST:
                items = takewhile(partial(_reaches, ceiling), items)
            for item in items:
                ranked.setdefault(item.item_id, item)
                if len(ranked) == depth:
                    break
            if is_all or len(ranked) >= depth:
                return list(ranked.values())
            k = max(4 * k, 2 * depth)

    def _asked(self, text: str, filters: Filters) -> tuple[AsMeant, Allow | None]:
        rows = self.run.tables.rows_where(filters) if filters.by_item else None
        if self.trusted is not None:
            rows = self.trusted if rows is None else rows & self.trusted
        written = Question(_unquoted(text), self.run.languages, self.weighing.toolkits)
        words = self._meant(written)
        meant = as_meant(written, words) if words else AsMeant(written, written, written.text, ())
        return meant, Allow(filters, rows) if filters.restricts else None

    def _meant(self, question: Question) -> Mapping[str, Meant]:
        """Return the misspelt words with their corrections."""
        for leg in self._legs():
            if (meant := getattr(self.run.reader(leg), "meant", None)) is not None:
                words: Mapping[str, Meant] = meant(question, self._text_of)
                return words
        return {}

    def _text_of(self, row: int) -> str:
        """Return a chunk's text with its title and headings."""
        (candidate,) = Candidates(self.run, [Fused(row, 0.0, {})])[:1]
        return with_context(candidate.chunk)

    # --- retrieve

    def _legs(self) -> Sequence[str]:
        chosen = self.recipe.query.retrieve.legs or tuple(self.run.legs)
        if unknown := [leg for leg in chosen if leg not in self.run.legs]:
            raise ConfigInvalid(self.recipe.name, f'query.retrieve.legs: the run has no leg "{unknown[0]}".')
        return chosen

    def _found(self, question: Question, allow: Allow | None, k: int, call: Call) -> tuple[list[Fused], bool, float]:
        """Return chunks in order, True if there are no more, and the maximum score of any other chunk."""
        weighed = self.run.weighed(self.weighing) if self.weighing else None
        lists = self._searched(question, allow, k, call)
        is_all = all(len(hits) < k for hits in lists.values())
        if weighed is None:
            return self._fused(question, lists), is_all, -inf
        raised: dict[str, list[Hit]] = {}
        if weighed.alone and not is_all:
            raised = self._searched(question, among(weighed.raised, allow), k, call)
        fused = self._fused(question, {leg: joined(hits, raised.get(leg, ())) for leg, hits in lists.items()})
        with telemetry.span("weights"):
            scores = {entry.row: entry.score for entry in fused}
            rest = [scores[hit.row] for hits in lists.values() for hit in hits]
            extra = [scores[hit.row] for hits in raised.values() for hit in hits]
            raised_are_all = all(len(hits) < k for hits in raised.values())
            ceiling = unseen([(rest, is_all, 1.0 if raised else weighed.most), (extra, raised_are_all, weighed.most)])
            return weighed.applied(fused, self.run.tables.places(list(scores))), is_all, ceiling

    def _searched(self, question: Question, allow: Allow | None, k: int, call: Call) -> dict[str, list[Hit]]:
        lists: dict[str, list[Hit]] = {}
        for leg in self._legs():
            with telemetry.span(f"retrieve.{leg}"), telemetry.span(f"db.read.{leg}"):
                lists[leg] = self.run.reader(leg).search(question, allow, k, call)
        return lists

    def _fused(self, question: Question, lists: Mapping[str, Sequence[Hit]]) -> list[Fused]:
        if len(lists) == 1:
            ((leg, hits),) = lists.items()
            return _alone(leg, hits)
        rows = {hit.row for hits in lists.values() for hit in hits}
        with telemetry.span("retrieve.fuse"):
            ranked = {leg: self._of(leg, question, hits, rows) for leg, hits in lists.items()}
            return fuse(ranked, self.fusion, self._items_of)

    def _items_of(self, rows: Sequence[int]) -> tuple[list[str], list[int]]:
        """Return the items of chunks, and how many other chunks each has."""
        places = self.run.tables.places(rows)
        return [places[row].item_id for row in rows], [places[row].chunks - 1 for row in rows]

    def _of(self, leg: str, question: Question, hits: Sequence[Hit], rows: set[int]) -> Ranked:
        """Return a leg's hits with its data for fusion."""
        reader = self.run.reader(leg)
        more = reader.scores(question, sorted(rows - {hit.row for hit in hits}))
        support = None
        if reader.by_words:
            best = Candidates(self.run, _alone(leg, hits[:_BEST]))
            support = reader.support(question, [_held(candidate, leg) for candidate in best])
        languages: frozenset[str] | None = getattr(reader, "languages", None)
        vectors = getattr(reader, "vectors", None)
        worths = {} if reader.by_words else self._worths(sorted(rows))
        return Ranked(hits, reader.floor(question), support, more, _foreign(languages, question), worths, vectors)

    def _worths(self, rows: Sequence[int]) -> dict[int, float]:
        """Return the multipliers of chunks that are below 1."""
        of_rows = {row: multiplier(place.path) / 100 for row, place in self.run.tables.places(rows).items()}
        return {row: worth for row, worth in of_rows.items() if worth < 1}

    def _support(self, question: Question, best: Sequence[Candidate]) -> dict[str, float]:
        """Return for each leg how much of the question the best chunks contain (0-1)."""
        words = len(understood(question, in_all_languages(question)).content)
        measures = {}
        for leg in self._legs():
            reader = self.run.reader(leg)
            measure = reader.support(question, [_held(candidate, leg) for candidate in best])
            measures[leg] = round(beyond_one_word(measure, words) if reader.by_words else measure, 6)
        return measures

    def _unknown_names(self, question: Question, best: Sequence[Candidate], *, is_judged: bool) -> list[str]:
        """Return the names of the question that no document has; empty without a word leg."""
        pieces: Callable[[str], int] | None = None
        if is_judged:
            pieces = search.judged.pieces_of
        for leg in self._legs():
            if (unknown := getattr(self.run.reader(leg), "unknown_names", None)) is not None:
                read = partial(_texts, best, leg)
                names: list[str] = unknown(question, read, pieces)
                return names
        return []

    def _rarity(self, question: Question) -> Rarity | None:
        readers = (self.run.reader(leg) for leg in self._legs())
        lookups = (getattr(reader, "rarity", None) for reader in readers)
        return next((rarity(question) for rarity in lookups if rarity is not None), None)

    def _likeness(self, question: Question, call: Call) -> Likeness | None:
        for leg in self._legs():
            reader = self.run.reader(leg)
            if (likeness := getattr(reader, "likeness", None)) is not None:
                return Likeness(partial(likeness, question, call=call), getattr(reader, "languages", None))
        return None

    def _falls_short(self, support: Mapping[str, float]) -> bool:
        """Return True if the best chunks are on average below the thresholds of the legs that have one."""
        thresholds = self.recipe.query.threshold
        reached = [support[leg] / threshold for leg in support if (threshold := thresholds.get(leg))]
        return bool(reached) and sum(reached) < len(reached)

    # --- rerank, filter

    def _rerank(
        self,
        reranker: Reranker | JudgingReranker,
        question: Question,
        candidates: Sequence[Candidate],
        call: Call,
        before: Sequence[Candidate] | None = None,
    ) -> Sequence[Candidate]:
        weighed = self.run.weighed(self.weighing) if self.weighing else None
        return search.rerankers.reordered(reranker, question, candidates, weighed, call, before)

    def _doubles(self, candidates: Sequence[Candidate]) -> frozenset[int]:
        """Return the indices of candidates removed by the recipe's filter."""
        share = self.recipe.query.filter.near_duplicates
        if share is None:
            return frozenset()
        return frozenset(repeated([candidate.text for candidate in candidates], share))


def _stages(judged: Sequence[Candidate]) -> list[Mapping[str, float]]:
    """Return the stage scores of each candidate."""
    return [cast("Found", candidate.chunk).stages for candidate in judged]


def _is_below(logits: Sequence[float]) -> bool:
    """Return True if the judge finds no answer in the texts that it scored."""

    return max(logits) < retrieval.judge.threshold()


def _alone(leg: str, hits: Sequence[Hit]) -> list[Fused]:
    """Return the unchanged hits of one leg."""
    return [Fused(row, score, {leg: score}, item) for row, score, item in hits]


def _foreign(languages: frozenset[str] | None, question: Question) -> float | None:
    """Return the share of a run's texts in other languages, or None if `languages` is None. Texts of unknown language,
    such as source code, do not count."""
    if languages is None:
        return None
    return sum(share for language, share in question.languages.items() if language not in languages)


def _unquoted(question: str) -> str:
    """Return the question with quotes around the path of a stack frame replaced, so that it is no required phrase."""
    return _FRAME.sub(r"'\1'", question) if 'File "' in question else question


def _passed(candidates: Sequence[Candidate], doubles: frozenset[int], spent: Spent) -> list[Dropped]:
    """Return the near-duplicates before the point at which the budget stopped."""
    if not doubles:
        return []
    met = spent.dropped[-1] if spent.dropped and spent.dropped[-1].reason != "per_source" else None
    before = takewhile(lambda at: met is None or candidates[at].chunk_id != met.chunk_id, range(len(candidates)))
    passed = [candidates[at] for at in before if at in doubles]
    return [Dropped(candidate.chunk_id, candidate.path, "near_duplicate") for candidate in passed]


def _reaches(bound: float, item: RankedItem) -> bool:
    return item.score >= bound


def _texts(candidates: Sequence[Candidate], leg: str) -> list[str]:
    """Return the texts of the best candidates, each with its path and what was ranked beside it."""
    return [f"{candidate.path}\n{_held(candidate, leg).text}" for candidate in candidates[:_READ_FOR_NAMES]]


def _held(candidate: Candidate, leg: str) -> Held:
    content: Found = candidate.chunk
    return Held(with_context(content), content.stages.get(leg))
