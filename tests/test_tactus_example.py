"""The example of Tactus fits together; `make test-tactus` runs it, this does not need Tactus."""

import json
import re
import subprocess
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from biblicus.measure.formats import assemble, questions
from biblicus.measure.procedures import read_reply

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "tactus"
HARBOUR = ROOT / "examples" / "harbour"
PROCEDURE = (EXAMPLE / "keeper.tac").read_text(encoding="utf-8")
TOOLS = json.loads((ROOT / "tests" / "mcp_server" / "tools.json").read_text(encoding="utf-8"))
SEALS = {"ref": "4fbc73238a28#lines=5-18", "snippet": "seals were counted: | 2024 | 41 |"}
LAMP = {"ref": "46da54316b4b#lines=6-17", "snippet": "The lamp stands on the head of the north mole."}


@pytest.fixture(scope="module")
def model() -> ModuleType:
    spec = spec_from_file_location("model_of_the_example", EXAMPLE / "model.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_its_dataset_is_valid_and_speaks_of_the_harbour():
    dataset = assemble("keeper", questions([(EXAMPLE / "questions.jsonl").read_bytes()], "questions.jsonl"))
    assert [rule.name for rule in dataset.rules] == ["books-only", "short"]
    assert [question.question_id for question in dataset.stated] == ["chess"]
    cited = {name for question in dataset.questions for name in question.must.cite}
    assert cited
    assert [name for name in cited if not (HARBOUR / name).is_file()] == []


def test_its_configuration_gives_an_absolute_command_time_to_start():
    configured: Any = yaml.safe_load((EXAMPLE / ".tactus" / "config.yml").read_text(encoding="utf-8"))
    server = configured["mcp_servers"]["harbour"]
    assert (server["command"], server["args"], server["timeout"]) == ("${BIBLICUS}", ["mcp", "harbour=${HARBOUR}"], 30)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "BIBLICUS=$(CURDIR)/.venv/bin/biblicus examples/tactus/run.sh" in makefile


def test_the_procedure_calls_tools_that_there_are():
    called = set(re.findall(r"harbour_(knowledge_base_\w+)", PROCEDURE))
    assert called
    assert called <= {tool["name"] for tool in TOOLS["tools"]}


@pytest.mark.parametrize("script", sorted(EXAMPLE.rglob("*.sh")), ids=lambda script: script.name)
def test_a_script_can_be_read(script: Path):
    assert script.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", script], check=True)


def test_the_page_speaks_of_the_version_that_is_installed():
    pinned = re.search(r"^tactus\[.*\]==(\S+)$", (EXAMPLE / "requirements.txt").read_text("utf-8"), re.MULTILINE)
    assert pinned is not None
    pages = [path for path in EXAMPLE.rglob("*.*") if path.is_file() and path.suffix in (".md", ".py", ".tac", ".txt")]
    told = re.findall(r"(?<![\d.])0\.\d+\.\d+(?![\d.])", "".join(page.read_text("utf-8") for page in pages))
    assert set(told) == {pinned[1]}


@pytest.mark.parametrize(
    ("result", "answer", "refs"),
    [
        ({"evidence": [LAMP, SEALS]}, SEALS["snippet"], [SEALS["ref"]]),
        ({"evidence": [SEALS], "insufficient": True}, "", []),
        ({"evidence": []}, "", []),
    ],
)
def test_the_stand_in_looks_up_and_replies_what_the_contract_takes(model, result, answer, refs):
    talk = [{"role": "user", "content": "How many seals were counted?\nRecipe: scan"}]
    search = model.turn(talk, ["harbour_knowledge_base_query", "reply"])
    (call,) = search["tool_calls"]
    assert call["function"]["name"] == "harbour_knowledge_base_query"
    assert json.loads(call["function"]["arguments"])["recipe"] == "scan"
    talk += [search, {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(result)}]
    (call,) = model.turn(talk, ["harbour_knowledge_base_query", "reply"])["tool_calls"]
    said = json.loads(call["function"]["arguments"])
    assert said == {"answer": answer, "refs": refs}
    reply = read_reply(json.dumps({"answer": said["answer"], "citations": said["refs"]}).encode(), 1 << 20)
    assert (reply.refused, list(reply.cited)) == (not answer, refs)
