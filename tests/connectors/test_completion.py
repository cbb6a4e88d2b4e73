"""Completion in a shell: Typer's, of commands, options and their values."""

from __future__ import annotations

import pytest

from tests.front_door import biblicus


@pytest.mark.parametrize(
    ("line", "candidates"),
    [
        ("quer", {"query"}),
        ("run", {"runs"}),
        ("runs di", {"diff"}),
        ("--show", {"--show-completion"}),
        ("get sea/tides.md --lo", {"--locator"}),
        ("list --sort ti", {"title"}),
        ("get x --lines ", set()),
    ],
)
def test_a_line_is_completed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, candidates: set[str]
):
    monkeypatch.setenv("_BIBLICUS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"biblicus {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(f"biblicus {line}x".split()) - 1))
    biblicus([])
    assert set(capsys.readouterr().out.split("\n")) - {""} == candidates


def test_the_script_requests_candidates(capsys: pytest.CaptureFixture[str]):
    assert biblicus(["--show-completion", "bash"]) == 0
    assert "_BIBLICUS_COMPLETE=complete_bash" in capsys.readouterr().out
