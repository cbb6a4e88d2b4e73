"""One call of a tool or resource: which corpora it may reach, and how their answers come back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from biblicus.contracts import Call
from biblicus.guards.terminal import safe
from biblicus.models.plain import plain
from biblicus.service.verbs import Q, Verb

if TYPE_CHECKING:
    from biblicus.connectors.mcp.latency import Latency
    from biblicus.service.corpora import Corpora

Object = dict[str, Any]
PICTURES = "pictures"
"""Key of an answer's pictures (PNG in base64), which are sent beside its text."""


def marked(value: Any) -> Any:
    """The value with whatever in its texts hides, or turns the reading direction, made visible."""
    if isinstance(value, str):
        return safe(value, keep_newlines=True)
    if isinstance(value, Mapping):
        return {name: marked(part) for name, part in value.items()}
    return [marked(part) for part in value] if isinstance(value, list | tuple) else value


class Asked(NamedTuple):
    """`arguments`: as they came; a cursor belongs to them. `latency`: how long the server's tools took."""

    corpora: Corpora
    call: Call
    arguments: Mapping[str, Any]
    latency: Latency | None = None

    def one(self, verb: Verb[Q, Any], corpus: str | None, request: Q) -> Object:
        """The answer of one corpus as JSON values."""
        reply: Object = plain(self.corpora.ask(corpus, verb, request, self.call))
        return reply

    def names(self) -> list[str]:
        """The corpora that the asker may know of."""
        return self.corpora.names(guest=self.call.guest)

    def named(self, corpus: str | None) -> str | None:
        """The corpus as references must name it; None where they need not: it is the only one."""
        return corpus if len(self.names()) > 1 else None
