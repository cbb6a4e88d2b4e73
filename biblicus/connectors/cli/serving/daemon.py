"""Commands for the user's daemon: start, stop, status, logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.models.fields import option


@dataclass(frozen=True, kw_only=True)
class _Log:
    lines: int = option(50, "How many lines.", ge=1)


def _daemon(reply: Callable[[Any, Given], Any]) -> Callable[[Given], Any]:
    """Return the reply of a command, from the daemon's module, which only these commands need."""
    return lambda given: reply(import_module("biblicus.service.askers.daemon"), given)


def _show(state: Mapping[str, Any], given: Given) -> None:
    if not state["running"]:
        output.line("The daemon is not running. biblicus daemon start starts it.")
        return
    memory = f", {output.size(state['memory_bytes'])}" if state["memory_bytes"] else ""
    output.line(f"The daemon runs: pid {state['pid']}, since {state['since']}{memory}", bold=True)
    output.line(
        f"{state['answered']} answered, {state['failed']} failed; ends {state['idle_seconds']:.0f} s after the last"
    )
    for corpus in state["corpora"]:
        output.line(f"warm: {corpus}")


def _lines(lines: Sequence[str], given: Given) -> None:
    for text in lines:
        output.line(text)
    if not lines:
        output.line("No log yet. biblicus daemon start begins one.")


COMMANDS = (
    Command(
        "daemon start",
        None,
        _show,
        help="Start the daemon if it is not running. It stops when it has been idle for a while (setting daemon_idle).",
        reply=_daemon(lambda daemon, given: daemon.start(given.call)),
    ),
    Command(
        "daemon stop",
        None,
        output.says(lambda outcome: "The daemon has stopped." if outcome["stopped"] else "The daemon was not running."),
        help="Stop the daemon after it has finished its current answers.",
        reply=_daemon(lambda daemon, given: daemon.stop(given.call)),
    ),
    Command(
        "daemon status",
        None,
        _show,
        help="Show whether the daemon is running, and which corpora it keeps open.",
        reply=_daemon(lambda daemon, given: daemon.status()),
    ),
    Command(
        "daemon logs",
        None,
        _lines,
        help="Print the end of the daemon's log. It contains verbs, codes and times, never the questions.",
        own=_Log,
        reply=_daemon(lambda daemon, given: daemon.log(given.own.lines)),
        document=lambda lines, _: {"lines": lines},
    ),
)
