"""Messages of one client over standard input and output; every request gets a reply.

The SDK ignores invalid messages, and drops running requests when the input ends. Here a client that sent invalid UTF-8
or JSON gets an error, and one that closes its input after a request still gets the reply."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, Protocol

from mcp import types

from biblicus.connectors.mcp.reading import as_told
from biblicus.errors import UsageError

_NO_JSON, _NO_MESSAGE = -32700, -32600


class Target(Protocol):
    """Destination of messages. `gone` returns when nobody reads them any more."""

    async def write(self, text: str) -> Any: ...
    async def flush(self) -> Any: ...
    async def gone(self) -> None: ...


class Exchange:
    """Reader and writer for `stdio_server`."""

    def __init__(self, source: AsyncIterable[str], target: Target) -> None:
        self._source, self._target = source, target
        self._waiting: set[str] = set()
        self._quiet = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield valid lines. Ends when the input has ended and every request was answered."""
        async for line in self._source:
            try:
                message = types.jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError:
                await self._refuse(line)
                continue
            self._note(message)
            yield line
        await self._settled()

    async def write(self, text: str) -> None:
        await self._target.write(text)
        answer = json.loads(text)
        if "method" not in answer:
            self._forget(answer.get("id"))

    async def flush(self) -> None:
        """Wait until it is sent."""
        await self._target.flush()

    def _note(self, message: types.JSONRPCMessage) -> None:
        """Record a request as waiting for its reply, unless the client cancels it."""
        if isinstance(message, types.JSONRPCRequest):
            self._waiting.add(str(message.id))
            self._quiet.clear()
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self._forget((message.params or {}).get("requestId"))

    def _forget(self, request: object) -> None:
        self._waiting.discard(str(request))
        if not self._waiting:
            self._quiet.set()

    async def _settled(self) -> None:
        """Wait until all requests are answered, or nobody reads the replies."""
        if self._waiting:
            ends = [asyncio.ensure_future(end) for end in (self._quiet.wait(), self._target.gone())]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.cancel()

    async def _refuse(self, line: str) -> None:
        """Send an error for an invalid line, with its id if there is one."""
        code, problem, request = _problem(line)
        error = {"code": code, "message": problem, "data": {"error": as_told(UsageError(problem))}}
        await self._target.write(json.dumps({"jsonrpc": "2.0", "id": request, "error": error}) + "\n")
        await self._target.flush()


def _problem(line: str) -> tuple[int, str, str | int | None]:
    """Return the JSON-RPC error code, a message, and the request's id if it has one."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return _NO_JSON, "The message is no JSON.", None
    request = document.get("id") if isinstance(document, dict) else None
    request = request if isinstance(request, str | int) and not isinstance(request, bool) else None
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return _NO_MESSAGE, "A text in the message holds half a character (a lone surrogate).", request
    return _NO_MESSAGE, "The message is none of JSON-RPC 2.0.", request
