"""Commands for the user's daemon: start, stop, status, logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.models.fields import option


@dataclass(frozen=True, kw_only=True)
class _Log:
    lines: int = option(50, "How many lines.", ge=1)


def _started(given: Given) -> Mapping[str, Any]:
    from biblicus.service.daemon import start

    return start(given.call)


def _stopped(given: Given) -> Mapping[str, Any]:
    from biblicus.service.daemon import stop

    return stop(given.call)


def _state(given: Given) -> Mapping[str, Any]:
    from biblicus.service.daemon import status

    return status()


def _log(given: Given) -> Sequence[str]:
    from biblicus.service.daemon import log

    return log(given.own.lines)


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


def _stop(outcome: Mapping[str, Any], given: Given) -> None:
    output.line("The daemon has stopped." if outcome["stopped"] else "The daemon was not running.")


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
        reply=_started,
    ),
    Command(
        "daemon stop", None, _stop, help="Stop the daemon after it has finished its current answers.", reply=_stopped
    ),
    Command(
        "daemon status",
        None,
        _show,
        help="Show whether the daemon is running, and which corpora it keeps open.",
        reply=_state,
    ),
    Command(
        "daemon logs",
        None,
        _lines,
        help="Print the end of the daemon's log. It contains verbs, codes and times, never the questions.",
        own=_Log,
        reply=_log,
        document=lambda lines, _: {"lines": lines},
    ),
)
