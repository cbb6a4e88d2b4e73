"""A run that is spread over several databases: the same evidence as from one, and what happens when one is away."""

import json
import random
import secrets
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import psycopg
import pytest

from biblicus import Corpus
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, ConfigInvalid, NotMaterialized, StoreUnavailable
from biblicus.stores.postgres import loading
from biblicus.stores.postgres.shards import RETRY
from tests.folders import write
from tests.stores.test_conformance import asked, edits, evidence, filled, local, same
from tests.stores.test_faults import TRIES, Failing
from tools.postgres import Server

__all__ = ["local"]
Spread = Callable[..., list[str]]


@pytest.fixture
def spread(postgres: Server, monkeypatch: pytest.MonkeyPatch) -> Spread:
    """Configures so many databases as nodes, and returns their names."""
    prefix = f"shard_{secrets.token_hex(4)}"

    def spread(count: int, first: int = 0) -> list[str]:
        names = [f"{prefix}_{at}" for at in range(first, count)]
        stores: dict[str, Any] = {name: {"by": "postgres", "dsn": postgres.database(name)} for name in names}
        monkeypatch.setenv("BIBLICUS_STORES", json.dumps({**stores, "wide": {"by": "shards", "nodes": names}}))
        monkeypatch.setenv("BIBLICUS_STORE", "wide")
        return names

    return spread


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with filled(tmp_path / "harbour") as made:
        yield made


def rows_of(postgres: Server, name: str, table: str) -> list[int]:
    """The item of each row of a leg in a database, of the latest run."""
    with psycopg.connect(postgres.database(name), autocommit=True) as connection:
        ((schema, view),) = connection.execute(
            "SELECT schemaname, viewname FROM pg_views WHERE viewname LIKE %s"
            " ORDER BY split_part(viewname, '_', 2)::int DESC LIMIT 1",
            [f"run_%_{table}"],
        ).fetchall()
        return [item for (item,) in connection.execute(f"SELECT item FROM {schema}.{view}".encode()).fetchall()]


def test_evidence_is_that_of_one_place_after_edits_too(
    tmp_path: Path, corpus: Corpus, local: Any, spread: Spread, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biblicus.runs.reindex.CHURN_LIMIT", 100.0)
    before = shutil.copytree(corpus.path, tmp_path / "before")
    names = spread(3)
    assert corpus.reindex("hybrid").runs[0].built == "fresh"
    for _ in edits(corpus.path):
        assert corpus.reindex("hybrid").runs[0].built == "incremental"
    items = [set(rows_of(postgres, name, "vectors_1")) for name in names]
    assert all(items)
    assert sum(map(len, items)) == len(set.union(*items))
    assert corpus.check(read_data=True).problems == []
    found = asked(corpus, "hybrid")
    with local(before, "hybrid") as twin:
        for _ in edits(twin.path):
            twin.reindex("hybrid")
        same(found, asked(twin, "hybrid"))
        assert corpus.runs()[-1].index_version == twin.runs()[-1].index_version


def waited(corpus: Corpus, question: str) -> Any:
    """The evidence, once all nodes were asked again. The first wait is for those that were tried too early."""
    for _ in range(2):
        evidence(corpus, question, "hybrid")  # which starts a trial
        for thread in threading.enumerate():
            if thread.name == RETRY:
                thread.join()
    return evidence(corpus, question, "hybrid")


def test_a_node_that_is_away_is_reported_and_all_is_there_when_it_is_back(
    corpus: Corpus, spread: Spread, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("biblicus.stores.postgres.shards._PAUSE", 0.0)
    names = spread(3)
    corpus.reindex("lexical")
    corpus.reindex("hybrid")
    question = "tides harbour"
    by_words, before = (evidence(corpus, question, recipe) for recipe in ("lexical", "hybrid"))
    assert not by_words[3] + before[3]
    for away in names[::2]:
        postgres.allow(away, False)
        with Corpus.open(corpus.path) as again:  # it opens the run without the node
            assert evidence(again, question, "lexical") == by_words
            for _ in range(2):  # what was found in part is not remembered as all
                pieces, _, _, notes, _ = evidence(again, question, "hybrid")
                assert "Only part of the corpus was searched" in notes[0]
                assert away in notes[0]
                assert 0 < len(pieces) <= len(before[0])
                assert pieces != before[0]
                assert {verdict.status for verdict in again.verify(again.query(question))} == {"ok"}
            with pytest.raises(StoreUnavailable, match=away):
                again.check()
            postgres.allow(away, True)
            assert waited(again, question) == before
    for name in names:
        postgres.allow(name, False)
    with pytest.raises(StoreUnavailable), Corpus.open(corpus.path) as again:
        again.query(question)
    for name in names:
        postgres.allow(name, True)


def test_a_commit_that_fails_leaves_the_run_before_and_the_next_build_heals(corpus: Corpus, spread: Spread) -> None:
    spread(3)
    first = corpus.reindex("lexical").runs[0].manifest.run_id
    write(corpus.path, {"new.md": "Nets of the harbour.\n"})
    real, commits = psycopg.Connection.commit, []

    def load(builds: Any, *facts: Any) -> None:
        loading.load(builds, *facts)
        builds[0].connection.close()  # its node dies when others have committed already
        commits.append(len(builds))

    with mock.patch("biblicus.stores.postgres.shards.load", load), pytest.raises(StoreUnavailable):
        corpus.reindex("lexical")
    assert commits == [3]
    store = CorpusFolder(corpus.path).store
    (half,) = {*store.runs()} - {first}
    assert not store.holds(half)
    with pytest.raises(NotMaterialized):
        store.check(half)
    with Corpus.open(corpus.path) as again:
        assert again.query("harbour").run_id == first
        second = again.reindex("lexical").runs[0].manifest.run_id
        assert again.query("nets").evidence
    assert CorpusFolder(corpus.path).store.runs() == [first, second]
    assert real is psycopg.Connection.commit


def test_the_next_reindex_spreads_a_run_over_the_nodes_of_now(corpus: Corpus, spread: Spread, postgres: Server) -> None:
    spread(2)
    run = corpus.reindex("hybrid").runs[0].manifest.run_id
    expected = evidence(corpus, "tides harbour", "hybrid")
    names = spread(4, 1)  # the first is taken out, two are added
    with Corpus.open(corpus.path) as again:
        with pytest.raises(NotMaterialized):
            again.query("tides harbour", recipe="hybrid")
        built = again.reindex("hybrid").runs[0]
        assert (built.built, built.manifest.run_id) == ("rematerialised", run)
        assert again.reindex("hybrid").runs[0].built == "unchanged"
        assert evidence(again, "tides harbour", "hybrid") == expected
        assert all(rows_of(postgres, name, "vectors_1") for name in names)
    spread(5, 1)  # one more: what was there is asked until then
    with Corpus.open(corpus.path) as again:
        assert evidence(again, "tides harbour", "hybrid") == expected


def test_nodes_are_other_stores_by_postgres_each_once(
    corpus: Corpus, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {"by": "postgres", "dsn": postgres.dsn}
    monkeypatch.setenv("BIBLICUS_STORE", "wide")
    for nodes in (["one", "nobody"], ["one", "wide"], ["one", "one"], ["one", "two"], []):
        stores = {"one": here, "two": here, "wide": {"by": "shards", "nodes": nodes}}
        monkeypatch.setenv("BIBLICUS_STORES", json.dumps(stores))
        with pytest.raises(ConfigInvalid):
            corpus.reindex("lexical")


@pytest.mark.faults
def test_whichever_node_is_killed_while_a_run_is_copied_in_all_of_it_is_there_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tally: Callable[..., None]
) -> None:
    servers = [Server() for _ in range(3)]
    nodes = {f"node{at}": {"by": "postgres", "dsn": server.dsn} for at, server in enumerate(servers)}
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({**nodes, "wide": {"by": "shards", "nodes": [*nodes]}}))
    monkeypatch.setenv("BIBLICUS_STORE", "wide")
    monkeypatch.setattr("biblicus.runs.reindex.CHURN_LIMIT", 100.0)
    chance, failed, most = random.Random(1), 0, 0
    tries = max(1, TRIES // 3)
    with filled(tmp_path / "harbour") as corpus:
        latest = corpus.reindex().runs[0].manifest.run_id
        for number in range(tries + 1):
            failing = Failing(chance.choice(servers), mock.Mock())
            failing.fault, failing.at = "killed", chance.randint(1, most) if most else 0
            write(corpus.path, {"new.md": f"Net number{number} of the harbour.\n"})
            executing, copying = failing.watched()
            try:
                with executing, copying:
                    latest = corpus.reindex().runs[0].manifest.run_id
                most = most or failing.statements
            except BiblicusError:
                failed += 1
            if failing.has_fired and number % 2:  # the rest answers, with what is right
                with Corpus.open(corpus.path) as again:
                    result = again.query("harbour", run=latest)
                    assert result.notes
                    assert {verdict.status for verdict in again.verify(result)} <= {"ok", "stale", "missing"}
            failing.recover()
            store = CorpusFolder(corpus.path).store
            for run_id in [run.run_id for run in corpus.runs()][-2:]:
                store.check(run_id, deep=True)
            with Corpus.open(corpus.path) as again:
                latest = max(latest, max(run.run_id for run in again.runs()))
                assert again.query("harbour").run_id == latest
        corpus.reindex()
        assert set(CorpusFolder(corpus.path).store.runs()) <= {run.run_id for run in corpus.runs()}
    for server in servers:
        server.stop()
    tally(kills=tries)
    print(f"\n{tries} tries over three nodes, {failed} builds failed: 0 runs half there, 0 lost")  # noqa: T201
    assert failed > tries / 3
