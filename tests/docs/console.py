"""Reads the examples of a page: `console` blocks as commands with what they should print, and code blocks.

A comment right before a block says what the test should know of it: `<!-- not run: why -->`, or
`<!-- needs: module -->` where an extra must be installed.
"""

import io
import re
import shlex
import subprocess
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from tests.front_door import biblicus

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


_EXAMPLE = re.compile(
    r"(?:^<!-- (?P<mark>not run|needs): (?P<words>.+?) -->\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SHELL = frozenset({"console", "sh", "bash"})


class Example(NamedTuple):
    """A fenced block. `not_run`: why it is not run; `needs`: the module without which it is not."""

    language: str
    text: str
    not_run: str
    needs: str


class Step(NamedTuple):
    """A command, and the output that the page shows for it."""

    command: str
    shown: str


def blocks(page: Path, language: str) -> list[str]:
    """The contents of the page's fenced blocks in a language."""
    return [text for name, text in _FENCE.findall(page.read_text(encoding="utf-8")) if name == language]


def examples(page: Path) -> list[Example]:
    """All fenced blocks of a page, in order."""
    fences = []
    for match in _EXAMPLE.finditer(page.read_text(encoding="utf-8")):
        words = match["words"] or ""
        not_run, needs = (words if match["mark"] == mark else "" for mark in ("not run", "needs"))
        fences.append(Example(match["language"], match["text"], not_run, needs))
    return fences


def commands(example: Example) -> list[Step]:
    """The commands of a shell block; in `sh` and `bash` every line is one."""
    if example.language == "console":
        return steps(example.text)
    return [Step(line, "") for line in re.sub(r"\\\n\s*", "", example.text).splitlines() if line]


def steps(block: str) -> list[Step]:
    """A console block as commands, each with the lines that follow it."""
    found: list[Step] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(Step(line[2:], ""))
        else:
            found[-1] = Step(found[-1].command, f"{found[-1].shown}{line}\n")
    return found


_META = frozenset("|<>$*#&;")
"""What a shell gives a meaning, outside of quotes: a command with any of these is run by one."""
_QUOTED = re.compile(r"'[^']*'|\"[^\"$`]*\"")


class Shell:
    """Runs a page's commands one after another; `cd` is remembered. What is plainly `biblicus …`, also in a pipe, is
    run in this process, which spares the start of another."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, command: str) -> str:
        """What a command prints. It must succeed."""
        if command.startswith("cd "):
            self.folder = self.folder / command[3:]
            return ""
        printed = ""
        for part in [command] if "$(" in command else command.split(" | "):
            is_ours = part.startswith("biblicus ") and not set(_QUOTED.sub("", part)) & _META
            printed = self._ours(part, printed) if is_ours else self._others(part, printed)
        return printed

    def _ours(self, command: str, told: str) -> str:
        words = [str(Path(word).expanduser()) if word.startswith("~/") else word for word in shlex.split(command)]
        printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        heard = io.TextIOWrapper(io.BytesIO(told.encode()), encoding="utf-8")
        with chdir(self.folder), redirect_stdout(printed), patch("sys.stdin", heard):
            assert biblicus(words[1:]) == 0, command
        printed.seek(0)
        return printed.read()

    def _others(self, command: str, told: str) -> str:
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.folder, capture_output=True, text=True, timeout=300, input=told
        )
        assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
        return done.stdout


def run_python(code: str, folder: Path) -> str:
    """What a program prints, as a page shows it, started in a folder."""
    printed = io.StringIO()
    with chdir(folder), redirect_stdout(printed):
        exec(compile(code, "<page>", "exec"), {"__name__": "__main__"})  # noqa: S102 (a program of our own page)
    return printed.getvalue()


def missing(shown: str, printed: str) -> list[str]:
    """The fragments of a page's output that a command did not print, in that order. `…` stands for anything."""
    output, at = " ".join(printed.split()), 0
    lost = []
    for fragment in re.split(r"…|\n", shown):
        words = " ".join(fragment.split())
        found = output.find(words, at)
        if found < 0:
            lost.append(words)
        else:
            at = found + len(words)
    return lost
