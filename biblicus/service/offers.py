"""What a server offers beside the verbs: operations in the words of a family of clients, for any connector to show.

A profile of the HTTP connector makes them (docs/profiles.md); the MCP connector shows them as tools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from biblicus.contracts import Call
from biblicus.service.verbs import Scope, Verb


@dataclass(frozen=True)
class Offer:
    """An operation. `verb`: in whose line it waits. `schema`: of its arguments. `ask`: its answer as JSON values, or a
    `BiblicusError`. `also`: other names that it goes by, which are not listed. `seconds`: its deadline, where that is
    not the line's. `title`: the family's own name, where agents may not be shown it as a name."""

    name: str
    summary: str
    scope: Scope
    verb: Verb[Any, Any]
    schema: Mapping[str, Any]
    ask: Callable[[Mapping[str, Any], Call], dict[str, Any]]
    also: tuple[str, ...] = ()
    seconds: float | None = None
    title: str = ""
