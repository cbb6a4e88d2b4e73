"""Asker for a corpus of another service, which this service offers as its own."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from biblicus import service
from biblicus.contracts import Call
from biblicus.errors import (
    BadData,
    BiblicusError,
    CorpusNotFound,
    CorpusUnknown,
    DeadlineExceeded,
    HostRefused,
    OriginRefused,
    PlaceDown,
    ReadOnlyCorpus,
    Refused,
    ScopeMissing,
    Unauthorized,
    UsageError,
)
from biblicus.models.evidence import Result
from biblicus.service.askers import Served
from biblicus.service.askers.in_turn import InTurn
from biblicus.service.askers.remote import Service
from biblicus.service.places import Target, targets
from biblicus.service.verbs import Q, R, Verb

log = logging.getLogger("biblicus.service")
_PRIVATE = frozenset(
    kind.code
    for kind in (
        BiblicusError,
        CorpusNotFound,
        CorpusUnknown,
        HostRefused,
        OriginRefused,
        PlaceDown,
        Refused,
        ScopeMissing,
        Unauthorized,
    )
)
_WAITING = 10.0
"""Seconds during which a silent place is not tried again."""
_LATER = "the same when it runs"
_PATIENT = 1.0
"""Seconds after which a missing reply counts as a failure of the place, not as impatience of the caller."""
_SEVERAL = re.compile(r"^Name a corpus\b| serves several corpora: ")


class Elsewhere(Served):
    """A read-only remote corpus, served under `name`. Thread-safe.

    `corpus`: `corpus://NAME`; `at`: otherwise its addresses, separated by commas. Raises `CorpusUnknown`, `UsageError`,
    `Refused`."""

    def __init__(self, name: str, corpus: str | None, at: str | None) -> None:
        self._name, self._places = name, targets(corpus, at)
        self._silent: dict[Target, float] = {}
        for place in self._places:
            Service(place.address, place.corpus)  # reports an invalid address early

    @property
    def hosts(self) -> set[str]:
        """Return the host names of the places."""
        return {urlsplit(place.address).hostname or "" for place in self._places}

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the remote service's reply, using this process's token. Raises its errors, `PlaceDown`,
        `ReadOnlyCorpus`."""
        if verb.scope != "read":
            raise ReadOnlyCorpus(self._name)
        if call.layers:
            request = service.views.pinned(verb, request, call.layers)
        try:
            return _checked(self._first(verb, request, call))
        except BiblicusError as error:
            if not _is_private(error):
                if isinstance(error, PlaceDown):
                    error.hint = _LATER  # the remote hint does not apply to this service's clients
                raise
            log.warning('The corpus "%s" is away: %s', self._name, error.message)
            raise self._away() from None

    def _first(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the reply of the first place that gives one. A silent place is skipped for a while, so that its
        queries do not block others; without another place they fail at once."""
        began = time.monotonic()
        places = [place for place in self._places if self._silent.get(place, 0.0) <= began]
        if not places:
            raise PlaceDown(self._name, f"it did not within the last {_WAITING:.0f} s")
        turn = InTurn(places, _untold)
        is_silent = False
        try:
            return turn.ask(verb, request, call)
        except (PlaceDown, DeadlineExceeded) as error:
            is_silent = isinstance(error, PlaceDown) or time.monotonic() - began >= _PATIENT
            raise
        finally:
            last = [place for place in places if is_silent and place not in turn.passed]
            self._silent.update(dict.fromkeys([*turn.passed, *last], time.monotonic() + _WAITING))

    def _away(self) -> PlaceDown:
        """Return an error without the remote address, which is not for every client."""
        return PlaceDown(f'The service of the corpus "{self._name}"', "the log here says why", _LATER)

    def close(self) -> None:
        """Do nothing: no connection is kept open."""


def _checked(reply: R) -> R:
    """Check the part of an untrusted reply that its type leaves open. Raises `BadData`."""
    if isinstance(reply, Result):
        dropped = reply.budget.get("dropped")
        if not isinstance(dropped, list) or not all(isinstance(entry, Mapping) for entry in dropped):
            raise BadData("The answer is no Result.")
    return reply


def _is_private(error: BiblicusError) -> bool:
    """Return true if an error is internal to the two services: about the address, other corpora, or the token."""
    return error.code in _PRIVATE or (error.code == UsageError.code and _SEVERAL.search(error.message) is not None)


def _untold(_: str) -> None:
    """Do not announce which place answers."""
