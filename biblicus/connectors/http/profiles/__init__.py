"""Profiles: endpoints for families of clients with their own API, one module each.

A profile's endpoints replace the standard ones at equal addresses; all others stay. It also names the tools for
agents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

from biblicus.connectors.http import openapi
from biblicus.connectors.http.endpoints import Asked, Endpoint, properties, validated
from biblicus.connectors.http.service import Service
from biblicus.contracts import Call
from biblicus.corpus import auto
from biblicus.corpus.catalog import catalog_of
from biblicus.errors import BiblicusError, UnknownName
from biblicus.models.evidence import Pending
from biblicus.models.plain import plain
from biblicus.runs.reindex import index_changes
from biblicus.runs.stats import check_model
from biblicus.service.corpora import Corpora
from biblicus.service.offers import Offer
from biblicus.service.verbs import QUERY, adapter

PROFILES = ("memos", "desk", "capabilities")
_NO_NAME, _LONGEST_NAME = re.compile(r"[^a-zA-Z0-9_-]"), 64
"""Characters that MCP clients refuse in a tool's name, and its maximum length."""
_CHUNK_TOKENS = 1_000
"""Upper bound of a chunk's tokens in the built-in recipes."""


@dataclass(frozen=True)
class Profile:
    """The API of a family.

    `tools`: tool name to endpoint id. `also`: further tool names. `hidden`: corpora that are never offered. `recipe`:
    replaces `meaning` as the recipe that `auto` uses if the models are installed. `openapi`: version of
    `/openapi.json`."""

    name: str
    endpoints: tuple[Endpoint, ...]
    tools: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    recipe: str = ""
    openapi: Literal["3.1.0", "3.0.3"] = "3.1.0"

    def prepare(self, corpora: Corpora) -> None:
        """Exclude the hidden corpora. Raises `BadData` for a corpus built with another model."""
        corpora.leave_out(self.hidden)
        for name in corpora.names():
            corpus = corpora.owners(name).corpus
            check_model(corpus, name)
            is_built = self.recipe in catalog_of(corpus).header.latest
            if self.recipe in auto.to_build(corpus) and not is_built and corpora.may_change(name):
                index_changes(corpus, Call(), self.recipe)

    def beside(self, ours: Sequence[Endpoint]) -> tuple[Endpoint, ...]:
        """Return the family's endpoints, and the standard ones with another address and id."""
        taken = {(endpoint.method, endpoint.path) for endpoint in self.endpoints}
        ids = {endpoint.id for endpoint in self.endpoints}
        free = [
            standard for standard in ours if (standard.method, standard.path) not in taken and standard.id not in ids
        ]
        return (*self.endpoints, *free)

    def documents(self, endpoints: Sequence[Endpoint]) -> Mapping[str, Callable[[str | None], Mapping[str, Any]]]:
        """Return functions that build the service's descriptions, by address."""

        def newer(public_url: str | None) -> Mapping[str, Any]:
            return openapi.document_of(endpoints, public_url)

        def older(public_url: str | None) -> Mapping[str, Any]:
            return openapi.as_3_0(newer(public_url))

        first, second = openapi.DOCUMENTS
        return {first: older if self.openapi == "3.0.3" else newer, second: older}

    def offers(self, service: Service) -> tuple[Offer, ...]:
        """Return the operations for agents."""
        by_id = {endpoint.id: endpoint for endpoint in self.endpoints}
        return tuple(_offer(name, by_id[of], service, self._others(name)) for name, of in self.tools.items())

    def _others(self, name: str) -> tuple[str, ...]:
        return tuple(alias for alias, tool in self.also.items() if tool == name)


def find(name: str, command: str = "serve") -> Profile:
    """Return the profile of this name. Raises `UnknownName`, which names the typed command."""
    if name not in PROFILES:
        raise UnknownName("profile", name, PROFILES, f"biblicus {command} --profile desk")
    profile: Profile = import_module(f"{__name__}.{name}").profile()
    return profile


def _offer(name: str, endpoint: Endpoint, service: Service, also: tuple[str, ...]) -> Offer:
    """Return an endpoint as an operation for agents: parameters and body become arguments."""

    def ask(arguments: Mapping[str, Any], call: Call) -> dict[str, Any]:
        assert endpoint.work is not None
        words = {key: value for key, value in arguments.items() if key in properties(endpoint.words)}
        rest = {key: value for key, value in arguments.items() if key not in words}
        try:
            rest = endpoint.shaped(rest) if endpoint.shaped else rest
            request = validated(endpoint.kind, {**endpoint.defaults, **rest})
            endpoint_call = Asked(service, endpoint.verb, request, validated(endpoint.words, words), call)
            answer: dict[str, Any] = plain(endpoint.work(endpoint_call).value)
        except BiblicusError as error:
            raise (endpoint.refuses(error) if endpoint.refuses else error) from error
        return answer

    schema = _untitled(adapter(endpoint.kind).json_schema())
    schema["properties"] = {**schema["properties"], **_untitled(dict(properties(endpoint.words)))}
    verb = endpoint.verb or QUERY
    offer_name = _NO_NAME.sub("_", name)[:_LONGEST_NAME]
    also, title = (also, "") if offer_name == name else ((name, *also), name)
    return Offer(
        offer_name, endpoint.summary, endpoint.scope or "read", verb, schema, ask, also, endpoint.seconds, title
    )


def _untitled(value: Any) -> Any:
    """Return a schema without titles, which only repeat names."""
    if isinstance(value, list):
        return [_untitled(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {key: _untitled(part) for key, part in value.items() if not (key == "title" and isinstance(part, str))}


def only_name(asked: Asked, name: str | None) -> str:
    """Return the requested corpus's name. Raises `CorpusUnknown`, `UsageError`."""
    return asked.service.corpora.meant(name, guest=asked.call.guest)


def room_for(count: int) -> int:
    """Return a token budget that fits the requested number of chunks, whatever the recipe's own budget is."""
    return count * _CHUNK_TOKENS


def to_tell(pending: Pending | None) -> Pending | None:
    """Return the pending changes, or None if there are none."""
    return pending if pending is not None and pending.sentence else None
