"""The command that says what a bare query is answered from: version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.commands import Command, Given
from biblicus.service.verbs import VERSION

if TYPE_CHECKING:
    from biblicus.runs.version import Version


def _version(version: Version, given: Given) -> None:
    for key, value in vars(version).items():
        output.line(f"{key:14} {str(value).lower() if isinstance(value, bool) else value}")


COMMANDS = (
    Command("version", VERSION, _version, more="What a bare query is answered from, and whether it is current."),
)
