"""Askers: answer verbs in this process, by the user's daemon, by a service, or by the first of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from biblicus.contracts import Call
from biblicus.lazy import modules_of
from biblicus.service.verbs import Q, R, Verb

if TYPE_CHECKING:
    from biblicus.service.askers import daemon, here, in_turn, loops, processes, remote
    from biblicus.service.askers.wire import Sent
else:
    __getattr__ = modules_of(__name__)


class Asker(Protocol):
    """Sends verbs to a corpus, wherever it is."""

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the reply to a request. Raises `BiblicusError`."""


class Served(Asker, Protocol):
    """An asker of a service, which sends replies to others."""

    def sent(self, verb: Verb[Q, R], request: Q, call: Call) -> Sent:
        """Like `ask`, returning the encoded reply."""
        from biblicus.service.askers.answering import sent  # lazy: only for services

        return sent(self.ask(verb, request, call))
