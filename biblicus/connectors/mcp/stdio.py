"""The server over standard input and output: for clients that start a process of their own."""

from __future__ import annotations

import asyncio

from mcp.server.stdio import stdio_server

from biblicus.connectors.mcp.server import Client, server
from biblicus.connectors.mcp.work import Work
from biblicus.operations.corpora import Corpora


def run(corpora: Corpora, *, allow_ingest: bool) -> None:
    """Serve until the input ends. Standard output carries the protocol alone; what else is printed goes to the error
    stream."""
    client = Client(frozenset({"read", "ingest"} if allow_ingest else {"read"}))
    work = Work()
    made = server(corpora, lambda ctx: client, work)

    async def serve() -> None:
        async with stdio_server() as (received, sent):
            await made.run(received, sent, made.create_initialization_options())

    try:
        asyncio.run(serve())
    finally:
        work.close()
        corpora.close()
