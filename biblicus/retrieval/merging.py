"""Merges evidence of several corpora: fused by rank, as their scores are not comparable, within one budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from biblicus.models.evidence import Evidence
from biblicus.models.question import Budget
from biblicus.retrieval.budget import within
from biblicus.retrieval.fusion import reciprocal_ranks

K = 60
"""Constant k of reciprocal rank fusion."""
_BOUNDS = ("items", "tokens", "characters", "per_source")


def merged(
    lists: Mapping[str, Sequence[Evidence]], asked: Sequence[Mapping[str, int | None]]
) -> tuple[list[Evidence], dict[str, Any]]:
    """Return the evidence of several corpora by reciprocal rank, then corpus name, within one budget; and that budget.

    `asked`: each corpus's own budget; if limits differ between recipes, the largest applies. `score` stays the
    engine's.
    """
    ranks = {name: {(name, place): place + 1 for place in range(len(evidence))} for name, evidence in lists.items()}
    scores = reciprocal_ranks(ranks, K)
    order = sorted(scores, key=lambda key: (-scores[key], key))
    bounds: dict[str, Any] = {name: _widest([budget[name] for budget in asked]) for name in _BOUNDS}
    fitting = within([lists[name][place] for name, place in order], Budget(**bounds))
    pieces = []
    for at, piece in fitting.kept:
        stages = {**piece.stage_scores, "rrf": scores[order[at]]}
        pieces.append(replace(piece, corpus=order[at][0], stage_scores=stages))
    dropped = []
    for at, reason in fitting.dropped:
        name, place = order[at]
        left_out = lists[name][place]
        dropped.append({"chunk_id": left_out.chunk_id, "path": left_out.path, "reason": reason, "corpus": name})
    return pieces, {"asked": bounds, "used": fitting.used, "dropped": dropped}


def _widest(bounds: Sequence[int | None]) -> int | None:
    """Return the largest limit, or None (unlimited) if any is None."""
    limits = [limit for limit in bounds if limit is not None]
    return max(limits) if len(limits) == len(bounds) else None
