"""Askers: answer verbs in this process, by the user's daemon, by a service, or by the first of several."""

from __future__ import annotations

from typing import Protocol

from biblicus.contracts import Call
from biblicus.service.verbs import Q, R, Verb


class Asker(Protocol):
    """Sends verbs to a corpus, wherever it is."""

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the reply to a request. Raises `BiblicusError`."""
