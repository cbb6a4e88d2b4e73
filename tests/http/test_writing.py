"""Answers that are told while a language model writes them."""

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from features.steps.language_models import define
from tests.answering.language_models import reply, statement
from tests.folders import corpus_of
from tests.http.conftest import Running, Serve
from tests.llm.server import Scripted, running

STATED = reply(
    statement("The moon pulls tides.", (1, "The moon pulls tides")), statement("Cheese floats.", (1, "Cheese floats"))
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, serve: Serve) -> Running:
    folder = tmp_path_factory.mktemp("writing") / "harbour"
    corpus_of(folder, {"tides.md": "The moon pulls tides twice a day.\n"})
    return serve({"notes": folder})


def a_model_that_says(stated: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    """The user's model, which answers whatever is asked."""
    with running() as scripted:
        define(monkeypatch, scripted, "mine")
        monkeypatch.setenv("BIBLICUS_ANSWERER", "llm")
        scripted.says = [json.dumps(stated)]
        yield scripted


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scripted]:
    yield from a_model_that_says(STATED, monkeypatch)


@contextmanager
def streamed(service: Running, path: str) -> Iterator[Iterator[tuple[str, Any]]]:
    """The events of a stream, as they come: kind and data."""
    line = http.client.HTTPConnection("127.0.0.1", service.port, timeout=120)
    line.request("GET", path, headers={"Authorization": f"Bearer {service.token}", "Accept-Encoding": "gzip"})
    answer = line.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (200, "text/event-stream; charset=utf-8")

    def events() -> Iterator[tuple[str, Any]]:
        while kind := answer.readline().decode():
            if kind.startswith("event: "):
                yield kind[7:].strip(), json.loads(answer.readline()[6:])

    yield events()
    line.close()


def test_what_is_written_is_told_before_it_is_whole(service: Running, model: Scripted) -> None:
    model.script = ["halting"]
    with streamed(service, "/answer/stream?q=what+pulls+tides") as events:
        kind, told = next(events)
        assert kind == "draft"
        assert STATED["statements"][0]["text"].startswith(told["text"][:10])
        model.over.set()
        *drafts, (last, answer) = list(events)
    assert {kind for kind, _ in drafts} <= {"draft"}
    assert last == "answer"
    assert [one["text"] for one in answer["statements"]] == ["The moon pulls tides."]
    assert answer["statements"][0]["citations"][0]["path"] == "tides.md"
    assert [one["text"] for one in answer["left_out"]] == ["Cheese floats."]


def test_a_quoted_answer_comes_at_once(service: Running) -> None:
    with streamed(service, "/answer/stream?q=what+pulls+tides") as events:
        ((kind, answer),) = list(events)
    whole = service.ask("GET", "/answer?q=what+pulls+tides").json
    assert kind == "answer"
    assert answer | {"timings": {}} == whole | {"timings": {}}


def test_a_model_that_fails_is_told(service: Running, model: Scripted) -> None:
    model.always = "400"
    refused = service.ask("GET", "/answer/stream?q=what+pulls+tides")
    assert (refused.status, refused.json["error"]["code"]) == (503, "llm")
    model.always = "breaking"
    with streamed(service, "/answer/stream?q=what+pulls+tides") as events:
        (first, _), *_, (last, problem) = list(events)
    assert (first, last, problem["error"]["code"]) == ("draft", "error", "llm")


@pytest.mark.parametrize(("query", "status"), [("q=tides&corpus=nosuch", 404), ("q=", 400), ("q=tides&x=1", 400)])
def test_what_cannot_be_asked_is_refused_before_anything_is_told(service: Running, query: str, status: int) -> None:
    assert service.ask("GET", f"/answer/stream?{query}").status == status


def test_who_stops_listening_ends_the_writing(service: Running, model: Scripted) -> None:
    model.script = ["dripping"]
    with streamed(service, "/answer/stream?q=what+pulls+tides") as events:
        assert next(events)[0] == "draft"
    line = service.service.admission.answers
    for _ in range(400):  # its thread has noticed when its place is free
        if not line.inside:
            break
        model.dripped.clear()
        model.dripped.wait(0.3)
    assert not line.inside
