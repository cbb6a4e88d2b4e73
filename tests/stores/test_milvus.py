"""What is of the store `milvus` alone: what fails while a run is copied in, clones, secrets, long texts."""

import json
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

# ruff: noqa: TID251 (what helpers are sent is pickled)
from pickle import dumps
from time import monotonic
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.config import load_settings, options_of
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import (
    ConfigInvalid,
    DeadlineExceeded,
    ExtraMissing,
    NotMaterialized,
    StoreMismatch,
    StoreUnavailable,
    StoreUnprotected,
)
from biblicus.guards import deadlines
from biblicus.stores import options
from biblicus.stores.options import MilvusOptions, Target
from tests.folders import write
from tests.stores.test_conformance import QUESTIONS, evidence, filled
from tests.stores.test_conformance import TEXTS as HARBOUR
from tests.stores.test_postgres import bound, clone, schema_of
from tools.milvus import Server

TEXTS = {f"notes/{word}.md": f"# {word}\n\nThe {word} of the harbour.\n" for word in ("tide", "gull", "boat", "rope")}
SECRET = "hush-4711"


def kept_in(uri: str, monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({"team": {"by": "milvus", "uri": uri, **more}}))
    monkeypatch.setenv("BIBLICUS_STORE", "team")


def collections(milvus: Server, begin: str) -> list[str]:
    from pymilvus import MilvusClient

    return sorted(name for name in MilvusClient(milvus.uri).list_collections() if name.startswith(begin))


@pytest.fixture
def corpus(tmp_path: Path, milvus: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    kept_in(milvus.uri, monkeypatch)
    with filled(tmp_path / "harbour", TEXTS) as made:
        yield made


# --- what fails -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", ["kill", "raise"])
@pytest.mark.parametrize(("method", "call"), [("insert", 1), ("flush", 1), ("upsert", 1), ("upsert", 2)])
def test_a_build_that_fails_is_seen_by_nobody(
    corpus: Corpus, milvus: Server, monkeypatch: pytest.MonkeyPatch, fault: str, method: str, call: int
) -> None:
    from biblicus.stores.milvus import server

    first = corpus.reindex().runs[0].manifest.run_id
    write(corpus.path, {"new.md": "Nets.\n"})
    original, calls = server.Server.ask, iter(range(1, 100))

    def failing(self: Any, name: str, *words: Any, **options: Any) -> Any:
        if name == method and next(calls) == call:
            if fault == "raise":
                raise StoreUnavailable("team", "it broke off")
            milvus.kill()
        return original(self, name, *words, **options)

    with monkeypatch.context() as patch:
        patch.setattr(server.Server, "ask", failing)
        patch.setattr(server, "LOADING", 0.5)
        patch.setattr(server, "PATIENCE", 0.5)
        with pytest.raises(StoreUnavailable) as failed:
            corpus.reindex()
    if fault == "kill":
        milvus.start()
    assert "BIBLICUS_STORE=local" in failed.value.hint
    assert [run.run_id for run in corpus.runs()] == [first]
    with Corpus.open(corpus.path) as again:
        assert again.query("tide").run_id == first
        assert again.reindex().runs[0].built == "fresh"
        assert again.query("nets").evidence
    assert not list(CorpusFolder(corpus.path).index.glob("*"))
    assert len(collections(milvus, f"{schema_of(corpus)}__")) == len(CorpusFolder(corpus.path).store.runs())


@pytest.mark.parametrize("verb", ["reindex", "query", "check", "stats"])
def test_a_server_that_is_away_is_one_line(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    corpus.reindex()
    kept = sorted(path for path in corpus.path.rglob("*") if path.is_file())
    kept_in("http://127.0.0.1:1", monkeypatch)
    monkeypatch.setattr("biblicus.stores.milvus.server.FIRST", 0.5)
    ask: Callable[[Any], object] = {"query": lambda again: again.query("tide")}.get(
        verb, lambda again: getattr(again, verb)()
    )
    with Corpus.open(corpus.path) as again, pytest.raises(StoreUnavailable) as failed:
        ask(again)
    assert failed.value.message == "The store team cannot be used: it does not answer."
    assert failed.value.hint == "the same command when it is running, or with BIBLICUS_STORE=local"
    assert sorted(path for path in corpus.path.rglob("*") if path.is_file()) == kept


def test_a_server_that_says_nothing_is_waited_for_until_the_deadline(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.reindex()
    with socket.create_server(("127.0.0.1", 0)) as silent, Corpus.open(corpus.path) as again:
        kept_in(f"http://127.0.0.1:{silent.getsockname()[1]}", monkeypatch)
        with pytest.raises(DeadlineExceeded):
            again.query("tide", call=Call(deadline=monotonic() + 0.3))


def test_who_connects_or_loads_waits_for_nobody_elses_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = pytest.importorskip("pymilvus").MilvusException
    from biblicus.stores.milvus import server

    locked, given = list[bool](), list[float]()

    class Client:
        def __init__(self, timeout: float) -> None:
            locked.append(held._lock.locked())

        def load_collection(self, name: str, timeout: float) -> None:
            given.append(timeout)

        def search(self, name: str, timeout: float) -> int:
            if not given:
                raise refusal(message="collection not loaded")
            return 1

    held = server.Server(Target("team", {}))
    monkeypatch.setattr(server, "MilvusClient", lambda timeout, dedicated: Client(timeout))
    with deadlines.during(Call(deadline=monotonic() + 60)):
        assert held.ask("search", "notes") == 1
    assert locked == [False]
    assert [seconds <= 60 for seconds in given] == [True]


# --- clones -----------------------------------------------------------------------------------------------------------


def test_another_clone_asks_what_one_has_built_and_drops_nothing_of_it(
    corpus: Corpus, milvus: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound(monkeypatch, "shared_runs", corpus.path, tmp_path / "clone")
    run_id = corpus.reindex().runs[0].manifest.run_id
    with clone(corpus, tmp_path / "clone") as other:
        assert other.query("tide").run_id == run_id
        assert other.reindex().runs[0].built == "unchanged"
        for number in range(3):
            write(other.path, {"new.md": f"Nets {number}.\n"})
            other.reindex()
        store = CorpusFolder(other.path).store
        assert run_id not in store.own()
    assert corpus.query("tide").run_id == run_id
    assert len(collections(milvus, "shared_runs__")) == len(store.runs())


def test_a_copied_corpus_reaches_nobody_elses_schema(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.reindex()
    with clone(corpus, tmp_path / "copy") as copy, pytest.raises(NotMaterialized):
        copy.query("tide")
    bound(monkeypatch, "taken_runs", corpus.path, tmp_path / "other")
    corpus.reindex()
    with filled(tmp_path / "other", TEXTS) as other, pytest.raises(StoreMismatch, match="holds another corpus"):
        other.reindex()


# --- what is kept -----------------------------------------------------------------------------------------------------


def test_texts_that_are_longer_than_a_field_are_kept_whole(corpus: Corpus) -> None:
    long = '潮 🐟 "tide" and \ufdd0 gull, ' * 4_000
    write(corpus.path, {"long.txt": f"Needle in a haystack.\n{long}\nThe last of it.\n"})
    recipe = corpus.path / ".biblicus" / "recipes" / "whole.yml"
    recipe.parent.mkdir(exist_ok=True)
    recipe.write_text("name: whole\nbuild: {chunking: {default: {by: whole}}, legs: {lexical: {}}}\n", "utf-8")
    corpus.reindex("whole")
    tables = CorpusFolder(corpus.path).store.tables(corpus.runs()[-1].run_id)
    (chunk,) = (chunk for chunk in tables.all_chunks() if "Needle" in chunk.text)
    assert len(chunk.text.encode()) > 65_535
    assert chunk.text == (corpus.path / "long.txt").read_text("utf-8")[chunk.start : chunk.end]
    assert corpus.query('"last of it"', recipe="whole", max_tokens=10**6).evidence[0].path == "long.txt"
    assert corpus.check(read_data=True).problems == []


@pytest.mark.parametrize("partitions", [1, 2, 16])
def test_meanings_rank_the_same_on_any_number_of_partitions(
    tmp_path: Path, milvus: Server, monkeypatch: pytest.MonkeyPatch, partitions: int
) -> None:
    from pymilvus import MilvusClient

    filler = {f"more/{at}.md": f"# Page {at}\n\n{'Gulls of the harbour. ' * at}" for at in range(1, 20)}
    with filled(tmp_path / "harbour", {**HARBOUR, **filler}) as corpus:
        kept_in(milvus.uri, monkeypatch, partitions=partitions)
        corpus.reindex("hybrid")
        found = {question: evidence(corpus, question, "hybrid")[0] for question in QUESTIONS}
        (chunks,) = [name for name in collections(milvus, schema_of(corpus)) if name.endswith("_chunks")]
        assert (len(MilvusClient(milvus.uri).list_partitions(chunks)) > 1) == (partitions > 1)
        monkeypatch.setenv("BIBLICUS_STORE", "local")
        with Corpus.open(corpus.path) as here:
            here.reindex("hybrid")
            assert found == {question: evidence(here, question, "hybrid")[0] for question in QUESTIONS}


# --- secrets and addresses --------------------------------------------------------------------------------------------


def reached(**more: Any) -> Target:
    return options.milvus_target("team", options_of(MilvusOptions, more, "stores.team"), {})


@pytest.mark.parametrize("uri", ["http://127.0.0.1:19530", "http://localhost:19530", "https://db.example.org:443"])
def test_nearby_no_tls_is_asked_for(uri: str) -> None:
    assert reached(uri=uri).parameters()["uri"] == uri


def test_elsewhere_tls_is_asked_for() -> None:
    for uri in ("http://db.example.org:19530", "http://10.0.0.7:19530"):
        with pytest.raises(StoreUnprotected):
            reached(uri=uri)


@pytest.mark.parametrize(
    "uri",
    ["", "./milvus.db", "tcp://127.0.0.1:1", f"http://ada:{SECRET}@127.0.0.1:1", "http://127.0.0.1", "http://[:1"],
)
def test_what_is_no_address_is_refused_and_not_repeated(uri: str) -> None:
    with pytest.raises(ConfigInvalid) as failed:
        reached(uri=uri)
    assert SECRET not in str(failed.value) + repr(failed.value.__cause__)


def test_a_secret_is_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    pytest.importorskip("pymilvus")
    monkeypatch.setattr("biblicus.stores.milvus.server.FIRST", 0.5)
    kept_in("http://127.0.0.1:1", monkeypatch, token=f"ada:{SECRET}")
    with filled(tmp_path / "harbour", TEXTS) as corpus:
        folder = CorpusFolder(corpus.path)
        with pytest.raises(StoreUnavailable) as failed:
            corpus.reindex()
        shown = [repr(load_settings()), repr(failed.value), str(failed.value.as_object())]
        shown += [repr(folder.store), repr(vars(folder.store)), repr(folder), *capfd.readouterr()]
        assert SECRET.encode() not in dumps(folder.alone())
        target = reached(token=f"ada:{SECRET}")
        with pytest.raises(TypeError):
            dumps(target)
        shown.append(repr(target))
        written = [path.read_bytes() for path in corpus.path.rglob("*") if path.is_file()]
    assert not [text for text in shown if SECRET in text]
    assert not [text for text in written if SECRET.encode() in text]


def test_without_its_extra_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("server", "store"):
        monkeypatch.delitem(sys.modules, f"biblicus.stores.milvus.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "pymilvus", None)
    kept_in("http://127.0.0.1:1", monkeypatch)
    with filled(tmp_path / "harbour", TEXTS) as corpus, pytest.raises(ExtraMissing) as failed:
        corpus.reindex()
    assert failed.value.hint == 'pip install "biblicus-corpus[milvus]"'
