"""The table of what a shell completes: every command with its options, and of which kind their values are."""

from __future__ import annotations

import json
from typing import Any

from biblicus.connectors.cli.front.commands import commands
from biblicus.connectors.cli.front.options import Option
from biblicus.models.recipe import BUILT_IN

KINDS = {
    "base": "recipe",
    "dataset": "dataset",
    "first": "run",
    "item": "item",
    "items": "item",
    "persona": "persona",
    "recipe": "recipe",
    "recipes": "recipe",
    "run": "run",
    "runs": "run",
    "second": "run",
    "tag": "tag",
    "tags": "tag",
    "changes": "change",
    "target": "item",
    "datasets show.name": "dataset",
    "personas check.name": "persona",
    "personas show.name": "persona",
    "recipes show.name": "recipe",
    "runs keep.names": "run",
    "runs prune.names": "run",
}
"""Kinds of names that a corpus has, by field, or by command and field. All else is left to the shell."""


def kind(words: str, option: Option) -> Any:
    """What completes an option's value; None for one that takes none."""
    if option.form == "flag":
        return None
    return list(option.choices) or KINDS.get(f"{words}.{option.name}") or KINDS.get(option.name, "")


def text() -> str:
    """The table as JSON, a command a line."""
    rows = []
    for command in commands():
        options = {flag: kind(command.words, option) for option in command.options for flag in option.flags}
        arguments = [kind(command.words, option) for option in command.options if not option.flags]
        row = {"arguments": arguments, "options": {**options, "--help": None}}
        rows.append(f"{json.dumps(command.words)}: {json.dumps(row)}")
    own = ["--corpus", "--version", "--debug", "--install-completion", "--show-completion", "--help"]
    inner = ",\n".join(rows)
    return (
        f'{{"options": {json.dumps(own)},\n"recipes": {json.dumps(sorted(BUILT_IN))},\n"commands": {{\n{inner}\n}}}}\n'
    )
