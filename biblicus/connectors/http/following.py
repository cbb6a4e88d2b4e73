"""The route that tells what happens: events as they come (server-sent events), resumable without loss or repeat."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from pydantic import Field
from starlette.responses import Response, StreamingResponse

from biblicus.connectors.http.gate import CALLER, Caller
from biblicus.connectors.http.openapi import PROBLEMS
from biblicus.connectors.http.parameters import CorpusName, at_once
from biblicus.connectors.http.service import Service
from biblicus.corpus import events as operation
from biblicus.errors import BiblicusError, Busy, Stopping
from biblicus.models import requests
from biblicus.models.event import EventPage

router = APIRouter(responses=PROBLEMS)
_POLL = 0.25
"""Seconds between looks at the log."""
_SIGN = 15.0
"""Seconds of silence after which a comment shows that the line still stands."""
_PAGE = 200
_TEXT = {"type": "string"}
_EVENT = {"type": "object", "properties": {"id": _TEXT, "event": _TEXT, "data": _TEXT}}
"""One event of the stream, as OpenAPI describes it."""


class EventParameters(requests.Request):
    """`GET /events`."""

    corpus: CorpusName | None = Field(
        None, description="The corpus, by the name it is served under. Default: the only one."
    )
    after: requests.Text | None = Field(
        None,
        description="Only what came after this cursor; `now`: only what comes. Default: all that is kept.",
    )
    follow: bool = Field(True, description="Go on with each event as it comes; else end after those that are there.")


at_once(requests.Request)


@router.get(
    "/events",
    operation_id="events",
    summary="What happens",
    responses=PROBLEMS
    | {
        200: {
            "description": "Server-sent events: `id` is the cursor, `event` the kind, `data` the event as JSON.",
            "content": {"text/event-stream": {"schema": _EVENT}},
        }
    },
)
async def events(
    request: Request,
    asked: Annotated[EventParameters, Query()],
    last_event_id: Annotated[
        str | None, Header(max_length=200, description="As `after`; sent by a client that comes back.")
    ] = None,
) -> Response:
    """Items ingested, changed and removed, and runs sealed, each with the cursor to go on from."""
    service: Service = request.app.state.service
    caller: Caller = request.scope[CALLER]
    if service.stopping.is_set():
        raise Stopping
    if service.followers >= service.limits.followers:
        raise Busy
    name = service.corpora.meant(asked.corpus, remote=caller.remote)
    first = await _page(service, name, last_event_id or asked.after)
    return StreamingResponse(
        _told(service, name, first, asked.follow), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


async def _page(service: Service, name: str, after: str | None) -> EventPage:
    return await asyncio.to_thread(lambda: operation.read(service.corpora.desk(name).place, after, _PAGE))


async def _told(service: Service, name: str, page: EventPage, follow: bool) -> AsyncIterator[str]:
    """The events of the page, and then of each further one. Ends when the service stops, or where the log is gone."""
    service.followers += 1
    silent = 0.0
    try:
        yield ": events\n\n"
        while True:
            for event in page.events:
                body = json.dumps(event.as_object(), ensure_ascii=False)
                yield f"id: {event.cursor}\nevent: {event.event}\ndata: {body}\n\n"
            silent = 0.0 if page.events else silent + _POLL
            if not page.more and (not follow or await _stops(service)):
                return
            if silent >= _SIGN:
                silent = 0.0
                yield ": still here\n\n"
            try:
                page = await _page(service, name, page.cursor)
            except BiblicusError as error:
                yield f"event: error\ndata: {json.dumps({'code': error.code}, ensure_ascii=False)}\n\n"
                return
    finally:
        service.followers -= 1


async def _stops(service: Service) -> bool:
    """Wait for the next look; whether the service stops meanwhile."""
    try:
        await asyncio.wait_for(service.stopping.wait(), _POLL)
    except TimeoutError:
        return False
    return True
