"""How something is done, quoted as it is told: from where the section begins that is called so, in order.

Sentences collected from several places are no instruction. A section is known by its heading, and need not begin where
its chunk does. Where none is called what is asked, the text is followed from the sentence that answers best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from biblicus.answering.quoting.blocks import Kind
from biblicus.answering.quoting.question_terms import QuestionTerms, question_terms
from biblicus.answering.quoting.scoring import Scored
from biblicus.answering.quoting.units import Unit, units
from biblicus.models.evidence import Evidence, Rarity

_CALLED = 0.5
"""How much a heading says what is asked at least, for its section to be followed (see `Section`)."""
_BESIDE = 0.4
"""What a heading loses at most where it names other things, too."""
_TITLE = 0.5
"""What a word of the question counts that only the title holds."""
_PLACE, _HELD = 0.2, 0.2
"""What the score of a section's piece, relative to the best, and that of its best sentence count beside its heading."""
_BEGINS = 0.1
"""What it counts beside it that a section begins in its piece."""
_BIAS, _SURE, _WORDS = -4.0, 4.4, 1.2
"""Of a section's confidence: a logistic regression over how much it is called so and how many words are asked, fitted
on 400 headings of ten manuals, asked there and in other manuals (docs/answers.md)."""


@dataclass(frozen=True, slots=True)
class Section:
    """The units of a piece below one heading. `start`: the place of the first among the piece's. `called`: how much of
    the question the heading says (0-1), by the weights of words; less where it names other things, too."""

    piece: Evidence
    start: int
    units: Sequence[Unit]
    called: float

    def sure(self, question: QuestionTerms) -> float:
        """How likely it tells what is asked."""
        value = _BIAS + _SURE * self.called + _WORDS * math.log1p(len(question.terms))
        return round(1 / (1 + math.exp(-value)), 4)


def called_so(evidence: Sequence[Evidence], candidates: Sequence[Scored], longest: int) -> Section | None:
    """The section whose heading says best what is asked; None where none says it. `candidates`: the units that may be
    quoted, best first; `longest`: words of a unit."""
    if not candidates:
        return None
    best, top = candidates[0], max(piece.score for piece in evidence)
    scores = {(one.piece.rank, one.at): one.score / best.score for one in reversed(candidates)}

    def worth(section: Section) -> float:
        held = max(scores.get((section.piece.rank, section.start + at), 0.0) for at in range(len(section.units)))
        begins = section.units[0].kind is Kind.HEADING
        return (
            section.called + _BEGINS * begins + _PLACE * (section.piece.score / top if top > 0 else 0.0) + _HELD * held
        )

    sections = [section for piece in evidence for section in _sections(piece, best.question, best.rarity, longest)]
    return max((section for section in sections if section.called >= _CALLED), key=worth, default=None)


def _sections(piece: Evidence, question: QuestionTerms, rarity: Rarity, longest: int) -> Iterator[Section]:
    """The sections of a piece that say something, the first under the heading that the piece is under."""
    name, start = piece.heading or piece.title or "", 0
    parts = list(units(piece.text, longest))
    for at, unit in enumerate([*parts, None]):
        if unit is not None and not (unit.kind is Kind.HEADING and any(map(str.isalnum, unit.reads))):
            continue
        if any(part.says or part.kind is Kind.CODE for part in parts[start:at]):
            yield Section(piece, start, parts[start:at], _called(name, piece.title or "", question, rarity))
        name, start = unit.reads if unit else "", at


def _called(heading: str, title: str, question: QuestionTerms, rarity: Rarity) -> float:
    named = question_terms(heading, question.stemmer).asked
    titled = question_terms(title, question.stemmer).asked
    both = named & question.asked
    if not both:
        return 0.0
    weights = {term: rarity.of(term) for term in question.terms}
    says = sum(weight * (1 if term in named else _TITLE * (term in titled)) for term, weight in weights.items())
    return says / (sum(weights.values()) or 1.0) * (1 - _BESIDE * (1 - len(both) / len(named)))


def from_sentence(best: Scored, longest: int) -> Section:
    """What follows the sentence that answers best, up to the next heading, with what leads right to it. A step is told
    with those before it."""
    parts = list(units(best.piece.text, longest))
    start = end = best.at
    while (
        start and (best.unit.kind is Kind.STEP or parts[start - 1].leads) and parts[start - 1].kind is not Kind.HEADING
    ):
        start -= 1
    while end < len(parts) and parts[end].kind is not Kind.HEADING:
        end += 1
    return Section(best.piece, start, parts[start:end], 0.0)


def told(section: Section, max_words: int) -> list[Unit]:
    """What a section tells, in order, as much as fits: its steps where it has any; else sentences, items and code, each
    with what leads to it. Code is told whole, or by its beginning where there is nothing else."""
    steps = [unit for unit in section.units if unit.kind is Kind.STEP and unit.says]
    quoted: list[Unit] = []
    beginning: list[Unit] = []
    leads: list[Unit] = []
    for whole in _wholes(steps or section.units):
        if whole[0].leads and whole[0].kind in (Kind.PROSE, Kind.ITEM):
            leads = whole
        elif whole[0].says or whole[0].kind is Kind.CODE:
            if _words(quoted, leads, whole) <= max_words:
                quoted += [*leads, *whole]
            elif quoted:
                break
            else:
                beginning = beginning or [*leads, whole[0]]
            leads = []
    return quoted or [unit for unit in beginning if _words(beginning) <= max_words or unit is beginning[-1]]


def _words(*told: Sequence[Unit]) -> int:
    return sum(unit.words for units in told for unit in units)


def _wholes(units: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Each unit alone, but the parts of one piece of code, and those of a sentence, together."""
    whole: list[Unit] = []
    for unit in units:
        if whole and not (unit.joined or unit.kind is whole[-1].kind is Kind.CODE):
            yield whole
            whole = []
        whole.append(unit)
    if whole:
        yield whole


def together(piece: Evidence, quoted: Sequence[Unit]) -> Iterator[list[Unit]]:
    """What is quoted in statements: sentences that follow each other are one, and so are the parts of code."""
    group: list[Unit] = []
    for unit in quoted:
        if group and not _goes_on(piece, group[-1], unit):
            yield group
            group = []
        group.append(unit)
    if group:
        yield group


def _goes_on(piece: Evidence, before: Unit, unit: Unit) -> bool:
    """Whether a unit is of one statement with the one before it."""
    flows = unit.joined or (unit.kind is before.kind and unit.kind in (Kind.PROSE, Kind.CODE))
    return flows and not piece.text[before.end : unit.start].strip()
