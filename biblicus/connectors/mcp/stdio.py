"""The MCP server over standard input and output, for clients that start their own process."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from typing import Any, Literal

from biblicus.contracts import Call
from biblicus.errors import ExtraMissing
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
    text: Literal["short", "full"] = "short",
) -> None:
    """Serve until the input ends. Raises `ExtraMissing`.

    Standard output carries the protocol only; other output goes to standard error. `layers`: the only visible layers.
    `offers`: tools added by a profile. `text`: text besides structured content."""
    gc.disable()  # objects made while the SDK is imported stay; collecting garbage takes a sixth of the start time
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
    client = Client(frozenset({"read", "ingest"} if allow_ingest else {"read"}), call=Call(layers=layers))
    admission = Admission(LIMITS)
    mcp_server = server(corpora, lambda ctx: client, admission, offers(admission), own=client, text=text)

    async def serve(source: int, target: int) -> None:
        exchange: Any = Exchange(*await pipes.opened(source, target))
        async with stdio_server(exchange, exchange) as (received, sent):
            await mcp_server.run(received, sent, mcp_server.create_initialization_options())

    try:
        with pipes.claimed() as numbers:
            asyncio.run(serve(*numbers))
    finally:
        admission.close()
        corpora.close()
