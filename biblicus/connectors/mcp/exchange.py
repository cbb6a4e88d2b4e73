"""Messages of one client over standard input and output: whatever can be answered is answered.

The SDK passes over what is no message, and drops what is being answered when the input ends. Here a client that sent
half a character or no JSON is told so, and one that closes its side after a question still gets its answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, Protocol

from mcp import types

from biblicus.connectors.mcp.failures import as_told
from biblicus.errors import UsageError

_NO_JSON, _NO_MESSAGE = -32700, -32600


class Target(Protocol):
    """Where messages go. `gone` returns when nobody reads them any more."""

    async def write(self, text: str) -> Any: ...
    async def flush(self) -> Any: ...
    async def gone(self) -> None: ...


class Exchange:
    """What `stdio_server` reads and writes."""

    def __init__(self, source: AsyncIterable[str], target: Target) -> None:
        self._source, self._target = source, target
        self._waiting: set[str] = set()
        self._quiet = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[str]:
        """Lines that are messages. Ends when the input has, and every request in it was answered."""
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
        """Send a message."""
        await self._target.write(text)
        answer = json.loads(text)
        if "method" not in answer:
            self._forget(answer.get("id"))

    async def flush(self) -> None:
        """Until it has left."""
        await self._target.flush()

    def _note(self, message: types.JSONRPCMessage) -> None:
        """A request waits for its answer, unless its client takes it back."""
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
        """Until all is answered, or nobody is there to read it."""
        if self._waiting:
            ends = [asyncio.ensure_future(end) for end in (self._quiet.wait(), self._target.gone())]
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in ends:
                end.cancel()

    async def _refuse(self, line: str) -> None:
        """Tell what is wrong with a line that is no message, under the id that it has."""
        code, problem, request = _problem(line)
        error = {"code": code, "message": problem, "data": {"error": as_told(UsageError(problem))}}
        await self._target.write(json.dumps({"jsonrpc": "2.0", "id": request, "error": error}) + "\n")
        await self._target.flush()


def _problem(line: str) -> tuple[int, str, str | int | None]:
    """The code of JSON-RPC, a sentence, and the request's id where it can be told."""
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
