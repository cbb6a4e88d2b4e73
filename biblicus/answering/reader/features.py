"""Features of a unit for a question, the same for every language and form of question."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from biblicus.answering.reader import classes, terms
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED
from biblicus.answering.reader.terms import Terms
from biblicus.answering.reader.units import Candidate
from biblicus.models.evidence import Evidence, Rarity, Result

NAMES = (
    "idf", "before", "after", "named", "around", "share", "pairs", "passage", "missing", "row", "opens", "begins",
    "place", "number", "time", "clause", "title_asked", "heading_asked", "label_asked", "called",
)  # fmt: skip
"""Names of the features. Shares refer to the sum of the question terms' idf.

* `idf`: share in the unit; `before`, `after`, `named`, `around`: further share in the previous unit, the next unit,
  title and heading, and the section
* `share`: share of the question's terms, not weighted by idf; `pairs`: share of its neighbouring terms that are within
  three positions in the unit
* `passage`: score of the piece relative to the best; `missing`: idf of the rarest term in neither unit nor names,
  relative to the rarest of the question
* `row`: 1 for a row or field; `opens`: first in its section; `begins`: its piece is the first of its page; `place`:
  position in the section (0-1), for an item or row that of its list
* `number`, `time`: probability that a number or time is expected, negative if the unit has none besides the question's;
  `clause`: log of its words times the probability that a clause is expected
* `title_asked`, `heading_asked`, `label_asked`: share of their terms that are in the question; `called`: share of idf
  both in title, heading or label and among the first terms of the unit
"""
JUDGE = "judge"
MODELS = ("cosine", JUDGE)
"""Further features of the best units if models are installed."""
_NEAR, _SUBJECT = 3, 5
"""Maximum distance of neighbouring terms, and maximum terms of a subject."""
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TIME = re.compile(r"(?<![\d.,])(?:1\d{3}|20\d{2})(?![\d.,]*\d)|\d{1,2}[:/.-]\d{1,2}(?:[:/.-]\d{2,4})?")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its data for features. `shapes`: probability of each class of answer."""

    text: str
    rarity: Rarity
    shapes: dict[str, float]
    numbers: frozenset[str]

    def weight(self, held: frozenset[str], among: Terms, without: frozenset[str] = frozenset()) -> float:
        """Return the share of the question's idf in the terms of `held` that are not in `without`."""
        total_weight = math.fsum(self.rarity.of(term) * among.weights[term] for term in among.ordered)
        new_terms = (held & among.all) - without
        return math.fsum(self.rarity.of(term) * among.weights[term] for term in new_terms) / (total_weight or 1.0)


def asked(question: str, result: Result) -> Asked:
    """Return a question with its class probabilities and term rarities."""
    numbers = frozenset(NUMBER.findall(question))
    rarity = result.rarity or Rarity({}, 1.0)
    return Asked(question, rarity, dict(classes.probabilities(question)), numbers)


def table(question: Asked, candidates: Sequence[Candidate], evidence: Sequence[Evidence]) -> list[list[float]]:
    """Return the features of each candidate in the order of `NAMES`."""
    languages = [piece.language for piece in evidence]
    best = max((piece.score for piece in evidence), default=0.0)
    least = min((piece.score for piece in evidence), default=0.0)
    sections: dict[int, _Section] = {}
    rows = []
    for candidate in candidates:
        key = id(candidate.section)
        if key not in sections:
            sections[key] = _Section.of(question, candidate, terms.stemmer_for(candidate.piece.language, languages))
        rows.append(_features(question, candidate, sections[key], _relative(candidate.piece.score, least, best)))
    return rows


def _relative(score: float, least: float, best: float) -> float:
    """Return a score relative to the best; scores below 0 by their position between minimum and best."""
    if least > 0:
        return score / best
    return (score - least) / (best - least) if best > least else 1.0


@dataclass(frozen=True, slots=True)
class _Section:
    """Data shared by the units of a section: question terms, terms of each unit, section, title and heading. `begins`:
    index of each unit, for a list item that of the list's first."""

    asked: Terms
    units: Sequence[tuple[str, ...]]
    all: frozenset[str]
    title: frozenset[str]
    heading: frozenset[str]
    begins: Sequence[int]

    @classmethod
    def of(cls, question: Asked, candidate: Candidate, stemmer: str) -> _Section:
        section = candidate.section
        units = [terms.of_text(unit.reads, stemmer) for unit in section.units]
        title, heading = (
            frozenset(terms.of_text(text, stemmer)) for text in (section.piece.title or "", section.heading or "")
        )
        all_terms = frozenset(term for unit in units for term in unit)
        begins: list[int] = []
        for at, unit in enumerate(section.units):
            goes_on = at > 0 and unit.kind in LISTED and section.units[at - 1].kind is unit.kind
            begins.append(begins[-1] if goes_on else at)
        return cls(terms.of_question(question.text, stemmer), units, all_terms, title, heading, begins)


def _features(question: Asked, candidate: Candidate, section: _Section, passage: float) -> list[float]:
    unit, at = candidate.unit, candidate.at
    first = section.begins[at]
    among, unit_terms = section.asked, section.units[at]
    matched_terms = frozenset(unit_terms) & among.all
    before = frozenset(section.units[at - 1]) if at else frozenset[str]()
    after = frozenset(section.units[at + 1]) if at + 1 < len(section.units) else frozenset[str]()
    label = frozenset(terms.of_text(candidate.label, among.stemmer)) if candidate.label else frozenset[str]()
    named = section.title | section.heading | label
    shapes, text = question.shapes, unit.reads
    return [
        question.weight(matched_terms, among),
        question.weight(before, among, matched_terms),
        question.weight(after, among, matched_terms | before),
        question.weight(named, among, matched_terms),
        question.weight(section.all, among, matched_terms | named | before | after),
        _share(matched_terms, among),
        _pairs(among.ordered, unit_terms),
        passage,
        _missing(question.rarity, among, matched_terms | named),
        float(unit.kind in (Kind.ROW, Kind.FACT)),
        float(all(earlier_unit.leads for earlier_unit in candidate.section.units[:first])),
        float(candidate.piece.chunk_id.endswith(":0")),
        first / len(candidate.section.units),
        shapes["number"] * _sign(NUMBER.findall(text), question.numbers),
        shapes["time"] * _sign(_TIME.findall(text), question.numbers),
        shapes["clause"] * math.log1p(unit.words),
        *(len(name & among.all) / (len(name) or 1) for name in (section.title, section.heading, label)),
        question.weight(frozenset(unit_terms[:_SUBJECT]) & named, among),
    ]


def _sign(found: Sequence[str], known: frozenset[str]) -> float:
    """Return 1 if an item in `found` is not in `known`, else -1."""
    return 1.0 if any(item not in known for item in found) else -1.0


def _share(held: frozenset[str], among: Terms) -> float:
    """Return the share of the question's terms in `held`, weighted by how likely they occur in an answer."""
    total_weight = math.fsum(among.weights[term] for term in among.ordered)
    return math.fsum(among.weights[term] for term in held) / (total_weight or 1.0)


def _missing(rarity: Rarity, among: Terms, held: frozenset[str]) -> float:
    """Return the idf of the rarest missing term relative to the rarest of the question."""
    weights = {term: rarity.of(term) * among.weights[term] for term in among.ordered}
    return max((weights[term] for term in among.all - held), default=0.0) / (max(weights.values(), default=0.0) or 1.0)


def _pairs(asked_terms: Sequence[str], own: Sequence[str]) -> float:
    """Return the share of neighbouring question terms that are close together in a unit."""
    places: dict[str, list[int]] = {}
    for place, term in enumerate(own):
        places.setdefault(term, []).append(place)
    pairs = list(pairwise(asked_terms))
    near = sum(
        any(
            0 < abs(left_place - right_place) <= _NEAR
            for left_place in places.get(left, ())
            for right_place in places.get(right, ())
        )
        for left, right in pairs
    )
    return near / (len(pairs) or 1)
