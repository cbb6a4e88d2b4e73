"""Operations that need several requests: all pages of a list, large verifications, following events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from biblicus import models
from biblicus.contracts import Call
from biblicus.models import requests
from biblicus.service.askers import Asker
from biblicus.service.verbs import EVENTS, LIST, VERIFY

if TYPE_CHECKING:
    from biblicus.models.event import Event
    from biblicus.models.item import Item
    from biblicus.models.reading import ItemPage, Verdicts
    from biblicus.models.requests.items import ListRequest

_LOOK = 1.0
"""Seconds between requests for events."""
_CHARACTERS = 800_000
"""Maximum characters of one request to verify, limited by a service's body size."""


def all_items(asker: Asker, request: ListRequest, call: Call) -> ItemPage:
    """Return all matching items as one page, with as many requests as needed."""

    items: list[Item] = []
    cursor = None
    while True:
        page = asker.ask(LIST, replace(request, limit=requests.query.LIMIT, cursor=cursor), call)
        items += page.items
        cursor = page.next_cursor
        if cursor is None:
            return replace(page, items=tuple(items))


def proved(asker: Asker, evidence: Sequence[Mapping[str, Any]], call: Call) -> Verdicts:
    """Return verdicts for pieces of evidence (`search.verify.pieces`), with as many requests as needed."""

    verdicts = [
        verdict
        for batch in _batches(evidence)
        for verdict in asker.ask(VERIFY, requests.runs.VerifyRequest(evidence=batch), call).evidence
    ]
    return models.reading.Verdicts.of(tuple(replace(verdict, rank=rank) for rank, verdict in enumerate(verdicts, 1)))


def followed(asker: Asker, after: str | None, call: Call, pause: float = _LOOK) -> Iterator[Event]:
    """Yield events as they occur until the call ends, by polling, so that another place may take over. `pause`:
    seconds between two requests."""

    while True:
        page = asker.ask(EVENTS, requests.runs.EventsRequest(after=after), replace(call, deadline=None))
        for event in page.events:
            yield event
            call.check()
        after = page.cursor
        call.check()
        if not page.more:
            call.cancel.wait(pause)


def _batches(evidence: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield batches of pieces with their verified fields, within a service's limits."""
    runs = requests.runs

    batch: list[runs.Piece] = []
    size = 0
    for piece in evidence:
        length = 6 * len(piece["text"])  # characters after escaping, in the worst case
        if batch and (len(batch) == runs.BATCH or size + length > _CHARACTERS):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(runs.Piece.of(piece))
        size += length
    if batch:
        yield tuple(batch)
