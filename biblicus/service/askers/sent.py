"""Encoded replies, made in the process that computes them, since bytes are cheap to transfer."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from biblicus.models.answers.answer import Answer
from biblicus.models.answers.pack import Pack
from biblicus.models.evidence import Result
from biblicus.models.plain import encoded
from biblicus.service.askers.wire import Sent

_JSON: TypeAdapter[Any] = TypeAdapter(Any)


def sent(reply: Any) -> Sent:
    """Encode a reply. Evidence, most of what is sent, by an encoder that takes a third of the time."""
    if isinstance(reply, Result):
        try:
            return Sent(_JSON.dump_json(reply.as_object()) + b"\n", reply.index_version)
        except ValueError:  # half of a surrogate pair in a text
            return Sent(encoded(reply), reply.index_version)
    made_from = reply.result if isinstance(reply, Answer) else reply
    return Sent(encoded(reply), made_from.index_version if isinstance(made_from, Result | Pack) else None)
