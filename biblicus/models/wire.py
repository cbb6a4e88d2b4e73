"""Queries and results as JSON objects, without pydantic: a client that only asks need not pay for a validator."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from biblicus.errors import BadData
from biblicus.models.evidence import Dropped, Evidence, Result
from biblicus.models.item import Item, Source
from biblicus.models.question import Filters, Query
from biblicus.models.reading import Excerpt, Node, Shown, Verdict

if TYPE_CHECKING:
    from biblicus.models.pack import Pack, PackPolicy


def filters_of(filters: Filters) -> dict[str, Any]:
    """Filters as the object that `models.requests.Filtered` reads."""
    found: dict[str, Any] = {
        "tag": filters.tags,
        "type": filters.types,
        "doctype": filters.doctypes,
        "language": filters.languages,
        "path": filters.paths,
        "where": dict(filters.where),
        "toolkit": filters.toolkits,
        "category": filters.categories,
        "source": filters.sources,
        "since": filters.since,
        "until": filters.until,
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


def context_of(query: Query, policy: PackPolicy) -> dict[str, Any]:
    """A query and a pack's policy as the object that `models.requests.ContextRequest` reads."""
    asked = {name: getattr(policy, name) for name in ("format", "order", "neighbours", "share", "tokenizer")}
    return {**request_of(query), "max_tokens": policy.tokens, **asked}


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


def pack_of(found: Mapping[str, Any]) -> Pack:
    """A pack from its JSON object. Raises `BadData`."""
    from biblicus.models.pack import Entry, Pack, PackPolicy  # lazy: who asks for evidence does without

    def entry(found: Mapping[str, Any]) -> Entry:
        return Entry(found["number"], _piece(found), tuple(found["chunks"]), found["shortened"], found["widened"])

    try:
        budget = found["budget"]
        return Pack(
            question=found["query"],
            text=found["text"],
            marker=found["marker"],
            entries=tuple(entry(one) for one in found["entries"]),
            dropped=tuple(Dropped(one["chunk_id"], one["path"], one["reason"]) for one in found["dropped"]),
            tokens=budget["used"],
            policy=PackPolicy(
                budget["tokens"],
                found["format"],
                budget["order"],
                budget["neighbours"],
                budget["share"],
                budget["tokenizer"],
            ),
            **{key: found[key] for key in _OF_RUN},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise BadData("The answer is no context pack.") from error


_OF_RUN = ("corpus_id", "run_id", "recipe_id", "index_version", "insufficient", "timings")


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


def verdict_of(found: Mapping[str, Any]) -> Verdict:
    """A verdict from its JSON object. Raises `BadData`."""
    return _made(Verdict, found)


Made = TypeVar("Made", Shown, Excerpt, Node, Verdict)


def _made(kind: type[Made], found: Mapping[str, Any]) -> Made:
    names = {f.name for f in fields(kind)}
    try:
        return kind(**{key: value for key, value in found.items() if key in names})
    except TypeError as error:
        raise BadData(f"The answer is no {kind.__name__.lower()}.") from error
