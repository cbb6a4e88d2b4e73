"""Fast path for plain commands, without importing Typer.

Typer takes a third of a cold query's time; with pydantic, which it needs, two thirds of a warm query to the daemon, and
a third of a `reindex` without changes. So plain commands are parsed here with the same declarations, and executed by
the same code. Anything else (help, an unknown option, a malformed value) is left to Typer before anything is done."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any

from biblicus.connectors.cli.front.commands import Command, Given, commands, exit_code, spelled
from biblicus.connectors.cli.front.options import Common, Option, options_of
from biblicus.errors import UsageError

_CORPUS = next(option.flags for option in options_of(Common, "") if option.name == "corpus")
_SOON_OVER = frozenset(["query", "init", "reindex"])
"""Commands without garbage collection: their objects are freed soon, or live to the end."""


def ask(arguments: Sequence[str]) -> int | None:
    """Run a plain command and return its exit code; None: nothing was done, use Typer."""
    parsed = read(arguments)
    if parsed is None:
        return None
    if parsed.command.words not in _SOON_OVER:
        gc.enable()
    return exit_code(parsed.run, as_json=parsed.common.json)


def read(arguments: Sequence[str]) -> Given | None:
    """Return the parsed command, or None if it is not plain. The corpus option may precede the command."""
    if "" in arguments:  # Typer treats some empty values as not given
        return None
    arguments = spelled(arguments, _CORPUS)
    named = arguments[:2] if len(arguments) > 1 and arguments[0] in _CORPUS else ()
    word, *rest = arguments[len(named) :] or ("",)
    commands_by_words = {command.words: command for command in commands(word)}
    command = commands_by_words.get(word)
    if command is None and rest:
        command = commands_by_words.get(f"{word} {rest.pop(0)}")
    if command is None:
        return None
    try:
        return Given(command, _values(command, [*named, *rest]))
    except (ValueError, UsageError):
        return None


def _values(command: Command, arguments: Sequence[str]) -> dict[str, Any]:
    """Return the given values by field. Raises `ValueError` if the command is not plain."""
    options_by_flag = {flag: option for option in command.options for flag in option.flags}
    texts: list[str] = []
    values: dict[str, Any] = {}
    words = iter(arguments)
    for word in words:
        option = options_by_flag.get(word)
        if word == "--":
            texts += words
        elif option is None and (word == "-" or not word.startswith("-")):
            texts.append(word)
        elif option is None:
            raise ValueError(word)
        elif option.form == "flag":
            values[option.name] = True
        elif (text := next(words, "-")).startswith("-"):
            raise ValueError(text)
        elif option.many:
            values.setdefault(option.name, []).append(option.one(text))
        else:
            values[option.name] = option.one(text)
    if any(option.must_be_given and option.name not in values for option in options_by_flag.values()):
        raise ValueError("what must be given")
    return values | _arguments([option for option in command.options if not option.flags], texts)


def _arguments(options: Sequence[Option], texts: Sequence[str]) -> dict[str, Any]:
    """Return positional values by field: one word each, and the rest for a repeatable one."""
    values: dict[str, Any] = {}
    left = list(texts)
    for number, option in enumerate(options):
        if not left:
            if option.must_be_given:
                raise ValueError(option.name)
        elif not option.many:
            values[option.name] = option.one(left.pop(0))
        elif number + 1 < len(options):
            raise ValueError("only the last one is plainly that of many words")
        else:
            values[option.name], left = [option.one(text) for text in left], []
    if left:
        raise ValueError(left[0])
    return values
