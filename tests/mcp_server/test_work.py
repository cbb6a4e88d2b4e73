"""Threads behind the server: progress that grows, work that stops when nobody waits for it, and a bound on both."""

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from mcp import Client

from biblicus import Corpus
from biblicus.connectors.mcp.asking import paced
from biblicus.contracts import Call, Progress
from biblicus.errors import Busy, Cancelled, DeadlineExceeded
from biblicus.service.admission import Admission, Limits, Line
from tests.folders import corpus_of
from tests.mcp_server.conftest import Served, told
from tests.sampling import some

Value = TypeVar("Value")


def until_told(call: Call) -> str:
    """Works until it is told to stop, as a long operation does."""
    while True:
        call.check()
        time.sleep(0.005)


async def run(line: Line, work: Callable[[Call], Value]) -> Value:
    with line.admitted() as ticket:
        return await ticket.run(work)


async def started(line: Line) -> asyncio.Task[str]:
    began = threading.Event()

    def work(call: Call) -> str:
        began.set()
        return until_told(call)

    task = asyncio.create_task(run(line, work))
    assert await asyncio.to_thread(began.wait, 60)
    return task


def test_an_answer_that_nobody_waits_for_is_not_worked_out():
    began, ended = threading.Event(), threading.Event()

    def work(call: Call) -> None:
        began.set()
        try:
            until_told(call)
        finally:
            ended.set()

    async def leave() -> None:
        task = asyncio.create_task(run(Admission(Limits()).questions, work))
        assert await asyncio.to_thread(began.wait, 60)
        assert not ended.is_set()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(leave())
    assert ended.wait(60)


def test_one_too_many_is_told_so_and_the_others_are_not_disturbed():
    async def crowd() -> None:
        admission = Admission(Limits(workers=1, waiting=1))
        line = admission.questions
        first = await started(line)
        second = asyncio.create_task(run(line, lambda call: "second"))
        await asyncio.sleep(0.01)
        with pytest.raises(Busy):
            await run(line, lambda call: "third")
        assert await run(admission.documents, lambda call: "a writer") == "a writer"
        first.cancel()
        assert await second == "second"
        await asyncio.sleep(0.01)
        assert await run(line, lambda call: "again") == "again"

    asyncio.run(crowd())


def test_a_deadline_ends_a_question():
    async def late() -> None:
        with pytest.raises(DeadlineExceeded):
            await run(Admission(Limits(seconds=0.05)).questions, until_told)

    asyncio.run(late())


def test_what_does_not_look_at_its_deadline_is_left_behind():
    async def deaf() -> None:
        release = threading.Event()
        began = time.monotonic()
        with pytest.raises(DeadlineExceeded):
            await run(Admission(Limits(seconds=0.05)).questions, lambda call: release.wait(20))
        assert time.monotonic() - began < 15
        release.set()

    asyncio.run(deaf())


def test_closing_ends_what_runs():
    async def close() -> None:
        admission = Admission(Limits())
        task = await started(admission.documents)
        await asyncio.to_thread(admission.close)
        (ended,) = await asyncio.gather(task, return_exceptions=True)
        assert isinstance(ended, Cancelled)

    asyncio.run(asyncio.wait_for(close(), 30))


def test_progress_grows_at_a_bounded_pace_and_ends_with_the_last_step():
    seen: list[tuple[float, str]] = []

    async def report(number: float, message: str) -> None:
        seen.append((number, message))

    def work(progress: Progress) -> None:
        for done in range(1, 301):
            progress("read", done, 300)
            time.sleep(0.001)

    async def told() -> None:
        async with paced(report) as progress:
            await asyncio.to_thread(work, progress)

    began = time.monotonic()
    asyncio.run(told())
    most = (time.monotonic() - began) / 0.1 + 2
    assert [number for number, _ in seen] == list(range(1, len(seen) + 1))
    assert seen[-1][1] == "read 300 of 300"
    assert 2 <= len(seen) <= most


def many(folder: Path, count: int = 1_000) -> Path:
    """A corpus that takes a while to build anew."""
    text = "tells of the moon and of tides.\n"
    return corpus_of(folder, {f"{number}.txt": f"Note {number} {text}" * 8 for number in range(count)})


@pytest.fixture(scope="module")
def crowd(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return many(tmp_path_factory.mktemp("crowd"))


@pytest.mark.parametrize("mode", some(["legacy", "auto"], 2))
def test_a_client_sees_how_far_a_reindex_is_and_may_leave_it(crowd: Path, mode: str):
    seen: list[str] = []

    async def leave(client: Client) -> None:
        told = asyncio.Event()

        async def progress(progress: float, total: float | None, message: str | None) -> None:
            seen.append(message or "")
            told.set()

        asked = {"fresh": True}
        call = client.call_tool("knowledge_base_reindex", asked, progress_callback=progress)
        task = asyncio.create_task(call)
        await asyncio.wait_for(told.wait(), 60)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    before = latest(crowd)
    Served([str(crowd)], ingest=True, mode=mode).talk(leave)
    assert seen
    assert " of " in seen[0]
    assert latest(crowd) == before
    with Corpus.open(crowd) as corpus:
        assert corpus.query("moon").evidence
        assert corpus.reindex(fresh=True).runs


def latest(folder: Path) -> object:
    with Corpus.open(folder) as corpus:
        return corpus.stats()["runs"]["lexical"]["run_id"]


def test_a_writer_does_not_hold_up_readers(copy: Path):
    async def both(client: Client) -> list[str]:
        calls = [client.call_tool("knowledge_base_query", {"query": "moon"}) for _ in range(8)]
        results = await asyncio.gather(client.call_tool("knowledge_base_reindex", {"fresh": True}), *calls)
        return [told(result).get("error", {}).get("code", "ok") for result in results]

    assert Served([str(copy)], ingest=True).talk(both) == ["ok"] * 9
