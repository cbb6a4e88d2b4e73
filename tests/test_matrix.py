"""The Pythons and machines of `make test-matrix`: what is found, what is left out, what a stranger gets."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.matrix import Stranger, interpreters, matrix


def test_a_python_that_is_not_installed_is_named_and_left_out():
    assert matrix(["3.99"], []) == [("3.99", "any machine", "skipped: not installed")]


def test_only_a_python_of_that_version_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    version = "{}.{}".format(*sys.version_info)
    for name, lie in (("python3.98", "3.97"), (f"python{version}", version)):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {lie}\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert list(interpreters("3.98")) == []
    assert next(interpreters(version)) == str(tmp_path / f"python{version}")


def test_a_stranger_has_the_changes_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    (work / "committed.txt").write_text("old", "utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        subprocess.run([*git, *words], check=True)
    (work / "committed.txt").write_text("changed", "utf-8")
    (work / "new.txt").write_text("new", "utf-8")
    (tmp_path / "far").mkdir()
    copy = Stranger(tmp_path / "far").checkout()
    assert [(copy / name).read_text("utf-8") for name in ("committed.txt", "new.txt")] == ["changed", "new"]
