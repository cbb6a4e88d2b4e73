"""Corpora at other services: what comes of what a service says, or does not say."""

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, cast

import pytest

from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.errors import (
    BiblicusError,
    CorpusNotFound,
    CorpusUnknown,
    DeadlineExceeded,
    PlaceDown,
    Refused,
    ScopeMissing,
    Unauthorized,
    UsageError,
)
from biblicus.models.plain import plain
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.items import ListRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers.elsewhere import Elsewhere
from biblicus.service.askers.here import Here
from biblicus.service.askers.remote import Service
from biblicus.service.corpora import Corpora
from biblicus.service.verbs import (
    ANSWER,
    CONTEXT,
    EVENTS,
    GET,
    LIST,
    RECIPES,
    RUN,
    RUNS,
    SHOW,
    STATS,
    TREE,
    VERSION,
    WEIGHTS,
    Verb,
)
from tests.hearing import heard
from tests.http.conftest import Serve, corpus, serve  # noqa: F401 (a fixture)
from tests.service.test_corpora import tides

Replies = Callable[[str, Verb[Any, Any], Any, Call], Any]
"""What a service replies: to the corpus of this name there, the verb, the request, and the call."""


@pytest.fixture
def notes(tmp_path: Path) -> Here:
    """A corpus on this machine."""
    tides(tmp_path / "notes", "coast")
    (tmp_path / "notes/.biblicus/personas").mkdir()
    (tmp_path / "notes/.biblicus/personas/ada.yml").write_text("id: ada\nname: Ada\n", "utf-8")
    return Here(find(tmp_path / "notes"))


def at_services(monkeypatch: pytest.MonkeyPatch, replies: Replies, *words: str) -> Corpora:
    """Corpora at services that reply so."""

    def told(service: Service, verb: Verb[Any, Any], request: Mapping[str, Any], call: Call) -> Any:
        return replies(str(service._corpus), verb, request, call)

    monkeypatch.setattr(Service, "told", told)
    return Corpora.open(words or ["far=http://far.example#x", "near=http://near.example#y"])


def as_sent(asker: Here, verb: Verb[Any, Any], request: Mapping[str, Any], call: Call) -> Any:
    """What a service with this corpus sends."""
    return json.loads(asker.sent(verb, verb.request(**request), call).body)


@pytest.mark.parametrize("persona", [None, "ada"])
def test_an_answer_comes_whole_from_a_service(
    notes: Here, monkeypatch: pytest.MonkeyPatch, persona: str | None
) -> None:
    corpora = at_services(monkeypatch, lambda _, verb, request, call: as_sent(notes, verb, request, call))
    request = AnswerRequest("What is of the coast alone?", persona=persona)
    told, own = (
        plain(asker(ANSWER, request))
        for asker in (
            lambda verb, request: corpora.ask("far", verb, request, Call()),
            lambda verb, request: notes.ask(verb, request, Call()),
        )
    )
    assert own["statements"][0]["citations"]
    assert {**told, "timings": own["timings"]} == own
    body, version = corpora.sent("far", ANSWER, request, Call())
    assert (json.loads(body)["statements"], version) == (own["statements"], own["searched"]["index_version"])


def _in_evidence(name: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda reply: {**reply, "evidence": [{**piece, name: value} for piece in reply["evidence"]]}


@pytest.mark.parametrize(
    "changed",
    [
        lambda reply: 7,
        lambda reply: {**reply, "budget": {}},
        lambda reply: {**reply, "budget": None},
        lambda reply: {**reply, "budget": {**reply["budget"], "dropped": [1]}},
        lambda reply: {**reply, "evidence": [1, 2]},
        lambda reply: {**reply, "run_id": None},
        lambda reply: {**reply, "pending": {"new": "x"}},
        _in_evidence("text", 7),
        _in_evidence("span_start", "0"),
        _in_evidence("stage_scores", 1),
        _in_evidence("tags", [1]),
        _in_evidence("content_ref", {"path": 1}),
        _in_evidence("locator", {"kind": "page", "label": 3, "from": "3", "to": "3"}),
    ],
)
def test_a_service_that_makes_no_sense_is_named_and_the_others_answer(
    notes: Here, monkeypatch: pytest.MonkeyPatch, changed: Callable[[dict[str, Any]], Any]
) -> None:
    def replies(name: str, *asked: Any) -> Any:
        return as_sent(notes, *asked) if name == "y" else changed(as_sent(notes, *asked))

    fused = at_services(monkeypatch, replies).query(["far", "near"], QueryRequest("tide"), Call())
    assert [(failed.corpus, failed.error["code"]) for failed in fused.failed] == [("far", "bad_data")]
    assert {piece["corpus"] for piece in fused.evidence} == {"near"}


@pytest.mark.parametrize("asked", [{}, {"items": 10**9, "tokens": None, "per_source": None}, 1, None])
@pytest.mark.parametrize("rank", [1, -60])
def test_no_service_widens_the_budget_or_ranks_itself(
    notes: Here, monkeypatch: pytest.MonkeyPatch, asked: Any, rank: int
) -> None:
    def replies(name: str, *asked_for: Any) -> Any:
        reply = _in_evidence("rank", rank)(as_sent(notes, *asked_for))
        more = [{**piece, "item_id": f"{name} {number}"} for number in range(9) for piece in reply["evidence"]]
        return {**reply, "evidence": more, "budget": {**reply["budget"], "asked": asked}}

    fused = at_services(monkeypatch, replies).query(["far", "near"], QueryRequest("tide", limit=4), Call())
    assert [piece["corpus"] for piece in fused.evidence] == ["far", "near"] * 2
    assert fused.budget["asked"] == {"items": 4, "tokens": 4000, "characters": None, "per_source": 3}


@pytest.mark.parametrize("reply", [{"failed": 1, "corpora": 2}, {"corpora": []}, [], 7])
def test_what_is_no_list_of_corpora_is_a_reply(reply: Any) -> None:
    assert Service("http://127.0.0.1")._one_corpus(reply) == reply


def test_a_list_of_corpora_may_name_none() -> None:
    with pytest.raises(UsageError, match="several corpora"):
        Service("http://127.0.0.1")._one_corpus({"failed": [], "corpora": [1]})


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        (CONTEXT, {"query": "tide"}),
        (EVENTS, {}),
        (GET, {"item": "own.txt"}),
        (LIST, {}),
        (RECIPES, {}),
        (RUN, {"run": "lexical"}),
        (RUNS, {}),
        (SHOW, {"item": "own.txt"}),
        (STATS, {}),
        (TREE, {}),
        (VERSION, {}),
        (WEIGHTS, {}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_whatever_is_read_comes_from_a_service_as_it_is(
    notes: Here, monkeypatch: pytest.MonkeyPatch, verb: Verb[Any, Any], words: dict[str, Any]
) -> None:
    corpora = at_services(monkeypatch, lambda _, *asked: as_sent(notes, *asked))
    told, own = (plain(asker.ask(verb, verb.request(**words), Call())) for asker in (notes, corpora._askers["far"]))
    assert {**told, "timings": 0} == {**own, "timings": 0}


@pytest.mark.parametrize(
    "error",
    [
        PlaceDown("http://far.example", "502: proxy.inside.example is broken"),
        CorpusUnknown("x", ["payroll"]),
        UsageError("http://far.example serves several corpora: payroll."),
        UsageError("Name a corpus: payroll, plans."),
        Unauthorized(),
        ScopeMissing("read"),
        Refused("A token is not sent to http://far.example without encryption."),
        CorpusNotFound("/srv/payroll"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_is_between_services_is_logged_and_told_to_nobody(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: BiblicusError
) -> None:
    def replies(*_: Any) -> Any:
        raise error

    with pytest.raises(PlaceDown) as raised:
        at_services(monkeypatch, replies).ask("far", LIST, ListRequest(), Call())
    refusal = f"{raised.value.as_object()}"
    assert '"far"' in refusal
    assert not any(word in refusal for word in ("example", "payroll", "token", "scope"))
    assert error.message in caplog.text


def test_what_a_request_asked_wrongly_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def replies(*_: Any) -> Any:
        raise UsageError("Lines count from 1.")

    with pytest.raises(UsageError, match="Lines"):
        at_services(monkeypatch, replies).ask("far", LIST, ListRequest(), Call())


def test_which_version_is_asked_within_the_callers_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Call] = []

    def replies(_: str, verb: Verb[Any, Any], request: Any, call: Call) -> Any:
        calls.append(call)
        raise DeadlineExceeded

    call = Call(deadline=monotonic() + 1000)
    assert at_services(monkeypatch, replies).version_of("far", call) is None
    assert [asked.cancel for asked in calls] == [call.cancel]
    assert calls[0].deadline is not None
    assert call.deadline is not None
    assert calls[0].deadline < call.deadline  # so that there is time for what was asked


@pytest.mark.parametrize("others", [(), ("far=http://far.example#x",)])
def test_time_is_shared_where_one_is_elsewhere(
    notes: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: tuple[str, ...]
) -> None:
    words = [f"notes={notes.root}", f"more={corpus(tmp_path / 'more')}", *others]
    corpora = at_services(monkeypatch, lambda *_: 7, *words)
    deadlines = heard(monkeypatch, Here, "ask", lambda *words: words[-1].deadline)
    call = Call(deadline=monotonic() + 1000)
    corpora.query(corpora.names(), QueryRequest("tide"), call)
    corpora.close()
    assert [deadline == call.deadline for deadline in deadlines] == [not others] * 2


def test_services_say_which_corpus_they_have_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    all_asked, calls = threading.Barrier(2, timeout=60), []

    def replies(_: str, verb: Verb[Any, Any], request: Any, call: Call) -> Any:
        calls.append(call)
        all_asked.wait()
        raise DeadlineExceeded

    call = Call(deadline=monotonic() + 2)
    described = at_services(monkeypatch, replies).describe(call).corpora
    assert [entry.corpus for entry in described] == ["far", "near"]
    assert all(asked.cancel is call.cancel and (asked.deadline or inf) < (call.deadline or 0) for asked in calls)


def test_one_token_goes_to_one_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_TOKEN", "secret")
    far, near = "far=https://far.example#x", "near=https://near.example#y"
    with pytest.raises(Refused, match="several hosts"):
        Corpora.open([far, near])
    assert Corpora.open([far, "more=https://far.example:8443#y"]).names() == ["far", "more"]
    monkeypatch.delenv("BIBLICUS_TOKEN")
    assert Corpora.open([far, near]).names() == ["far", "near"]


@pytest.mark.parametrize(("places", "asked"), [("", ["x"]), (",http://near.example#y", ["x", "y", "y"])])
def test_a_place_that_gave_no_reply_is_left_alone_for_a_while(
    notes: Here, monkeypatch: pytest.MonkeyPatch, places: str, asked: list[str]
) -> None:
    names: list[str] = []

    def replies(name: str, *asked_for: Any) -> Any:
        names.append(name)
        if name == "x":
            raise PlaceDown("http://far.example", "it hangs")
        return as_sent(notes, *asked_for)

    monkeypatch.setenv("BIBLICUS_PLACES", json.dumps({"far": f"http://far.example#x{places}"}))
    corpora = at_services(monkeypatch, replies, "corpus://far")
    for _ in range(2):
        with nullcontext() if places else pytest.raises(PlaceDown):
            assert corpora.ask("far", LIST, ListRequest(), Call()).items
    assert names == asked
    cast(Elsewhere, corpora._askers["far"])._silent.clear()  # the while is over
    with nullcontext() if places else pytest.raises(PlaceDown):
        corpora.ask("far", LIST, ListRequest(), Call())
    assert names == [*asked, *asked[:2]]


@pytest.mark.parametrize("count", [1, 2])
def test_a_question_that_services_hand_round_ends(
    tmp_path: Path,
    serve: Serve,  # noqa: F811 (a fixture)
    monkeypatch: pytest.MonkeyPatch,
    count: int,
) -> None:
    tides(tmp_path / "notes", "coast")
    services = [serve({"near": tmp_path / "notes"}, scope=None) for _ in range(count)]
    for number, running in enumerate(services):
        to = services[(number + 1) % count].port
        running.service.corpora._askers["far"] = Elsewhere("far", None, f"http://127.0.0.1:{to}#far")
    hops = heard(monkeypatch, Elsewhere, "ask", lambda *words: len(words[-1].through))
    reply = services[0].ask("GET", "/search?q=tide").json
    assert {piece["corpus"] for piece in reply["evidence"]} == {"near"}
    assert [(failed["corpus"], failed["error"]["code"]) for failed in reply["failed"]] == [("far", "handed_round")]
    assert hops == [1, 2][:count]


def test_nothing_but_the_words_of_services_is_handed_on(
    tmp_path: Path,
    serve: Serve,  # noqa: F811 (a fixture)
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = serve({"near": tides(tmp_path / "notes", "coast")}, scope=None)
    running.service.corpora._askers["far"] = Elsewhere("far", None, "http://127.0.0.1:9#far")
    chains = list[tuple[str, ...]]()

    def ask(far: Elsewhere, verb: Any, request: Any, call: Call) -> Any:
        chains.append(call.through)
        raise PlaceDown("far", "it is not there")

    monkeypatch.setattr(Elsewhere, "ask", ask)
    answer = running.ask("GET", "/search?q=tide", Biblicus_Through=f"0a1b {'f' * 9000} \xa0 {'x' * 9} 0123456789abcdef")
    assert answer.status == 200
    assert [chain[:-1] for chain in chains] == [("0a1b", "0123456789abcdef")]
