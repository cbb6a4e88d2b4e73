"""The command line's front door: the commands, and the one boundary where errors become words and exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer

from biblicus.connectors.cli.options import CORPUS_HELP, State
from biblicus.connectors.cli.output import fail
from biblicus.errors import BiblicusError, StorageFailed, UsageError
from biblicus.service.telemetry import observe

_GROUPS = {
    "corpus": ("init", "ingest", "remove", "tag", "stats", "check", "trust"),
    "items": ("list", "show", "get", "tree"),
    "runs": ("reindex", "runs", "recipes"),
    "query": ("query", "verify"),
    "context": ("context",),
    "answer": ("answer",),
    "personas": ("personas",),
    "weights": ("weight",),
    "version": ("version",),
    "sources": ("sources",),
    "bibliography": ("bibliography",),
    "daemon": ("daemon",),
    "events": ("events",),
    "serve": ("serve", "token"),
    "mcp": ("mcp",),
    "datasets": ("datasets",),
    "evaluation": ("eval",),
    "tuning": ("tune",),
}
"""Module to its commands. One command needs one module: what the others would cost is spared."""

_SETTINGS: dict[str, Any] = {
    "name": "biblicus",
    "help": "Turn any folder into a corpus: ingest, reindex, query; every answer cites exact, verifiable evidence.",
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"biblicus {version('biblicus-corpus')}")
        raise typer.Exit


def _global(
    corpus_path: Annotated[str | None, typer.Option("-C", "--corpus", metavar="PATH", help=CORPUS_HELP)] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback where something fails.")] = False,
) -> None:
    State.corpus = corpus_path


def app(command: str | None = None) -> typer.Typer:
    """The application: with every command, or with the group that holds the one asked for."""
    made = typer.Typer(**_SETTINGS)
    made.callback()(_global)
    groups = [group for group, names in _GROUPS.items() if command in names] or list(_GROUPS)
    for group in groups:
        import_module(f"biblicus.connectors.cli.{group}").add(made)
    return made


def _command(words: Sequence[str]) -> str | None:
    """The command among the arguments; None where global options stand before it, or help was asked for."""
    return words[0] if words and not words[0].startswith("-") else None


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code. Never lets an exception out unless `--debug` is among the arguments."""
    words = list(arguments) or ["--help"]
    before = words[: words.index("--")] if "--" in words else words
    debug, as_json = "--debug" in before, "--json" in before
    if debug:
        words.remove("--debug")
    State.corpus = None
    _accept_any_text()
    try:
        observe()
        code: object = app(_command(words))(words, prog_name="biblicus", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except typer.Exit as leaving:
        return leaving.exit_code
    except (typer.Abort, KeyboardInterrupt):
        fail(BiblicusError("Interrupted; the previous state stands."), as_json)
        return 130
    except BrokenPipeError:
        # The reader of our output left (`| head`): point the descriptor elsewhere, so that the exit stays silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except Exception as error:
        if debug:
            traceback.print_exc()
        known = _known(error)
        fail(known, as_json)
        return known.exit_code


def _accept_any_text() -> None:
    """File names and arguments may hold bytes that are no UTF-8: printing them must not fail."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _known(error: Exception) -> BiblicusError:
    """The error as one of ours, with its exit code."""
    if isinstance(error, BiblicusError):
        return error
    if isinstance(error, typer.TyperException):
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "biblicus"
        return UsageError(error.format_message(), f"{command} --help")
    if isinstance(error, OSError):
        return StorageFailed(str(error.filename or "a file"), (error.strerror or str(error)).lower())
    return BiblicusError(f"Something unexpected: {type(error).__name__}: {error}", "the same command with --debug")
