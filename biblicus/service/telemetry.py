"""Starts measuring where the user's settings say so (where they do not, it costs a look at one file), and measures how
good answers are where a caller knows the right one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from biblicus import telemetry
from biblicus.guards.folders import settings_file

if TYPE_CHECKING:
    from biblicus.models.evidence import Result


def observe() -> None:
    """Measure what this process does from now on, and send the last of it when it ends. Raises `ExtraMissing`."""
    if "BIBLICUS_TELEMETRY" not in os.environ and not _is_mentioned():
        return
    import atexit

    from biblicus.config import load_settings  # lazy, as above: few measure

    settings = load_settings()
    telemetry.start(settings.telemetry, with_texts=settings.telemetry_texts)
    atexit.register(telemetry.stop)


def _is_mentioned() -> bool:
    try:
        return b"telemetry" in settings_file().read_bytes()
    except OSError:
        return False


def gold_rank(result: Result, gold: str) -> int | None:
    """The rank of the first evidence from the item that was named as the answer, by id or path; None: it was not found.

    Recorded as `retrieval.hits` of `retrieval.judged` questions.
    """
    rank = next((piece.rank for piece in result.evidence if gold in (piece.item_id, piece.path)), None)
    telemetry.count("retrieval.judged", 1, _labels(result))
    telemetry.count("retrieval.hits", int(rank is not None), _labels(result))
    return rank


def scored(result: Result) -> list[float]:
    """The scores of the evidence, best first. The best and their mean are recorded as `retrieval.top_score` and
    `retrieval.mean_score`."""
    scores = [piece.score for piece in result.evidence]
    if scores:
        telemetry.record("retrieval.top_score", scores[0], _labels(result))
        telemetry.record("retrieval.mean_score", sum(scores) / len(scores), _labels(result))
    return scores


def _labels(result: Result) -> dict[str, str]:
    return {"biblicus.corpus": result.corpus_id, "biblicus.recipe": result.recipe_id}
