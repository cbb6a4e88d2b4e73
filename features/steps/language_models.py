"""Steps about answers that a language model writes: what it states, how its server fails, what is left of it."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pytest_bdd import given, then

from features.phrase import phrase
from features.world import Row, Table, World, rows
from tests.llm.server import MODEL, Asked, Scripted, running

_HEAD = re.compile(r"^### \[(\d+)\] .*?`([^`\n]+)`", re.MULTILINE)


@pytest.fixture
def llm_server() -> Iterator[Scripted]:
    with running() as scripted:
        yield scripted


def define(monkeypatch: pytest.MonkeyPatch, server: Scripted, name: str, model: str = MODEL) -> None:
    pytest.importorskip("ollama", reason="the extra [ollama] is not installed")
    mine = {"by": "ollama", "model": model, "url": server.url, "seconds": 20}
    monkeypatch.setenv("BIBLICUS_LLMS", json.dumps({name: mine}))
    monkeypatch.setattr("biblicus.guards.network.transport._FIRST_PAUSE", 0.01)


@given(phrase('a language model that the user calls "{name}"'))
def a_model(llm_server: Scripted, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Behind a server of our own, by Ollama's protocol."""
    define(monkeypatch, llm_server, name)


@given("the language model's server is stopped")
def server_stopped(llm_server: Scripted) -> None:
    llm_server.stop()
    llm_server.stop = lambda: None


@given("the model states")
def model_states(world: World, llm_server: Scripted, datatable: Table) -> None:
    """`evidence`: a path among what the model is shown, or a number."""
    found = rows(datatable)
    first: list[str] = world.names.pop("first said", [])
    llm_server.says = lambda asked: first.pop(0) if first else _stated(asked, found)


@given(phrase('the model always says "{text!}"'))
def model_always_says(llm_server: Scripted, text: str) -> None:
    llm_server.says = [text]


@given(phrase('the answerer "{name}" was asked "{question!}"'))
def was_asked(world: World, name: str, question: str) -> None:
    world.names["confidence"] = world.do("answer", question, answerer=name)["confidence"]


@then(phrase('it cites "{text!}" of "{path}"'))
def cites(world: World, text: str, path: str) -> None:
    assert (path, text) in [(one["path"], one["text"]) for one in citations(world)]


@then("every citation verifies")
def every_citation_verifies(world: World) -> None:
    found = citations(world)
    path = world.folder.parent / "citations.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    assert found
    assert [verdict["status"] for verdict in world.do("verify", str(path))["evidence"]] == ["ok"] * len(found)


@then("it is an empty answer")
def empty(world: World) -> None:
    found = world.value
    assert (found["answer"], found["statements"], found["confidence"], found["insufficient"]) == ("", [], 0.0, True)


@then("the confidence is lower")
def confidence_is_lower(world: World) -> None:
    assert 0 < world.value["confidence"] < world.names["confidence"]


def citations(world: World) -> list[dict[str, Any]]:
    return [one for statement in world.value["statements"] for one in statement["citations"]]


def _stated(asked: Asked, found: Sequence[Row]) -> str:
    """The statements as a reply to what was asked."""
    numbers = {path: int(number) for number, path in _HEAD.findall(asked.user)}
    statements = [
        {"text": row["text"], "citations": [{"evidence": numbers.get(row["evidence"], 99), "quote": row["quote"]}]}
        for row in found
    ]
    return json.dumps({"statements": statements, "insufficient": False})


@then(phrase("the model was asked {times#} times"))
def asked_times(llm_server: Scripted, times: str) -> None:
    assert len(llm_server.asked) == int(times)


@then("the usage counts every request that the model got, with its tokens")
def usage_counts_all(world: World, llm_server: Scripted) -> None:
    usage = world.value["usage"]
    assert usage["requests"] == len(llm_server.asked)
    assert (usage["input_tokens"], usage["output_tokens"]) == (llm_server.read, llm_server.written)
