"""Stream an answer while a language model writes it: growing drafts, then the answer.

A draft is unverified: only the complete reply is checked against the evidence, and only valid statements are in the
answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from biblicus.answering.drafts import Draft
from biblicus.connectors.http.gate import CALLER, Caller
from biblicus.connectors.http.problems import described
from biblicus.connectors.http.service import Service
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, Stopping
from biblicus.models.plain import encoded
from biblicus.service.verbs import ANSWER

_PACE = 0.1
"""Seconds between two drafts."""
_SIGN = 15.0
"""Seconds of silence after which a comment keeps the connection alive."""
_TEXT = {"type": "string"}
EVENT: Mapping[str, Any] = {"type": "object", "properties": {"event": _TEXT, "data": _TEXT}}
"""One event of the stream, for OpenAPI."""

Value = TypeVar("Value")


@dataclass(frozen=True)
class Done(Generic[Value]):
    """The result after the last draft."""

    value: Value


Part = str | Done[Any] | None


async def drafted(
    service: Service, caller: Caller, work: Callable[[Call], Value]
) -> AsyncGenerator[str | Done[Value] | None, None]:
    """Yield the whole draft whenever it grew, None after a long silence, and finally the result.
    Raises the errors of `work`, `Busy` and `Stopping`. The work is cancelled if the client leaves."""
    if service.stopping.is_set():
        raise Stopping
    draft, grown, loop = Draft(), asyncio.Event(), asyncio.get_running_loop()

    def hear(piece: str) -> None:
        draft.hear(piece)
        loop.call_soon_threadsafe(grown.set)

    with service.admission.line(ANSWER).admitted() as ticket:
        done = asyncio.ensure_future(ticket.run(work, call=replace(caller.call, hear=hear)))
        done.add_done_callback(lambda _: grown.set())
        try:
            sent_text = ""
            while not done.done():
                try:
                    await asyncio.wait_for(grown.wait(), _SIGN)
                except TimeoutError:
                    yield None
                grown.clear()
                if not done.done() and (text := draft.text) != sent_text:
                    sent_text = text
                    yield text
                    await asyncio.wait({done}, timeout=_PACE)
            yield Done(done.result())
        finally:
            done.cancel()


async def answer(request: Request, asked: Any, words: Any) -> Response:
    """Stream server-sent events: `draft` with the text so far, then `answer` or `error`."""
    service: Service = request.app.state.service
    caller: Caller = request.scope[CALLER]
    name = service.corpora.meant(words.corpus, guest=caller.call.guest)
    drafts = drafted(service, caller, lambda call: service.corpora.ask(name, ANSWER, asked, call))
    first = await anext(drafts)  # an error before the first draft has its own status
    lines = _events(first, drafts, caller.trace_id)
    return StreamingResponse(lines, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _events(first: Part, drafts: AsyncGenerator[Part, None], trace_id: str) -> AsyncIterator[str]:
    try:
        async with aclosing(drafts):
            yield _event(first)
            async for part in drafts:
                yield _event(part)
    except BiblicusError as error:
        yield f"event: error\ndata: {encoded(described(error, trace_id)).decode().strip()}\n\n"


def _event(part: Part) -> str:
    if isinstance(part, Done):
        return f"event: answer\ndata: {encoded(part.value).decode().strip()}\n\n"
    if part is None:
        return ": still here\n\n"
    return f"event: draft\ndata: {json.dumps({'text': part}, ensure_ascii=False)}\n\n"
