"""Steps about readers: one question, asked by several people in several places."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.models.sources.readers import Reader
from biblicus.service.tokens import Tokens
from biblicus.service.verbs import RECEIVE
from features.agents import Agent
from features.phrase import phrase
from features.steps.commands import Typed
from features.steps.service import Asked
from features.surfaces import serving
from features.world import World
from tests.visitor import Visitor, page_of

_SENDS = '"(?P<reader>.*)" sends the document "(?P<text>.*)" for "(?P<readers>.*?)"(?: from "(?P<source>.*)")?'


@given("the folder is an indexed corpus")
def indexed(world: World) -> None:
    with Corpus.init(world.folder) as corpus:
        corpus.reindex()


@given("the folder is indexed again")
def indexed_again(world: World) -> None:
    with Corpus.open(world.folder) as corpus:
        corpus.reindex()


@given(phrase('"{reader}" was shown the corpus'))
def shown(world: World, reader: str) -> None:
    with Corpus.open(world.folder, reader=Reader(reader)) as corpus:
        assert len(corpus.list()) > 1


@when(parsers.re('"(?P<reader>.*)" asks for "(?P<words>.*)" at the command line'), target_fixture="shown_paths")
def at_the_command_line(typing: Callable[[str], None], typed: Typed, reader: str, words: str) -> list[str]:
    typing(f"biblicus query {words} --as {reader} --json")
    return _paths(json.loads(typed.out)) if typed.out else []


@when(parsers.re('"(?P<reader>.*)" asks for "(?P<words>.*)" over HTTP'), target_fixture="shown_paths")
def over_http(world: World, asked: Asked, reader: str, words: str) -> list[str]:
    tokens = Tokens(world.folder.parent / "tokens.json")
    asked.token = tokens.new("read", "test", Call(), reader=Reader(reader))
    asked.address, asked.stop = serving(world.folder, tokens)
    asked.ask("GET", f"/search?q={words}", **asked.bearer())
    assert asked.status == 200
    return _paths(asked.body)


@given(parsers.re(_SENDS.replace("sends", "sent")))
@when(parsers.re(_SENDS))
def sends(world: World, reader: str, text: str, readers: str, source: str | None) -> None:
    metadata = {"readers": readers} if readers else {}
    request = ReceiveRequest(text=text, metadata=metadata, source=source)
    with Corpus.open(world.folder) as corpus:
        corpus.asker.ask(RECEIVE, request, Call(reader=Reader(reader)))


@then(parsers.re('only "(?P<people>.*)" are shown "(?P<text>.*)"'))
def are_shown(world: World, people: str, text: str) -> None:
    shown = []
    for name in ("ada", "ben", "eve"):
        with Corpus.open(world.folder, reader=Reader(name)) as corpus:
            shown += [name for piece in corpus.query("moon buoy").evidence if piece.text == text]
    assert ", ".join(shown) == people


@given(phrase('the settings name a proxy at "{address}" with the secret "{secret}"'))
def a_proxy(monkeypatch: pytest.MonkeyPatch, address: str, secret: str) -> None:
    monkeypatch.setenv("PROXY_SECRET", secret)
    setting = {"address": address, "secret_env": "PROXY_SECRET", "groups_header": "X-Groups"}
    monkeypatch.setenv("BIBLICUS_PROXY", json.dumps(setting))


@when(phrase('the service is asked for "{words}" with the headers "{headers}"'), target_fixture="shown_paths")
def with_headers(asked: Asked, words: str, headers: str) -> list[str]:
    line = http.client.HTTPConnection(asked.address.removeprefix("http://"), timeout=120)
    line.putrequest("GET", f"/search?q={words}")
    for header in headers.split("; "):
        name, _, value = header.partition(":")
        for pair in asked.bearer().items() if name == "token" else [(name, value.strip())]:
            line.putheader(*pair)
    line.endheaders()
    reply = line.getresponse()
    body = json.loads(reply.read())
    line.close()
    assert reply.status == 200 or body["error"]["code"] == "unauthorized"
    return _paths(body) if reply.status == 200 else []


@when(parsers.re('"(?P<reader>.*)" asks for "(?P<words>.*)" through an agent'), target_fixture="shown_paths")
def through_an_agent(world: World, reader: str, words: str) -> list[str]:
    agent = Agent(reader=Reader(reader))
    result = asyncio.run(agent._call(world.folder, "knowledge_base_query", {"query": words}))
    return sorted({piece["path"] for piece in result.structured_content["evidence"]})


@when(parsers.re('"(?P<reader>.*)" asks for "(?P<words>.*)" on the page'), target_fixture="shown_paths")
def on_the_page(world: World, reader: str, words: str) -> list[str]:
    tokens = Tokens(world.folder.parent / "tokens.json")
    token = tokens.new("read", "test", Call(), reader=Reader(reader)).token
    with page_of(str(world.folder), tokens=tokens) as (address, _):
        visitor = Visitor(address).look("/").send("/sign-in", token=token)
        found = visitor.look(f"/?q={words}").raw.decode()
        with Corpus.open(world.folder) as corpus:
            statuses = {item.path: visitor.look(f"/c/{item.item_id}").status for item in corpus.list()}
        listed = "".join(visitor.look(place).raw.decode() for place in ("/corpus", "/corpus?folder=staff"))
    paths = [path for path in ("staff/pay.md", "staff/plan.md", "tides.md") if path in found]
    assert paths == [
        path for path in ("staff/pay.md", "staff/plan.md", "tides.md") if path.rpartition("/")[2] in listed
    ]
    assert [path for path, status in statuses.items() if status == 200] == paths
    assert set(statuses.values()) <= {200, 404}
    return paths


@when(parsers.re('"(?P<reader>.*)" asks for "(?P<words>.*)" in Python'), target_fixture="shown_paths")
def in_python(world: World, reader: str, words: str) -> list[str]:
    with Corpus.open(world.folder, reader=Reader(reader)) as corpus:
        return sorted({piece.path for piece in corpus.query(words).evidence})


@then(parsers.re('"(?P<reader>.*)" is shown only "(?P<paths>.*)"'))
def shown_only(shown_paths: list[str], reader: str, paths: str) -> None:
    assert shown_paths == [path for path in paths.split(", ") if path]


def _paths(result: dict[str, Any]) -> list[str]:
    return sorted({piece["path"] for piece in result["evidence"]})
