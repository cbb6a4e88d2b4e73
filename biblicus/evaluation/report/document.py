"""JSON report with a row for each question, as `--baseline FILE` reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from biblicus.evaluation.record import as_document
from biblicus.evaluation.report import Passages
from biblicus.models.answers.evaluation import Evaluation


def render(evaluation: Evaluation, passages: Passages) -> Iterator[str]:
    """Yield the document without passage texts."""
    yield json.dumps(as_document(evaluation, per_query=True), ensure_ascii=False, indent=1) + "\n"
