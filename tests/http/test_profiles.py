"""Profiles beyond what their features say: what is normalised, what is measured, and what two at once may not do."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from biblicus import telemetry
from biblicus.connectors.http import profiles
from biblicus.connectors.http.endpoints import Endpoint
from biblicus.connectors.http.profiles import Profile
from biblicus.connectors.http.profiles.desk import build_sha
from biblicus.connectors.http.service import Service
from biblicus.connectors.http.surface import ENDPOINTS
from biblicus.connectors.mcp.tools import ours
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, UsageError
from biblicus.service.admission import Admission, Limits
from biblicus.service.corpora import Corpora
from tests.http.conftest import Running, Serve, corpus

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Ask]:
    """Calls a tool of the profile memos."""
    corpora, admission = Corpora.open([f"notes={corpus(tmp_path / 'notes')}"]), Admission(Limits())
    offers = {offer.name: offer for offer in profiles.find("memos").offers(Service(corpora, admission))}
    yield lambda tool, **arguments: offers[tool].ask(arguments, Call())
    admission.close()
    corpora.close()


def test_of_two_alike_at_once_one_is_kept(ask: Ask):
    outcomes: list[str] = []

    def keep(text: str) -> None:
        try:
            outcomes.append(ask("ingest", text=text)["document_id"])
        except BiblicusError as error:
            outcomes.append(error.code)

    texts = ["Grey seals rest on the “sandbank” at low tide.", 'Grey  seals rest on the "sandbank" at low tide. ']
    at_once = [threading.Thread(target=keep, args=(text,)) for text in texts]
    for thread in at_once:
        thread.start()
    for thread in at_once:
        thread.join()
    assert outcomes.count("duplicate") == 1
    assert len(set(outcomes)) == 2


def test_what_a_request_took_is_told_by_environment_model_and_route(
    ask: Ask, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "team=sea,deployment.environment=harbour")
    telemetry.start("console")
    try:
        ask("ingest", text="Grey seals rest on the sandbank at low tide.")
        ask("answer", q="Where do seals rest?", eval=True, gold="lamp.md")
    finally:
        telemetry.stop()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    metrics = {
        metric["name"]: metric["data"]["data_points"][0]
        for line in lines
        for resource in line.get("resource_metrics", ())
        for scope in resource["scope_metrics"]
        for metric in scope["metrics"]
    }
    wanted = {"ingest.requests", "ingest.latency_ms", "answer.requests", "answer.latency_ms"}
    wanted |= {"retrieval.hit_rate_at_k", "retrieval.mean_score_top1", "retrieval.mean_score_topk"}
    assert wanted <= metrics.keys()
    assert metrics["answer.requests"]["attributes"] == {"env": "harbour", "model": "none", "route": "/answer"}
    assert metrics["retrieval.hit_rate_at_k"]["sum"] == 0.0
    assert {"normalize", "hash", "answer.quote", "cite"} <= {line.get("name") for line in lines if "context" in line}


@pytest.mark.parametrize("name", profiles.PROFILES)
def test_a_profile_leaves_no_two_operations_of_one_address_or_id(name: str):
    profile = profiles.find(name)
    endpoints = profile.beside(ENDPOINTS)
    for several in ([endpoint.id for endpoint in endpoints], [(one.method, one.path) for one in endpoints]):
        assert len(several) == len(set(several))
    described = profile.documents(endpoints)["/openapi.json"](None)
    assert (described["openapi"], described["servers"][0]["url"]) == (profile.openapi, "/")


@pytest.mark.parametrize("name", profiles.PROFILES)
def test_a_tool_says_all_that_its_endpoint_takes(name: str, tmp_path: Path):
    corpora, admission = Corpora.open([f"notes={corpus(tmp_path / 'notes')}"]), Admission(Limits())
    try:
        for offer in profiles.find(name).offers(Service(corpora, admission)):
            properties = offer.schema["properties"]
            assert set(offer.schema.get("required", ())) <= properties.keys()
            assert all(schema.get("description") for schema in properties.values())
    finally:
        admission.close()
        corpora.close()


@pytest.fixture(scope="module")
def desk(serve: Serve, folder: Path) -> Running:
    """A service with the profile desk."""
    return serve({"notes": folder}, profile=profiles.find("desk"))


def test_the_desks_health_is_degraded_before_the_indexes_are_open_and_down_while_it_stops(desk: Running):
    def told() -> tuple[int, str]:
        answer = desk.ask("GET", "/health")
        return answer.status, answer.json["state"]

    assert told() == (200, "ok")
    desk.service.warm.clear()
    starting = told()
    desk.service.warm.set()
    desk.service.stopping.set()
    stopping = told()
    desk.service.stopping.clear()
    assert (starting, stopping, told()) == ((200, "degraded"), (503, "down"), (200, "ok"))


@dataclass(frozen=True)
class Counting(Profile):
    """A profile that counts how often its documents are made."""

    made: list[str] = field(default_factory=list)

    def documents(self, endpoints: Sequence[Endpoint]) -> Mapping[str, Callable[[str | None], Mapping[str, Any]]]:
        def counting(path: str, make: Callable[[str | None], Mapping[str, Any]]) -> Callable[[str | None], Any]:
            def made(public_url: str | None) -> Mapping[str, Any]:
                self.made.append(path)
                return make(public_url)

            return made

        return {path: counting(path, make) for path, make in super().documents(endpoints).items()}


def test_a_profiles_own_description_is_made_before_it_is_asked_for_and_once(serve: Serve, folder: Path):
    profile = Counting("desk", profiles.find("desk").endpoints)
    running = serve({"notes": folder}, profile=profile)
    assert profile.made == ["/openapi.json"]
    assert running.ask("GET", "/openapi.json").json["paths"]["/search"]["get"]["operationId"] == "search"
    assert profile.made == ["/openapi.json"]


def test_the_software_is_named_by_its_bytes():
    assert len(build_sha()) == 64
    assert build_sha() == build_sha()


@pytest.mark.parametrize(
    ("tool", "said", "meant"),
    [
        ("knowledge_base_query", {"q": "moon", "k": 3}, {"query": "moon", "limit": 3}),
        ("knowledge_base_query", {"query": "moon", "doctype": "paper"}, {"query": "moon", "doctype": ["paper"]}),
        ("knowledge_base_query", {"query": "moon", "tags": ["sea"]}, {"query": "moon", "tag": ["sea"]}),
        ("knowledge_base_get", {"doc_id": "a"}, {"items": ["a"]}),
        ("knowledge_base_get", {"doc_id": "a", "start": 2, "end": 4}, {"items": ["a#lines=2-4"]}),
        ("knowledge_base_get", {"doc_id": "a", "start": 2}, {"items": ["a#lines=2-2"]}),
        ("knowledge_base_get", {"items": ["a"]}, {"items": ["a"]}),
        ("knowledge_base_list", {"q": "moon"}, {"q": "moon"}),
    ],
)
def test_a_familys_names_are_ours(tool: str, said: dict[str, Any], meant: dict[str, Any]):
    assert ours(tool, said) == meant


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("knowledge_base_query", {"q": "moon", "query": "sun"}),
        ("knowledge_base_query", {"query": "moon", "k": 1, "top_k": 2}),
        ("knowledge_base_get", {"doc_id": "a", "items": ["b"]}),
    ],
)
def test_one_thing_said_twice_is_refused(tool: str, said: dict[str, Any]):
    with pytest.raises(UsageError, match="are the same here"):
        ours(tool, said)
