"""One call of a tool or resource: its corpora, and encoding of the replies."""

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
"""Key of a reply's images (PNG in base64), which are sent besides its text."""


def marked(value: Any) -> Any:
    """Return the value with invisible and direction-changing characters in texts made visible."""
    if isinstance(value, str):
        return safe(value, keep_newlines=True)
    if isinstance(value, Mapping):
        return {name: marked(part) for name, part in value.items()}
    return [marked(part) for part in value] if isinstance(value, list | tuple) else value


class Asked(NamedTuple):
    """One call. `arguments`: as received; cursors are bound to them. `latency`: durations of the server's tools."""

    corpora: Corpora
    call: Call
    arguments: Mapping[str, Any]
    latency: Latency | None = None

    def one(self, verb: Verb[Q, Any], corpus: str | None, request: Q) -> Object:
        """Return the reply of one corpus as JSON values."""
        reply: Object = plain(self.corpora.ask(corpus, verb, request, self.call))
        return reply

    def names(self) -> list[str]:
        """Return the names of corpora that the client may see."""
        return self.corpora.names(guest=self.call.guest)

    def named(self, corpus: str | None) -> str | None:
        """Return the corpus's name for references; None if it is the only one."""
        return corpus if len(self.names()) > 1 else None
