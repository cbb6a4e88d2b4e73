"""The extension of VS Code: it opens what was found, shows errors as sentences, and starts no shell."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.front_door import biblicus

ROOT = Path(__file__).resolve().parents[2]
EXTENSION = ROOT / "packaging" / "vscode"
PROGRAM = Path(sys.executable).with_name("biblicus")


def drive(folder: Path, command: str, question: str, program: Path | str = PROGRAM) -> list[dict[str, Any]]:
    """Return what the extension showed and opened, in order."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    words = [node, str(ROOT / "tests/packages/drive_vscode.js"), str(EXTENSION / "extension.js"), str(folder)]
    done = subprocess.run([*words, str(program), command, question], capture_output=True, text=True, check=True)
    shown: list[dict[str, Any]] = json.loads(done.stdout)
    return shown


def test_a_passage_is_opened_at_its_line(corpus: Path):
    listed, opened = drive(corpus, "biblicus.search", "moon tides; touch shell-ran")
    assert listed["rows"] == ["tides.md:1"]
    assert opened == {"opened": str(corpus / "tides.md"), "line": 0}
    assert not (corpus / "shell-ran").exists()


def test_an_answer_leads_to_its_source(corpus: Path):
    listed, opened = drive(corpus, "biblicus.ask", "What pulls the tides?")
    assert "The moon pulls the tides" in listed["title"]
    assert opened["opened"] == str(corpus / "tides.md")


def test_an_error_is_its_sentence_and_the_next_command(tmp_path: Path):
    (shown,) = drive(tmp_path, "biblicus.search", "moon")
    assert "biblicus init" in shown["error"]
    (shown,) = drive(tmp_path, "biblicus.search", "moon", program="no-such-program")
    assert "pip install biblicus-corpus" in shown["error"]


def test_a_workspace_cannot_name_the_program():
    package = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    assert package["contributes"]["configuration"]["properties"]["biblicus.path"]["scope"] == "machine"
    assert package["capabilities"]["untrustedWorkspaces"]["supported"] is False


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tides.md").write_text("The moon pulls the tides twice a day.\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert biblicus(["init", "--name", "sea"]) == 0
    assert biblicus(["reindex"]) == 0
    return tmp_path
