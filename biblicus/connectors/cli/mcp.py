"""The command for agents: mcp."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from biblicus.connectors.cli.options import State
from biblicus.errors import ExtraMissing


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(mcp)


def mcp(
    corpora: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CORPUS|NAME=CORPUS]…", help="The corpora to serve (default: where you are)."),
    ] = None,
    allow_ingest: Annotated[
        bool, typer.Option("--allow-ingest", help="Offer the tools that add documents and reindex, too.")
    ] = False,
) -> None:
    """Serve corpora to an agent over standard input and output (MCP). Needs the extra [mcp]."""
    from biblicus.service.corpora import Corpora

    try:
        from biblicus.connectors.mcp.stdio import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("mcp", "mcp_types"):
            raise ExtraMissing("The MCP server", "mcp") from error
        raise
    run(Corpora.open(corpora or [str(State.corpus or Path.cwd())]), allow_ingest=allow_ingest)
