"""The short way of a plain command: it spares what a command line's parser costs to import.

Typer takes a third of a cold question's time; with pydantic, two thirds of a warm one's to the daemon, and a third of a
`reindex` that finds nothing changed. A plain `biblicus query …`, `init` or `reindex` is therefore read here, by the
same declaration, and asked, printed and refused by the same code. Whatever is not plain (help, an unknown option, a
malformed value) is left to Typer before anything is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from biblicus.connectors.cli.front.commands import Command, Given, exit_code
from biblicus.connectors.cli.front.options import Common, options_of
from biblicus.errors import UsageError

_HOMES = {"query": "query", "init": "corpus", "reindex": "runs"}
"""The modules of the commands that are read so."""
_CORPUS = next(option.flags for option in options_of(Common, "") if option.name == "corpus")


def ask(arguments: Sequence[str]) -> int | None:
    """The exit code of a plain command; None: nothing was done, Typer is to read it."""
    given = read(arguments)
    return None if given is None else exit_code(given.run, as_json=given.common.json)


def read(arguments: Sequence[str]) -> Given | None:
    """The command with its options; None where it is not plain. The corpus may be named before the command's word."""
    named = arguments[:2] if len(arguments) > 1 and arguments[0] in _CORPUS else ()
    word, *rest = arguments[len(named) :] or ("",)
    if word not in _HOMES:
        return None
    commands = import_module(f"biblicus.connectors.cli.{_HOMES[word]}").COMMANDS
    command: Command = next(command for command in commands if command.words == word)
    try:
        given = Given(command, _values(command, [*named, *rest]))
        is_plain = (command.verb is None or given.request) and (command.own is None or given.own)
        return given if is_plain else None
    except (ValueError, UsageError):
        return None


def _values(command: Command, arguments: Sequence[str]) -> dict[str, Any]:
    """What is given, by field. Raises `ValueError` for what is not plain."""
    known = {flag: option for option in command.options for flag in option.flags}
    argument = next((option for option in command.options if not option.flags), None)
    texts: list[str] = []
    values: dict[str, Any] = {}
    words = iter(arguments)
    for word in words:
        option = known.get(word)
        if word == "--":
            texts += words
        elif option is None and not word.startswith("-"):
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
    if argument is None:
        if texts:
            raise ValueError(texts[0])
        return values
    is_one_too_many = len(texts) > 1 and not argument.many
    if is_one_too_many or (argument.must_be_given and not texts):
        raise ValueError(argument.name)
    if texts:
        values[argument.name] = texts if argument.many else texts[0]
    return values
