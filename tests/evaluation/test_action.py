"""The GitHub Action: its inputs are used and safe, its scripts are scripts, and they pass or fail as it says."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tests.front_door import biblicus, program

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
SCRIPTS = {step["name"]: step for step in STEPS if "run" in step}
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")
INPUT = re.compile(r"\binputs\.([\w-]+)")


def filled(text: str, inputs: dict[str, str]) -> str:
    """A value with its expressions evaluated, which are inputs alone."""
    return EXPRESSION.sub(lambda match: inputs[INPUT.fullmatch(match[1].strip())[1]], text)  # type: ignore[index]


def test_every_input_is_used_and_none_is_made_up():
    used = {name for step in STEPS for name in INPUT.findall(str(step))}
    assert used == set(ACTION["inputs"])
    assert all(entry["description"] and "default" in entry for entry in ACTION["inputs"].values())
    assert all(step["shell"] == "bash" for step in SCRIPTS.values())
    assert ACTION["runs"]["using"] == "composite"


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_one_and_no_input_becomes_part_of_it(name: str):
    assert "${{" not in SCRIPTS[name]["run"]
    if bash := shutil.which("bash"):
        assert subprocess.run([bash, "-n"], input=SCRIPTS[name]["run"], text=True, check=False).returncode == 0


def test_what_is_kept_between_runs_holds_no_key_and_is_sealed_by_a_secret():
    """Whoever can write the cache and knows the key would have an index opened that no machine of ours made."""
    (cache,) = (step for step in STEPS if str(step.get("uses")).startswith("actions/cache@"))
    assert cache["if"] == "inputs.cache-key != ''"
    assert {Path(path).name for path in cache["with"]["path"].splitlines()} == {"cache", "vectors"}
    assert "steps.tree.outputs.hash" in cache["with"]["key"]
    assert cache["with"]["key"].startswith(cache["with"]["restore-keys"].strip())


@pytest.mark.parametrize("file", ["action.yml", "examples/ci/github-actions.yml", "docs/integrations.md"])
def test_actions_of_others_are_named_by_a_commit(file: str):
    named = re.findall(r"uses: (actions/\S+)(.*)", (ROOT / file).read_text("utf-8"))
    assert named
    assert all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", use) and " # v" in rest for use, rest in named)


def test_reports_are_uploaded_from_where_they_are_written():
    (upload,) = (step for step in STEPS if str(step.get("uses")).startswith("actions/upload-artifact@"))
    assert "!cancelled()" in upload["if"]
    assert upload["with"]["path"] == ACTION["outputs"]["reports"]["value"] == "${{ runner.temp }}/biblicus-report"


@pytest.fixture(scope="module")
def committed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a corpus in a folder of it, its questions and a baseline."""
    tmp_path = tmp_path_factory.mktemp("committed")
    if shutil.which("bash") is None or shutil.which("git") is None:
        pytest.skip("bash or git is not installed")
    shutil.copytree(ROOT / "examples" / "harbour", tmp_path / "docs" / "harbour")
    shutil.copy(ROOT / "examples" / "questions.jsonl", tmp_path)
    with chdir(tmp_path / "docs" / "harbour"):
        for command in (
            "init .",
            "reindex",
            "datasets import ../../questions.jsonl --name questions",
            "eval questions --report .biblicus/datasets/baseline.json",
        ):
            assert biblicus(command.split()) == 0, command
        Path("quoting.md").write_text("> The long clamps, for a week.\n> [notes/boat-shed.md:19]\n", "utf-8")
    script = "git init --quiet . && git add --all && git -c user.name=a -c user.email=a@a commit --quiet -m all"
    assert shell(script, tmp_path).returncode == 0
    return tmp_path


@pytest.fixture
def checkout(committed: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(committed, tmp_path / "checkout", symlinks=True)


def shell(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """As a runner starts a script; our own command comes first."""
    offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    with tempfile.TemporaryDirectory() as programs:
        ours = (str(program(Path(programs)).parent), str(Path(sys.executable).parent), os.environ["PATH"])
        environment = {**os.environ, "PATH": os.pathsep.join(ours), **offline, **variables}
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def run(checkout: Path, name: str, **given: str) -> subprocess.CompletedProcess[str]:
    inputs = {key: entry["default"] for key, entry in ACTION["inputs"].items()} | {"corpus": "docs/harbour"}
    inputs |= {key.replace("_", "-"): value for key, value in given.items()}
    step: dict[str, Any] = SCRIPTS[name]
    variables = {key: filled(value, inputs) for key, value in step.get("env", {}).items()}
    outputs = {key: str(checkout / key) for key in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    if (kept := checkout / "GITHUB_ENV").exists():
        variables |= dict(line.split("=", 1) for line in kept.read_text("utf-8").splitlines())
    outputs["RUNNER_TEMP"] = str(checkout.parent)
    folder = checkout / filled(step.get("working-directory", "."), inputs)
    return shell(step["run"], folder, **variables, **outputs)


GATE = {
    "dataset": "questions",
    "baseline": ".biblicus/datasets/baseline.json",
    "fail_if": "ndcg@10 < baseline - 0.01\nrecall@10 < 0.5\n",
}


MODULES = ("json", "pip", "yaml", "site", "sitecustomize", "multiprocessing", "typer", "biblicus")


def test_a_change_that_does_no_harm_passes_and_nothing_that_it_brings_is_executed(checkout: Path):
    """A corpus may hold files of any name; a runner's Python would import them from the folder that it starts in."""
    mark = checkout.parent / "executed"
    for folder in (checkout, checkout / "docs" / "harbour"):
        for name in MODULES:
            (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write(__file__)\n", "utf-8")
    shutil.rmtree(checkout / "docs" / "harbour" / ".biblicus" / "local")
    done = {name: run(checkout, name, **GATE, citations="quoting.md\nnotes\n") for name in SCRIPTS}
    assert not mark.exists(), mark.read_text("utf-8")
    assert {name: step.stderr for name, step in done.items() if step.returncode} == {}
    assert re.fullmatch(r"hash=[0-9a-f]{40}\nindex-version=\w+\n", (checkout / "GITHUB_OUTPUT").read_text("utf-8"))
    report = checkout.parent / "biblicus-report"
    assert ET.parse(report / "junit.xml").getroot()[0].get("failures") == "0"
    assert (checkout / "GITHUB_STEP_SUMMARY").read_text("utf-8").startswith("## Evaluation of `questions`")


def test_the_next_run_believes_only_what_its_secret_sealed(checkout: Path, tmp_path: Path):
    local = checkout / "docs" / "harbour" / ".biblicus" / "local"
    kept, parsed = tmp_path / "kept", "cache/extractions"
    for key, is_believed in (("a" * 32, None), ("a" * 32, True), ("b" * 32, False)):
        shutil.rmtree(local)
        if is_believed is not None:
            shutil.copytree(kept, local / "cache")
        before = {path: path.stat().st_ino for path in (local / parsed).rglob("*") if path.is_file()}
        done = run(checkout, "Index", cache_key=key)
        assert done.returncode == 0, done.stderr
        after = {path: path.stat().st_ino for path in (local / parsed).rglob("*") if path.is_file()}
        assert after
        assert is_believed is None or (after == before) == is_believed
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(local / "cache", kept)


def test_a_change_that_makes_search_or_a_quotation_worse_fails(checkout: Path):
    corpus = checkout / "docs" / "harbour"
    for path in ("notes/seals.md", "notes/gaeste.md", "notes/boat-shed.md"):
        (corpus / path).unlink()
    assert run(checkout, "Index").returncode == 0
    assert run(checkout, "Measure", **GATE).returncode == 4
    assert run(checkout, "Show the comparison").returncode == 0
    done = run(checkout, "Prove quotations", citations="quoting.md")
    assert (done.returncode, done.stdout.count("quoting.md:1: ")) == (4, 1)


def test_the_page_gives_only_inputs_that_there_are():
    page = (ROOT / "docs" / "integrations.md").read_text("utf-8")
    (block,) = (block for block in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL) if "uses: OWNER/" in block)
    (step,) = (step for step in yaml.safe_load(block) if step["uses"].startswith("OWNER/"))
    assert step["with"].keys() <= ACTION["inputs"].keys()
