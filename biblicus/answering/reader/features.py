"""The features of a unit for a question: one table, in every language, without a rule for a form of question."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from biblicus.answering.reader import classes, terms
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import LISTED
from biblicus.answering.reader.terms import Terms
from biblicus.answering.reader.units import Candidate
from biblicus.models.evidence import Evidence, Rarity, Result

NAMES = (
    "idf", "named", "around", "share", "passage", "missing", "opens", "begins", "place", "number", "time", "clause",
    "heading_asked", "label_asked", "called", "capitals", "item", "ends", "repeats", "follows",
)  # fmt: skip
"""Of the question's idf: `idf` is the share that the unit has, `named` and `around` the further share of its names
(title, heading, label), and of its section without the units beside it. `share`: of the question's terms, whatever
their rarity. `passage`: the score of the piece against the best. `missing`: the rarity of the rarest term that neither
unit nor names have, against the rarest of the question. `opens`: first of its section; `begins`: its piece is the
first of its page; `place`: place in its section (0-1), for an item or a row that of its list. `number`, `time`: the
probability that such is wanted, where the unit has one that the question lacks, and less that where it has none.
`clause`: log of its words by the probability that a clause is wanted. `heading_asked`, `label_asked`: share of their
terms that the question has. `called`: the share of the idf that is both in its names and among its first terms.
`capitals`: share of its words, without the first, that begin with a capital, as in bylines and references. `item`: an
item of a list. `ends`: ends as sentences do. `repeats`: its `idf` times the share of its terms that question, title or
heading have; `follows`: the same of the unit before it."""
JUDGE = "judge"
MODELS = ("cosine", JUDGE)
"""Further features of the best units, where models are installed."""
_SUBJECT = 5
"""Terms of a subject."""
_ENDS = tuple(".!?;。！？")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_TIME = re.compile(r"(?<![\d.,])(?:1\d{3}|20\d{2})(?![\d.,]*\d)|\d{1,2}[:/.-]\d{1,2}(?:[:/.-]\d{2,4})?")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as its features need it. `shapes`: the probability of each class of answer."""

    text: str
    rarity: Rarity
    shapes: dict[str, float]
    numbers: frozenset[str]


def asked(question: str, result: Result) -> Asked:
    """Return a question with its shape and the rarity of its terms."""
    numbers = frozenset(NUMBER.findall(question))
    rarity = result.rarity or Rarity({}, 1.0)
    return Asked(question, rarity, dict(classes.probabilities(question)), numbers)


def table(question: Asked, candidates: Sequence[Candidate], evidence: Sequence[Evidence]) -> list[list[float]]:
    """Return the features of each candidate, in the order of `NAMES`."""
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
    """Return a score against the best one; scores below 0 by their place between the least and the best."""
    if least > 0:
        return score / best
    return (score - least) / (best - least) if best > least else 1.0


@dataclass(frozen=True, slots=True)
class _Section:
    """What the units of a section have in common: the question's terms, the share of its idf that each has, the terms
    of each unit, of the section, of title and of heading; `begins`: the place of each unit, of an item that of its
    list."""

    asked: Terms
    shares: Mapping[str, float]
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
        among = terms.of_question(question.text, stemmer)
        weights = {term: question.rarity.of(term) * among.weights[term] for term in among.ordered}
        whole = math.fsum(weights.values()) or 1.0
        shares = {term: weight / whole for term, weight in weights.items()}
        return cls(among, shares, units, all_terms, title, heading, begins)

    def weight(self, held: frozenset[str], without: frozenset[str] = frozenset()) -> float:
        """Return the share of the question's idf that `held` has and `without` has not."""
        return math.fsum(self.shares[term] for term in held & self.asked.all if term not in without)


def _features(question: Asked, candidate: Candidate, section: _Section, passage: float) -> list[float]:
    unit, at = candidate.unit, candidate.at
    first = section.begins[at]
    among, own = section.asked, section.units[at]
    held = frozenset(own) & among.all
    before = frozenset(section.units[at - 1] if at else ())
    after = frozenset(section.units[at + 1] if at + 1 < len(section.units) else ())
    label = frozenset(terms.of_text(candidate.label, among.stemmer)) if candidate.label else frozenset[str]()
    named = section.title | section.heading | label
    shapes, text = question.shapes, unit.reads
    return [
        section.weight(held),
        section.weight(named, held),
        section.weight(section.all, held | named | before | after),
        _share(held, among),
        passage,
        _missing(section, held | named),
        float(all(other.leads for other in candidate.section.units[:first])),
        float(candidate.piece.chunk_id.endswith(":0")),
        first / len(candidate.section.units),
        shapes["number"] * _sign(NUMBER.findall(text), question.numbers),
        shapes["time"] * _sign(_TIME.findall(text), question.numbers),
        shapes["clause"] * math.log1p(unit.words),
        *(len(name & among.all) / (len(name) or 1) for name in (section.heading, label)),
        section.weight(frozenset(own[:_SUBJECT]) & named),
        _capitals(text),
        float(unit.kind is Kind.ITEM),
        float(text.rstrip("\"')”»").endswith(_ENDS)),
        _repeats(section, frozenset(own)),
        _repeats(section, before),
    ]


def _capitals(text: str) -> float:
    """Return the share of the words of a text, without the first, that begin with a capital; 1 of one word."""
    words = [word.lstrip("(\"'") for word in text.split() if any(map(str.isalpha, word))][1:]
    return sum(word[:1].isupper() for word in words) / len(words) if words else 1.0


def _repeats(section: _Section, own: frozenset[str]) -> float:
    """Return the share of the idf that a unit has, times the share of its terms that are not new."""
    new = own - section.asked.all - section.title - section.heading
    return section.weight(own) * (1 - len(new) / (len(own) or 1))


def _sign(found: Sequence[str], known: frozenset[str]) -> float:
    """Return 1 where something is found that is not known, else -1."""
    return 1.0 if any(one not in known for one in found) else -1.0


def _share(held: frozenset[str], among: Terms) -> float:
    """Return the share of the question's terms, each by how likely it stands in an answer."""
    whole = math.fsum(among.weights[term] for term in among.ordered)
    return math.fsum(among.weights[term] for term in held) / (whole or 1.0)


def _missing(section: _Section, held: frozenset[str]) -> float:
    """Return how rare the rarest term is that is not there, against the rarest of the question."""
    missing = max((share for term, share in section.shares.items() if term not in held), default=0.0)
    return missing / (max(section.shares.values(), default=0.0) or 1.0)
