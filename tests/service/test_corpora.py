"""Several corpora behind one service, here and at other services."""

import json
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.errors import (
    BiblicusError,
    Cancelled,
    DeadlineExceeded,
    LayerPinned,
    PlaceDown,
    ReadOnlyCorpus,
    UsageError,
)
from biblicus.models.requests.items import ListRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.models.requests.runs import ReindexRequest
from biblicus.service.askers.elsewhere import Elsewhere
from biblicus.service.askers.here import Here
from biblicus.service.corpora import Corpora, FusedResult
from biblicus.service.verbs import LIST, REINDEX
from tests.http.conftest import Serve, corpus, serve  # noqa: F401 (a fixture)
from tools.postgres import Server

DOWN = "http://127.0.0.1:9"


def test_they_are_asked_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    names = ["one", "two", "three"]
    corpora = Corpora.open([f"{name}={corpus(tmp_path / name)}" for name in names])
    all_asked = threading.Barrier(3, timeout=60)
    ask = Here.ask

    def waits(asker: Here, verb: Any, request: Any, call: Call) -> Any:
        all_asked.wait()
        return ask(asker, verb, request, call)

    monkeypatch.setattr(Here, "ask", waits)
    fused = corpora.query(names, QueryRequest("moon"), Call())
    corpora.close()
    assert [answered.corpus for answered in fused.corpora] == names
    assert {piece["corpus"] for piece in fused.evidence} == set(names)


# --- here, in stores, and at services ---------------------------------------------------------------------------------


def tides(folder: Path, name: str) -> Path:
    """A corpus of three texts about tides, and one about the name."""
    with Corpus.init(folder) as made:
        for number, word in enumerate(("spring", "neap", "ebb")):
            text = f"The {word} tide of the {name}. {'It comes and goes. ' * number}\n"
            (folder / f"{word}.txt").write_text(text, "utf-8")
        (folder / "own.txt").write_text(f"What is of the {name} alone.\n", "utf-8")
        made.reindex()
    return folder


@pytest.fixture
def spread(
    tmp_path: Path,
    serve: Serve,  # noqa: F811
    postgres: Server,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Corpora]:
    """Corpora whose runs lie on the disk, in PostgreSQL, in Milvus (where it is installed) and at a service; one whose
    database is away, and one whose service is."""
    stores = {"pg": {"by": "postgres", "dsn": postgres.dsn}, "away": {"by": "postgres", "dsn": "host=/nowhere"}}
    places = {"disk": "", "pg": "pg", "away": "away"}
    if find_spec("milvus_lite"):
        places["wide"], stores["wide"] = "wide", {"by": "milvus", "uri": request.getfixturevalue("milvus").uri}
    bound = {
        str(tmp_path / name): {"store": store, "schema": f"spread_{token_hex(4)}"}
        for name, store in places.items()
        if store
    }
    lost = bound.pop(str(tmp_path / "away"))
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps(stores))
    monkeypatch.setenv("BIBLICUS_CORPORA", json.dumps(bound))
    folders = {name: tides(tmp_path / name, name) for name in places}
    monkeypatch.setenv("BIBLICUS_CORPORA", json.dumps({**bound, str(folders["away"]): lost}))
    service = serve({"far": tides(tmp_path / "far", "far"), "other": tides(tmp_path / "other", "other")})
    monkeypatch.setenv("BIBLICUS_TOKEN", str(service.token))
    monkeypatch.setenv("BIBLICUS_PLACES", json.dumps({"office": f"{DOWN},http://127.0.0.1:{service.port}#far"}))
    words = [f"{name}={folder}" for name, folder in folders.items()]
    opened = Corpora.open([*words, "corpus://office", f"other=http://127.0.0.1:{service.port}#other", f"down={DOWN}#x"])
    yield opened
    opened.close()


def test_one_question_is_put_to_corpora_wherever_they_are(spread: Corpora) -> None:
    answering = [name for name in spread.names() if name not in ("away", "down")]
    fused = spread.query(spread.names(), QueryRequest("tide"), Call())
    assert [answered.corpus for answered in fused.corpora] == answering
    assert {failed.corpus: failed.error["code"] for failed in fused.failed} == {
        "away": "store_unavailable",
        "down": "place_down",
    }
    assert "127.0.0.1" not in str(fused.failed)
    assert [piece["corpus"] for piece in fused.evidence] == [name for _ in range(3) for name in answering][:10]
    assert [piece["rank"] for piece in fused.evidence] == list(range(1, len(fused.evidence) + 1))
    for piece in fused.evidence:
        assert f"of the {'far' if piece['corpus'] == 'office' else piece['corpus']}." in piece["text"]
    assert len({answered.corpus_id for answered in fused.corpora}) == len(answering)


@pytest.mark.parametrize(
    ("bounds", "kept"),
    [({"limit": 4}, 4), ({"max_tokens": 12}, 1), ({"limit": 100}, 100)],
    ids=lambda value: str(value),
)
def test_the_budget_is_that_of_one_question(spread: Corpora, bounds: dict[str, int], kept: int) -> None:
    fused = spread.query(spread.names(), QueryRequest("tide", **bounds), Call())  # type: ignore[arg-type]  # all are numbers
    assert 0 < len(fused.evidence) <= kept
    assert fused.budget["used"]["items"] == len(fused.evidence)
    for name, bound in fused.budget["asked"].items():
        assert bound is None or name == "per_source" or fused.budget["used"][name] <= bound
    assert {entry["corpus"] for entry in fused.budget["dropped"]} <= set(spread.names())


def test_what_is_at_a_service_is_read_and_not_written(spread: Corpora) -> None:
    assert spread.ask("office", LIST, ListRequest(), Call()).items
    with pytest.raises(ReadOnlyCorpus):
        spread.ask("office", REINDEX, ReindexRequest(), Call())
    described = {entry.corpus: entry for entry in spread.describe(Call()).corpora}
    assert (described["office"].writable, described["disk"].writable) == (False, True)
    assert spread.here() == sorted(name for name in spread.names() if name not in ("office", "other", "down"))
    with pytest.raises(UsageError, match="on another machine"):
        spread.owners("office")
    assert (spread.unread("office"), spread.embedding_model("office")) == (0, None)


def test_who_is_pinned_to_layers_is_so_at_a_service_too(spread: Corpora) -> None:
    pinned = Call(layers=("published",))
    with pytest.raises(LayerPinned):
        spread.ask("office", LIST, ListRequest(layer=("raw",)), pinned)
    with pytest.raises(BiblicusError, match='"published"'):  # the service has no such layer, and was asked for it
        spread.ask("office", LIST, ListRequest(), pinned)


def test_a_service_that_says_nothing_leaves_time_for_what_the_others_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deadlines = list[float]()

    def waits(asker: Elsewhere, verb: Any, request: Any, call: Call) -> Any:
        assert call.deadline is not None
        deadlines.append(call.deadline)
        raise DeadlineExceeded

    monkeypatch.setattr(Elsewhere, "ask", waits)
    corpora = Corpora.open([f"disk={tides(tmp_path / 'disk', 'disk')}", f"mute={DOWN}#x"])
    deadline = monotonic() + 600
    fused: FusedResult = corpora.query(["disk", "mute"], QueryRequest("tide"), Call(deadline=deadline))
    corpora.close()
    assert [left < deadline - 200 for left in deadlines] == [True]
    assert ([answered.corpus for answered in fused.corpora], [failed.corpus for failed in fused.failed]) == (
        ["disk"],
        ["mute"],
    )


def test_who_interrupts_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    all_asked, call = threading.Barrier(2, timeout=60), Call()
    called_off = list[bool]()

    def waits(asker: Elsewhere, verb: Any, request: Any, call: Call) -> Any:
        all_asked.wait()
        called_off.append(call.cancel.wait(20))
        raise Cancelled

    def interrupted(*_: Any) -> Any:
        all_asked.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(Elsewhere, "ask", waits)
    corpora = Corpora.open([f"mute={DOWN}#x"])
    monkeypatch.setattr("concurrent.futures.Future.result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        corpora.query(["mute"], QueryRequest("tide"), call)
    corpora.close()
    assert called_off == [True]


def test_where_nobody_answers_the_first_says_why() -> None:
    corpora = Corpora.open([f"one={DOWN}#x", f"two={DOWN}#y"])
    with pytest.raises(PlaceDown):
        corpora.query(["one", "two"], QueryRequest("tide"), Call())


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([DOWN], "Say how the corpus at"),
        ([f"one={DOWN}", f"one={DOWN}#x"], 'Two corpora are named "one"'),
        (["one=https://ada@host"], "no address of a service"),
    ],
)
def test_a_corpus_at_a_service_needs_a_name(words: list[str], problem: str) -> None:
    with pytest.raises(BiblicusError, match=problem):
        Corpora.open(words)
