"""Queries and results as JSON objects, without pydantic: a client that only asks need not pay for a validator."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from biblicus.errors import BadData
from biblicus.models.evidence import Evidence, Result
from biblicus.models.item import Item, Source
from biblicus.models.question import Filters, Query
from biblicus.models.reading import Excerpt, Node, Shown


def filters_of(filters: Filters) -> dict[str, Any]:
    """Filters as the object that `models.requests.Filtered` reads."""
    found: dict[str, Any] = {
        "tag": filters.tags,
        "type": filters.types,
        "doctype": filters.doctypes,
        "language": filters.languages,
        "path": filters.paths,
        "where": dict(filters.where),
    }
    return {key: value for key, value in found.items() if value}


def request_of(query: Query) -> dict[str, Any]:
    """A query as the object that `models.requests.QueryRequest` reads."""
    found: dict[str, Any] = {
        "query": query.text,
        "limit": query.items,
        "max_tokens": query.tokens,
        "max_characters": query.characters,
        "max_per_source": query.per_source,
        "recipe": query.recipe,
        "run": query.run_id,
    }
    return {**{key: value for key, value in found.items() if value is not None}, **filters_of(query.filters)}


_EVIDENCE = frozenset(f.name for f in fields(Evidence))
_RESULT = frozenset(f.name for f in fields(Result))
_ITEM = frozenset(f.name for f in fields(Item))


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


def item_of(found: Mapping[str, Any]) -> Item:
    """An item from its JSON object. Raises `BadData`."""
    try:
        known = {key: value for key, value in found.items() if key in _ITEM}
        return Item(**{**known, "tags": tuple(found["tags"]), "source": Source(**found["source"])})
    except (KeyError, TypeError) as error:
        raise BadData("The answer is no item.") from error


def shown_of(found: Mapping[str, Any]) -> Shown:
    """An item in full from its JSON object. Raises `BadData`."""
    return _made(Shown, {**found, "item": item_of(found)})


def excerpt_of(found: Mapping[str, Any]) -> Excerpt:
    """Exact text from its JSON object. Raises `BadData`, also where the text is not what its sha256 says."""
    excerpt = _made(Excerpt, found)
    if hashlib.sha256(excerpt.text.encode()).hexdigest() != excerpt.sha256:
        raise BadData("The text that was sent is not what its sha256 says.", "the same once more")
    return excerpt


def node_of(found: Mapping[str, Any]) -> Node:
    """A node of the tree from its JSON object. Raises `BadData`."""
    return _made(Node, found)


Made = TypeVar("Made", Shown, Excerpt, Node)


def _made(kind: type[Made], found: Mapping[str, Any]) -> Made:
    names = {f.name for f in fields(kind)}
    try:
        return kind(**{key: value for key, value in found.items() if key in names})
    except TypeError as error:
        raise BadData(f"The answer is no {kind.__name__.lower()}.") from error
