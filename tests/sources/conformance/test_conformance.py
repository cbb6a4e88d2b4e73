"""One suite for every connector: nothing is lost, nothing is stale, nothing is wrongly deleted."""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.bring import pages, sync
from biblicus.corpus import registries
from biblicus.disk import files
from biblicus.errors import BiblicusError
from biblicus.models.sources.syncing import Account
from tests.sampling import IS_LONG
from tests.sources.conformance import memory
from tests.sources.conformance.upstreams import UPSTREAMS, Upstream, cloud

FIRST = {"a.md": b"The moon pulls.", "b/c.md": b"The quay is dry.", "d.md": b"Ebb at noon.", "e.md": b"Sand."}
EVENTS: dict[str, dict[str, bytes]] = {
    "edit": {**FIRST, "a.md": b"The moon pulled."},
    "rename": {"a2.md": FIRST["a.md"], **{path: data for path, data in FIRST.items() if path != "a.md"}},
    "move": {"z/d.md": FIRST["d.md"], **{path: data for path, data in FIRST.items() if path != "d.md"}},
    "delete": {path: data for path, data in FIRST.items() if path != "b/c.md"},
    "all at once": {"d.md": b"Edited.", "new.md": b"New.", "b/moved.md": FIRST["e.md"]},
}
POINTS = 50 if IS_LONG else 6


class Died(BaseException):
    """The process is gone: nothing catches this."""


@pytest.fixture(params=UPSTREAMS)
def upstream(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Upstream]:
    with ExitStack() as ending:
        made = UPSTREAMS[request.param](tmp_path, monkeypatch, ending)
        made.publish(FIRST)
        yield made


@pytest.fixture
def synced(upstream: Upstream, corpus: Corpus) -> Corpus:
    upstream.add(corpus)
    corpus.sync()
    assert upstream.copies(corpus) == FIRST
    return corpus


def is_right(upstream: Upstream, corpus: Corpus) -> bool:
    """The copies and the catalog hold what is published, no more and no less."""
    return upstream.copies(corpus) == upstream.documents and len(corpus.list()) == len(upstream.documents)


def test_it_follows_every_change(upstream: Upstream, synced: Corpus) -> None:
    for event, documents in EVENTS.items():
        upstream.publish(documents)
        synced.sync()
        assert is_right(upstream, synced), event
        assert synced.sync().sources[0].outcome == "unchanged", event


def test_an_empty_or_failing_list_deletes_nothing(upstream: Upstream, synced: Corpus) -> None:
    """Cut, busy with and without a time, broken, and after the token expired."""
    upstream.publish({})
    for fault in ("", "cut", "429", "500", "401"):
        if fault and upstream.fault is None:
            break
        if upstream.fault is not None:
            upstream.fault(fault)
        with pytest.raises(BiblicusError):
            synced.sync()
        assert upstream.copies(synced) == FIRST, fault
        assert len(synced.list()) == len(FIRST)
    if upstream.fault is not None:
        upstream.fault("")
    upstream.publish(EVENTS["edit"])
    synced.sync()
    assert is_right(upstream, synced)


def test_a_sync_that_dies_anywhere_is_ended_by_the_next(
    upstream: Upstream, synced: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = ((files, "move"), (files, "unlink"), (files, "make_folder"), (files, "sync_tree"))
    places: list[tuple[Any, str]] = [*steps, (registries, "write_registry"), (sync, "refresh"), (os, "replace")]
    places += [(pages.Listing, "_differs"), (pages.Listing, "_fetched"), (sync.Syncing, "_stage")]
    events, died = list(EVENTS.values()), 0
    for point in range(POINTS):
        documents = events[point % len(events)]
        upstream.publish(documents)
        before = upstream.copies(synced)
        calls = [0]

        def dies(real: Any, counted: list[int] = calls, at: int = point) -> Any:
            def step(*words: Any, **options: Any) -> Any:
                counted[0] += 1
                if counted[0] > at * 50 // POINTS:
                    raise Died
                return real(*words, **options)

            return step

        with monkeypatch.context() as patch:
            for owner, name in places:
                patch.setattr(owner, name, dies(getattr(owner, name)))
            try:
                synced.sync()
            except Died:
                died += 1
        kept = before.keys() & documents.keys()
        assert kept <= upstream.copies(synced).keys(), point
        synced.sync()
        assert is_right(upstream, synced), point
    assert died > POINTS // 5


def test_two_syncs_at_once(upstream: Upstream, synced: Corpus) -> None:
    upstream.publish(EVENTS["all at once"])
    others = [threading.Thread(target=Corpus.open(synced.path).sync) for _ in range(2)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert is_right(upstream, synced)


# --- what the loop does for all --------------------------------------------------------------------------------------


@pytest.fixture
def memories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus: Corpus) -> Iterator[Upstream]:
    with ExitStack() as ending:
        made = cloud(tmp_path, monkeypatch, ending)
        made.publish(FIRST)
        made.add(corpus)
        yield made


def test_what_failed_is_listed_and_tried_alone(memories: Upstream, corpus: Corpus) -> None:
    memory.CLOUD.bad = {"a.md": 500}
    (report,) = corpus.sync().sources
    assert report.failed == [{"path": "a.md", "reason": "it answers 500"}]
    assert corpus.sources()[0].failed == {"a.md": "it answers 500"}
    memory.CLOUD.bad, memory.CLOUD.fetched = {}, []
    memory.CLOUD.documents["d.md"] = ("d.md", b"Edited since.")
    corpus.sync(retry_failed=True)
    assert memory.CLOUD.fetched == ["a.md"]
    assert corpus.sources()[0].failed == {}
    assert len(corpus.list()) == len(FIRST)
    corpus.sync()
    memories.documents["d.md"] = b"Edited since."
    assert is_right(memories, corpus)


def test_a_sync_that_must_stop_keeps_what_it_has(memories: Upstream, corpus: Corpus) -> None:
    memory.CLOUD.bad = {"d.md": 429}
    with pytest.raises(BiblicusError):
        corpus.sync()
    assert len(memories.copies(corpus)) == 2
    memory.CLOUD.bad, memory.CLOUD.fetched = {}, []
    corpus.sync()
    assert memory.CLOUD.fetched == ["d.md", "e.md"]
    assert is_right(memories, corpus)


def test_what_was_cut_is_tried_again_as_a_whole(memories: Upstream, corpus: Corpus) -> None:
    memory.CLOUD.bad = {"a.md": 429}
    with pytest.raises(BiblicusError):
        corpus.sync()
    memory.CLOUD.bad = {"a.md": 500, "d.md": 429}
    with pytest.raises(BiblicusError):
        corpus.sync(retry_failed=True)
    assert corpus.sources()[0].failed == {"a.md": "it answers 500"}
    memory.CLOUD.bad = {}
    corpus.sync(retry_failed=True)
    assert is_right(memories, corpus)


def test_tags_and_readers_follow_the_source(memories: Upstream, corpus: Corpus) -> None:
    corpus.sync()
    assert [item.metadata.get("readers") for item in corpus.list()] == [None] * 4
    memory.CLOUD.readers = ("ada", "crew")
    corpus.sync()
    assert [(item.metadata["readers"], item.tags) for item in corpus.list()] == [(["ada", "crew"], ("cloud",))] * 4


def test_an_account_is_sent_to_its_own_host_alone(
    memories: Upstream, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.add_source("https://cloud.example.org/y", name="two", kind="memory", account="work")
    with pytest.raises(BiblicusError, match="account"):
        corpus.sync("two")
    monkeypatch.setenv("BIBLICUS_ACCOUNTS", '{"work": {"host": "cloud.example.org", "secret": "ebb"}}')
    corpus.sync("two")
    account = Account("work", "cloud.example.org", "ada", "ebb")
    assert account.secret_for("cloud.example.org") == "ebb"
    with pytest.raises(BiblicusError, match="is not sent to"):
        account.secret_for("cloud.example.org.evil.example")
    for user, secret in (("adä", "ebb"), ("ada", "ébb"), ("ada", "ebb\r\nX: y")):
        with pytest.raises(BiblicusError, match="cannot be sent"):
            Account("work", "cloud.example.org", user, secret).secret_for("cloud.example.org")
    held = [path for path in corpus.path.rglob("*") if path.is_file() and b"ebb" in path.read_bytes().split(b'"')]
    assert held == []


def test_a_list_that_names_an_unknown_connector_fails(memories: Upstream, corpus: Corpus) -> None:
    listed = corpus.path / ".biblicus" / "sources.yml"
    listed.write_text(listed.read_text().replace("kind: memory", "kind: os"))
    with pytest.raises(BiblicusError, match="not trusted"):
        corpus.sync()
    corpus.trust()
    with pytest.raises(BiblicusError, match="sources plug-in"):
        corpus.sync()
