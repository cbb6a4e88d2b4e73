"""Commands on the user's daemon: start, stop, status, logs."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Json


def add(app: typer.Typer) -> None:
    """Register the group."""
    group = typer.Typer(help="Keep corpora warm in the background, so that --at daemon answers fast.")
    group.command()(start)
    group.command()(stop)
    group.command()(status)
    group.command()(logs)
    app.add_typer(group, name="daemon")


def start(as_json: Json = False) -> None:
    """Start the daemon, unless it runs. It ends by itself when nobody asks for a while (daemon_idle)."""
    from biblicus.contracts import Call
    from biblicus.service.daemon import start as operation

    _show(operation(Call()), as_json)


def stop(as_json: Json = False) -> None:
    """Stop the daemon once it has answered what it is answering."""
    from biblicus.contracts import Call
    from biblicus.service.daemon import stop as operation

    found = operation(Call())
    if as_json:
        output.document(found)
    else:
        output.line("The daemon has stopped." if found["stopped"] else "The daemon was not running.")


def status(as_json: Json = False) -> None:
    """Say whether the daemon runs, and what it keeps warm."""
    from biblicus.service.daemon import status as operation

    _show(operation(), as_json)


def logs(
    lines: Annotated[int, typer.Option("-n", "--lines", min=1, metavar="N", help="How many lines.")] = 50,
    as_json: Json = False,
) -> None:
    """Print the end of the daemon's log. It holds verbs, codes and times, never what was asked."""
    from biblicus.service.daemon import log

    found = log(lines)
    if as_json:
        output.document({"lines": found})
        return
    for text in found:
        output.line(text)
    if not found:
        output.line("No log yet. biblicus daemon start begins one.")


def _show(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        output.document(found)
        return
    if not found["running"]:
        output.line("The daemon is not running. biblicus daemon start starts it.")
        return
    memory = f", {output.size(found['memory_bytes'])}" if found["memory_bytes"] else ""
    output.line(f"The daemon runs: pid {found['pid']}, since {found['since']}{memory}", bold=True)
    output.line(
        f"{found['answered']} answered, {found['failed']} failed; ends {found['idle_seconds']:.0f} s after the last"
    )
    for corpus in found["corpora"]:
        output.line(f"warm: {corpus}")
