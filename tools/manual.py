"""The manual page `biblicus(1)`, from the same help texts as `--help` (`python -m tools.manual > biblicus.1`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import version

from tools import cli_page


def manual() -> str:
    """Return the page in the language of man(7): a section for each command, its help letter by letter."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    number = version("biblicus-corpus")
    yield f'.TH BIBLICUS 1 "" "Biblicus {number}" "User Commands"'
    yield from (".SH NAME", r"biblicus \- turn a folder of files into evidence that can be verified")
    yield from (".SH SYNOPSIS", r".B biblicus", ".I COMMAND", "[options]")
    yield from (".SH DESCRIPTION", *_verbatim(cli_page.front_help()))
    for name, command in cli_page.commands():
        yield from (f'.SH "biblicus {name}"', *_verbatim(cli_page.help_of(command, name)))
        examples = cli_page.EXAMPLES.get(name, ())
        if examples:
            yield from ("Examples:", *_verbatim("\n".join(f"    {line}" for line in examples)))


def _verbatim(text: str) -> list[str]:
    """Return lines that a formatter leaves as they are: backslashes, dashes and leading dots are escaped."""
    lines = [line.replace("\\", "\\e").replace("-", "\\-") for line in text.strip("\n").splitlines()]
    return [".nf", *(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines), ".fi"]


if __name__ == "__main__":
    sys.stdout.write(manual())
