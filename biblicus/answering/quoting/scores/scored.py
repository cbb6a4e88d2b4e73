"""A unit of the evidence with its score, and what that is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from biblicus.answering.quoting import entries
from biblicus.answering.quoting.question_terms import QuestionTerms
from biblicus.answering.quoting.sections import Section
from biblicus.answering.reader.reading.blocks import Kind
from biblicus.answering.reader.reading.units import Unit
from biblicus.models.evidence import Evidence, Rarity

WEIGHTS: Mapping[str, float] = {
    "own": 1.0, "words": 0.4, "pair": 0.05, "before": 0.35, "after": 0.1, "around": -0.1, "title": 0.1, "kind": 0.22,
    "place": 0.5, "form": 0.8, "about": 0.2, "whole": 0.1, "meaning": 0.8, "page": 0.4,
}  # fmt: skip
"""Of the parts of a score (see `Scored`)."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score. `section`: the part of the evidence it is of, `at`: its place among the piece's units.

    `parts`, each 0-1 but for `meaning` and `page`: `own` the idf-weighted share of the question's words that it, or
    what leads right to it, holds; `words` the same of it alone, each word counting the same; `pair` of neighbouring
    words of the question that stand close together in it; `before`, `after`, `around`, `title`: the share that it
    lacks and that the unit before it, the one after it, the piece, or title and heading hold; `kind`: whether it
    holds words of the kind that is asked for; `place`: the piece's score relative to the best; `form`: whether it
    has the form of the answer (it defines, contrasts, is a step, is code); `about`: whether title or heading name
    just what is to be defined; `whole`: whether it ends as a sentence does; `meaning`: how like the question it is,
    by the model of the run's vectors; `page`: -1 where it is of another item than the one that comes first and it
    is asked how something is done, -.3 where nothing is to be defined. Beside the score, `sender`: whether somebody
    says it whom the question names, where it asks for that (.5 where that is not known). `terms`: all of its terms;
    `held`: those of `own`; `alike`: those of it that only synonyms hold.
    `question`: as read for it; `rarity`: of its words; `is_below_label`: whether the heading right above it is asked
    for.
    """

    section: Section
    at: int
    unit: Unit
    score: float
    parts: Mapping[str, float]
    terms: frozenset[str]
    held: frozenset[str]
    alike: frozenset[str]
    question: QuestionTerms
    rarity: Rarity
    is_below_label: bool = False

    @property
    def piece(self) -> Evidence:
        return self.section.piece

    @property
    def lacks_option(self) -> bool:
        """Whether an option is asked about that neither it, nor what it stands under, has in its very spelling."""
        option, at = entries.option_of(self.question.form.subject), self.at - self.section.start
        texts = (unit.reads for unit in self.section.units[max(0, at - 1) : at] if unit.kind is Kind.LABEL)
        return bool(option) and not entries.has_option(option, self.unit.reads, self.section.heading, *texts)

    @property
    def covered(self) -> float:
        """The share of the question's words that the unit, its piece, or title and heading hold."""
        return sum(self.parts[name] for name in ("own", "before", "after", "around", "title"))
