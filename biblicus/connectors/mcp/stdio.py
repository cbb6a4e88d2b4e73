"""The server over standard input and output: for clients that start a process of their own."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from mcp.server.stdio import stdio_server

from biblicus.connectors.mcp import pipes
from biblicus.connectors.mcp.server import Client, server
from biblicus.connectors.mcp.work import Work
from biblicus.service.corpora import Corpora


def run(corpora: Corpora, *, allow_ingest: bool) -> None:
    """Serve until the input ends. Standard output carries the protocol alone; what else is printed goes to the error
    stream."""
    client = Client(frozenset({"read", "ingest"} if allow_ingest else {"read"}))
    work = Work()
    made = server(corpora, lambda ctx: client, work)

    async def serve(*streams: Any) -> None:
        async with stdio_server(*streams) as (received, sent):
            await made.run(received, sent, made.create_initialization_options())

    async def serve_pipes(source: int, target: int) -> None:
        await serve(*cast(Any, await pipes.opened(source, target)))

    try:
        if pipes.are_pipes():
            with pipes.claimed() as (source, target):
                asyncio.run(serve_pipes(source, target))
        else:
            asyncio.run(serve())
    finally:
        work.close()
        corpora.close()
