"""Evaluations as JSON documents, to store, print and read as a baseline."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from biblicus.errors import BadData, ConfigInvalid, NewerSchema
from biblicus.guards import json as guarded_json
from biblicus.models.answers.evaluation import Evaluation
from biblicus.models.fields import worded
from biblicus.models.plain import plain

SCHEMA_VERSION = 1
LARGEST = 256 << 20
"""Maximum bytes of an evaluation document; larger files are refused."""
TOP = 10
"""Number of items kept of each ranking."""


def as_document(evaluation: Evaluation, *, per_query: bool) -> dict[str, Any]:
    """Return the document. `per_query`: include a row for each question, for comparison by question."""
    document: dict[str, Any] = {"schema_version": SCHEMA_VERSION, **plain(evaluation)}
    for system in document["systems"]:
        rows = system.pop("rows")
        if per_query:
            system["rows"] = [_row(row) for row in rows]
    return document


def render(evaluation: Evaluation, passages: Mapping[tuple[str, int, int], str]) -> Iterator[str]:
    """Yield the JSON report, as `--baseline FILE` reads it, without passage texts."""
    yield json.dumps(as_document(evaluation, per_query=True), ensure_ascii=False, indent=1) + "\n"


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the first items of its ranking, and the fields of a procedure if they have a value."""
    fields = {name: value for name, value in row.items() if value or name not in ("answer", "violations", "problem")}
    return {**fields, "ranking": row["ranking"][:TOP]}


def read(raw: bytes, where: str) -> Evaluation:
    """Return the evaluation in a document. Raises `ConfigInvalid`, `NewerSchema`; `where` names the file."""
    try:
        document = guarded_json.read(raw, max_bytes=LARGEST)
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
        evaluation = TypeAdapter(Evaluation).validate_python(data)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = ".".join(map(str, _short(problem["loc"])))
        raise ConfigInvalid(where, f"{place}: {worded(problem)}.") from error
    if not evaluation.systems:
        raise ConfigInvalid(where, "it has no system.")
    return evaluation


def _short(location: Iterable[int | str]) -> list[int | str]:
    return list(location)[:6]
