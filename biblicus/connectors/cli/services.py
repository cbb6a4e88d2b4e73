"""Commands for the tokens of services (new, list, revoke) and the user's daemon (start, stop, status, logs)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from biblicus import service
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.models.fields import doc, option
from biblicus.models.sources.readers import GROUP, Reader

if TYPE_CHECKING:
    from biblicus.service.tokens import Made, Shown, Tokens


@dataclass(frozen=True, kw_only=True)
class TokenFile:
    token_file: str | None = option(None, "The file with the digests of the tokens (default: this user's).")


@dataclass(frozen=True, kw_only=True)
class _NewToken(TokenFile):
    scope: Literal["read", "ingest"] = option(
        "read", "What the token allows; ingest includes reading.", choices=("read", "ingest")
    )
    name: str = option("", "A label that says what the token is for.")
    layer: tuple[str, ...] = option((), "Show only this layer of the corpora, or any of several.")
    reader: str = option(
        "", "The reader who uses the token, who sees what is theirs (default: only what is open to all)."
    )
    groups: tuple[str, ...] = option((), "A group of the reader.")


@dataclass(frozen=True, kw_only=True)
class _OldToken(TokenFile):
    token: str = field(kw_only=False, metadata=doc("The token, by the id that `token list` shows."))


def tokens_of(given: Given) -> Tokens:
    """Return the tokens in the command's file, or this user's."""

    return service.tokens.Tokens(None if given.own.token_file is None else Path(given.own.token_file))


def _new(made: Made, given: Given) -> None:
    output.line(made.token)
    output.remark(f"Token {made.id} ({made.scope}). It is not shown again; revoke it: biblicus token revoke {made.id}")


_TOKENS = output.each("", lambda t: (t.id, t.scope, t.created_at, ",".join(t.layers), _readers(t), t.name))


def _readers(token: Shown) -> str:
    return ",".join([*filter(None, [token.reader]), *(GROUP + group for group in token.groups)])


@dataclass(frozen=True, kw_only=True)
class _Log:
    lines: int = option(50, "How many lines.", ge=1)


def _daemon(reply: Callable[[Any, Given], Any]) -> Callable[[Given], Any]:
    """Return the reply of a command, from the daemon's module, which only these commands need."""
    return lambda given: reply(import_module("biblicus.service.askers.daemon"), given)


def _show_daemon(state: Mapping[str, Any], given: Given) -> None:
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


def _show_log(lines: Sequence[str], given: Given) -> None:
    for text in lines:
        output.line(text)
    if not lines:
        output.line("No log yet. biblicus daemon start begins one.")


COMMANDS = (
    Command(
        "token new",
        None,
        _new,
        help="Create a token and print it once: only its digest is stored.",
        own=_NewToken,
        reply=lambda given: tokens_of(given).new(
            given.own.scope, given.own.name, given.call, given.own.layer, Reader(given.own.reader, given.own.groups)
        ),
    ),
    Command(
        "token list",
        None,
        _TOKENS,
        help="List the tokens. Their secret texts are not stored.",
        own=TokenFile,
        reply=lambda given: tokens_of(given).list(),
        document=lambda tokens, _: {"tokens": tokens},
        lists="",
    ),
    Command(
        "token revoke",
        None,
        output.says(lambda gone: f"{gone.id} ({gone.scope}) opens nothing any more."),
        help="Revoke a token. A running service refuses it from the next request on.",
        own=_OldToken,
        reply=lambda given: tokens_of(given).revoke(given.own.token, given.call),
    ),
    Command(
        "daemon start",
        None,
        _show_daemon,
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
        _show_daemon,
        help="Show whether the daemon is running, and which corpora it keeps open.",
        reply=_daemon(lambda daemon, given: daemon.status()),
    ),
    Command(
        "daemon logs",
        None,
        _show_log,
        help="Print the end of the daemon's log. It contains verbs, codes and times, never the questions.",
        own=_Log,
        reply=_daemon(lambda daemon, given: daemon.log(given.own.lines)),
        document=lambda lines, _: {"lines": lines},
    ),
)
