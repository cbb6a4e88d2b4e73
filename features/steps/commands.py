"""Steps that type commands, in this process or in a real shell, and look at what is printed."""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from biblicus.connectors.cli.app import run
from features.phrase import phrase
from features.world import Table, World, listed, rows

ROOT = Path(__file__).resolve().parents[2]
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@dataclass
class Typed:
    """What a command printed and left with."""

    out: str = ""
    err: str = ""
    code: int = 0


@pytest.fixture
def typed() -> Typed:
    return Typed()


@pytest.fixture
def typing(
    world: World, typed: Typed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Types one command in a folder of the corpus; `< file` and `> file` at its end are those of a shell."""

    def act(command: str, folder: Path = world.folder) -> None:
        monkeypatch.chdir(folder)
        words = shlex.split(command)
        assert words.pop(0) == "biblicus"
        target = source = None
        if ">" in words:
            target = folder / words.pop(words.index(">") + 1)
            words.remove(">")
        if "<" in words:
            source = folder / words.pop(words.index("<") + 1)
            words.remove("<")
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source.read_bytes())))
        capsys.readouterr()
        typed.code = run(words)
        typed.out, typed.err = capsys.readouterr()
        if target is not None:
            target.write_text(typed.out, "utf-8")

    return act


@given(phrase('I typed "{command!}"'))
@when(phrase('I type "{command!}"'))
def type_command(typing: Any, command: str) -> None:
    typing(command)


@when(phrase('I type "{command!}" in the folder "{path}"'))
def type_in(world: World, typing: Any, command: str, path: str) -> None:
    typing(command, world.path(path))


@when(phrase('I type the command that "{file}" ends a piece with'))
def type_shown(world: World, typing: Any, file: str) -> None:
    (command,) = re.findall(r"^ *(biblicus get .*)$", world.path(file).read_text("utf-8"), re.MULTILINE)
    typing(command)


@when(phrase('a shell runs "{command!}"'))
def shell(world: World, typed: Typed, tmp_path: Path, command: str) -> None:
    """The program as a process of its own, under the name that an installation gives it."""
    world.folder.mkdir(exist_ok=True)
    program = tmp_path / "bin" / "biblicus"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m biblicus "$@"\n', "utf-8")
    program.chmod(0o755)
    paths = {"PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["/bin/sh", "-c", command], cwd=world.folder, env={**os.environ, **paths}, capture_output=True, check=False
    )
    typed.out, typed.err, typed.code = done.stdout.decode(), done.stderr.decode(), done.returncode


@pytest.fixture
def lock(world: World) -> Iterator[int]:
    descriptor = os.open(world.path(".biblicus/local/lock"), os.O_RDWR)
    yield descriptor
    os.close(descriptor)


@given("another writer is at work")
def another_writer(lock: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl.flock(lock, fcntl.LOCK_EX)
    monkeypatch.setenv("BIBLICUS_LOCK_TIMEOUT", "0.1")


@then(parsers.parse("the exit code is {code:d}"))
def exit_code(typed: Typed, code: int) -> None:
    assert typed.code == code, typed
    assert ("Traceback" in typed.err) is False or "--debug" in typed.err or code == 3


@then(phrase('standard {stream!} says "{words!}"'))
def says(typed: Typed, stream: str, words: str) -> None:
    assert words in {"output": typed.out, "error": typed.err}[stream]


@then(phrase("standard {stream!} is empty"))
def is_empty(typed: Typed, stream: str) -> None:
    assert {"output": typed.out, "error": typed.err}[stream] == ""


@then("standard error is")
def standard_error_is(typed: Typed, docstring: str) -> None:
    assert typed.err == docstring + "\n"


@then("the last line of standard error is")
def last_line_is(typed: Typed, docstring: str) -> None:
    assert json.loads(typed.err.splitlines()[-1]) == json.loads(docstring)


@then("the last line of standard error holds")
def last_line_holds(typed: Typed, datatable: Table) -> None:
    error = json.loads(typed.err.splitlines()[-1])["error"]
    assert set(error) == {"code", "message", "hint"}
    for row in rows(datatable):
        assert {key: error[key] for key in row} == row


@then("standard output holds no control characters")
def no_control_characters(typed: Typed) -> None:
    assert typed.out
    assert not CONTROL.search(typed.out)


def fields(text: str) -> set[str]:
    return set(listed(text))


@then(phrase('standard output is one document with "{names}"'))
def one_document(typed: Typed, names: str) -> None:
    """One line, one JSON object; further fields may come with later versions."""
    assert typed.out.count("\n") == 1
    assert fields(names) <= set(json.loads(typed.out))


@then(phrase('each of its "{path}" has "{names}"'))
def each_has(typed: Typed, path: str, names: str) -> None:
    found = [json.loads(typed.out)]
    for part in path.split("."):
        found = [one for value in found for one in (value[part] if isinstance(value[part], list) else [value[part]])]
    assert found
    assert [one for one in found if not fields(names) <= set(one)] == []


@then(phrase('none of "{modules}" was imported'))
def not_imported(typed: Typed, modules: str) -> None:
    """From the list that PYTHONPROFILEIMPORTTIME gives."""
    imported = {line.rpartition("|")[2].strip() for line in typed.err.splitlines() if line.startswith("import time:")}
    assert "biblicus.connectors.cli.app" in imported
    assert imported & set(listed(modules)) == set()
