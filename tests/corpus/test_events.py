"""The event log: what stands is told once, whatever moment a writer dies at; rot, rotation, room, and followers."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from biblicus import Corpus
from biblicus.contracts import Call
from biblicus.corpus.events import log as events
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import Cancelled, EventsDamaged, EventsGone, LayerPinned, ReaderLimited, StorageFailed
from biblicus.models.event import Event
from biblicus.models.sources.readers import Reader
from tests.sampling import IS_LONG

Items = dict[str, tuple[str, str]]


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_text("The moon pulls tides.")
    with Corpus.init(folder) as made:
        made.ingest()
        yield made


def place(corpus: Corpus) -> CorpusFolder:
    return CorpusFolder(corpus.path)


def told(stretch: Iterator[Event] | tuple[Event, ...], items: Items | None = None) -> Items:
    """The items that the events lead to."""
    known = dict(items or {})
    for event in stretch:
        if event.event == "item.removed":
            assert known.pop(event.item_id or "") == (event.path, event.sha256)
        elif event.event == "item.ingested":
            assert event.item_id not in known
        if event.event in ("item.ingested", "item.changed"):
            known[event.item_id or ""] = (event.path or "", event.sha256 or "")
    return known


def catalog(corpus: Corpus) -> Items:
    return {item.item_id: (item.path, item.sha256) for item in corpus.list()}


def edit(corpus: Corpus, number: int) -> None:
    (corpus.path / "a.txt").write_text(f"Text {number}.")
    (corpus.path / f"{number}.txt").write_text(f"More of {number}.")
    if (corpus.path / f"{number - 1}.txt").exists():
        (corpus.path / f"{number - 1}.txt").unlink()


# --- crashes ---------------------------------------------------------------------------------------------------------


def dies(work: Callable[[], Any], at: int) -> bool:
    """Do the work in a process that is gone before its `at`-th call that changes a file; whether it got there."""
    child = os.fork()
    if not child:
        calls = iter(range(at, -1, -1))
        for name in ("write", "fsync", "replace", "rename", "link", "unlink", "ftruncate"):
            setattr(os, name, _counted(getattr(os, name), calls))
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 9


def _counted(call: Callable[..., Any], calls: Iterator[int]) -> Callable[..., Any]:
    def counted(*words: Any, **options: Any) -> Any:
        if not next(calls, 1):
            os._exit(9)
        return call(*words, **options)

    return counted


@pytest.mark.parametrize("segment", [1 << 20, 1], ids=["one segment", "rotating"])
def test_whenever_a_writer_dies_the_events_are_those_of_what_stands(
    corpus: Corpus, segment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "SEGMENT_BYTES", segment)
    cursor, known, at, died = corpus.events().cursor, catalog(corpus), 0, True
    while died:
        edit(corpus, at)
        died = dies(corpus.ingest, at)
        page = corpus.events(cursor)  # read at once, as a follower would
        known, cursor = told(page.events, known), page.cursor
        assert known == catalog(corpus), f"after call {at}"
        if at % 2:
            corpus.ingest()  # the next writer goes on; every other time the dead one's work is overtaken by an edit
            page = corpus.events(cursor)
            known, cursor = told(page.events, known), page.cursor
            assert known == catalog(corpus), f"after call {at} and another writer"
        at += 1 if IS_LONG else 3
    assert at > 10
    everything = corpus.events(limit=100_000).events
    assert [event.cursor.rpartition("-")[2] for event in everything] == [str(n + 1) for n in range(len(everything))]
    assert told(everything) == catalog(corpus)
    assert not corpus.check(read_data=True).problems


def test_whenever_a_writer_dies_the_runs_told_are_those_that_are_there(corpus: Corpus) -> None:
    at, died = 0, True
    sealed: list[str | None] = []
    while died:
        edit(corpus, at)
        corpus.ingest()
        died = dies(corpus.reindex, at)
        sealed = [event.run_id for event in corpus.events(limit=10_000).events if event.event == "run.sealed"]
        assert sealed == [run.run_id for run in corpus.runs()]
        at += 3
    assert sealed


def test_a_pruned_run_is_still_told_of(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(events._Log, "confirm", lambda self: None)  # the writer died just before
        (run,) = corpus.reindex().runs
    corpus.prune_runs(run.manifest.run_id, latest=True)
    assert corpus.events().events[-1].run_id == run.manifest.run_id


# --- room and rot ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_without_room_for_events_nothing_changes(corpus: Corpus, call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    edit(corpus, 1)
    before, whole = catalog(corpus), corpus.events()
    segment = events.segments(place(corpus))[-1].path
    data = segment.read_bytes()
    with monkeypatch.context() as patch:
        _fail(patch, call, segment)
        with pytest.raises(StorageFailed):
            corpus.ingest()
    assert catalog(corpus) == before
    assert corpus.events() == whole
    assert segment.read_bytes() == data
    corpus.ingest()
    assert told(corpus.events().events) == catalog(corpus)


def _fail(patch: pytest.MonkeyPatch, name: str, path: Path) -> None:
    real = getattr(os, name)

    def failing(descriptor: int, *words: Any) -> Any:
        if os.readlink(f"/proc/self/fd/{descriptor}") == str(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, *words)

    patch.setattr(os, name, failing)


def test_every_flipped_bit_is_found_and_none_changes_an_event(corpus: Corpus) -> None:
    corpus.reindex()
    edit(corpus, 1)
    corpus.ingest()
    whole = corpus.events().events
    (segment,) = events.segments(place(corpus))
    data = segment.path.read_bytes()
    for at in range(0, len(data), 1 if IS_LONG else 3):
        segment.path.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        assert not events.is_sound(place(corpus)), f"byte {at}"
        with suppress(EventsDamaged):
            kept = corpus.events().events
            assert kept == whole[: len(kept)], f"byte {at}"


def test_a_writer_begins_another_log_where_the_end_is_damaged(corpus: Corpus) -> None:
    corpus.reindex()
    cursor = corpus.events().cursor
    (segment,) = events.segments(place(corpus))
    lines = segment.path.read_bytes().split(b"\n")
    lines[-2] = lines[-2].replace(b"crc", b"Crc")
    segment.path.write_bytes(b"\n".join(lines))
    edit(corpus, 1)
    corpus.ingest()
    with pytest.raises(EventsGone):
        corpus.events(cursor)
    assert [event.path for event in corpus.events().events] == ["1.txt", "a.txt"]


def test_repair_begins_a_damaged_log_anew(corpus: Corpus) -> None:
    corpus.reindex()
    cursor = corpus.events().cursor
    (segment,) = events.segments(place(corpus))
    data = bytearray(segment.path.read_bytes())
    data[300] ^= 1
    segment.path.write_bytes(data)
    assert ".biblicus/local/events" in [problem["path"] for problem in corpus.check(read_data=True).problems]
    assert not corpus.check(read_data=True, repair=True).problems
    with pytest.raises(EventsGone):
        corpus.events(cursor)


def test_a_torn_end_is_no_damage(corpus: Corpus) -> None:
    (segment,) = events.segments(place(corpus))
    with segment.path.open("ab") as file:
        file.write(b'{"seq":2,"event":"item.inge')
    assert len(corpus.events().events) == 1
    assert not corpus.check(read_data=True).problems
    edit(corpus, 1)
    corpus.ingest()
    assert told(corpus.events().events) == catalog(corpus)


# --- rotation and followers ------------------------------------------------------------------------------------------


def test_the_oldest_segments_go_and_say_so(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "SEGMENT_BYTES", 1 << 18)
    monkeypatch.setenv("BIBLICUS_EVENT_BYTES", str(1 << 20))
    first, long = corpus.events().cursor, "a-long-name-" * 18
    deep = corpus.path.joinpath(*[long] * 12)
    deep.mkdir(parents=True)
    for number in range(12):
        for name in range(50):
            (deep / f"{name}.md").write_text(f"{number} {name}")
        corpus.ingest()
    assert sum(segment.path.stat().st_size for segment in events.segments(place(corpus))) < 3 << 19
    with pytest.raises(EventsGone):
        corpus.events(first)
    kept = corpus.events(limit=100_000).events
    assert 50 <= len(kept) < 12 * 50
    assert corpus.events(kept[-50].cursor).events == kept[-49:]


def test_a_follower_sees_each_event_once(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "SEGMENT_BYTES", 2_000)
    monkeypatch.setattr("biblicus.connectors.python.corpus._LOOK", 0.001)
    call, stretch = Call(), []
    known, now = catalog(corpus), corpus.events().cursor

    def follow() -> None:
        with suppress(Cancelled):
            for event in corpus.follow(now, call=call):
                stretch.append(event)
                if event.path == "last.txt":
                    call.cancel.set()

    thread = threading.Thread(target=follow)
    thread.start()
    for number in range(30):
        edit(corpus, number)
        corpus.ingest()
    (corpus.path / "last.txt").write_text("The end.")
    corpus.ingest()
    thread.join(60)
    assert not thread.is_alive()
    numbers = [int(event.cursor.rpartition("-")[2]) for event in stretch]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert told(tuple(stretch), known) == catalog(corpus)


def test_who_follows_from_now_on_sees_nothing_older(corpus: Corpus) -> None:
    older, seen = corpus.events().events, threading.Event()
    heard: list[Event] = []

    def follow() -> None:
        heard.append(next(iter(corpus.follow("now"))))
        seen.set()

    threading.Thread(target=follow, daemon=True).start()
    for number in range(1_000):  # the first of these may come before it listens
        edit(corpus, number)
        corpus.ingest()
        if seen.wait(0.01):
            break
    assert heard
    assert heard[0] not in older


@pytest.mark.parametrize(
    ("call", "refusal"), [(Call(reader=Reader("ben")), ReaderLimited), (Call(layers=("canon",)), LayerPinned)]
)
def test_who_may_not_read_events_may_not_follow_them(corpus: Corpus, call: Call, refusal: type[Exception]) -> None:
    (corpus.path / "b.md").write_text("---\nreaders: [ada]\n---\nThe quay.\n")
    corpus.ingest()
    with pytest.raises(refusal):
        corpus.events(call=call)
    with pytest.raises(refusal):
        next(corpus.follow(call=call))


def test_a_follower_that_is_cancelled_sees_no_further_event(corpus: Corpus) -> None:
    edit(corpus, 0)
    corpus.ingest()
    call = Call()
    stretch = corpus.follow(call=call)
    assert next(stretch) == corpus.events().events[0]
    call.cancel.set()
    with pytest.raises(Cancelled):
        next(stretch)


def test_the_command_follows_and_ends_by_ctrl_c(corpus: Corpus) -> None:
    command = [sys.executable, "-m", "biblicus", "events", "--follow", "--json", "-C", str(corpus.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        edit(corpus, 1)
        corpus.ingest()
        rest = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=300)
        finally:
            process.kill()  # where it does not end, it must not be waited for
    assert [first, *rest] == [event.as_object() for event in corpus.events().events]
    assert (process.returncode, out, err) == (0, "", "")
