"""Lines for editors lead to where the snippet begins, however deep it stands in its chunk."""

import os
from pathlib import Path

import pytest

from tests.folders import corpus_of
from tests.front_door import biblicus


@pytest.mark.parametrize(("before", "indent"), [(0, ""), (30, ""), (30, "    "), (30, "ü — ")])
def test_a_quickfix_list_leads_to_the_snippet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, before: int, indent: str
):
    quiet = [f"{indent}Quiet row number {number} of the log." for number in range(before)]
    corpus_of(tmp_path, {"log.txt": "\n".join([*quiet, f"{indent}A gull cries.", *quiet[:9]]) + "\n"})
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert biblicus(["query", "gull cries", "--format", "vimgrep"]) == 0
    path, line, column, snippet = capsys.readouterr().out.strip().split(":", 3)
    row = (tmp_path / path).read_bytes().split(b"\n")[int(line) - 1]
    assert "gull cries" in snippet
    assert row[int(column) - 1 :].decode().startswith(snippet.strip("…").split()[0])
    assert (int(line) > 1) is (before > 0)


def test_names_that_are_no_text_reach_programs_whole_and_terminals_safe(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
):
    name = b"gull\xff\n\x1b[2J.txt"
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))).write_text("A gull cries.\n", "utf-8")
    corpus_of(tmp_path, {})
    monkeypatch.chdir(tmp_path)
    for command in (["list"], ["query", "gull"]):
        capfdbinary.readouterr()
        assert biblicus([*command, "-0", "--format", "paths"]) == 0
        assert capfdbinary.readouterr().out == name + b"\0"
        assert biblicus([*command, "--format", "{file} {path} {title}"]) == 0
        line = capfdbinary.readouterr().out
        assert line.count(b"\n") == 1
        assert b"\x1b" not in line
