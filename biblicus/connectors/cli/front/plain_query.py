"""The short way of a plain question: it spares what a command line's parser costs to import.

Typer takes a third of a cold question's time; with pydantic, two thirds of a warm one's to the daemon. A plain
`biblicus query …` is therefore read here, by the same declaration, and asked, printed and refused by the same code.
Whatever is not plain (help, an unknown option, a malformed value) is left to Typer before anything is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from biblicus.connectors.cli.front.commands import Given, exit_code
from biblicus.connectors.cli.query import ASK
from biblicus.errors import UsageError

_CORPUS = next(option.flags for option in ASK.options if option.name == "corpus")


def ask(arguments: Sequence[str]) -> int | None:
    """The exit code of a plain question; None: nothing was done, Typer is to read it."""
    given = read(arguments)
    return None if given is None else exit_code(given.run, as_json=given.common.json)


def read(arguments: Sequence[str]) -> Given | None:
    """The question with its options; None where it is not plain. The corpus may be named before the command's word."""
    named = arguments[:2] if len(arguments) > 1 and arguments[0] in _CORPUS else ()
    command, *rest = arguments[len(named) :] or ("",)
    if command != ASK.words:
        return None
    try:
        given = Given(ASK, _values([*named, *rest]))
        return given if given.request else None
    except (ValueError, UsageError):
        return None


def _values(arguments: Sequence[str]) -> dict[str, Any]:
    """What is given, by field. Raises `ValueError` for what is not plain."""
    known = {flag: option for option in ASK.options for flag in option.flags}
    texts = next(option for option in ASK.options if not option.flags)
    values: dict[str, Any] = {texts.name: []}
    words = iter(arguments)
    for word in words:
        option = known.get(word)
        if word == "--":
            values[texts.name] += words
        elif option is None and not word.startswith("-"):
            values[texts.name].append(word)
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
    if not values[texts.name]:
        raise ValueError(texts.name)
    return values
