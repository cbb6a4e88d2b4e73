"""Completion in a shell: Typer's, with names of the corpus that no shell interprets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.folders import corpus_of
from tests.front_door import biblicus


@pytest.fixture(scope="module")
def shore(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shore")
    for name in ("sea/tides.md", "sea/gulls.md", "sea view.md", "sea$(touch owned).md", "sea`x`.md", "sea\a.md"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("---\ntags: [moon, 'big sea']\n---\nText.\n", "utf-8")
    corpus_of(folder, {}, "lexical")
    (folder / ".biblicus" / "personas").mkdir()
    (folder / ".biblicus" / "personas" / "keeper.yml").write_text("id: keeper\n", "utf-8")
    return folder


@pytest.mark.parametrize(
    ("line", "candidates"),
    [
        ("quer", {"query"}),
        ("run", {"runs"}),
        ("runs di", {"diff"}),
        ("--show", {"--show-completion"}),
        ("show sea", {"sea/gulls.md", "sea/tides.md"}),
        ("get sea/tides.md --lo", {"--locator"}),
        ("query moon --tag ", {"moon"}),
        ("query moon --recipe lex", {"lexical"}),
        ("recipes show s", {"scan"}),
        ("answer x --persona ", {"keeper"}),
        ("personas show k", {"keeper"}),
        ("personas new k", set()),
        ("list --sort ti", {"title"}),
        ("--corpus . show sea/t", {"sea/tides.md"}),
        ("show -C nowhere sea", set()),
        ("get x --lines ", set()),
    ],
)
def test_a_line_is_completed(
    shore: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, candidates: set[str]
):
    monkeypatch.chdir(shore)
    monkeypatch.setenv("_BIBLICUS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"biblicus {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(f"biblicus {line}x".split()) - 1))
    biblicus([])
    assert set(capsys.readouterr().out.split("\n")) - {""} == candidates


def test_the_script_requests_candidates(capsys: pytest.CaptureFixture[str]):
    assert biblicus(["--show-completion", "bash"]) == 0
    assert "_BIBLICUS_COMPLETE=complete_bash" in capsys.readouterr().out
