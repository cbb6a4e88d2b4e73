"""Askers: answer verbs in this process, by the user's daemon, by a service, or by the first of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from biblicus.contracts import Call
from biblicus.service.verbs import Q, R, Verb

if TYPE_CHECKING:
    from biblicus.service.askers.wire import Sent


class Asker(Protocol):
    """Sends verbs to a corpus, wherever it is."""

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the reply to a request. Raises `BiblicusError`."""


class Served(Asker, Protocol):
    """An asker of a service, which sends replies to others."""

    def sent(self, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """Like `ask`, returning the encoded reply."""
        from biblicus.service.askers.sent import sent  # lazy: only for services

        return sent(self.ask(verb, request, call))
