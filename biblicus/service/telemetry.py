"""Start telemetry if the user's settings enable it, and measure retrieval quality against known answers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from biblicus import telemetry
from biblicus.guards.processes import settings_file

if TYPE_CHECKING:
    from biblicus.models.evidence import Result


def observe() -> None:
    """Start telemetry for this process, and flush it at exit. Raises `ExtraMissing`."""
    if "BIBLICUS_TELEMETRY" not in os.environ and not _is_mentioned():
        return
    import atexit

    from biblicus.config import load_settings  # lazy, as above: few use telemetry

    settings = load_settings()
    telemetry.start(settings.telemetry, with_texts=settings.telemetry_texts)
    atexit.register(telemetry.stop)


def _is_mentioned() -> bool:
    try:
        return b"telemetry" in settings_file().read_bytes()
    except OSError:
        return False


def gold_rank(result: Result, gold: str) -> int | None:
    """Return the rank of the first evidence from the expected item (id or path), or None.

    Recorded as `retrieval.hits` of `retrieval.judged` queries."""
    rank = next((piece.rank for piece in result.evidence if gold in (piece.item_id, piece.path)), None)
    telemetry.count("retrieval.judged", 1, _labels(result))
    telemetry.count("retrieval.hits", int(rank is not None), _labels(result))
    return rank


def scored(result: Result) -> list[float]:
    """Return the scores, best first. Best and mean are recorded as `retrieval.top_score` and `retrieval.mean_score`."""
    scores = [piece.score for piece in result.evidence]
    if scores:
        telemetry.record("retrieval.top_score", scores[0], _labels(result))
        telemetry.record("retrieval.mean_score", sum(scores) / len(scores), _labels(result))
    return scores


def _labels(result: Result) -> dict[str, str]:
    return {"biblicus.corpus": result.corpus_id, "biblicus.recipe": result.recipe_id}
