"""Steps that type commands, in this process or in a real shell, and look at what is printed."""

import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import given, when

from biblicus.disk import system
from features.phrase import phrase
from features.world import Row, Table, World, rows
from tests.front_door import biblicus

ROOT = Path(__file__).resolve().parents[2]


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
def typing(world: World, typed: Typed, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
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
        typed.code = biblicus(words)
        typed.out, typed.err = capsys.readouterr()
        if target is not None:
            target.write_text(typed.out, "utf-8")

    return act


@given(phrase('I typed "{command!}"'))
@when(phrase('I type "{command!}"'))
def type_command(typing: Any, command: str) -> None:
    typing(command)


@when("I type these commands", target_fixture="session")
def type_each(typing: Any, typed: Typed, datatable: Table) -> list[tuple[Row, Typed]]:
    session = []
    for row in rows(datatable):
        typing(row["command"])
        session.append((row, replace(typed)))
    return session


@when(phrase('in the folder "{path}" I type "{command!}"'))
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
    assert system.lock(lock)
    monkeypatch.setenv("BIBLICUS_LOCK_TIMEOUT", "0.1")
