"""Evaluations as JSON documents, to store, print and read as a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from pydantic import TypeAdapter, ValidationError

from biblicus.errors import BadData, ConfigInvalid, NewerSchema
from biblicus.guards import json
from biblicus.models.answers.evaluation import Evaluation, RankedItem, Row, System
from biblicus.models.fields import worded

SCHEMA_VERSION = 1
LARGEST = 256 << 20
"""Maximum bytes of an evaluation document; larger files are refused."""
TOP = 10
"""Number of items kept of each ranking."""


def as_document(evaluation: Evaluation, *, per_query: bool) -> dict[str, Any]:
    """Return the document. `per_query`: include a row for each question, for comparison by question."""
    return {
        "schema_version": SCHEMA_VERSION,
        "dataset": evaluation.dataset,
        "dataset_digest": evaluation.dataset_digest,
        "questions": evaluation.questions,
        "unjudged": evaluation.unjudged,
        "created_at": evaluation.created_at,
        "systems": [_system(system, per_query) for system in evaluation.systems],
        "comparisons": [asdict(difference) for difference in evaluation.comparisons],
        "gates": [asdict(gate) for gate in evaluation.gates],
        "versions": dict(evaluation.versions),
        "settings": dict(evaluation.settings),
    }


def _system(system: System, per_query: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": system.name,
        "recipe_id": system.recipe_id,
        "run_id": system.run_id,
        "index_version": system.index_version,
        "metrics": dict(system.metrics),
        "system": dict(system.system),
        "missing": system.missing,
    }
    if per_query:
        fields["rows"] = [_row(row) for row in system.rows]
    return fields


def _row(row: Row) -> dict[str, Any]:
    of_procedure = {
        "answer": row.answer,
        "violations": [asdict(violation) for violation in row.violations],
        "problem": row.problem,
    }
    return {
        "question_id": row.question_id,
        "text": row.text,
        "metrics": dict(row.metrics),
        "ranking": [_ranked(item) for item in row.ranking[:TOP]],
        "latency_ms": row.latency_ms,
        "tags": list(row.tags),
        "kind": row.kind,
        "relevant": dict(row.relevant),
        **{name: value for name, value in of_procedure.items() if value},
    }


def _ranked(item: RankedItem) -> dict[str, Any]:
    return {
        "item_id": item.item_id,
        "path": item.path,
        "score": item.score,
        "chunk_id": item.chunk_id,
        "start": item.start,
        "end": item.end,
        "stage_scores": dict(item.stage_scores),
    }


def read(raw: bytes, where: str) -> Evaluation:
    """Return the evaluation in a document. Raises `ConfigInvalid`, `NewerSchema`; `where` names the file."""
    try:
        document = json.read(raw, max_bytes=LARGEST)
    except BadData as error:
        raise ConfigInvalid(where, error.message) from error
    if not isinstance(document, Mapping) or not isinstance(version := document.get("schema_version"), int):
        raise ConfigInvalid(where, "it is no evaluation.", "biblicus eval DATASET --json --per-query > FILE")
    if version > SCHEMA_VERSION:
        raise NewerSchema(where, version, SCHEMA_VERSION)
    if version < 1:
        raise ConfigInvalid(where, f"there is no schema version {version}.")
    data = {key: value for key, value in document.items() if key != "schema_version"}
    try:
        return TypeAdapter(Evaluation).validate_python(data)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, _short(problem["loc"])))
        raise ConfigInvalid(where, f"{place}: {worded(problem)}.") from error


def _short(location: Iterable[int | str]) -> list[int | str]:
    return list(location)[:6]
