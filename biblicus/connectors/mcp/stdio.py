"""The MCP server over standard input and output, for clients that start their own process.

The SDK ignores invalid messages, and drops running requests when the input ends. Here every request gets a reply: a
client that sent invalid UTF-8 or JSON gets an error, one that closes its input after a request still gets the reply.
Pipes and sockets, which clients use to start a server, need no threads; these cost more than a query on a busy
machine."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from mcp import types
from mcp.server.stdio import stdio_server

from biblicus.connectors.mcp.reading import as_told
from biblicus.connectors.mcp.server import Client, Text, server
from biblicus.contracts import Call
from biblicus.disk import system
from biblicus.errors import UsageError
from biblicus.service.admission import Admission, Limits
from biblicus.service.corpora import Corpora
from biblicus.service.offers import Offer

LIMITS = Limits(workers=4, waiting=64, seconds=30, writers=1, waiting_writers=8, writing_seconds=3600)
"""Limits for a single local client: nobody else waits while it reindexes."""


def run(
    corpora: Corpora,
    *,
    allow_ingest: bool,
    layers: tuple[str, ...] = (),
    offers: Callable[[Admission], Sequence[Offer]] = lambda _: (),
    text: Text = "short",
) -> None:
    """Serve until the input ends.

    Standard output carries the protocol only; other output goes to standard error. `layers`: the only visible layers.
    `offers`: tools added by a profile. `text`: text besides structured content."""
    client = Client(frozenset({"read", "ingest"} if allow_ingest else {"read"}), call=Call(layers=layers))
    admission = Admission(LIMITS)
    mcp_server = server(corpora, lambda ctx: client, admission, offers(admission), own=client, text=text)

    async def serve(source: int, target: int) -> None:
        exchange: Any = Exchange(*await opened(source, target))
        async with stdio_server(exchange, exchange) as (received, sent):
            await mcp_server.run(received, sent, mcp_server.create_initialization_options())

    try:
        with claimed() as numbers:
            asyncio.run(serve(*numbers))
    finally:
        admission.close()
        corpora.close()


# --- messages of one client ---

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


# --- standard input and output as pipes of the event loop ---

LONGEST_LINE = 96 << 20
"""In bytes: a message may include a document."""


class Lines:
    """Lines of text, in order, until the input ends."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await self._reader.readline():
            yield line.decode("utf-8", "replace")


class Sink:
    """Writer for text."""

    def __init__(self, writer: asyncio.StreamWriter, end: End) -> None:
        self._writer, self._end = writer, end

    async def write(self, text: str) -> None:
        self._writer.write(text.encode("utf-8", "backslashreplace"))

    async def flush(self) -> None:
        await self._writer.drain()

    async def gone(self) -> None:
        """Wait until nobody reads any more."""
        await self._end.lost.wait()


class End(asyncio.streams.FlowControlMixin):
    """Protocol of the write end of a pipe; detects when the reader is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.lost = asyncio.Event()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.lost.set()


class Files:
    """Reader and writer in threads, used if either stream is not a pipe."""

    def __init__(self, source: int, target: int) -> None:
        self._source = os.fdopen(os.dup(source), "rb")
        self._target = os.fdopen(os.dup(target), "wb")

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await asyncio.to_thread(self._source.readline):
            yield line.decode("utf-8", "replace")

    async def write(self, text: str) -> None:
        await asyncio.to_thread(self._target.write, text.encode("utf-8", "backslashreplace"))

    async def flush(self) -> None:
        await asyncio.to_thread(self._target.flush)

    async def gone(self) -> None:
        """Wait for ever: a file has no reader."""
        await asyncio.Event().wait()


@contextmanager
def claimed() -> Iterator[tuple[int, int]]:
    """Yield duplicates of both descriptors that nothing else can use.

    Meanwhile standard input is empty, and printed text goes to standard error, so that only protocol messages are
    written."""
    sys.stdout.flush()
    streams = system.claim_streams()
    try:
        yield streams[0], streams[1]
    finally:
        system.give_streams_back(streams)


async def opened(source: int, target: int) -> tuple[Lines, Sink] | tuple[Files, Files]:
    """Open both descriptors for the running loop."""
    if not (system.is_pipe(source) and system.is_pipe(target)):
        files = Files(source, target)
        return files, files
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(source), "rb", 0))
    flow, end = await loop.connect_write_pipe(End, os.fdopen(os.dup(target), "wb", 0))
    return Lines(reader), Sink(asyncio.StreamWriter(flow, end, None, loop), end)
