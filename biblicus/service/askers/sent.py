"""A reply as it is sent over a wire, made where it is answered: bytes cross between processes at no cost."""

from __future__ import annotations

from typing import Any, NamedTuple

from biblicus.models.answers.answer import Answer
from biblicus.models.answers.pack import Pack
from biblicus.models.evidence import Result
from biblicus.models.plain import encoded


class Sent(NamedTuple):
    """The JSON of a reply, and the `index_version` that it was made from, where it says so."""

    body: bytes
    index_version: str | None


def sent(reply: Any) -> Sent:
    """A reply as it is sent."""
    made_from = reply.result if isinstance(reply, Answer) else reply
    return Sent(encoded(reply), made_from.index_version if isinstance(made_from, Result | Pack) else None)
