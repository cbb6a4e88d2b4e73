"""Readers: the same questions to a corpus wherever it is asked. Here, in this process; there, by a daemon or a service.

`reading` picks: one place, or several in turn. A daemon that does not run is started, and meanwhile this process
answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from biblicus.contracts import Call
from biblicus.errors import DeadlineExceeded, NoRun, PlaceDown
from biblicus.models.evidence import Result
from biblicus.models.item import Item
from biblicus.models.question import Filters, Query
from biblicus.models.reading import PROVING, Excerpt, Node, Shown, Verdict
from biblicus.models.wire import (
    context_of,
    excerpt_of,
    filters_of,
    item_of,
    node_of,
    pack_of,
    request_of,
    result_of,
    shown_of,
    verdict_of,
)
from biblicus.service.places import Target, targets

if TYPE_CHECKING:
    from biblicus.models.pack import Pack, PackPolicy

Answer = TypeVar("Answer")
PAGE = 1_000
_LOOK = 1.0
"""Seconds between looks at what happened elsewhere."""
_PIECES, _CHARACTERS = 100, 800_000
"""Of one request to prove: what a service takes (`models.requests.BATCH`, its limit of a body)."""


class Reader(Protocol):
    """What may be asked of a corpus. Every method raises `BiblicusError`."""

    def query(self, query: Query, call: Call) -> Result: ...

    def context(self, query: Query, policy: PackPolicy, call: Call) -> Pack: ...

    def items(self, filters: Filters, call: Call) -> Sequence[Item]: ...

    def item(self, name: str, call: Call) -> Shown: ...

    def get(
        self,
        name: str,
        call: Call,
        *,
        lines: tuple[int, int] | None = None,
        span: tuple[int, int] | None = None,
        page: int | None = None,
    ) -> Excerpt: ...

    def tree(self, prefix: str, depth: int | None, call: Call) -> Sequence[Node]: ...

    def stats(self, call: Call) -> Mapping[str, Any]: ...

    def verify(self, evidence: Sequence[Mapping[str, Any]], call: Call) -> Sequence[Verdict]:
        """Verdicts for pieces of evidence (`search.verify.read`)."""

    def told(self, verb: str, request: Mapping[str, Any], call: Call) -> Mapping[str, Any]:
        """What `service.telling.told` tells."""

    def follow(self, after: str | None, call: Call) -> Iterator[Mapping[str, Any]]:
        """Events as they come, until the call ends."""

    def is_current(self, result: Result, call: Call) -> bool:
        """Whether the corpus is still as the result's run saw it, as far as that is known."""


class There:
    """A reader over whoever answers verbs with JSON: the daemon, or a service."""

    def __init__(self, ask: Callable[[str, Mapping[str, Any], Call], Any]) -> None:
        self._ask = ask

    def query(self, query: Query, call: Call) -> Result:
        return result_of(self._ask("query", request_of(query), call))

    def context(self, query: Query, policy: PackPolicy, call: Call) -> Pack:
        return pack_of(self._ask("context", context_of(query, policy), call))

    def items(self, filters: Filters, call: Call) -> Sequence[Item]:
        found: list[Item] = []
        request = {**filters_of(filters), "limit": PAGE}
        while True:
            page = self._ask("items", request, call)
            found += [item_of(item) for item in page["items"]]
            if "next_cursor" not in page:
                return found
            request = {**request, "cursor": page["next_cursor"]}

    def item(self, name: str, call: Call) -> Shown:
        return shown_of(self._ask("item", {"item": name}, call))

    def get(
        self,
        name: str,
        call: Call,
        *,
        lines: tuple[int, int] | None = None,
        span: tuple[int, int] | None = None,
        page: int | None = None,
    ) -> Excerpt:
        asked = {"item": name, "lines": lines, "span": span, "page": page}
        return excerpt_of(self._ask("retrieve", {key: part for key, part in asked.items() if part is not None}, call))

    def tree(self, prefix: str, depth: int | None, call: Call) -> Sequence[Node]:
        asked = {"prefix": prefix, **({"depth": depth} if depth is not None else {})}
        return [node_of(node) for node in self._ask("tree", asked, call)["nodes"]]

    def stats(self, call: Call) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._ask("stats", {}, call)
        return found

    def verify(self, evidence: Sequence[Mapping[str, Any]], call: Call) -> Sequence[Verdict]:
        found: list[Verdict] = []
        for batch in _batches(evidence):
            for verdict in self._ask("verify", {"evidence": batch}, call)["evidence"]:
                found.append(verdict_of({**verdict, "rank": len(found) + 1}))
        return found

    def told(self, verb: str, request: Mapping[str, Any], call: Call) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._ask(verb, {k: v for k, v in request.items() if v is not None}, call)
        return found

    def follow(self, after: str | None, call: Call) -> Iterator[Mapping[str, Any]]:
        return _followed(self, after, call)

    def is_current(self, result: Result, call: Call) -> bool:
        try:
            found = self._ask("version", {}, call)
        except NoRun:  # of the default recipe, while another one answered
            return True
        return found["run_id"] != result.run_id or bool(found["current"])


class InTurn:
    """A reader that asks the first of several places that answers. `say` is told why one was passed over."""

    def __init__(self, places: Sequence[Target], say: Callable[[str], None]) -> None:
        self._places, self._say = list(places), say
        self._made: dict[int, Reader] = {}

    def query(self, query: Query, call: Call) -> Result:
        return self._first(lambda reader, call: reader.query(query, call), call)

    def context(self, query: Query, policy: PackPolicy, call: Call) -> Pack:
        return self._first(lambda reader, call: reader.context(query, policy, call), call)

    def items(self, filters: Filters, call: Call) -> Sequence[Item]:
        return self._first(lambda reader, call: reader.items(filters, call), call)

    def item(self, name: str, call: Call) -> Shown:
        return self._first(lambda reader, call: reader.item(name, call), call)

    def get(
        self,
        name: str,
        call: Call,
        *,
        lines: tuple[int, int] | None = None,
        span: tuple[int, int] | None = None,
        page: int | None = None,
    ) -> Excerpt:
        return self._first(lambda reader, call: reader.get(name, call, lines=lines, span=span, page=page), call)

    def tree(self, prefix: str, depth: int | None, call: Call) -> Sequence[Node]:
        return self._first(lambda reader, call: reader.tree(prefix, depth, call), call)

    def stats(self, call: Call) -> Mapping[str, Any]:
        return self._first(lambda reader, call: reader.stats(call), call)

    def verify(self, evidence: Sequence[Mapping[str, Any]], call: Call) -> Sequence[Verdict]:
        return self._first(lambda reader, call: reader.verify(evidence, call), call)

    def told(self, verb: str, request: Mapping[str, Any], call: Call) -> Mapping[str, Any]:
        return self._first(lambda reader, call: reader.told(verb, request, call), call)

    def follow(self, after: str | None, call: Call) -> Iterator[Mapping[str, Any]]:
        return _followed(self, after, call)  # page by page, so that another place may take over

    def is_current(self, result: Result, call: Call) -> bool:
        return self._first(lambda reader, call: reader.is_current(result, call), call)

    def _first(self, ask: Callable[[Reader, Call], Answer], call: Call) -> Answer:
        while True:
            place = self._places[0]
            last = len(self._places) == 1
            try:
                return ask(self._reader(place), call if last else _share(call))
            except (PlaceDown, DeadlineExceeded) as error:
                if last or (isinstance(error, DeadlineExceeded) and _is_over(call)):
                    raise
                self._pass_over(place, error)

    def _pass_over(self, place: Target, error: PlaceDown | DeadlineExceeded) -> None:
        self._places.pop(0)
        self._made.clear()
        why = error.message if isinstance(error, PlaceDown) else f"{_named(place)} did not answer in time."
        started = " It is being started." if place.kind == "daemon" and _start_daemon(error) else ""
        self._say(f"{why}{started} {_named(self._places[0]).capitalize()} was asked instead.")

    def _reader(self, place: Target) -> Reader:
        if 0 not in self._made:
            self._made[0] = _reader(place)
        return self._made[0]


def reading(corpus: str | None, at: str | None, say: Callable[[str], None]) -> Reader:
    """A reader of a corpus (a path, `corpus://name`, or None) at one place or the first of several that answers."""
    places = targets(corpus, at)
    if len(places) == 1 and places[0].kind == "local":
        return _reader(places[0])
    for number, place in enumerate(places):
        if place.kind == "daemon" and number + 1 == len(places):  # who asks never waits for a daemon
            places.append(Target("local", place.folder))
    return InTurn(places, say)


def _reader(place: Target) -> Reader:
    if place.kind == "remote":
        from biblicus.service.askers.remote import RemoteSearcher

        return There(RemoteSearcher(place.address, place.corpus).ask)
    folder = place.folder or Path()
    if place.kind == "daemon":
        from biblicus.service.askers.daemon import DaemonSearcher

        return There(DaemonSearcher(folder).ask)
    from biblicus.service.askers.here import Here

    return Here(folder)


def _start_daemon(error: PlaceDown | DeadlineExceeded) -> bool:
    """Start the user's daemon where that may help the next question. Whether it was."""
    if not isinstance(error, PlaceDown):
        return False
    from biblicus.service.daemon import launch, may_start

    if not may_start():
        return False
    launch()
    return True


def _named(place: Target) -> str:
    return {"local": "this process", "daemon": "the daemon"}.get(place.kind, place.address)


def _share(call: Call) -> Call:
    """Half of the time that is left, so that another place can answer in the other half."""
    if call.deadline is None:
        return call
    now = time.monotonic()
    return replace(call, deadline=now + (call.deadline - now) / 2)


def _is_over(call: Call) -> bool:
    return call.deadline is not None and time.monotonic() >= call.deadline


def _followed(reader: Reader, after: str | None, call: Call) -> Iterator[Mapping[str, Any]]:
    """Events as they come, by a look now and then."""
    while True:
        page = reader.told("events", {"after": after}, Call(cancel=call.cancel))
        yield from page["events"]
        after = page["cursor"]
        call.check()
        if not page["more"]:
            call.cancel.wait(_LOOK)


def _batches(evidence: Sequence[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """Pieces in as many requests as a service takes them in: of what it reads only the fields that prove."""
    batch: list[Mapping[str, Any]] = []
    size = 0
    for piece in evidence:
        kept = {key: piece[key] for key in PROVING if key in piece}
        length = 6 * len(kept["text"])  # characters as they are escaped at worst
        if batch and (len(batch) == _PIECES or size + length > _CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(kept)
        size += length
    if batch:
        yield batch
