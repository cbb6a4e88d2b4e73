"""Standard input and output as pipes of the event loop: no thread stands between a message and its answer.

The SDK reads and writes files, each line by a thread of its own; on a busy machine its hand-overs cost more than the
question. Only where both streams are pipes or sockets, which is how clients start a server.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

LONGEST_LINE = 96 << 20
"""Bytes: a document may come in one message."""


class Lines:
    """What `stdio_server` reads: lines of text, in order, until the input ends."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def __aiter__(self) -> AsyncIterator[str]:
        while line := await self._reader.readline():
            yield line.decode("utf-8", "replace")


class Sink:
    """What `stdio_server` writes to."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self._writer = writer

    async def write(self, text: str) -> None:
        self._writer.write(text.encode("utf-8", "backslashreplace"))

    async def flush(self) -> None:
        await self._writer.drain()


def are_pipes() -> bool:
    """Whether standard input and output are what this can read and write."""
    try:
        modes = [os.fstat(number).st_mode for number in (0, 1)]
    except OSError:
        return False
    return all(stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) for mode in modes)


@contextmanager
def claimed() -> Iterator[tuple[int, int]]:
    """Descriptors of both streams that nothing else knows. Meanwhile what reads from standard input finds its end, and
    what is printed goes to the error stream: the protocol has its line to itself."""
    sys.stdout.flush()
    kept = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 3) for number in (0, 1)]
    nothing = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield kept[0], kept[1]
    finally:
        os.dup2(kept[0], 0)
        os.dup2(kept[1], 1)
        for number in kept:
            os.close(number)


async def opened(source: int, target: int) -> tuple[Lines, Sink]:
    """Both over these descriptors, for the running loop."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(source), "rb", 0))
    flow, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(os.dup(target), "wb", 0))
    return Lines(reader), Sink(asyncio.StreamWriter(flow, protocol, None, loop))
