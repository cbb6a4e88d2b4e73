"""Lines for editors lead to where the snippet begins, however deep it stands in its chunk."""

from __future__ import annotations

from pathlib import Path

import pytest

from biblicus import Corpus
from tests.front_door import biblicus


@pytest.mark.parametrize(("before", "indent"), [(0, ""), (30, ""), (30, "    "), (30, "ü — ")])
def test_a_quickfix_list_leads_to_the_snippet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, before: int, indent: str
):
    quiet = [f"{indent}Quiet row number {number} of the log." for number in range(before)]
    (tmp_path / "log.txt").write_text("\n".join([*quiet, f"{indent}A gull cries.", *quiet[:9]]) + "\n", "utf-8")
    with Corpus.init(tmp_path) as corpus:
        corpus.reindex()
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert biblicus(["query", "gull cries", "--format", "vimgrep"]) == 0
    path, line, column, snippet = capsys.readouterr().out.strip().split(":", 3)
    row = (tmp_path / path).read_bytes().split(b"\n")[int(line) - 1]
    assert "gull cries" in snippet
    assert row[int(column) - 1 :].decode().startswith(snippet.strip("…").split()[0])
    assert (int(line) > 1) is (before > 0)
