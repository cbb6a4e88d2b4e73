"""Answerer `quote`: quotes and cites the sentences that answer best, without a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from biblicus.answering.reader import features, scorer, statements, superlatives, units
from biblicus.answering.reader.classes import data
from biblicus.answering.reader.features import JUDGE
from biblicus.answering.reader.units import Candidate
from biblicus.contracts import Call, Given
from biblicus.errors import Unavailable
from biblicus.models.answers.answer import Drafted
from biblicus.models.evidence import Evidence, Result

WORDS, STEPS = 60, 120
"""Default maximum words of an answer, and of an answer in steps."""
ANSWERS = 0.35
"""Minimum confidence of an answer; below it, the nearest statement is shown as such."""


class Options(BaseModel):
    """`max_words`: maximum words of all quotations together; by default 60, or 120 for steps."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_words: int | None = Field(default=None, ge=5, le=2_000)


def build(options: Options, given: Given) -> Quote:
    """Return the answerer; it uses no language model."""
    return Quote(options)


@dataclass(frozen=True, slots=True)
class Scored:
    """The best units with their scores, best first. `named`: features of each unit by name; `configuration`: name of
    the scorer's models."""

    candidates: Sequence[Candidate]
    scores: Sequence[float]
    named: Sequence[Mapping[str, float]]
    configuration: str


class Quote:
    """Selects units by their fitted score, and quotes them in the order of their sources (see `Answerer`)."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        call.check()
        evidence = [piece.at_opening() for piece in result.texts][: units.PIECES]
        most = self._options.max_words or WORDS
        row = superlatives.told(question, result.texts, result.whole)
        if row and sum(unit.words for section in row.sections for unit in section.units) <= most:
            row_statements = tuple(statements.of_units(section, section.units) for section in row.sections)
            return Drafted(row_statements, superlatives.SURE, False, row.summary)
        best = scored(question, result, evidence, most)
        call.check()
        judged = JUDGE in best.configuration
        picked = statements.chosen(best.scores, [entry.unit.words for entry in best.candidates], most, judged=judged)
        picked = statements.without_repeats(picked, [entry.unit.reads for entry in best.candidates])
        picked = statements.with_differing(picked, best.candidates, most)
        search_features = scorer.found(result.meant or question, evidence, result.rarity)
        signs = scorer.signs(best.scores, best.named, picked, search_features)
        sure, here, _ = scorer.confidence(signs, best.configuration)
        is_near = judged or any(entry["share"] or entry["named"] for entry in best.named)
        if not picked or not is_near:
            return Drafted((), 0.0, True, f"Nothing quoted: {_read(evidence)}, and none of it is near.")
        is_nearest = sure < ANSWERS
        most_steps = self._options.max_words or STEPS
        quoted = statements.of([best.candidates[place] for place in picked], most, most_steps)
        places = statements.differing([best.candidates[place] for place in picked])
        differ = f" {' and '.join(places)} differ in numbers." if places else ""
        summary = (
            f"{len(quoted)} quoted: {_read(evidence)}.{differ} It is in this corpus with a probability of {here:.2f}."
            f" Scorer {data()['version']}, {best.configuration}."
        )
        return Drafted(quoted, sure, is_nearest, summary, nearest=is_nearest)


def scored(question: str, result: Result, evidence: Sequence[Evidence], longest: int = WORDS) -> Scored:
    """Return the best units of the evidence, scored with the installed models. `longest`: maximum words of a unit."""
    candidates = units.read(evidence, longest)
    rows = features.table(features.asked(result.meant or question, result), candidates, evidence)
    scores = dict(enumerate(scorer.by_words(rows)))
    places = scorer.best_places(list(scores.values()))
    read = _by_models([candidates[place] for place in places], places, result) if places else {}
    if read:
        scores = scorer.with_models(rows, places, read)
        places = sorted(places, key=lambda place: (-scores[place], place))
    named = [
        {**dict(zip(features.NAMES, rows[place], strict=True)), **{name: read[name][place] for name in read}}
        for place in places
    ]
    configuration = scorer.configuration(tuple(read))
    return Scored([candidates[place] for place in places], [scores[place] for place in places], named, configuration)


def _by_models(
    candidates: Sequence[Candidate], places: Sequence[int], result: Result
) -> Mapping[str, Mapping[int, float]]:
    """Return the scores of each installed model for the candidates, by their index."""
    read: dict[str, Mapping[int, float]] = {}
    askers = {
        "cosine": (result.likeness, [candidate.unit.reads for candidate in candidates]),
        "judge": (result.judged, [(candidate.breadcrumb, candidate.unit.reads) for candidate in candidates]),
    }
    for name, (asker, texts) in askers.items():
        if asker is not None:
            try:
                read[name] = dict(zip(places, asker.of(texts), strict=True))
            except Unavailable:  # scored by words only, as without models
                continue
    return read


def _read(evidence: Sequence[Evidence]) -> str:
    return f"{len(evidence)} piece{'' if len(evidence) == 1 else 's'} of evidence read"
