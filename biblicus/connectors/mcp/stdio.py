"""The server over standard input and output: for clients that start a process of their own, and wait for it."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from typing import Any, Literal

from biblicus.errors import ExtraMissing
from biblicus.service.admission import Admission, Limits
from biblicus.service.corpora import Corpora
from biblicus.service.offers import Offer

LIMITS = Limits(workers=4, waiting=64, seconds=30, writers=1, waiting_writers=8, writing_seconds=3600)
"""One client is served, on its own machine: nobody else waits while it reindexes."""


def run(
    corpora: Corpora,
    *,
    allow_ingest: bool,
    layers: tuple[str, ...] = (),
    offers: Callable[[Admission], Sequence[Offer]] = lambda _: (),
    text: Literal["short", "full"] = "short",
) -> None:
    """Serve until the input ends. Standard output carries the protocol alone; what else is printed goes to the error
    stream. `layers`: the only ones that are shown. `offers`: what a profile adds. `text`: what stands beside the
    structure of answers. Raises `ExtraMissing`."""
    gc.disable()  # what is made while the SDK is imported stays: looking for garbage in it is a sixth of the start
    try:
        from mcp.server.stdio import stdio_server

        from biblicus.connectors.mcp import pipes
        from biblicus.connectors.mcp.exchange import Exchange
        from biblicus.connectors.mcp.server import Client, server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("mcp", "mcp_types"):
            raise ExtraMissing("The MCP server", "mcp") from error
        raise
    finally:
        gc.freeze()
        gc.enable()
    client = Client(frozenset({"read", "ingest"} if allow_ingest else {"read"}), layers=layers)
    admission = Admission(LIMITS)
    made = server(corpora, lambda ctx: client, admission, offers(admission), own=client, text=text)

    async def serve(source: int, target: int) -> None:
        exchange: Any = Exchange(*await pipes.opened(source, target))
        async with stdio_server(exchange, exchange) as (received, sent):
            await made.run(received, sent, made.create_initialization_options())

    try:
        with pipes.claimed() as numbers:
            asyncio.run(serve(*numbers))
    finally:
        admission.close()
        corpora.close()
