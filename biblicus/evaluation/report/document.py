"""The report as JSON with a row for every question: what `--baseline FILE` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator

from biblicus.evaluation.record import as_document
from biblicus.evaluation.report import Passages
from biblicus.models.answers.evaluation import Evaluation


def render(evaluation: Evaluation, passages: Passages) -> Iterator[str]:
    """The document; texts of passages are no part of it."""
    yield json.dumps(as_document(evaluation, per_query=True), ensure_ascii=False, indent=1) + "\n"
