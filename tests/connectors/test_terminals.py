"""What a shell closed, and how narrow its terminal is, changes no result."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from biblicus import Corpus
from biblicus.__main__ import _fill_streams
from tests.front_door import biblicus


@pytest.mark.parametrize("name", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_leads_nowhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.listdir("/proc/self/fd") if sys.platform == "linux" else []
    monkeypatch.setattr(sys, name, None)
    _fill_streams()
    assert getattr(sys, name).fileno() == ["stdin", "stdout", "stderr"].index(name)
    assert before == (os.listdir("/proc/self/fd") if before else [])


@pytest.mark.parametrize("words", [["query"], ["answer"]])
@pytest.mark.parametrize("columns", ["1", "4", "12", "29"])
def test_a_narrow_terminal(
    words: list[str],
    columns: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "winch.md").write_text("# Winch\n\nThe winch on the north mole is greased on the first of May.\n")
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
    monkeypatch.setenv("COLUMNS", columns)
    assert biblicus([*words, "When is the winch greased?", "-C", str(tmp_path)]) == 0
    assert "first" in capsys.readouterr().out
