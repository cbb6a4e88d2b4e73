"""Standard input and output as pipes of the event loop, without threads.

For files, reads and writes run in threads, which costs more than the query on a busy machine. Pipes and sockets, which
clients use to start a server, need none."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from biblicus.disk import system

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
    """Reader and writer used if either stream is not a pipe."""

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
