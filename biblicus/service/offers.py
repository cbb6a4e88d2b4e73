"""Additional operations of a server, named for a family of clients, for any connector.

A profile of the HTTP connector defines them (docs/profiles.md); the MCP connector shows them as tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from biblicus.contracts import Call
from biblicus.service.verbs import Scope, Verb


@dataclass(frozen=True)
class Offer:
    """An operation.

    `verb`: determines its queue. `schema`: of its arguments. `ask`: return the reply as JSON values, or raise
    `BiblicusError`. `also`: further names, which are not listed. `seconds`: its deadline, if not the queue's. `title`:
    the family's own name, if it is not valid as a tool name."""

    name: str
    summary: str
    scope: Scope
    verb: Verb[Any, Any]
    schema: Mapping[str, Any]
    ask: Callable[[Mapping[str, Any], Call], dict[str, Any]]
    also: tuple[str, ...] = ()
    seconds: float | None = None
    title: str = ""
