"""What the retrievers for other libraries share: questions to one corpus or several, here or at services.

A retriever of another library is a class of a few lines in a module of its own (`langchain`, `llama_index`,
`haystack`): it turns evidence into that library's documents. Nothing else of Biblicus knows of them.
"""

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
from biblicus.models.requests.query import FILTERS, QueryRequest
from biblicus.service.askers import Asker
from biblicus.service.askers.in_turn import InTurn, asker_of
from biblicus.service.verbs import QUERY

_ADDRESS = ("http://", "https://")
_OPTIONS = tuple(entry.name for entry in fields(QueryRequest) if entry.name not in (*FILTERS, "query", "limit"))
_ALIASES = {"tags": "tag", "media_type": "type", "item_sha256": "hash"}
"""Names of evidence's fields that filters have others for."""
_OPERATORS = ("==", "in")
_OF_TAGS = ("==", "contains", "all")
"""Operators by which an item must have all of the tags."""


class Places:
    """The corpora that a retriever asks: a path, `corpus://NAME`, an address (`https://host:8765`, with `#NAME` for one
    of several corpora there), an open `Corpus`, or a list of these. Safe for several threads."""

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
        """At most `k` pieces that are text, the best first; none of kept conversations, unless they are asked for. Of
        several corpora, whose scores cannot be compared, the first of each, then the second of each, in the order in
        which they were named; ranks count anew."""
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
        with self._turn:  # it remembers which place has answered
            return asker.ask(QUERY, request, call)

    async def evidence_async(
        self, query: str, k: int, filters: Mapping[str, Any], options: Mapping[str, Any]
    ) -> list[Evidence]:
        """The same beside an event loop. A task that is cancelled takes its question back."""
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
        """Close the runs that were opened for this."""
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
    """The question. Raises `UsageError` for a filter or an option that there is not."""
    for known, named, kind in ((FILTERS, filters, "filter"), (_OPTIONS, options, "option")):
        if unknown := next((name for name in named if name not in known), None):
            raise UsageError(f'There is no {kind} "{unknown}"; known: {", ".join(known)}.', f"{kind}s={{}}")
    return QueryRequest(query, limit=k, **filters, **options)


def metadata_of(piece: Evidence) -> dict[str, Any]:
    """What a document says of itself, beside its text: with the text, evidence that `verify` takes. As JSON values."""
    from biblicus.models.plain import plain

    whole: dict[str, Any] = plain(piece)
    return {name: value for name, value in whole.items() if name != "text"}


def filters_from(conditions: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """Filters from conditions that must all hold, as other libraries write them: a field, an operator (`==`, `in`,
    `>=`, `<=`), a value. Fields are those of evidence, `date`, and any other of an item's metadata.

    Raises `UsageError`.
    """
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
