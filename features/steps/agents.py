"""Steps of an agent that reads on, pays by the token, and may or may not write."""

from __future__ import annotations

from typing import Any

from pytest_bdd import given, then, when

from features.agents import Agent
from features.phrase import phrase
from features.world import World


def _agent(world: World) -> Agent:
    assert isinstance(world.surface, Agent)
    return world.surface


@given("the agent may ingest")
def may_ingest(world: World) -> None:
    _agent(world).scopes = frozenset({"read", "ingest"})


@given(phrase('the file "{path}" holds {count#} lines of "{text}"'))
def lines(world: World, path: str, count: str, text: str) -> None:
    world.path(path).write_text(f"{text}\n" * int(count))
    world.do("ingest")


@when(phrase('the agent reads the best passage for "{question}" from one line before it'))
def read_around(world: World, question: str) -> None:
    best = world.act("query", question)["evidence"][0]
    first = max(1, best["line_start"] - 1)
    world.attempt("get", best["item_id"], lines=f"{first}-{best['line_end']}")


@when(phrase('the agent asks for an answer to "{question}"'))
def asks_for_an_answer(world: World, question: str) -> None:
    world.attempt("answer", query=question)


@then(phrase('it is told "{text}" of "{path}"'))
def is_told(world: World, text: str, path: str) -> None:
    """The reference leads to these words."""
    (said,) = world.value["statements"]
    (citation,) = said["citations"]
    assert (said["text"], citation["path"]) == (text, path)
    item, _, lines = citation["ref"].partition("#lines=")
    assert text in world.act("get", item, lines=lines)["text"]


@then("it is told that nothing answers")
def nothing_answers(world: World) -> None:
    assert world.value == {"statements": [], "insufficient": True, "confidence": 0, "pending": "none"}


@then(phrase('it reads "{text}"'))
def reads(world: World, text: str) -> None:
    assert text in world.value["text"]


@when(phrase('the agent reads "{path}" for {count#} tokens'))
def read_for(world: World, path: str, count: str) -> None:
    world.attempt("read", items=[path], output_tokens=int(count))


@then(phrase('the answer is cut, and its pages together are "{path}"'))
def cut(world: World, path: str) -> None:
    _, _, asked = world.asked
    page: dict[str, Any] = world.value
    assert page["truncated"]
    text = ""
    while True:
        text += "".join(part["text"] for part in page["results"])
        if not page.get("truncated"):
            break
        page = world.act("read", **asked, cursor=page["cursor"])
    assert text == world.path(path).read_text()


@when(phrase('the agent adds "{text}"'))
def add(world: World, text: str) -> None:
    world.attempt("ingest", text=text)


@then(phrase('the agent finds it by "{question}"'))
def finds(world: World, question: str) -> None:
    added = world.value
    assert added["outcome"] == "added"
    assert world.act("query", question)["evidence"][0]["item_id"] == added["item_id"]


@then(phrase("the corpus has {count#} items"))
def count_items(world: World, count: str) -> None:
    assert len(world.items()) == int(count)
