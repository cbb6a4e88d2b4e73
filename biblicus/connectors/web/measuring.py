"""Saved evaluations over time, and the report of one; only for this machine's user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from biblicus.connectors.web.asking import Asked
from biblicus.connectors.web.doing import refuse_guest
from biblicus.evaluation.report import charts, page
from biblicus.evaluation.report.charts import Course
from biblicus.evaluation.report.layout import COLOURS
from biblicus.measure.stored import StoredEntry
from biblicus.models.fields import NoRequest
from biblicus.models.requests.measure import EvaluationRequest
from biblicus.service.verbs import EVALUATION, EVALUATIONS


def evaluations(asked: Asked) -> dict[str, Any]:
    """Return the saved evaluations with charts of each system's results."""
    refuse_guest(asked)
    entries = asked.corpora.ask(asked.corpus, EVALUATIONS, NoRequest(), asked.call).evaluations
    rows = [{"entry": entry, "address": asked.address(f"/corpus/evaluations/{entry.name}")} for entry in entries]
    datasets = dict.fromkeys(entry.dataset for entry in entries if entry.systems)
    charted = [
        chart
        for name in datasets
        if (chart := _chart([candidate for candidate in entries if candidate.dataset == name]))
    ]
    return {"rows": rows, "charts": charted}


def _chart(entries: Sequence[StoredEntry]) -> Markup | None:
    """Chart the first metric of each system over the evaluations of a dataset; None for a single evaluation."""
    if len(entries) < 2:
        return None
    metric = next(iter(entries[0].systems[0].metrics), "")
    courses: dict[str, list[tuple[int, float, str]]] = {}
    for number, entry in enumerate(reversed(entries)):
        for system in entry.systems:
            if metric in system.metrics:
                value = system.metrics[metric]
                title = f"{system.name}, {entry.created_at}: {value:.3f}"
                courses.setdefault(system.name, []).append((number, value, title))
    drawn = [Course(name, number % COLOURS, values) for number, (name, values) in enumerate(courses.items())]
    return Markup(charts.over_time(drawn, len(entries), f"{metric} of {entries[0].dataset}")) if drawn else None


def evaluation(asked: Asked, name: str) -> dict[str, Any]:
    """Return one of them. Raises `EvaluationNotFound`."""
    refuse_guest(asked)
    stored_evaluation = asked.corpora.ask(asked.corpus, EVALUATION, EvaluationRequest(name), asked.call)
    passages = {(passage.item_id, passage.start, passage.end): passage.text for passage in stored_evaluation.passages}
    return {
        "name": stored_evaluation.name,
        "report": Markup("".join(page.body(stored_evaluation.evaluation, passages))),
    }
