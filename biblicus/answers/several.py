"""Answers from the evidence of several corpora, merged into one result with the corpus of each piece.

Scores of different corpora are not comparable, so each is divided by its corpus's best. Item ids may collide, so the
answerer gets ids with the corpus name; citations have the original ids.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from biblicus.contracts import Answerer, Call
from biblicus.models.answers.answer import Citation, Drafted
from biblicus.models.evidence import Evidence, Rarity, Result
from biblicus.models.extraction import Extraction

_MARK = "\n"
"""Separator between a corpus name and an id."""


def together(results: Mapping[str, Result], evidence: Sequence[Evidence], budget: Mapping[str, Any]) -> Result:
    """Return the results by corpus name as one; run and recipe are the first result's. `evidence`: kept pieces in
    order."""
    support: dict[str, float] = {}
    for result in results.values():
        for leg, measure in result.support.items():
            support[leg] = max(measure, support.get(leg, 0.0))

    unknown = [result.unknown_names for result in results.values()]

    def whole(piece: Evidence) -> Extraction | None:
        reads = results[piece.corpus or ""].whole
        read: Extraction | None = reads(piece) if reads is not None else None
        return read

    return replace(
        next(iter(results.values())),
        evidence=tuple(evidence),
        insufficient=all(result.insufficient for result in results.values()),
        budget=budget,
        support=support,
        notes=tuple(f"{name}: {note}" for name, result in results.items() for note in result.notes),
        rarity=_rarity([result.rarity for result in results.values() if result.rarity is not None]),
        unknown_names=[name for name in unknown[0] if all(name in names for names in unknown)],
        calibration=None,  # each is of one corpus
        likeness=None,  # each corpus would query its own model
        judged=None,
        whole=whole,
        pending=None,
    )


def _rarity(rarities: Sequence[Rarity]) -> Rarity | None:
    """Return the rarities combined: a word's lowest value counts."""
    if not rarities:
        return None
    weights: dict[str, float] = {}
    for rarity in rarities:
        for term, weight in rarity.weights.items():
            weights[term] = min(weight, weights.get(term, weight))
    return Rarity(weights, max(rarity.rarest for rarity in rarities))


@dataclass(frozen=True)
class Apart:
    """Answerer for such a result. `within`: answerer for evidence of one corpus."""

    within: Answerer

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        best: dict[str | None, float] = {}
        for piece in result.evidence:
            best[piece.corpus] = max(piece.score, best.get(piece.corpus, 0.0))

        def back(piece: Evidence) -> Evidence:
            score = piece.score * (best.get(piece.corpus) or 1.0)
            item_id, chunk_id = (name.partition(_MARK)[2] for name in (piece.item_id, piece.chunk_id))
            return replace(piece, item_id=item_id, chunk_id=chunk_id, score=score)

        def whole(piece: Evidence) -> Extraction | None:
            read: Extraction | None = result.whole(back(piece))
            return read

        evidence = [
            replace(
                piece,
                item_id=f"{piece.corpus}{_MARK}{piece.item_id}",
                chunk_id=f"{piece.corpus}{_MARK}{piece.chunk_id}",
                score=piece.score / (best[piece.corpus] or 1.0),
            )
            for piece in result.evidence
        ]
        scores = {piece.chunk_id: source.score for piece, source in zip(evidence, result.evidence, strict=True)}

        def cited(citation: Citation) -> Citation:
            source_piece = back(citation.piece)
            return replace(
                citation, piece=replace(source_piece, score=scores.get(citation.piece.chunk_id, source_piece.score))
            )

        drafted = self.within.answer(question, replace(result, evidence=evidence, whole=whole), call)
        statements = tuple(
            replace(statement, citations=tuple(map(cited, statement.citations))) for statement in drafted.statements
        )
        return replace(drafted, statements=statements)
