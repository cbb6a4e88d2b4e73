"""Asker that uses the first of several places that replies; a stopped daemon is started for later requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from biblicus.contracts import Call
from biblicus.errors import BiblicusError, CorpusNotFound, DeadlineExceeded, PlaceDown, SourceNotFound
from biblicus.guards.deadlines import bounded
from biblicus.service import askers
from biblicus.service.askers import Asker
from biblicus.service.places import Target, targets
from biblicus.service.verbs import Q, R, Verb


class InTurn:
    """An asker with several places. `say` receives the reason when one is skipped."""

    def __init__(self, places: Sequence[Target], say: Callable[[str], None]) -> None:
        self._places, self._say = list(places), say
        self._present: Asker | None = None
        self.passed: list[Target] = []
        """Places that gave no reply and were skipped."""

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the reply of the first place that has the corpus and replies."""
        while True:
            place = self._places[0]
            last = len(self._places) == 1
            try:
                self._present = self._present or _asker(place)
                return self._present.ask(verb, request, call if last else bounded(call))
            except (PlaceDown, DeadlineExceeded, CorpusNotFound, SourceNotFound) as error:
                if last or not self._goes_on(place, error, call):
                    raise
                self._pass_over(place, error)

    def _goes_on(self, place: Target, error: BiblicusError, call: Call) -> bool:
        """Return true if the next place may succeed; for a missing corpus, if it has another folder."""
        if isinstance(error, DeadlineExceeded):
            return not _is_over(call)
        if isinstance(error, PlaceDown):
            return True
        is_gone = isinstance(error, CorpusNotFound) or (place.folder is not None and not place.folder.exists())
        return is_gone and place.folder is not None and any(target.folder != place.folder for target in self._places)

    def _pass_over(self, place: Target, error: BiblicusError) -> None:
        self.passed.append(self._places.pop(0))
        self._present = None
        in_time = f"{_named(place)} did not answer in time."
        why = in_time if isinstance(error, DeadlineExceeded) else error.message
        started = " It is being started." if place.kind == "daemon" and _start_daemon(error) else ""
        following = self._places[0]
        name = following.address or _named(following).capitalize()
        self._say(f"{why}{started} {name} was asked instead.")


def asker_of(corpus: str | None, at: str | None, say: Callable[[str], None]) -> Asker:
    """Return the asker for a corpus (a path, `corpus://name`, or None) at one or several places."""
    places = targets(corpus, at)
    if len(places) == 1 and places[0].kind == "local":
        return _asker(places[0])
    for number, place in enumerate(places):
        if place.kind == "daemon" and number + 1 == len(places):  # requests never wait for a daemon to start
            places.append(Target("local", place.folder))
    return InTurn(places, say)


def _asker(place: Target) -> Asker:
    if place.kind == "remote":
        return askers.remote.Service(place.address, place.corpus)
    folder = place.folder or Path()
    if place.kind == "daemon":
        return askers.daemon.Daemon(folder)

    return askers.here.here(folder)


def _start_daemon(error: BiblicusError) -> bool:
    """Start the user's daemon if it is not running; return true if it was started."""
    if not isinstance(error, PlaceDown):
        return False

    if not askers.daemon.may_start():
        return False
    askers.daemon.launch()
    return True


def _named(place: Target) -> str:
    return {"local": "this process", "daemon": "the daemon"}.get(place.kind, place.address)


def _is_over(call: Call) -> bool:
    return call.deadline is not None and time.monotonic() >= call.deadline
