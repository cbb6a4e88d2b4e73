"""Who answers a verb: this process, the user's daemon, a service, or the first of several that can."""

from __future__ import annotations

from typing import Protocol

from biblicus.contracts import Call
from biblicus.service.verbs import Q, R, Verb


class Asker(Protocol):
    """Asks a corpus, wherever it is."""

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """The reply. Raises `BiblicusError`."""
