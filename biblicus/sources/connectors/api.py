"""JSON interfaces of services: guarded requests, with the account's token for its own host alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from biblicus.errors import BadData, IngestionError
from biblicus.guards import json
from biblicus.guards.network.fetch import Reply
from biblicus.guards.network.urls import parse
from biblicus.sources.door import Sync
from biblicus.sources.web import GONE, Visitor

_MOST_PAGES = 10_000


class Api:
    """Requests below a base address. A busy service is asked again after the time that it states."""

    def __init__(self, sync: Sync, base: str) -> None:
        self.base, self._visitor = base.rstrip("/"), Visitor(sync.reach, sync.call)

    def get(self, path: str, **query: object) -> Any:
        """Return the value at a path; None if it is gone. Raises `IngestionError`."""
        reply = self._reply(f"{path}?{urlencode(query)}" if query else path)
        return None if reply.status in GONE else self._value(reply)

    def pages(self, path: str, **query: object) -> Iterator[list[Mapping[str, Any]]]:
        """Yield the pages of a list, a hundred at a time. Raises `IngestionError`."""
        for page in range(1, _MOST_PAGES):
            reply = self._reply(f"{path}?{urlencode({**query, 'per_page': 100, 'page': page})}")
            entries = self._value(reply)
            if not isinstance(entries, list):
                raise IngestionError(reply.url, "its answer is no list")
            yield entries
            if len(entries) < 100:
                return

    def _reply(self, path: str) -> Reply:
        reply = self._visitor.get(parse(self.base + path), accept="application/json")
        if reply.status == 403 and reply.headers.get("x-ratelimit-remaining") == "0":
            raise IngestionError(reply.url, "its limit of requests is reached", status=429)
        return reply

    def _value(self, reply: Reply) -> Any:
        if reply.status == 401:
            raise IngestionError(reply.url, "its token is missing, wrong or expired", "a new token", status=401)
        if reply.status != 200:
            raise IngestionError(reply.url, f"it answers {reply.status}", status=reply.status)
        try:
            return json.read(reply.body, max_bytes=64 << 20)
        except BadData as error:
            raise IngestionError(reply.url, "its answer is no JSON") from error
