"""Server-sent events of a corpus, resumable without loss or repetition."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from biblicus.connectors.http.gate import CALLER, Caller
from biblicus.connectors.http.service import Service
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, Busy, Stopping
from biblicus.models.event import Event, EventPage
from biblicus.models.requests.runs import EventsRequest
from biblicus.service.askers.here import Here
from biblicus.service.verbs import EVENTS

_POLL = 0.25
"""Seconds between two checks of the log."""
_SIGN = 15.0
"""Seconds of silence after which a comment keeps the connection alive."""
_PAGE = 200
_TEXT = {"type": "string"}
EVENT: Mapping[str, Any] = {"type": "object", "properties": {"id": _TEXT, "event": _TEXT, "data": _TEXT}}
"""One event of the stream, for OpenAPI."""


Shown = Callable[[str, Event], tuple[str, Mapping[str, Any]] | None]
"""Convert an event for clients to its kind and data; None hides it."""


async def events(request: Request, asked: EventsRequest, words: Any) -> Response:
    """Stream changes of items and sealed runs, each with a cursor to continue from."""
    return await stream(request, asked, words, lambda name, event: (event.event, event.as_object()))


async def stream(request: Request, asked: EventsRequest, words: Any, shown: Shown) -> Response:
    """Stream events, converted by `shown`."""
    service: Service = request.app.state.service
    caller: Caller = request.scope[CALLER]
    if service.stopping.is_set():
        raise Stopping
    if service.followers >= service.limits.followers:
        raise Busy
    name = service.corpora.meant(words.corpus, guest=caller.call.guest)
    asker = service.corpora.asker(name, caller.call)
    first = await _page(asker, request.headers.get("last-event-id") or asked.after)
    lines = _stream(service, asker, first, words.follow, lambda event: shown(name, event))
    return StreamingResponse(lines, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _page(asker: Here, after: str | None) -> EventPage:
    return await asyncio.to_thread(asker.ask, EVENTS, EventsRequest(after, limit=_PAGE), Call())


async def _stream(
    service: Service,
    asker: Here,
    page: EventPage,
    follow: bool,
    shown: Callable[[Event], tuple[str, Mapping[str, Any]] | None],
) -> AsyncIterator[str]:
    """Yield the events of the page, then further ones, until the service stops or the log is gone."""
    service.followers += 1
    silent = 0.0
    try:
        yield ": events\n\n"
        while True:
            if lines := "".join(_lines(event, shown) for event in page.events):
                yield lines  # at once: a departed client is only noticed while waiting
            silent = 0.0 if page.events else silent + _POLL
            if not page.more and (not follow or await stops(service)):
                return
            if silent >= _SIGN:
                silent = 0.0
                yield ": still here\n\n"
            try:
                page = await _page(asker, page.cursor)
            except BiblicusError as error:
                yield f"event: error\ndata: {json.dumps({'code': error.code}, ensure_ascii=False)}\n\n"
                return
    finally:
        service.followers -= 1


def _lines(event: Event, shown: Callable[[Event], tuple[str, Mapping[str, Any]] | None]) -> str:
    """Return one event in the stream's format; empty if hidden."""
    if (visible_event := shown(event)) is None:
        return ""
    kind, data = visible_event
    return f"id: {event.cursor}\nevent: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


async def stops(service: Service) -> bool:
    """Wait for the next check; return true if the service stops."""
    try:
        await asyncio.wait_for(service.stopping.wait(), _POLL)
    except TimeoutError:
        return False
    return True
