"""How well each unit of the evidence answers a question: by its words, its neighbourhood, and the kind of its words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from biblicus.answering import question_words
from biblicus.answering.question_terms import QuestionTerms, question_terms, stemmer_for
from biblicus.answering.units import LONGEST, Unit, units
from biblicus.models.evidence import Evidence
from biblicus.text import analysis

WEIGHTS: Mapping[str, float] = {
    "own": 1.0, "pair": 0.15, "before": 0.35, "after": 0.15, "around": 0.15, "title": 0.1, "kind": 0.12, "place": 0.25,
}  # fmt: skip
"""Of the parts of a score (see `Scored`)."""

_NEAR = 3
"""Words apart at most, for two words of the question to stand close together."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score. `piece`: the evidence it is of, `at`: its place among that piece's units.

    `parts`, each 0-1: `own` the idf-weighted share of the question's words that it, or what leads right to it, holds;
    `pair` of neighbouring words of the question that stand close together in it; `before`, `after`, `around`, `title`:
    the share that it lacks and that the unit before it, the one after it, the piece, or title and heading hold; `kind`:
    whether it holds words of the kind that is asked for; `place`: the piece's score relative to the best. `terms`: all
    of its terms; `held`: the terms of `own`.
    """

    piece: Evidence
    at: int
    unit: Unit
    score: float
    parts: Mapping[str, float]
    terms: frozenset[str]
    held: frozenset[str]

    @property
    def text(self) -> str:
        return self.piece.text[self.unit.start : self.unit.end]

    @property
    def covered(self) -> float:
        """The share of the question's words that the unit, its piece, or title and heading hold."""
        return sum(self.parts[name] for name in ("own", "before", "after", "around", "title"))


def scored(
    question: str, evidence: Sequence[Evidence], longest: int = LONGEST, weights: Mapping[str, float] = WEIGHTS
) -> list[Scored]:
    """Every unit of the evidence that holds a word of the question or is of a piece that does, best first.

    `longest`: words of a unit; longer sentences are cut where a clause ends.
    """
    read = [_Piece.of(question, piece, evidence, min(longest, LONGEST)) for piece in evidence]
    seen: dict[str, int] = {}
    for piece in read:
        for terms in piece.terms:
            for term in set(piece.question.terms) & set(terms):
                seen[term] = seen.get(term, 0) + 1
    count = sum(len(piece.units) for piece in read)
    best = max((piece.evidence.score for piece in read), default=0.0)
    units = [unit for piece in read for unit in piece.scored(seen, count, best, weights)]
    units.sort(key=lambda unit: (-unit.score, unit.piece.rank, unit.at))
    return units


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of evidence in units, each with its terms in order."""

    evidence: Evidence
    question: QuestionTerms
    units: Sequence[Unit]
    terms: Sequence[Sequence[str]]
    title: frozenset[str]

    @classmethod
    def of(cls, question: str, piece: Evidence, others: Sequence[Evidence], longest: int) -> _Piece:
        stemmer = stemmer_for(piece.language, [other.language for other in others])
        reading = question_terms(question, stemmer)
        parts = list(units(piece.text, longest))
        terms = [_terms(piece.text[unit.start : unit.end], reading) for unit in parts]
        names = f"{piece.title or ''}\n{piece.heading or ''}"
        return cls(piece, reading, parts, terms, frozenset(_terms(names, reading)))

    def scored(self, seen: Mapping[str, int], count: int, best: float, weights: Mapping[str, float]) -> list[Scored]:
        idf = {term: math.log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in seen.items()}
        rarest = math.log(1 + (count + 0.5) / 0.5)
        weigh = {term: idf.get(term, rarest) for term in self.question.terms}
        whole = sum(weigh.values()) or 1.0
        held = [frozenset(weigh).intersection(terms) for terms in self.terms]
        around = frozenset().union(*held)

        def share(terms: frozenset[str]) -> float:
            return sum(weigh[term] for term in terms) / whole

        units = []
        for at, unit in enumerate(self.units):
            led = self.units[at - 1].leads if at else False
            before = held[at - 1] if at else frozenset()
            own = held[at] | before if led else held[at]
            after = held[at + 1] if at + 1 < len(held) else frozenset()
            if unit.leads or not (own or before or after or around):
                continue
            text = self.evidence.text[unit.start : unit.end]
            parts = {
                "own": share(own),
                "pair": self._close(at, held[at]),
                "before": share(before - own),
                "after": share(after - own - before),
                "around": share(around - own - before - after),
                "title": share((self.title & frozenset(weigh)) - around),
                "kind": kind_of(text, self.question),
                "place": self.evidence.score / best if best > 0 else 0.0,
            }
            score = sum(weights[name] * value for name, value in parts.items())
            units.append(Scored(self.evidence, at, unit, score, parts, frozenset(self.terms[at]), own))
        return units

    def _close(self, at: int, own: frozenset[str]) -> float:
        """The share of the question's neighbouring words that stand within three words of each other in the unit."""
        pairs = list(pairwise(self.question.terms))
        both = [(first, second) for first, second in pairs if first in own and second in own]
        if not both:
            return 0.0
        places: dict[str, list[int]] = {}
        for place, term in enumerate(self.terms[at]):
            if term in own:
                places.setdefault(term, []).append(place)
        close = sum(
            any(0 < abs(here - other) <= _NEAR for here in places[first] for other in places[second])
            for first, second in both
        )
        return close / len(pairs)


def _terms(text: str, question: QuestionTerms) -> list[str]:
    """The terms of a text in order; none where it holds none of the question's."""
    return analysis.analyzer(question.stemmer).analyze(analysis.ranked("", text)) if question.may_hold(text) else []


def kind_of(text: str, question: QuestionTerms) -> float:
    """Whether a text holds words of the kind that the question asks for (0-1); 0 where it asks for no kind.

    A name counts where the question does not hold it.
    """
    for kind in ("time", "number", "reason"):
        if kind in question.kinds:
            return float(question_words.holds(kind, text))
    if "name" not in question.kinds or not (names := question_words.names(text)):
        return 0.0
    return float(not set(analysis.analyzer(question.stemmer).analyze(" ".join(names))) <= set(question.terms))
