"""Steps about families of clients: what they call in their own words, and what they are answered."""

import asyncio
import base64
import hashlib
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import UUID

import pytest
from pytest_bdd import given, parsers, then, when

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.service.tokens import Tokens
from features.phrase import phrase
from features.steps.service import Asked
from features.surfaces import serving
from features.world import Table, World, listed, rows
from tests.folders import corpus_of

SCOPES: dict[str, Any] = {"read": "read", "write": "ingest"}


@dataclass
class Family:
    """A profile's service, or its tools. `first`: what a client was answered before. `tools`: those that are listed.
    `heard`: of each event its id, kind and data."""

    profile: str = ""
    scopes: frozenset[str] = frozenset({"read"})
    first: Any = None
    tools: list[str] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)


@pytest.fixture
def family() -> Family:
    return Family()


@pytest.fixture
def ends() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def _made(folder: Path, text: str) -> Path:
    return corpus_of(folder, {"a.txt": text})


def _serve(world: World, asked: Asked, profile: str, scope: str, names: tuple[str, ...] = ()) -> None:
    base = world.folder.parent
    asked.tokens = Tokens(base / "tokens.json")
    asked.token = asked.tokens.new(SCOPES[scope], "test", Call())
    also = [f"{name}={_made(base / name, f'What is {name} stands here.')}" for name in names]
    asked.start = partial(serving, world.folder, asked.tokens, also=also, name="notes", profile=profile)


@given(parsers.re(r'a service with the profile "(?P<profile>\w+)"(?P<may> for who may write)?'))
def profiled(world: World, asked: Asked, profile: str, may: str | None) -> None:
    _serve(world, asked, profile, "write" if may else "read")


@given(parsers.re(r'a node that serves "(?P<names>[^"]*)"( for who may (?P<scope>\w+))?'))
def node(world: World, asked: Asked, names: str, scope: str | None) -> None:
    further = tuple(listed(names)[1:])
    _serve(world, asked, "capabilities", scope or "read", further)


@given(phrase('another node that serves "{name}", which is among the places of this one'))
def another_node(world: World, ends: ExitStack, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    address, stop = serving(_made(world.folder.parent / name, "Grey seals rest on the sandbank."))
    ends.callback(stop)
    monkeypatch.setenv("BIBLICUS_PLACES", json.dumps({name: f"{address}#{name}"}))


@given(parsers.re(r'its client kept "(?P<text>.*?)"( from "(?P<source>[^"]*)")?'))
def kept(asked: Asked, family: Family, text: str, source: str | None) -> None:
    body = {"text": json.loads(f'"{text}"', strict=False), **({"source": source} if source else {})}
    asked.ask("POST", "/ingest", body, **asked.bearer())
    assert asked.status == 201, asked.body
    family.first = asked.body


@given(phrase("its client kept a text of {count#} paragraphs about seals"))
def kept_long(asked: Asked, count: str) -> None:
    paragraphs = [
        f"Seals number {at} rest. " + "The sandbank is long and the tide is slow. " * 30 for at in range(int(count))
    ]
    asked.ask("POST", "/ingest", {"text": "\n\n".join(paragraphs)}, **asked.bearer())
    assert asked.status == 201, asked.body


@when("its client calls")
def calls(asked: Asked, datatable: Table) -> None:
    (row,) = rows(datatable, "method", "address", "body", "type")
    body = json.loads(row["body"], strict=False) if row.get("body") else None
    kind = {"Content-Type": row["type"]} if "type" in row else {}
    asked.ask(row["method"], row["address"], body, **asked.bearer(), **kind)


@given("the models of meaning are used")
def uses_models(monkeypatch: pytest.MonkeyPatch) -> None:
    from biblicus.connectors.http.profiles import find
    from biblicus.corpus import auto

    if not auto.are_installed():
        pytest.skip("the extra [meaning] is not installed")
    monkeypatch.setenv("BIBLICUS_MEANING", "auto")
    monkeypatch.setenv("BIBLICUS_JUDGE_SECONDS", "0")
    monkeypatch.setenv("BIBLICUS_AUTO_RECIPE", find("memos").recipe)


@when(phrase('its client asks "{question}" with the chunk that it was given as gold'))
def asks_with_gold(asked: Asked, family: Family, question: str) -> None:
    words = urlencode({"q": question, "eval": "true", "gold": family.first["chunk_ids"][0]})
    asked.ask("GET", f"/answer?{words}", **asked.bearer())


@then("the ids that its client was given are UUIDs")
def ids_are_uuids(family: Family) -> None:
    given_ids = [family.first["document_id"], *family.first["chunk_ids"]]
    assert [UUID(one).version for one in given_ids] == [5] * len(given_ids)


@then("the first citation is the chunk that it was given")
def cites_given(asked: Asked, family: Family) -> None:
    assert asked.body["citations"][0]["chunk_id"] == family.first["chunk_ids"][0]


@then(phrase('it was answered by the recipe "{name}"'))
def answered_by_recipe(asked: Asked, name: str) -> None:
    assert asked.body["debug"]["recipe_id"].startswith(f"{name}-")


@then("the scores of its citations are between 0 and 1")
def scores_are_shares(asked: Asked) -> None:
    scores = [citation["score"] for citation in asked.body["citations"]]
    assert scores
    assert all(0 <= score <= 1 for score in scores)


@then(phrase('the recipe "{name}" is'))
def recipe_is(world: World, name: str, datatable: Table) -> None:
    shown = world.do("recipes show", name)
    for row in rows(datatable):
        value = part(shown, row["what"])
        assert value == (row["value"] if isinstance(value, str) else json.loads(row["value"])), row


@when("a stranger calls")
def stranger_calls(asked: Asked, datatable: Table) -> None:
    (row,) = rows(datatable)
    asked.ask(row["method"], row["address"])


@when(phrase("its client sends a text of {count#} characters"))
def sends_long(asked: Asked, count: str) -> None:
    asked.ask("POST", "/ingest", {"text": "x" * int(count)}, **asked.bearer())


def _ingest(asked: Asked, corpus: str = "notes", **document: Any) -> None:
    asked.ask("POST", "/rag.ingest", {"corpus": corpus, **document}, **asked.bearer())


@given("its client ingests")
def ingests_as(asked: Asked, docstring: str) -> None:
    _ingest(asked, **json.loads(docstring))
    assert asked.status == 200, asked.body


@given(phrase('its client ingested "{text}"'))
def ingested(asked: Asked, family: Family, text: str) -> None:
    _ingest(asked, content_base64=base64.b64encode(text.encode()).decode())
    assert asked.status == 200, asked.body
    family.first = asked.body


@when(phrase('its client ingests "{text}" again'))
def ingests_again(asked: Asked, text: str) -> None:
    _ingest(asked, content_base64=base64.b64encode(text.encode()).decode())


@when(phrase('its client ingests "{path}" into "{corpus}" by its content id'))
def ingests_by_id(world: World, asked: Asked, path: str, corpus: str) -> None:
    _ingest(asked, corpus, doc_cid=_cid(world.path(path).read_bytes()))


@when(phrase('its client ingests the content id of "{text}" into "{corpus}"'))
def ingests_id_of(asked: Asked, text: str, corpus: str) -> None:
    _ingest(asked, corpus, doc_cid=_cid(text.encode()))


@when(phrase('its client ingests the scan "{name}"'))
def ingests_scan(asked: Asked, mixed: Path, name: str) -> None:
    raw = (mixed / name).read_bytes()
    _ingest(asked, content_base64=base64.b64encode(raw).decode(), filename=name)


@when("another node follows its events from the beginning")
def follows(asked: Asked, family: Family) -> None:
    address = Request(f"{asked.address}/events?corpus=notes&follow=false", headers=asked.bearer())
    with urlopen(address, timeout=120) as stream:
        lines = stream.read().decode().splitlines()
    family.heard = [line.partition(": ")[2] for line in lines if line.startswith(("id:", "event:", "data:"))]


@then(phrase('the last event is "{kind}" of "{text}"'))
def last_event(family: Family, kind: str, text: str) -> None:
    *_, event, data = family.heard
    assert (event, json.loads(data)["doc_cid"]) == (kind, _cid(text.encode()))


@then("it has the id that its client was given")
def event_id(family: Family) -> None:
    assert family.heard[-3] == family.first["ingest_event_id"]


# --- an agent --------------------------------------------------------------------------------------------------------


@given(parsers.re(r'an agent with the profile "(?P<profile>\w+)"(?P<may> that may write)?'))
def agent(family: Family, profile: str, may: str | None) -> None:
    family.profile = profile
    family.scopes = frozenset({"read", "ingest"} if may else {"read"})


@when(phrase('it calls the tool "{name}" with'))
def calls_tool(world: World, asked: Asked, family: Family, name: str, docstring: str) -> None:
    asked.body, refused = asyncio.run(_tool(world, family, name, json.loads(docstring)))
    assert not refused, asked.body


@when(phrase('it calls the tool "{name}", which there is not'))
def calls_no_tool(world: World, asked: Asked, family: Family, name: str) -> None:
    asked.body, refused = asyncio.run(_tool(world, family, name, {}))
    assert refused, asked.body


@then("it is told")
def agent_is_told(asked: Asked, docstring: str) -> None:
    assert asked.body["error"]["message"].startswith(docstring)


async def _tool(world: World, family: Family, name: str, arguments: dict[str, Any]) -> tuple[Any, bool]:
    """What a tool says, and whether that is an error."""
    from mcp import Client, types

    from biblicus.connectors.http import profiles
    from biblicus.connectors.http.service import Service
    from biblicus.connectors.mcp.server import Client as Asker
    from biblicus.connectors.mcp.server import server
    from biblicus.connectors.mcp.stdio import LIMITS
    from biblicus.service.admission import Admission
    from biblicus.service.corpora import Corpora

    corpora, admission = Corpora.open([f"notes={world.folder}"]), Admission(LIMITS)
    profile = profiles.find(family.profile)
    profile.prepare(corpora)
    offers = profile.offers(Service(corpora, admission))
    scopes: Any = family.scopes
    try:
        async with Client(server(corpora, lambda ctx: Asker(scopes), admission, offers)) as client:
            family.tools = [tool.name for tool in (await client.list_tools()).tools]
            result = await client.call_tool(name, arguments)
    finally:
        admission.close()
        corpora.close()
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return json.loads(content.text) if result.is_error else result.structured_content, result.is_error


@then(phrase('the tools begin with "{names}"'))
def tools_begin(family: Family, names: str) -> None:
    wanted = listed(names)
    assert family.tools[: len(wanted)] == wanted
    assert all(name.startswith("knowledge_base_") for name in family.tools[len(wanted) :])


# --- what is answered ------------------------------------------------------------------------------------------------


def part(value: Any, where: str) -> Any:
    """A part of an answer: names and places, with dots between."""
    for name in where.split("."):
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def reply(asked: Asked) -> Any:
    """What it answered, where that is no error."""
    assert asked.status < 300, asked.body
    return asked.body


@then(phrase('its answer has "{names}"'))
def answer_has(asked: Asked, names: str) -> None:
    assert sorted(reply(asked)) == listed(names)


@then(phrase('its "{where}" has "{names}"'))
def part_has(asked: Asked, where: str, names: str) -> None:
    assert sorted(part(reply(asked), where)) == listed(names)


@then(phrase('each of its "{where}" has "{names}"'))
def each_has(asked: Asked, where: str, names: str) -> None:
    offered = part(reply(asked), where)
    assert [sorted(one) for one in offered] == [listed(names)] * len(offered)


@then("its answer says")
def answer_says(asked: Asked, datatable: Table) -> None:
    for row in rows(datatable):
        assert part(reply(asked), row["what"]) == json.loads(row["value"], strict=False), asked.body


@then(parsers.parse("its answer says the hit rate {rate:g}"))
def hit_rate(asked: Asked, rate: float) -> None:
    assert asked.body["debug"]["metrics"]["retrieval.hit_rate_at_k"] == rate


@then(phrase('the "{name}" of its "{where}" are only "{values}"'))
def are_only(asked: Asked, name: str, where: str, values: str) -> None:
    assert sorted({one[name] for one in part(reply(asked), where)}) == listed(values)


@then(parsers.parse('it answers {status:d} in the category "{category}"'))
def answers_in_category(asked: Asked, status: int, category: str) -> None:
    assert (asked.status, asked.body["category"]) == (status, category), asked.body
    assert asked.body["trace_id"]


@then("its answer names its trace")
def names_trace(asked: Asked) -> None:
    assert asked.body["trace_id"] == asked.headers["trace-id"]


@then(phrase('the hint of its answer says "{words}"'))
def hint_says(asked: Asked, words: str) -> None:
    assert words in asked.body["error"]["hint"]


@then(phrase('the document that was kept has the source "{source}" and the tags "{tags}"'))
def is_as_it_was_kept(asked: Asked, family: Family, source: str, tags: str) -> None:
    asked.ask("GET", f"/items/{family.first['document_id']}", **asked.bearer())
    assert asked.body["metadata"] == {"source": source}
    assert asked.body.get("tags", []) == listed(tags)


@then("it names the document that was kept")
def names_kept(asked: Asked, family: Family) -> None:
    assert asked.body["duplicate_of"]["item_id"] == family.first["document_id"]


@then("its answer is what it was the first time")
def as_first(asked: Asked, family: Family) -> None:
    assert {**asked.body, "ms": 0} == {**family.first, "ms": 0}


@then("its capabilities are")
def capabilities_are(asked: Asked, datatable: Table) -> None:
    offered = asked.body["capabilities"]
    assert [
        [one["name"], one["params"].get("corpus", "-"), one["trust_required"], str(one["timeout_seconds"])]
        for one in offered
    ] == [list(line) for line in datatable[1:]]
    assert all(one["version"] == [1, 0] and one["request_schema"]["properties"] is not None for one in offered)


@then(phrase('the chunks are of "{path}" by its content id'))
def chunks_of(world: World, asked: Asked, path: str) -> None:
    assert {chunk["doc_cid"] for chunk in asked.body["chunks"]} == {_cid(world.path(path).read_bytes())}


def _cid(raw: bytes) -> str:
    return f"sha256:{hashlib.sha256(raw).hexdigest()}"


# --- several nodes ---------------------------------------------------------------------------------------------------


@given("two nodes, each of which embeds with the model of the other")
def two_nodes(world: World, ends: ExitStack, family: Family, monkeypatch: pytest.MonkeyPatch) -> None:
    from biblicus.corpus import auto

    if not auto.are_installed():
        pytest.skip("the extra [meaning] is not installed")
    texts = {"left": "The moon pulls the tides.", "right": "The keeper lights a lantern."}
    folders = {name: _made(world.folder.parent / name, text) for name, text in texts.items()}
    nodes = {}
    for name, folder in folders.items():
        nodes[name], stop = serving(folder, name=name, profile="capabilities")
        ends.callback(stop)
    other = {"left": "right", "right": "left"}
    theirs = {name: {"by": "embed-text", "url": nodes[name], "model": "minilm-int8"} for name in nodes}
    monkeypatch.setenv("BIBLICUS_EMBEDDERS", json.dumps(theirs))
    for name, folder in folders.items():
        recipe = {"name": "far", "build": {"chunking": {"default": {"by": "paragraphs"}}}}
        recipe["build"]["legs"] = {"vector": {"engine": "exact", "embedder": other[name]}}  # type: ignore[index]
        (folder / ".biblicus" / "recipes").mkdir(exist_ok=True)
        (folder / ".biblicus" / "recipes" / "far.yml").write_text(json.dumps(recipe))
        with Corpus.open(folder) as corpus:
            corpus.reindex("far")
    monkeypatch.setenv("BIBLICUS_DEFAULT_RECIPE", "far")
    family.first = nodes


@when("a question by meaning is asked of each")
def asked_of_each(asked: Asked, family: Family) -> None:
    questions = {"left": "lunar attraction", "right": "illumination"}
    replies = {}
    for name, address in family.first.items():
        asked.address = address
        asked.ask("POST", "/rag.query", {"corpus": name, "query": questions[name]})
        replies[name] = asked.body
    family.first = replies


@then("each answers with its own chunk, by vectors of the other")
def answers_by_vectors(family: Family) -> None:
    found = {name: reply["chunks"][0]["text"] for name, reply in family.first.items()}
    assert found == {"left": "The moon pulls the tides.", "right": "The keeper lights a lantern."}


@given(phrase('a service of "{names}" without tokens'))
def without_tokens(world: World, asked: Asked, ends: ExitStack, names: str) -> None:
    base = world.folder.parent
    also = [f"{name}={_made(base / name, 'The moon is personal.')}" for name in listed(names)[1:]]
    asked.address, stop = serving(world.folder, also=also, name="notes")
    ends.callback(stop)


@when(
    parsers.re(
        r"(?P<who>its owner|somebody through a proxy|another user of this machine)"
        r' asks the corpus "(?P<name>\w+)" for "(?P<text>.+)"'
    )
)
def somebody_asks(asked: Asked, who: str, name: str, text: str) -> None:
    address = f"/search?corpus={name}&q={text}"
    if who == "another user of this machine":
        if sys.platform != "linux" or os.geteuid():
            pytest.skip("Only root may act as another user, and only Linux lists whose a connection is.")
        asked.status = _status_for_nobody(f"{asked.address}{address}")
        return
    asked.ask("GET", address, **({} if who == "its owner" else {"X-Forwarded-For": "203.0.113.7"}))


def _status_for_nobody(url: str) -> int:
    """The status that a process of the user `nobody` is answered with."""
    if not (child := os.fork()):
        status = 0
        try:
            os.setuid(65534)
            status = urlopen(url, timeout=60).status
        except HTTPError as error:
            status = error.code
        finally:
            os._exit(status // 4)  # an exit status is at most 255
    return 4 * os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
