"""The example workflow: it parses, its commands are ours, and they pass or fail a change as it says."""

import re
import shlex
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.front_door import biblicus

CI = Path(__file__).resolve().parents[2] / "examples" / "ci"
WORKFLOW = (CI / "github-actions.yml").read_text("utf-8")
STEPS = yaml.safe_load(WORKFLOW)["jobs"]["eval"]["steps"]
BEFORE = re.findall(r"^#   (biblicus .*)$", WORKFLOW, re.MULTILINE)


def commands(step: str) -> list[list[str]]:
    """The commands of ours in a step, as words."""
    (script,) = [found["run"] for found in STEPS if found.get("name") == step]
    lines = script.replace("\\\n", " ").splitlines()
    return [shlex.split(line)[1:] for line in lines if line.startswith("biblicus ")]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus as the workflow's comments make it."""
    folder = tmp_path / "harbour"
    shutil.copytree(CI.parent / "harbour", folder)
    shutil.copy(CI.parent / "questions.jsonl", tmp_path)
    monkeypatch.chdir(folder)
    (folder / "report").mkdir()
    assert biblicus(["init", "."]) == 0
    for line in BEFORE:
        words = [str(tmp_path / word) if word == "questions.jsonl" else word for word in shlex.split(line)[1:]]
        assert biblicus(words) == 0, line
    return folder


def test_the_workflow_has_the_steps_of_a_gate():
    assert len(BEFORE) == 3
    names = [step.get("name") for step in STEPS]
    assert names[2:] == [
        "Install", "Build the run", "Measure, and compare with the baseline", "Golden questions", "Show the comparison",
        "Keep the reports",
    ]  # fmt: skip
    assert [step.get("if") for step in STEPS[-2:]] == ["always()", "always()"]
    # YAML reads `on` as true; a workflow needs it, and its permissions small.
    assert yaml.safe_load(WORKFLOW)["permissions"] == {"contents": "read"}


def test_a_change_that_does_no_harm_passes(checkout: Path):
    for words in commands("Build the run") + commands("Measure, and compare with the baseline"):
        assert biblicus(words) == 0, words
    suite = ET.parse(checkout / "report/junit.xml").getroot()[0]
    assert suite.get("failures") == "0"
    assert (checkout / "report/summary.md").read_text("utf-8").startswith("## Evaluation of `questions`")
    assert "<!doctype html>" in (checkout / "report/report.html").read_text("utf-8")


def test_a_change_that_makes_questions_worse_fails_and_names_them(checkout: Path):
    for path in ("notes/seals.md", "notes/gaeste.md"):
        (checkout / path).unlink()
    for words in commands("Build the run"):
        assert biblicus(words) == 0, words
    (words,) = commands("Measure, and compare with the baseline")
    assert biblicus(words) == 4
    failures = list(ET.parse(checkout / "report/junit.xml").getroot().iter("failure"))
    assert len(failures) == 2
    said = "\n".join(failure.text or "" for failure in failures)
    assert "How many grey seals were counted in 2024?" in said
    assert "❌" in (checkout / "report/summary.md").read_text("utf-8")
