"""Shared code of the retrievers for other libraries: queries of one or more corpora, local or remote.

Each retriever (`langchain`, `llama_index`, `haystack`) is a small class that converts evidence to that library's
documents. Nothing else in Biblicus depends on these libraries."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from biblicus.answers.conversations import from_sources
from biblicus.connectors.python.corpus import Corpus
from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.models.evidence import Evidence, Result
from biblicus.models.plain import plain
from biblicus.models.requests.query import FILTERS, QueryRequest
from biblicus.service.askers import Asker
from biblicus.service.askers.in_turn import InTurn, asker_of
from biblicus.service.verbs import QUERY

_ADDRESS = ("http://", "https://")
_OPTIONS = tuple(entry.name for entry in fields(QueryRequest) if entry.name not in (*FILTERS, "query", "limit"))
_ALIASES = {"tags": "tag", "media_type": "type", "item_sha256": "hash"}
"""Other filter names for fields of evidence."""
_OPERATORS = ("==", "in")
_OF_TAGS = ("==", "contains", "all")
"""Operators that require all of the tags."""


class Places:
    """Corpora of a retriever. Thread-safe.

    A corpus is a path, `corpus://NAME`, an address (`https://host:8765`, with `#NAME` if the service has several), an
    open `Corpus`, or a list of these."""

    def __init__(self, corpus: Any) -> None:
        named = list(corpus) if isinstance(corpus, list | tuple) else [corpus]
        if not named:
            raise UsageError("A retriever asks one corpus or more, not none.", 'corpus="."')
        self._askers = [_asker(place) for place in named]
        self._turn = threading.Lock()
        self._own = [asker for asker, place in zip(self._askers, named, strict=True) if not isinstance(place, Corpus)]

    def evidence(
        self, query: str, k: int, filters: Mapping[str, Any], options: Mapping[str, Any], call: Call | None = None
    ) -> list[Evidence]:
        """Return at most `k` pieces of text, best first; saved conversations only if requested.

        Scores of several corpora cannot be compared: the result is the first of each in the given order, then the
        second of each. Ranks are renumbered."""
        request = request_of(query, k, filters, options)
        results = [from_sources(partial(self._ask, asker))(request, call or Call()) for asker in self._askers]
        if len(results) == 1:
            return list(results[0].texts[:k])
        ranked = [
            (rank, place, piece) for place, result in enumerate(results) for rank, piece in enumerate(result.texts)
        ]
        return [piece for _, _, piece in sorted(ranked, key=lambda entry: entry[:2])[:k]]

    def _ask(self, asker: Asker, request: QueryRequest, call: Call) -> Result:
        if not isinstance(asker, InTurn):
            return asker.ask(QUERY, request, call)
        with self._turn:  # it remembers which service answered
            return asker.ask(QUERY, request, call)

    async def evidence_async(
        self, query: str, k: int, filters: Mapping[str, Any], options: Mapping[str, Any]
    ) -> list[Evidence]:
        """Run `evidence` in a thread. Cancelling the task cancels the query."""
        call = Call()
        try:
            return await asyncio.to_thread(self.evidence, query, k, filters, options, call)
        except asyncio.CancelledError:
            call.cancel.set()
            raise

    @property
    def are_several(self) -> bool:
        return len(self._askers) > 1

    def close(self) -> None:
        for asker in self._own:
            close = getattr(asker, "close", None)
            if close is not None:
                close()


def _asker(place: Any) -> Asker:
    if isinstance(place, Corpus):
        return place.asker
    name = str(place)
    if name.startswith(_ADDRESS):
        return asker_of(None, name, lambda _: None)
    return asker_of(name, None, lambda _: None)


def request_of(query: str, k: int, filters: Mapping[str, Any], options: Mapping[str, Any]) -> QueryRequest:
    """Create the request. Raises `UsageError` for an unknown filter or option."""
    for known, named, kind in ((FILTERS, filters, "filter"), (_OPTIONS, options, "option")):
        if unknown := next((name for name in named if name not in known), None):
            raise UsageError(f'There is no {kind} "{unknown}"; known: {", ".join(known)}.', f"{kind}s={{}}")
    return QueryRequest(query, limit=k, **filters, **options)


def metadata_of(piece: Evidence) -> dict[str, Any]:
    """Return a document's metadata as JSON values; together with the text it can be verified."""

    whole: dict[str, Any] = plain(piece)
    return {name: value for name, value in whole.items() if name != "text"}


def filters_from(conditions: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """Convert conditions that must all hold to filters. Raises `UsageError`.

    A condition is a field, an operator (`==`, `in`, `>=`, `<=`) and a value, as in other libraries. Fields are those of
    evidence, `date`, and the item's other metadata."""
    made: dict[str, Any] = {}
    for named, operator, value in conditions:
        name = named.removeprefix("meta.").removeprefix("metadata.")
        name = _ALIASES.get(name, name)
        values = tuple(str(part) for part in value) if isinstance(value, list | tuple | set) else (str(value),)
        if name in ("date", "since", "until") and (bound := {">=": "since", "<=": "until"}.get(operator)):
            made[bound] = values[0]
        elif operator not in _operators(name, values):
            raise UsageError(
                f'The condition "{named} {operator}" is none that corpora are filtered by: they take == and in, '
                "date >= and <=, and of tags those that all must be there.",
                'tag == "moon"',
            )
        elif name in FILTERS and name != "where":
            if name in made and name != "tag":
                raise UsageError(f'"{named}" is filtered twice.', f'{named} in ["a", "b"]')
            made[name] = (*made.get(name, ()), *values)
        elif len(values) == 1:
            made.setdefault("where", {})[name] = values[0]
        else:
            raise UsageError(f'"{named}" is compared with one value, not several.', f'{named} == "{values[0]}"')
    return made


def _operators(name: str, values: Sequence[str]) -> tuple[str, ...]:
    if name != "tag":
        return _OPERATORS
    return _OF_TAGS if len(values) > 1 else (*_OF_TAGS, "in", "any")
