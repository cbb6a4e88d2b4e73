"""Encoded replies, made in the process that computes them, since bytes are cheap to transfer."""

from __future__ import annotations

from typing import Any, NamedTuple

from biblicus.models.answers.answer import Answer
from biblicus.models.answers.pack import Pack
from biblicus.models.evidence import Result
from biblicus.models.plain import encoded


class Sent(NamedTuple):
    """The JSON of a reply and its `index_version`, if it has one."""

    body: bytes
    index_version: str | None


def sent(reply: Any) -> Sent:
    """Encode a reply."""
    made_from = reply.result if isinstance(reply, Answer) else reply
    return Sent(encoded(reply), made_from.index_version if isinstance(made_from, Result | Pack) else None)
