"""Who is pinned to a layer is shown nothing else: through every verb, over HTTP, by an agent's tools, as a persona."""

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from biblicus import Corpus
from biblicus.connectors.mcp.server import Client as Asker
from biblicus.connectors.mcp.server import server
from biblicus.connectors.mcp.stdio import LIMITS
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, ItemNotFound, LayerPinned, UsageError
from biblicus.models.plain import encoded
from biblicus.models.requests.items import GetBatchRequest, GetRequest, ListRequest, ShowRequest, TreeRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.models.requests.runs import Piece, VerifyRequest
from biblicus.service.admission import Admission
from biblicus.service.corpora import Corpora
from biblicus.service.tokens import Tokens
from biblicus.service.verbs import GET, GET_BATCH, LIST, QUERY, SHOW, TREE, VERBS, VERIFY
from features.surfaces import serving
from tests.editorial.layered import layered

PINNED = Call(layers=("published",))
_SECRET = "SECRETWORD"
_DRAFTS = ("drafts/secret.md", "drafts/lamp.md")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = layered(tmp_path_factory.mktemp("pins") / "harbour")
    with Corpus.open(made) as corpus:
        corpus.add_note("drafts/secret.md", "A note on a draft", quote=_SECRET)
        corpus.add_alert("sale", "moon")
    return made


@pytest.fixture
def corpora(folder: Path) -> Iterator[Corpora]:
    opened = Corpora.open([str(folder)])
    yield opened
    opened.close()


def _requests(folder: Path) -> dict[str, Any]:
    """A request of each verb that reads, which would show a draft."""
    with Corpus.open(folder) as corpus:
        piece = next(piece for piece in corpus.query(_SECRET).evidence)
        run = corpus.runs()[-1].run_id
        items = {"item": "drafts/secret.md"}
    proved = Piece.of(json.loads(encoded(piece)))
    return {
        "query": {"query": f"moon {_SECRET}"},
        "context": {"query": f"moon {_SECRET}"},
        "answer": {"query": "What does the moon do?"},
        "get_batch": {"requests": ({"item": "drafts/secret.md"}, {"item": "drafts/lamp.md"})},
        "verify": {"evidence": (proved,)},
        "alert_feed": {"name": "sale"},
        "context_of": {"path": "drafts"},
        "run": {"run": run},
        "diff_runs": {"first": run, "second": run},
        **dict.fromkeys(("show", "get", "page_image", "file_part", "editorial_diff"), items),
    }


@pytest.mark.parametrize("name", sorted(name for name, verb in VERBS.items() if verb.scope == "read"))
def test_no_verb_shows_another_layer(folder: Path, corpora: Corpora, name: str) -> None:
    """Neither a draft's words nor its name, nor those of an edit that nobody approved."""
    verb, values = VERBS[name], _requests(folder).get(name, {})
    if name == "get_batch":
        values = {"requests": tuple(GetRequest(**one) for one in values["requests"])}
    try:
        reply = encoded(corpora.ask(None, verb, verb.request(**values), PINNED)).decode()
    except (LayerPinned, ItemNotFound):
        return
    asked = json.dumps(values, default=str)
    for words in (_SECRET, "drafts/lamp.md", "Secret"):
        if words not in asked:
            assert words not in reply, words
    assert "will be sold" not in reply


def test_the_check_of_the_pin_can_fail(folder: Path, corpora: Corpora) -> None:
    """Without the pin the same questions do show drafts."""
    reply = encoded(corpora.ask(None, QUERY, QueryRequest("moon"), Call())).decode()
    assert all(path in reply for path in _DRAFTS)


def test_what_is_shown_is_what_was_approved(corpora: Corpora) -> None:
    def ask(verb: Any, request: Any) -> Any:
        return corpora.ask(None, verb, request, PINNED)

    (piece,) = ask(QUERY, QueryRequest("moon")).evidence
    assert (piece.layer, piece.approval) == ("published", "pending")
    assert "twice a day" in ask(GET, GetRequest("published/tides.md")).text
    assert _SECRET not in ask(GET, GetRequest("published/tides.md")).text
    assert ask(SHOW, ShowRequest("published/tides.md")).layer == "published"
    assert [item.path for item in ask(LIST, ListRequest()).items] == ["published/tides.md"]
    assert [node.path for node in ask(TREE, TreeRequest()).nodes] == ["published/", "published/tides.md"]
    batch = GetBatchRequest(requests=(GetRequest("published/tides.md"), GetRequest("drafts/secret.md")))
    good, bad = ask(GET_BATCH, batch).results
    assert ("twice a day" in good.text, bad.error["code"]) == (True, "item_not_found")
    verdict = ask(VERIFY, VerifyRequest(evidence=(Piece.of(json.loads(encoded(piece))),))).evidence[0]
    assert verdict.status == "ok"


def test_more_than_the_pin_is_refused(corpora: Corpora) -> None:
    with pytest.raises(LayerPinned):
        corpora.ask(None, QUERY, QueryRequest("moon", layer=("raw",)), PINNED)


# --- over HTTP -------------------------------------------------------------------------------------------------------


def test_a_token_for_a_layer_shows_that_layer_at_every_address(folder: Path, tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    pinned = tokens.new("read", "", Call(), layers=["published"]).token
    whole = tokens.new("read", "", Call()).token
    url, stop = serving(folder, tokens)

    def ask(path: str, body: Any = None, token: str = pinned) -> tuple[int, str]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        try:
            with urllib.request.urlopen(urllib.request.Request(url + path, data, headers)) as reply:
                return reply.status, reply.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    try:
        status, found = ask("/query", {"query": f"moon {_SECRET}"})
        assert (status, "published/tides.md" in found, "drafts/" in found) == (200, True, False)
        assert "drafts/" in ask("/query", {"query": "moon"}, whole)[1]
        assert ask("/query", {"query": "moon", "layer": ["raw"]})[0] == 403
        assert ask("/items/drafts/secret.md")[0] == 404
        assert [item["path"] for item in json.loads(ask("/items")[1])["items"]] == ["published/tides.md"]
        for path in ("/events", "/events/page", "/stats", "/runs", "/weights", "/editorial/status", "/editorial/log"):
            status, said = ask(path)
            assert (status, "layer_pinned" in said) == (403, True), path
    finally:
        stop()


def test_a_token_for_a_layer_brings_nothing_in(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        Tokens(tmp_path / "tokens.json").new("ingest", "", Call(), layers=["published"])


# --- an agent --------------------------------------------------------------------------------------------------------


def test_an_agent_that_is_pinned_is_shown_that_layer(folder: Path) -> None:
    async def conversation() -> tuple[set[str], list[str]]:
        corpora, admission = Corpora.open([str(folder)]), Admission(LIMITS)
        asker = Asker(frozenset({"read"}), Call(layers=("published",)))
        try:
            async with Client(server(corpora, lambda ctx: asker, admission)) as client:
                names = {tool.name for tool in (await client.list_tools()).tools}
                calls: tuple[tuple[str, dict[str, Any]], ...] = (
                    ("knowledge_base_query", {"query": f"moon {_SECRET}"}),
                    ("knowledge_base_list", {}),
                    ("knowledge_base_tree", {}),
                    ("knowledge_base_get", {"items": ["drafts/secret.md", "published/tides.md"]}),
                    ("knowledge_base_stats", {}),
                )
                replies = [await client.call_tool(name, arguments) for name, arguments in calls]
                resources = (await client.list_resources()).model_dump_json()
            return names, [reply.model_dump_json() for reply in replies] + [resources]
        finally:
            admission.close()
            corpora.close()

    names, replies = asyncio.run(conversation())
    assert "knowledge_base_stats" not in names
    assert {"knowledge_base_query", "knowledge_base_get"} <= names
    assert "published/tides.md" in replies[0]
    for reply in replies:
        assert "will be sold" not in reply
        assert "drafts/lamp.md" not in reply
        assert "not approved yet" not in reply


# --- a persona -------------------------------------------------------------------------------------------------------


def test_a_persona_answers_from_its_layer(folder: Path) -> None:
    persona = folder / ".biblicus/personas/press.yml"
    persona.parent.mkdir(exist_ok=True)
    persona.write_text("id: press\nname: Press\nlayer: published\n", "utf-8")
    with Corpus.open(folder) as corpus:
        answer = corpus.answer_as("press", "What does the moon do?")
        cited = {citation.piece.path for statement in answer.statements for citation in statement.citations}
        assert cited == {"published/tides.md"}
        with pytest.raises(BiblicusError):
            corpus.answer_as("press", "What does the moon do?", layer=("raw",))


def test_links_are_read_from_files_that_nobody_approved(corpora: Corpora) -> None:
    with pytest.raises(UsageError, match="name no layer"):
        corpora.ask(None, SHOW, ShowRequest("published/tides.md", links=True), PINNED)
