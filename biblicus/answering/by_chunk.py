"""Answers that cite chunks by id, as other frameworks write them: the context that they read, and checks of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from biblicus.answering.grounding import support
from biblicus.models.answers.answer import Citation
from biblicus.models.evidence import Evidence
from biblicus.text.sentences import sentences

STANDING_IN = 3
"""The best chunks, which are cited if the answer cites none."""
_SUPPORTED = 0.5
"""Share of a sentence's words that must be in the cited chunks."""


class Checked(NamedTuple):
    """An answer, empty if a sentence of it is not supported. `confidence`: its mean support (0-1)."""

    answer: str
    citations: Sequence[Evidence]
    confidence: float


def context_lines(evidence: Sequence[Evidence]) -> str:
    """Return the evidence as lines `[chunk_id=… score=0.82] text`, scores as shares of the best where that is above
    1."""
    return "\n".join(
        f"[chunk_id={piece.chunk_id} score={share_of_best(piece, evidence):.2f}] {' '.join(piece.text.split())}"
        for piece in evidence
    )


def share_of_best(piece: Evidence, evidence: Sequence[Evidence]) -> float:
    """Return a score between 0 and 1: as it is, or as a share of the best where that is above 1."""
    best = max((other.score for other in evidence), default=0.0)
    return round(min(1.0, max(0.0, piece.score / max(1.0, best))), 6)


def checked(answer: str, cited: Collection[str], evidence: Sequence[Evidence]) -> Checked:
    """Return an answer with the chunks that it cites, or the best ones if it cites none of the evidence. Each sentence
    must be supported by them, else nothing is left."""
    chunks = [piece for piece in evidence if piece.chunk_id in cited] or list(evidence[:STANDING_IN])
    citations = [Citation(piece, 0, len(piece.text)) for piece in chunks]
    texts = [answer[start:end] for start, end in sentences(answer)]
    supports = [support(text, citations) for text in texts] if citations else []
    if not supports or min(supports) < _SUPPORTED:
        return Checked("", (), 0.0)
    return Checked(answer.strip(), chunks, round(sum(supports) / len(supports), 4))
