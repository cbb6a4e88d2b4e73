"""How well each unit of the evidence answers a question: by its words, its neighbourhood, and its form."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from biblicus.answering.quoting import question_forms
from biblicus.answering.quoting.scores import literature
from biblicus.answering.quoting.scores.read import Read
from biblicus.answering.quoting.scores.scored import WEIGHTS, Scored
from biblicus.answering.quoting.sections import Section, sections
from biblicus.answering.reader.reading.units import LONGEST
from biblicus.errors import Unavailable
from biblicus.models.evidence import Evidence, Likeness, Rarity
from biblicus.text import kinds

_CLOSE, _COMPARED = 0.8, 8
"""Units that score at least this share of what the best one does, and so many at most, are compared by meaning, where
the best has no form that is asked for: of the others words and forms have decided."""
_FOREIGN = 0.5
"""What likeness counts in a language that the model does not know."""
_OTHERS = 0.5
"""What a sentence counts that does not hold the option which is asked about, where another does."""


def quotable(question: str, evidence: Sequence[Evidence], longest: int = LONGEST) -> list[Section]:
    """The sections of the evidence, but for what was generated, and for lists of links unless these may name what is
    asked for; what cites literature says nothing where none is asked for. `longest`: words of a unit; longer sentences
    are cut where a clause ends."""
    never = (kinds.GENERATED,) if question_forms.form_of(question).several else (kinds.GENERATED, kinds.NAVIGATION)
    pieces = [piece for piece in evidence if kinds.of(piece.path, piece.text) not in never]
    parts = [section for piece in pieces for section in sections(piece, min(longest, LONGEST))]
    if literature.asks(question):
        return parts
    read = ((part, literature.without_entries(part.heading, part.units)) for part in parts)
    return [part if units is part.units else replace(part, units=units) for part, units in read]


def scored(
    question: str,
    evidence: Sequence[Evidence],
    parts: Sequence[Section],
    weights: Mapping[str, float] = WEIGHTS,
    rarity: Rarity | None = None,
    likeness: Likeness | None = None,
) -> list[Scored]:
    """Every unit of the `quotable` parts of the evidence that says something and holds a word of the question or is of
    a piece that does, best first.

    `rarity`: of the question's words in the run, and `likeness` of texts to it: where they are known. Only units that
    words put close together are compared by meaning.
    """
    read = _as_spelled([Read.of(question, section, evidence) for section in parts])
    seen: dict[str, int] = {}
    for piece in read:
        for held in piece.held:
            for term in held:
                seen[term] = seen.get(term, 0) + 1
    count = sum(len(part.section.units) for part in read)
    best = max((part.section.piece.score for part in read), default=0.0)
    within = {term: math.log(1 + (count - n + 0.5) / (n + 0.5)) for term, n in seen.items()}
    local = Rarity(within, math.log(1 + (count + 0.5) / 0.5))
    first = evidence[0].item_id if evidence else ""
    worths = kinds.worths(question)
    units = [unit for piece in read for unit in piece.scored(local, rarity or local, best, first, weights, worths)]
    units = _of_the_option(units)
    units.sort(key=_order)
    if likeness is not None and units and not units[0].parts["form"]:
        close = [unit for unit in units[:_COMPARED] if unit.score >= _CLOSE * units[0].score]
        if len(close) > 1:
            units[: len(close)] = _compared(close, likeness, weights["meaning"])
            units.sort(key=_order)
    return units


def _of_the_option(units: Sequence[Scored]) -> list[Scored]:
    """The units; where an option is asked about and some have it as it is spelled, the others count less."""
    lacking = [unit.lacks_option for unit in units]
    if all(lacking) or not any(lacking):
        return [*units]
    weighed = zip(units, lacking, strict=True)
    return [replace(unit, score=_OTHERS * unit.score) if lacks else unit for unit, lacks in weighed]


def _order(unit: Scored) -> tuple[float, int, int]:
    return -unit.score, unit.piece.rank, unit.at


def _compared(units: Sequence[Scored], likeness: Likeness, weight: float) -> list[Scored]:
    """The units, each with less the less it is like the question than the one that is most like it."""
    try:
        cosines = likeness.of([unit.unit.reads for unit in units])
    except Unavailable:  # the words decide, as where there is no model
        return list(units)
    known = likeness.languages
    compared = []
    for unit, cosine in zip(units, cosines, strict=True):
        sure = 1.0 if known is None or unit.piece.language in known else _FOREIGN
        meaning = sure * (cosine - max(cosines))
        compared.append(replace(unit, score=unit.score + weight * meaning, parts={**unit.parts, "meaning": meaning}))
    return compared


def _as_spelled(read: Sequence[Read]) -> list[Read]:
    """The sections; where one is called just as what is asked about is spelled, those of another spelling, `slip` for
    `slips`, are not what is asked for; where none is, and one is called by its plural, neither are others."""
    so = [part.is_spelled_so for part in read]
    so = so if any(so) else [part.is_of_several for part in read]
    if not any(so):
        return list(read)
    return [part if is_so or not part.about else part.called_otherwise() for part, is_so in zip(read, so, strict=True)]
