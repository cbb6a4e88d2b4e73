"""Who is let in: how many, for how long, and what becomes of the work of those who left. By events, not by clocks."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any

import pytest

from biblicus.contracts import Call
from biblicus.errors import Busy, Cancelled, DeadlineExceeded, NoRun
from biblicus.service import admission
from biblicus.service.admission import Admission, Limits, Line
from biblicus.service.verbs import ANSWER, QUERY, RECEIVE, VERBS

FOREVER = 3_600.0
Work = Callable[[Call], Any]


@pytest.fixture
def line() -> Iterator[Line]:
    """One worker, one who may wait."""
    made = Line("questions", 1, 1, FOREVER)
    yield made
    made.close()


class Held:
    """Work that has begun and does not end before it is told to, whatever becomes of its call."""

    def __init__(self) -> None:
        self.begun, self.release = threading.Event(), threading.Event()
        self.ended: list[Call] = []

    def __call__(self, call: Call) -> str:
        self.begun.set()
        assert self.release.wait(60)
        self.ended.append(call)
        return "done"


class Patient(Held):
    """Work that goes on until it is cancelled."""

    def __call__(self, call: Call) -> str:
        self.begun.set()
        assert call.cancel.wait(60)
        self.ended.append(call)
        return "given up"


def started(line: Line, work: Work) -> Future[Any]:
    """Work in a place of its own."""
    with line.admitted() as ticket:
        return ticket.submit(work, Call())


def test_one_more_than_may_wait_is_turned_away(line: Line) -> None:
    first, second = line.enter(), line.enter()
    with pytest.raises(Busy):
        line.enter()
    second.give_back()
    third = line.enter()
    with pytest.raises(Busy):
        line.enter()
    first.give_back()
    third.give_back()
    assert line.inside == 0


def test_who_waits_gets_the_worker_that_is_free_again(line: Line) -> None:
    held = Held()
    running, waiting = started(line, held), started(line, lambda call: "next")
    assert held.begun.wait(60)
    assert not waiting.done()
    held.release.set()
    assert (running.result(60), waiting.result(60)) == ("done", "next")


def test_no_more_run_at_once_than_there_are_workers() -> None:
    line = Line("questions", 2, 2, FOREVER)
    together = threading.Barrier(3)
    running = [started(line, lambda call: together.wait(60)) for _ in range(2)]
    late = threading.Event()
    waiting = [started(line, lambda call: late.set()) for _ in range(2)]
    assert not late.is_set()
    together.wait(60)
    assert all(future.result(60) in range(3) for future in running)
    assert [future.result(60) for future in waiting] == [None, None]
    line.close()
    assert line.inside == 0


def test_what_work_raises_and_returns_is_the_askers(line: Line) -> None:
    def refused(call: Call) -> None:
        raise NoRun("lexical", True)

    async def ask() -> None:
        with line.admitted() as ticket:
            assert await ticket.run(lambda call: call.guest, call=Call(guest=True)) is True
            with pytest.raises(NoRun):
                await ticket.run(refused)

    asyncio.run(ask())


def test_work_sees_the_context_of_who_asked(line: Line) -> None:
    trace: ContextVar[str] = ContextVar("trace", default="nobody's")

    async def ask() -> str:
        trace.set("mine")
        with line.admitted() as ticket:
            return await ticket.run(lambda call: trace.get())

    assert asyncio.run(ask()) == "mine"


def test_progress_is_told_to_who_asked(line: Line) -> None:
    measures: list[tuple[str, int, int | None]] = []

    async def ask() -> None:
        with line.admitted() as ticket:
            await ticket.run(
                lambda call: call.progress("read", 1, 2), call=Call(progress=lambda *step: measures.append(step))
            )

    asyncio.run(ask())
    assert measures == [("read", 1, 2)]


def test_work_whose_time_is_over_does_not_begin(line: Line) -> None:
    begun: list[Call] = []

    async def ask() -> None:
        with line.admitted() as ticket, pytest.raises(DeadlineExceeded):
            await ticket.run(begun.append, seconds=-1)

    asyncio.run(ask())
    assert begun == []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline that has come is acted on at once."""
    monkeypatch.setattr(admission, "_PATIENCE", 0)
    monkeypatch.setattr(admission, "_GRACE", 0)


def test_work_that_does_not_notice_its_deadline_keeps_its_place_until_its_thread_is_free(
    line: Line, impatient: None
) -> None:
    held, never = Held(), Held()
    running = started(line, held)
    assert held.begun.wait(60)

    async def ask() -> None:
        with line.admitted() as ticket, pytest.raises(DeadlineExceeded):
            await ticket.run(never, seconds=0)

    asyncio.run(ask())
    assert line.inside == 2
    with pytest.raises(Busy):
        line.enter()
    held.release.set()
    assert running.result(60) == "done"
    line.close()
    assert line.inside == 0
    assert not never.begun.is_set(), "it began for nobody"


def test_who_leaves_is_not_worked_for_any_longer(line: Line, impatient: None) -> None:
    patient = Patient()

    async def left() -> None:
        await asyncio.to_thread(patient.begun.wait, 60)

    async def ask() -> None:
        with line.admitted() as ticket, pytest.raises(Cancelled):
            await ticket.run(patient, left=left)

    asyncio.run(ask())
    line.close()
    (call,) = patient.ended
    assert call.cancel.is_set()
    assert line.inside == 0


def test_who_stays_gets_the_answer_though_somebody_looks_whether_it_left(line: Line, impatient: None) -> None:
    held = Held()

    async def stays() -> None:
        held.release.set()
        await asyncio.Event().wait()

    async def ask() -> str:
        with line.admitted() as ticket:
            return await ticket.run(held, left=stays)

    assert asyncio.run(ask()) == "done"


def test_a_task_that_is_cancelled_cancels_its_work(line: Line) -> None:
    patient = Patient()

    async def ask() -> None:
        async def work() -> str:
            with line.admitted() as ticket:
                return await ticket.run(patient)

        task = asyncio.create_task(work())
        await asyncio.to_thread(patient.begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(ask())
    line.close()
    assert len(patient.ended) == 1
    assert line.inside == 0


def test_closing_cancels_what_runs_drops_what_waits_and_waits_for_the_end() -> None:
    line = Line("documents", 1, 1, FOREVER)
    patient, never = Patient(), Held()
    running, waiting = started(line, patient), started(line, never)
    assert patient.begun.wait(60)
    line.close()
    assert running.result(0) == "given up"
    assert waiting.cancelled() or isinstance(waiting.exception(0), Cancelled)
    assert not never.begun.is_set()
    assert line.inside == 0


def test_who_comes_after_the_end_is_told() -> None:
    line = Line("questions", 1, 1, FOREVER)
    line.close()
    with line.admitted() as ticket, pytest.raises(Cancelled):
        ticket.submit(lambda call: None, Call())
    assert line.inside == 0


def test_each_verb_waits_in_its_line() -> None:
    made = Admission(Limits())
    assert made.line(QUERY) is made.questions
    assert made.line(ANSWER) is made.answers
    assert made.line(RECEIVE) is made.documents
    assert {verb.name for verb in VERBS.values() if made.line(verb) is made.documents} == {
        verb.name for verb in VERBS.values() if verb.scope == "ingest"
    }
    made.close()


def test_a_full_line_leaves_the_others_free() -> None:
    made = Admission(Limits(workers=1, waiting=0))
    with made.questions.admitted():
        with pytest.raises(Busy):
            made.questions.enter()
        with made.answers.admitted() as answering, made.documents.admitted() as writing:
            assert [ticket.submit(lambda call: "in", Call()).result(60) for ticket in (answering, writing)] == [
                "in"
            ] * 2
    made.close()


def test_one_admission_bounds_two_surfaces_together() -> None:
    """Two event loops in threads of their own, as a service and what is mounted on it may have."""
    made = Admission(Limits(workers=1, waiting=1))
    entered = {name: threading.Event() for name in ("http", "mcp")}
    outcomes: dict[str, str] = {}
    running, most = set[str](), list[int]()
    begun, release = threading.Event(), threading.Event()

    def surface(name: str) -> None:
        def work(call: Call) -> str:
            running.add(name)
            most.append(len(running))
            begun.set()
            assert release.wait(60)
            running.remove(name)
            return f"{name} answered"

        async def ask() -> str:
            with made.line(QUERY).admitted() as ticket:
                entered[name].set()
                return await ticket.run(work)

        outcomes[name] = asyncio.run(ask())

    threads = [threading.Thread(target=surface, args=(name,)) for name in entered]
    for thread in threads:
        thread.start()
    assert all(event.wait(60) for event in (*entered.values(), begun))
    with pytest.raises(Busy):
        made.line(QUERY).enter()
    release.set()
    for thread in threads:
        thread.join(60)
    assert outcomes == {"http": "http answered", "mcp": "mcp answered"}
    assert most == [1, 1], "one worker for both"
    made.close()
    assert made.questions.inside == 0
