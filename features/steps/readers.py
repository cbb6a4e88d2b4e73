"""Steps about readers: one question, asked by several people in several places."""

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
from biblicus.service.verbs import RECEIVE
from features.phrase import phrase
from features.steps.commands import Typed
from features.steps.service import Asked
from features.world import World
from tests.folders import corpus_of

_SENDS = '"(?P<reader>.*)" sends the document "(?P<text>.*)" for "(?P<readers>.*?)"(?: from "(?P<source>.*)")?'


@given("the folder is an indexed corpus")
def indexed(world: World) -> None:
    corpus_of(world.folder, {})


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


@then(parsers.re('"(?P<reader>.*)" is shown only "(?P<paths>.*)"'))
def shown_only(shown_paths: list[str], reader: str, paths: str) -> None:
    assert shown_paths == [path for path in paths.split(", ") if path]


def _paths(result: dict[str, Any]) -> list[str]:
    return sorted({piece["path"] for piece in result["evidence"]})
