"""The tools on the HTTP service: the gate before them, the scopes of each request's own token."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from biblicus import Corpus
from biblicus.connectors.http.app import application
from biblicus.connectors.http.gate import Access
from biblicus.connectors.mcp.mount import mount
from biblicus.contracts import Call
from biblicus.models.plain import plain
from biblicus.service.admission import Limits
from biblicus.service.askers import processes
from biblicus.service.askers.here import Here
from biblicus.service.corpora import Corpora
from biblicus.service.tokens import Tokens
from tests.hearing import heard
from tests.mcp_server.conftest import filled, told
from tests.service.test_processes import InThread
from tests.serving import served


class Running(NamedTuple):
    """A service with tokens by scope."""

    url: str
    tokens: dict[str, str]

    def talk(self, scope: str, talked: Callable[[Client], Coroutine[Any, Any, Any]], mode: str = "auto") -> Any:
        async def conversation() -> Any:
            headers = {"Authorization": f"Bearer {self.tokens[scope]}"}
            async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
                transport = streamable_http_client(self.url, http_client=http)
                async with Client(transport, mode=mode) as client:
                    return await talked(client)

        return asyncio.run(conversation())

    def session(self, scope: str, **headers: str) -> dict[str, str]:
        """The headers of a session of an older client."""
        info = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        sent = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {self.tokens[scope]}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        opening = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": info}
        return {**sent, "Mcp-Session-Id": httpx2.post(self.url, json=opening, headers=sent).headers["mcp-session-id"]}

    def post(self, **headers: str) -> httpx2.Response:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        sent = {"Accept": "application/json, text/event-stream", **{k.replace("_", "-"): v for k, v in headers.items()}}
        return httpx2.post(self.url, json=body, headers=sent, timeout=120)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filled(tmp_path_factory.mktemp("served") / "harbour")


@pytest.fixture(scope="module")
def running(own: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(Corpora.open([str(own)]), tmp_path_factory.mktemp("tokens")) as made:
        yield made


@contextmanager
def serving(corpora: Corpora, folder: Path) -> Iterator[Running]:
    """A service of these corpora. `folder`: for its tokens."""
    tokens = Tokens(folder / "tokens.json")
    secrets = {scope: tokens.new(scope, "test", Call()).token for scope in ("read", "ingest")}
    app, service = application(corpora, Access(tokens), Limits(drain=2), (mount,))
    with served(app, service) as address:
        yield Running(f"{address}/mcp", secrets)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_over_http_gets_the_same_evidence(running: Running, own: Path, mode: str):
    async def talked(client: Client) -> Any:
        asked = {"query": "moon", "detail": "full", "limit": 3}
        return told(await client.call_tool("knowledge_base_query", asked))

    with Corpus.open(own) as corpus:
        expected = plain(corpus.query("moon", limit=3))
    assert running.talk("read", talked, mode)["evidence"] == expected["evidence"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_each_token_has_its_own_tools(running: Running, mode: str):
    async def talked(client: Client) -> tuple[int, str]:
        names = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("knowledge_base_ingest", {"text": "A barge came in.", "source": "log:1"})
        found = told(result)
        return len(names), found.get("outcome") or found["error"]["code"]

    assert running.talk("read", talked, mode) == (6, "scope_missing")
    assert running.talk("ingest", talked, mode)[0] == 9
    assert running.talk("ingest", talked, mode)[1] == "unchanged"


def test_a_question_that_comes_through_other_services_is_known_as_one(
    running: Running, monkeypatch: pytest.MonkeyPatch
):
    chains = heard(monkeypatch, Corpora, "ask", lambda *words: words[-1].through)
    headers = running.session("read", Biblicus_Through="0a1b")
    params = {"name": "knowledge_base_query", "arguments": {"query": "moon"}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    httpx2.post(running.url, json=call, headers=headers)
    assert {chain[:-1] for chain in chains} == {("0a1b",)}


def test_a_session_gives_nobody_the_rights_of_whoever_began_it(running: Running):
    """A reader who learnt the session of somebody who may ingest is a reader still."""
    headers = running.session("ingest")
    httpx2.post(running.url, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=headers)
    params = {"name": "knowledge_base_ingest", "arguments": {"text": "A text of somebody else."}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}
    stolen = {**headers, "Authorization": f"Bearer {running.tokens['read']}"}
    assert "scope_missing" in httpx2.post(running.url, json=call, headers=stolen).text
    assert "scope_missing" not in httpx2.post(running.url, json=call, headers=headers).text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "https://evil.example"}, 403),
    ],
)
def test_the_gate_stands_before_the_tools(running: Running, headers: dict[str, str], status: int):
    token = {"Authorization": f"Bearer {running.tokens['read']}"} if headers and "Authorization" not in headers else {}
    answer = running.post(**token, **headers)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


def test_half_a_character_in_a_message_is_told(running: Running):
    token = {"Authorization": f"Bearer {running.tokens['read']}"}
    kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    params = '{"name": "knowledge_base_query", "arguments": {"query": "\\ud800"}}'
    asked = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}'
    answer = httpx2.post(running.url, content=asked, headers={**token, **kinds})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] < 0


def test_a_body_that_is_too_large_is_refused(running: Running):
    headers = {"Authorization": f"Bearer {running.tokens['read']}", "Content-Type": "application/json"}
    assert httpx2.post(running.url, content=b" " * (Limits().body + 1), headers=headers).status_code == 413


def test_who_may_ingest_may_send_a_document_of_the_size_of_documents(running: Running):
    text = "The tide turns. " * (Limits().body // 10)

    async def bring(client: Client) -> Any:
        return await client.call_tool("knowledge_base_ingest", {"text": text, "title": "Large"})

    assert not running.talk("ingest", bring).is_error


def test_a_reindex_tells_how_far_it_is(running: Running):
    async def talked(client: Client) -> list[str]:
        seen: list[str] = []

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            seen.append(message or "")

        await client.call_tool("knowledge_base_reindex", {"fresh": True}, progress_callback=progress)
        return seen

    assert running.talk("ingest", talked)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_session_goes_on_where_the_process_that_answered_it_has_ended(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
):
    monkeypatch.setattr(processes, "_launched", InThread)
    answered = heard(monkeypatch, Here, "ask", lambda *_: threading.current_thread().name.partition("_")[0])
    corpora = Corpora.open([str(own)], 2)
    assert corpora.processes is not None
    corpora.processes.start()
    corpora.processes.wait()
    beside = corpora.processes

    async def talked(client: Client) -> list[str]:
        paths = []
        for _ in range(3):
            answer = told(await client.call_tool("knowledge_base_query", {"query": "moon", "detail": "full"}))
            paths.append(answer["evidence"][0]["path"])
            ended = beside._all[0]
            ended.leave()
            ended.gone.wait()
        return paths

    with Corpus.open(own) as corpus:
        expected = corpus.query("moon").evidence[0].path
    with serving(corpora, tmp_path) as service:
        answered.clear()
        assert service.talk("read", talked, mode) == [expected] * 3
    assert answered.count("biblicus-answer") >= 3
