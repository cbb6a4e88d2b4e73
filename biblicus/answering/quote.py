"""The answerer `quote`: the sentences that answer best, quoted exactly and cited. No model."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from biblicus.answering.confidence import LEAST, confidence
from biblicus.answering.scoring import Scored, scored
from biblicus.contracts import Call, Given
from biblicus.models.answer import Citation, Drafted, Statement
from biblicus.models.evidence import Evidence, Result

PIECES = 6
"""How much of the evidence is read, by rank."""
_WORTH = 0.6
"""A further sentence counts at least this share of what the best one does."""
_REPEATS = 0.7
"""Of a sentence's terms: where one that is quoted holds more, it says the same."""


class Options(BaseModel):
    """`max_words`: of all that is quoted together."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_words: int = Field(60, ge=5, le=2_000)


def build(options: Options, given: Given) -> Quote:
    """The answerer; it uses no model."""
    return Quote(options)


class Quote:
    """Picks sentences by score while they fit, and quotes them in the order of their sources (see `Answerer`)."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        call.check()
        candidates = scored(question, result.evidence[:PIECES], self._options.max_words)
        picked = pick(candidates, self._options.max_words)
        sure = confidence(picked[0].covered, picked[0].held) if picked else 0.0
        if sure < LEAST:
            return Drafted((), 0.0, True, _summary(result, candidates))
        statements = tuple(_statement(group) for group in _grouped(picked))
        return Drafted(statements, sure, result.insufficient, _summary(result, candidates, picked))


def _summary(result: Result, candidates: Sequence[Scored], picked: Sequence[Scored] = ()) -> str:
    """What was read and what of it was quoted, in one sentence."""
    read = _count(min(PIECES, len(result.evidence)), "piece")
    if picked:
        sources = len({candidate.piece.item_id for candidate in picked})
        best = f"the best holds {picked[0].parts['own']:.0%} of the question's words, weighted by how rare they are"
        return (
            f"{_count(len(picked), 'sentence')} of {_count(sources, 'source')} quoted from {read} of evidence; {best}."
        )
    nearest = max((candidate.covered for candidate in candidates), default=0.0)
    return f"Nothing quoted: {read} of evidence read, and the nearest holds {nearest:.0%} of what was asked."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def pick(candidates: Sequence[Scored], max_words: int) -> list[Scored]:
    """The best candidates that fit together, without repeats, best first."""
    picked: list[Scored] = []
    room = max_words
    for candidate in candidates:
        if picked and candidate.score < _WORTH * picked[0].score:
            break
        if candidate.unit.words > room or any(_repeats(candidate, other) for other in picked):
            continue
        picked.append(candidate)
        room -= candidate.unit.words
    return picked


def _repeats(candidate: Scored, other: Scored) -> bool:
    """Whether one says no more than the other."""
    return len(candidate.terms & other.terms) > _REPEATS * len(candidate.terms)


def _grouped(picked: Sequence[Scored]) -> list[list[Scored]]:
    """Sentences that follow each other together, in the order of the best of each group."""
    groups: list[list[Scored]] = []
    for unit in sorted(picked, key=lambda unit: (unit.piece.rank, unit.at)):
        last = groups[-1][-1] if groups else None
        if last is not None and last.piece is unit.piece and last.at + 1 == unit.at:
            groups[-1].append(unit)
        else:
            groups.append([unit])
    return sorted(groups, key=lambda group: -max(unit.score for unit in group))


def _statement(group: Sequence[Scored]) -> Statement:
    piece: Evidence = group[0].piece
    citation = Citation(piece, group[0].unit.start, group[-1].unit.end)
    return Statement(citation.text, (citation,), quoted=True)
