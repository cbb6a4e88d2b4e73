"""What the routes share: the corpora, the lanes, the jobs, and how an operation's value becomes a response."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from biblicus.connectors.http.gate import ANSWERING, CALLER, WRITING, Access, Caller
from biblicus.connectors.http.lanes import Lane, Place
from biblicus.connectors.http.limits import Limits
from biblicus.connectors.http.metrics import Metrics
from biblicus.connectors.http.query_parameters import read, taken_alone
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, ContentTypeRefused, Stopping
from biblicus.guards import json as safe_json
from biblicus.models import requests
from biblicus.models.plain import encoded
from biblicus.service.corpora import Corpora
from biblicus.service.jobs import Jobs

INDEX_VERSION = "Index-Version"
"""Header of every answer from a corpus that has a run."""


class Reply(NamedTuple):
    """A value, and what the answer's head says of it."""

    value: Any
    index_version: str | None = None
    status: int = 200
    headers: Mapping[str, str] = {}


class Remembered:
    """A number that is found out at most once in so many seconds: who may ask without a token costs no more."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._until, self._value = seconds, 0.0, 0
        self._lock = asyncio.Lock()

    async def known(self, find_out: Callable[[], int]) -> int:
        """The number, found out in a thread."""
        async with self._lock:
            if time.monotonic() >= self._until:
                self._value = await asyncio.to_thread(find_out)
                self._until = time.monotonic() + self._seconds
            return self._value


@dataclass
class Service:
    """One service. `warm` is set when the indexes are open, `stopping` when it drains.
    `followers`: clients that listen to events."""

    corpora: Corpora
    access: Access
    limits: Limits
    metrics: Metrics = field(default_factory=Metrics)
    jobs: Jobs = field(default_factory=Jobs)
    warm: threading.Event = field(default_factory=threading.Event)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    followers: int = 0
    failing: Remembered = field(default_factory=lambda: Remembered(1.0))

    def __post_init__(self) -> None:
        limits = self.limits
        self.readers = Lane("read", limits.workers, limits.waiting, limits.seconds)
        self.answerers = Lane("answer", limits.answerers, limits.waiting_answers, limits.answering_seconds)
        self.writers = Lane("write", limits.writers, limits.waiting_writers, limits.writing_seconds)

    def lane(self, path: str) -> Lane:
        if path in WRITING:
            return self.writers
        return self.answerers if path == ANSWERING else self.readers

    def version_of(self, corpus: str | None, caller: Caller) -> str | None:
        """The `index_version` that a bare query would be answered from; None where nothing is built."""
        try:
            found = self.corpora.ask("version", corpus, requests.NoRequest(), Call(), remote=caller.remote)
        except BiblicusError:
            return None
        return str(found["index_version"])

    def close(self) -> None:
        self.jobs.close(self.limits.drain)
        self.readers.close()
        self.answerers.close()
        self.writers.close()
        self.corpora.close()


async def answer(request: Request, work: Callable[[Call, Caller], Reply]) -> Response:
    """Run an operation in the request's lane; its value as the response."""
    place: Place = request.scope["biblicus.place"]
    caller: Caller = request.scope[CALLER]

    def made(call: Call) -> Response:
        reply = work(call, caller)
        headers = dict(reply.headers)
        if reply.index_version:
            headers[INDEX_VERSION] = reply.index_version
        return Response(encoded(reply.value), reply.status, headers, "application/json")

    async def left() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    return await place.run(made, left)


async def one(request: Request, verb: str, corpus: str | None, asked: requests.Request) -> Response:
    """A verb of one corpus."""
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        value = service.corpora.ask(verb, corpus, asked, call, remote=caller.remote)
        return Reply(value, service.version_of(corpus, caller))

    return await answer(request, work)


class _Guarded(Request):
    """A request whose JSON is read as data only: bounded, no key twice, no NaN."""

    async def json(self) -> Any:
        service: Service = self.app.state.service
        return safe_json.read(await self.body(), max_bytes=service.limits.document)


class LaneRoute(APIRoute):
    """A route whose requests take a place in a lane before their body is read."""

    def get_route_handler(self) -> Callable[[Request], Any]:
        handle = super().get_route_handler()
        parameters = taken_alone(self.endpoint)
        takes_json = self.body_field is not None

        async def handled(request: Request) -> Response:
            service: Service = request.app.state.service
            if service.stopping.is_set():
                raise Stopping
            if takes_json and not _is_json(request.headers.get("content-type", "")):
                raise ContentTypeRefused("application/json")
            with service.lane(request.url.path).admitted() as place:
                request.scope["biblicus.place"] = place
                if parameters is not None:
                    return await self.endpoint(request, read(parameters, request.query_params))  # type: ignore[no-any-return]
                found: Response = await handle(_Guarded(request.scope, request.receive))
                return found

        return handled


def _is_json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == "application/json"
