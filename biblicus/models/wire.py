"""Queries and results as JSON objects, without pydantic: a client that only asks need not pay for a validator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from biblicus.errors import BadData
from biblicus.models.evidence import Evidence, Result
from biblicus.models.question import Query


def request_of(query: Query) -> dict[str, Any]:
    """A query as the object that `models.requests.QueryRequest` reads."""
    asked = query.filters
    found: dict[str, Any] = {
        "query": query.text,
        "limit": query.items,
        "max_tokens": query.tokens,
        "max_characters": query.characters,
        "max_per_source": query.per_source,
        "recipe": query.recipe,
        "run": query.run_id,
        "tag": asked.tags,
        "type": asked.types,
        "doctype": asked.doctypes,
        "language": asked.languages,
        "path": asked.paths,
        "where": dict(asked.where),
    }
    return {key: value for key, value in found.items() if value not in (None, (), {})}


_EVIDENCE = frozenset(f.name for f in fields(Evidence))
_RESULT = frozenset(f.name for f in fields(Result))


def result_of(found: Mapping[str, Any]) -> Result:
    """A result from its JSON object; fields that a newer service adds are let pass. Raises `BadData`."""
    try:
        pieces = [_piece(piece) for piece in found["evidence"]]
        rest = {key: value for key, value in found.items() if key in _RESULT and key != "evidence"}
        return Result(evidence=pieces, **rest)
    except (KeyError, TypeError, AttributeError) as error:
        raise BadData("The answer is no result of a query.") from error


def _piece(found: Mapping[str, Any]) -> Evidence:
    known = {key: value for key, value in found.items() if key in _EVIDENCE}
    if "tags" in known:
        known["tags"] = tuple(known["tags"])
    return Evidence(**known)
