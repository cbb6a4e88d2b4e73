"""What happens, as it comes: server-sent events, resumable without loss or repeat."""

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
"""Seconds between looks at the log."""
_SIGN = 15.0
"""Seconds of silence after which a comment shows that the line still stands."""
_PAGE = 200
_TEXT = {"type": "string"}
EVENT: Mapping[str, Any] = {"type": "object", "properties": {"id": _TEXT, "event": _TEXT, "data": _TEXT}}
"""One event of the stream, as OpenAPI describes it."""


Shown = Callable[[str, Event], tuple[str, Mapping[str, Any]] | None]
"""An event of a corpus as clients see it: its kind and its data; None: they do not."""


async def events(request: Request, asked: EventsRequest, words: Any) -> Response:
    """Items ingested, changed and removed, and runs sealed, each with the cursor to go on from."""
    return await stream(request, asked, words, lambda name, event: (event.event, event.as_object()))


async def stream(request: Request, asked: EventsRequest, words: Any, shown: Shown) -> Response:
    """The events, as they are to be shown."""
    service: Service = request.app.state.service
    caller: Caller = request.scope[CALLER]
    if service.stopping.is_set():
        raise Stopping
    if service.followers >= service.limits.followers:
        raise Busy
    name = service.corpora.meant(words.corpus, guest=caller.remote)
    asker = service.corpora.asker(name, guest=caller.remote)
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
    """The events of the page, and then of each further one. Ends when the service stops, or where the log is gone."""
    service.followers += 1
    silent = 0.0
    try:
        yield ": events\n\n"
        while True:
            if lines := "".join(_lines(event, shown) for event in page.events):
                yield lines  # at once: between two writes nobody looks whether the client is still there
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
    """One event as the stream writes it; nothing where clients do not see it."""
    if (seen := shown(event)) is None:
        return ""
    kind, data = seen
    return f"id: {event.cursor}\nevent: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


async def stops(service: Service) -> bool:
    """Wait for the next look; whether the service stops meanwhile."""
    try:
        await asyncio.wait_for(service.stopping.wait(), _POLL)
    except TimeoutError:
        return False
    return True
