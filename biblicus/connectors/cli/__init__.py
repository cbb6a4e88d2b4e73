"""The command line: one file per group of commands, one place for errors, one for output."""

from typing import TYPE_CHECKING

from biblicus.lazy import modules_of

if TYPE_CHECKING:
    from biblicus.connectors.cli import answer, conversation, line_format, query, runs
else:
    __getattr__ = modules_of(__name__)
