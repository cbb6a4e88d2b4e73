"""How well each unit of the evidence answers a question: by its words, its neighbourhood, and the kind of its words."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from biblicus.answering.asked import Asked, asked, stemmer_for
from biblicus.answering.units import Unit, units
from biblicus.models.evidence import Evidence
from biblicus.text import analysis

WEIGHTS: Mapping[str, float] = {
    "own": 1.0, "pair": 0.15, "before": 0.35, "after": 0.15, "around": 0.15, "title": 0.1, "kind": 0.12, "place": 0.25,
}  # fmt: skip
"""Of the parts of a score (see `Scored`)."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score. `piece`: the evidence it is of, `at`: its place among that piece's units.

    `parts`, each 0-1: `own` the idf-weighted share of the question's words that it holds; `pair` of neighbouring words
    of the question that stand close together in it; `before`, `after`, `around`, `title`: the share that it lacks and
    that the unit before it, the one after it, the piece, or title and heading hold; `kind`: whether it holds words of
    the kind that is asked for; `place`: the piece's score relative to the best. `terms`: all of its terms.
    """

    piece: Evidence
    at: int
    unit: Unit
    score: float
    parts: Mapping[str, float]
    terms: frozenset[str]

    @property
    def text(self) -> str:
        return self.piece.text[self.unit.start : self.unit.end]


def scored(question: str, evidence: Sequence[Evidence], weights: Mapping[str, float] = WEIGHTS) -> list[Scored]:
    """Every unit of the evidence that holds a word of the question or stands beside one that does, best first."""
    read = [_Piece.of(question, piece, evidence) for piece in evidence]
    seen: dict[str, int] = {}
    for piece in read:
        for terms in piece.terms:
            for term in set(piece.asked.terms) & set(terms):
                seen[term] = seen.get(term, 0) + 1
    count = sum(len(piece.units) for piece in read)
    best = max((piece.evidence.score for piece in read), default=0.0)
    found = [one for piece in read for one in piece.scored(seen, count, best, weights)]
    found.sort(key=lambda one: (-one.score, one.piece.rank, one.at))
    return found


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of evidence in units, each with its terms in order."""

    evidence: Evidence
    asked: Asked
    units: Sequence[Unit]
    terms: Sequence[Sequence[str]]
    title: frozenset[str]

    @classmethod
    def of(cls, question: str, piece: Evidence, others: Sequence[Evidence]) -> _Piece:
        stemmer = stemmer_for(piece.language, [other.language for other in others])
        parts = list(units(piece.text))
        analyse = analysis.analyzer(stemmer).analyze
        terms = [analyse(analysis.ranked("", piece.text[unit.start : unit.end])) for unit in parts]
        names = f"{piece.title or ''}\n{piece.heading or ''}"
        return cls(piece, asked(question, stemmer), parts, terms, frozenset(analyse(analysis.ranked("", names))))

    def scored(self, seen: Mapping[str, int], count: int, best: float, weights: Mapping[str, float]) -> list[Scored]:
        idf = {term: math.log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in seen.items()}
        rarest = math.log(1 + (count + 0.5) / 0.5)
        weigh = {term: idf.get(term, rarest) for term in self.asked.terms}
        whole = sum(weigh.values()) or 1.0
        held = [frozenset(weigh).intersection(terms) for terms in self.terms]
        around = frozenset().union(*held)

        def share(terms: frozenset[str]) -> float:
            return sum(weigh[term] for term in terms) / whole

        found = []
        for at, unit in enumerate(self.units):
            own = held[at]
            before = held[at - 1] if at else frozenset()
            after = held[at + 1] if at + 1 < len(held) else frozenset()
            if unit.is_heading or not (own or before or after or around):
                continue
            text = self.evidence.text[unit.start : unit.end]
            parts = {
                "own": share(own),
                "pair": self._close(at),
                "before": share(before - own),
                "after": share(after - own - before),
                "around": share(around - own - before - after),
                "title": share(self.title & frozenset(weigh) - own),
                "kind": kind_of(text, unit, self.asked),
                "place": self.evidence.score / best if best > 0 else 0.0,
            }
            score = sum(weights[name] * value for name, value in parts.items())
            found.append(Scored(self.evidence, at, unit, score, parts, frozenset(self.terms[at])))
        return found

    def _close(self, at: int) -> float:
        """The share of the question's neighbouring words that stand within three words of each other in the unit."""
        pairs = list(pairwise(self.asked.terms))
        if not pairs:
            return 0.0
        places: dict[str, list[int]] = {}
        for place, term in enumerate(self.terms[at]):
            places.setdefault(term, []).append(place)
        close = sum(
            any(0 < abs(one - other) <= 3 for one in places.get(first, ()) for other in places.get(second, ()))
            for first, second in pairs
        )
        return close / len(pairs)


_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|"
    r"million|billion|half|third|quarter|dozen|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|"
    r"deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille|dos|tres|cuatro|cinco|siete|ocho|nueve|diez|cien|mil|"
    r"один|одна|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|сто|тысяч\w*|миллион\w*|миллиард\w*)\b"
    "|[一二三四五六七八九十百千万亿两]",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:1\d{3}|20\d{2})(?:s|er)?\b|\b\d{1,2}(?:st|nd|rd|th)? (?:c|of )?|"
    r"\bcentur|\bjahrhundert|\bвек[аеу]?\b|\bгод|世纪|年|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)"
    r"\w*\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|due to|owing to|since|caused|causes|as a result|in order to|so that|led to|weil|da|wegen|"
    r"aufgrund|damit|parce que|car|à cause|porque|debido|perché|потому|поскольку|из-за|чтобы|так как)\b|因为|由于|因此|ため",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;:)\"'’”] )[^\W\d_a-z]\w+")


def kind_of(text: str, unit: Unit, question: Asked) -> float:
    """Whether a text holds words of a kind that the question asks for (0-1); 0 where it asks for no kind."""
    kinds = question.kinds
    if "time" in kinds:
        return 1.0 if _TIME.search(text) else 0.0
    if "number" in kinds:
        return 1.0 if _NUMBER.search(text) else 0.0
    if "reason" in kinds:
        return 1.0 if _REASON.search(text) else 0.0
    if "name" in kinds:
        names = _NAME.findall(text)
        if not names:
            return 0.0
        new = set(analysis.analyzer(question.stemmer).analyze(" ".join(names))) - set(question.terms)
        return 1.0 if new else 0.0
    return 0.0
