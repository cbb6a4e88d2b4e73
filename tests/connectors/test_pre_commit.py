"""The hooks for pre-commit: what their entries do in a repository, run as pre-commit runs them."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.front_door import biblicus

ROOT = Path(__file__).resolve().parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
PAGE = (ROOT / "docs" / "integrations.md").read_text("utf-8")
(BLOCK,) = (block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "repos:" in block)
LOCAL = {hook["id"]: hook for hook in yaml.safe_load(BLOCK)["repos"][0]["hooks"]}
KEYS = {"id", "name", "description", "entry", "args", "language", "files", "always_run", "pass_filenames"}


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that holds a corpus, with a document that quotes it."""
    folder = tmp_path / "harbour"
    shutil.copytree(ROOT / "examples" / "harbour", folder)
    (folder / "docs").mkdir()
    (folder / "docs" / "quoting.md").write_text("> The long clamps, for a week.\n> [notes/boat-shed.md:19]\n", "utf-8")
    monkeypatch.chdir(folder)
    assert biblicus(["init", "."]) == 0
    assert biblicus(["reindex"]) == 0
    return folder


def run(hook: dict[str, Any]) -> int:
    """The entry with its arguments; no hook is handed the files that were changed."""
    program, *words = shlex.split(hook["entry"])
    assert program == "biblicus"
    assert hook["pass_filenames"] is False
    return biblicus([*words, *hook.get("args", [])])


def test_the_hooks_say_what_pre_commit_reads():
    assert set(HOOKS) == {"biblicus-check", "biblicus-citations"} == set(LOCAL)
    assert [hook for hook in HOOKS.values() if hook.keys() - KEYS or hook["language"] != "python"] == []
    assert HOOKS["biblicus-citations"]["always_run"] is True  # an edited source stales what an unchanged file quotes
    for path, is_ours in ((".biblicus/catalog.json", True), ("notes/.biblicus/config.yml", True), ("a.md", False)):
        assert bool(re.search(HOOKS["biblicus-check"]["files"], path)) is is_ours


@pytest.mark.parametrize("hooks", [HOOKS, LOCAL], ids=["published", "on the page"])
def test_an_edited_source_fails_the_document_that_quotes_it(harbour: Path, hooks: dict[str, dict[str, Any]]):
    assert run(hooks["biblicus-check"]) == 0
    assert run(hooks["biblicus-citations"]) == 0
    shed = harbour / "notes" / "boat-shed.md"
    shed.write_text(shed.read_text("utf-8").replace("for a week", "for a day"), "utf-8")
    assert run(hooks["biblicus-citations"]) == 4
    (harbour / ".biblicus" / "catalog.json").write_text("{torn", "utf-8")
    assert run(hooks["biblicus-check"]) != 0
