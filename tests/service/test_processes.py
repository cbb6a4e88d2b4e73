"""Processes beside this one that answer questions."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from biblicus.connectors.daemon.server import Server
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, Cancelled, ItemNotFound
from biblicus.models.plain import encoded
from biblicus.models.requests.items import ShowRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers import processes as module
from biblicus.service.askers.answering import sent
from biblicus.service.askers.daemon import Address, Daemon
from biblicus.service.askers.here import Here, here
from biblicus.service.askers.process import run
from biblicus.service.askers.processes import Processes
from biblicus.service.askers.wire import Sent, Who
from biblicus.service.corpora import Corpora
from biblicus.service.verbs import QUERY, SHOW
from tests.editorial.layered import layered
from tests.http.conftest import corpus


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("processes") / "notes")


@pytest.fixture
def one(folder: Path) -> Iterator[Processes]:
    processes = Processes(1, [folder])
    processes.start()
    processes.wait()
    yield processes
    processes.close()


def evidence(processes: Processes, folder: Path) -> Sequence[Any]:
    return processes.ask(folder, QUERY, QueryRequest("moon"), Call()).read(QUERY).evidence


def pids(processes: Processes) -> list[int]:
    return [process.pid for process in processes._all if process.is_ready]


def test_processes_are_started_by_the_second_question_at_a_time_and_answer_those(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    corpora = Corpora.open([f"notes={folder}"], 2)
    processes = corpora.processes
    assert processes is not None
    try:
        assert corpora.ask(None, QUERY, QueryRequest("moon"), Call()).evidence
        assert not pids(processes)
        with processes.asked():
            assert corpora.ask(None, QUERY, QueryRequest("moon"), Call()).evidence
        processes.wait()
        assert processes.ready == 2
        with monkeypatch.context() as patch:
            patch.setattr(Processes, "ask", None)
            assert corpora.ask(None, QUERY, QueryRequest("moon"), Call()).evidence  # alone: answered here
        with processes.asked(), monkeypatch.context() as patch:
            patch.setattr(Here, "ask", None)
            assert corpora.ask(None, QUERY, QueryRequest("moon"), Call()).evidence
    finally:
        corpora.close()


def test_no_module_of_the_folder_that_a_service_runs_in_is_imported(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in ("logging", "socket", "biblicus"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'w')\nraise SystemExit\n")
    monkeypatch.chdir(tmp_path)
    processes = Processes(1, [folder])
    processes.start()
    processes.wait()
    ready = processes.ready
    processes.close()
    assert ready == 1
    assert not (tmp_path / "imported").exists()


def test_they_end_with_who_started_them_and_tell_what_they_measured(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    pytest.importorskip("opentelemetry.sdk", reason="the extra [otel] is not installed")
    monkeypatch.setenv("BIBLICUS_TELEMETRY", "console")
    processes = Processes(1, [folder])
    processes.start()
    processes.wait()
    (pid,) = pids(processes)
    started = psutil.Process(pid)
    processes.ask(folder, QUERY, QueryRequest("moon"), Call())
    processes.close()
    assert not started.is_running()
    assert '"biblicus.duration"' in capfd.readouterr().err


def test_a_question_that_nobody_waits_for_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch):
    begun, call = threading.Event(), Call()

    def ask(asker: Here, verb: Any, request: Any, call: Call) -> None:
        begun.set()
        call.cancel.wait()
        raise Cancelled

    monkeypatch.setattr(module, "_launched", InThread)
    monkeypatch.setattr(Here, "ask", ask)
    processes = Processes(1)
    processes.start()
    processes.wait()
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(processes.ask, folder, QUERY, QueryRequest("moon"), call)
        begun.wait()
        call.cancel.set()
        with pytest.raises(Cancelled):
            answer.result()
    processes.close()


def test_what_nobody_foresaw_is_told_to_who_asked_with_where_it_came_from(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def ask(asker: Here, verb: Any, request: Any, call: Call) -> None:
        if request.query != "ready":
            raise ZeroDivisionError("the secret is /etc/shadow")

    monkeypatch.setattr(module, "_launched", InThread)
    monkeypatch.setattr(Here, "ask", ask)
    processes = Processes(1, [folder])
    processes.start()
    processes.wait()
    with pytest.raises(Exception, match=r"(?s)Traceback.*ZeroDivisionError") as told:
        processes.ask(folder, QUERY, QueryRequest("moon"), Call())
    processes.close()
    assert not isinstance(told.value, BiblicusError)  # else its words would be shown to clients


class _Deaf:
    """A process that is ready, and then answers nothing."""

    pid = 0

    def __init__(self, descriptor: int, roots: Sequence[str]) -> None:
        self.control = socket.socket(fileno=os.dup(descriptor))
        self.control.sendall(b".")

    def kill(self) -> None:
        self.control.close()

    def wait(self, seconds: float | None = None) -> int:
        return -signal.SIGKILL


def test_a_process_that_does_not_give_up_what_nobody_waits_for_is_ended(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "_HUNG", 0.0)
    started = iter([_Deaf, InThread])
    monkeypatch.setattr(module, "_launched", lambda *where: next(started)(*where))
    processes, nobodys = Processes(1, [folder]), Call()
    processes.start()
    processes.wait()
    (deaf,) = processes._all
    with ThreadPoolExecutor(2) as pool:
        wanted = pool.submit(processes.ask, folder, QUERY, QueryRequest("moon"), Call())
        unwanted = pool.submit(processes.ask, folder, QUERY, QueryRequest("lamp"), nobodys)
        while deaf.load < 2:
            threading.Event().wait(0.01)
        nobodys.cancel.set()
        with pytest.raises(Cancelled):
            unwanted.result()
        assert wanted.exception() is None or isinstance(wanted.exception(), module._NoProcess)
    processes.wait()
    assert evidence(processes, folder)
    processes.close()


def test_where_the_system_has_no_process_to_give_this_one_answers(folder: Path, monkeypatch: pytest.MonkeyPatch):
    def launched(*where: Any) -> None:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(module, "_launched", launched)
    corpora = Corpora.open([f"notes={folder}"], 2)
    assert corpora.processes is not None
    try:
        with corpora.processes.asked():
            assert corpora.ask(None, QUERY, QueryRequest("moon"), Call()).evidence
        monkeypatch.setattr(module, "_launched", InThread)
        with corpora.processes.asked(), corpora.processes.asked():
            assert not corpora.processes._all  # not with every question
        corpora.processes._starts_again = 0.0
        with corpora.processes.asked(), corpora.processes.asked():
            assert len(corpora.processes._all) == 2
    finally:
        corpora.close()


def test_where_the_system_has_no_thread_to_give_the_process_is_ended(monkeypatch: pytest.MonkeyPatch):
    launched = list[_Deaf]()

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    def launch(*where: Any) -> _Deaf:
        launched.append(_Deaf(*where))
        return launched[-1]

    monkeypatch.setattr(module, "_launched", launch)
    processes = Processes(1)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        processes.start()
    assert not processes._all
    assert [process.control.fileno() for process in launched] == [-1]


def test_processes_that_hang_are_ended_together(monkeypatch: pytest.MonkeyPatch):
    waited = list[float]()

    class Hung(_Deaf):
        def wait(self, seconds: float | None = None) -> int:
            if seconds is None:
                return super().wait()
            waited.append(seconds)
            raise subprocess.TimeoutExpired("hung", seconds)

    monkeypatch.setattr(module, "_launched", Hung)
    processes = Processes(4)
    processes.start()
    processes.wait()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: sum(waited)))
    processes.close()
    assert waited == [module._LEAVING, 0.0, 0.0, 0.0]


def test_one_opens_what_is_asked_before_it_is_ready(folder: Path, monkeypatch: pytest.MonkeyPatch):
    opened: list[Sequence[str]] = []

    def launched(descriptor: int, roots: Sequence[str]) -> InThread:
        opened.append(list(roots))
        return InThread(descriptor, roots)

    monkeypatch.setattr(module, "_launched", launched)
    processes = Processes(1)
    server = Server(Address(folder, "daemon"), idle=3600, workers=2)
    server._processes = processes
    server.asker(folder)
    processes.start()
    processes.wait()
    processes.close()
    assert opened == [[str(folder)]]


class InThread:
    """What stands for a process, in a thread of this one."""

    pid = 0

    def __init__(self, descriptor: int, roots: Sequence[str]) -> None:
        control = socket.socket(fileno=os.dup(descriptor))
        self._thread = threading.Thread(target=run, args=(control, roots))
        self._thread.start()

    def wait(self, seconds: float) -> int:
        self._thread.join()
        return 0


def test_a_question_that_ends_every_process_is_refused_and_the_service_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    processes = Processes(2, [folder])
    processes.start()
    processes.wait()
    ask = module._Process.ask

    def deadly(process: module._Process, frame: bytes, call: Call) -> Sent:
        os.kill(process.pid, signal.SIGKILL)
        return ask(process, frame, call)

    try:
        with monkeypatch.context() as patch:
            patch.setattr(module._Process, "ask", deadly)
            with pytest.raises(BiblicusError, match="given up: 2 processes ended"):
                processes.ask(folder, QUERY, QueryRequest("moon"), Call())
        processes.wait()
        assert evidence(processes, folder)
    finally:
        processes.close()


def test_where_none_gets_ready_this_process_answers_and_tries_no_more(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    corpora = Corpora.open([f"notes={folder}"], 2)
    processes = corpora.processes
    assert processes is not None
    try:
        processes.start()
        processes.wait()
        assert (processes.count, processes.ready) == (0, 0)
        assert corpora.ask(None, QUERY, QueryRequest("moon"), Call()).evidence
    finally:
        corpora.close()


def test_an_error_keeps_its_class_and_its_words(one: Processes, folder: Path):
    with pytest.raises(ItemNotFound) as there:
        one.ask(folder, SHOW, ShowRequest("nothing"), Call())
    asker = here(folder)
    with pytest.raises(ItemNotFound) as own:
        asker.ask(SHOW, ShowRequest("nothing"), Call())
    asker.close()
    assert there.value.as_object() == own.value.as_object()


def test_every_field_of_a_call_crosses_or_keeps_the_question_here():
    names = {entry.name for entry in fields(Call)}
    assert names == {"deadline", "cancel", *(entry.name for entry in fields(Who)), *module.BOUND}


def test_who_is_pinned_to_layers_is_so_there_too(tmp_path: Path):
    corpora = Corpora.open([f"harbour={layered(tmp_path / 'harbour')}"], 2)
    assert corpora.processes is not None
    corpora.processes.start()
    corpora.processes.wait()
    try:
        with pytest.raises(ItemNotFound):
            corpora.ask(None, SHOW, ShowRequest("drafts/secret.md"), Call(layers=("published",)))
        assert corpora.ask(None, SHOW, ShowRequest("drafts/secret.md"), Call()).path == "drafts/secret.md"
    finally:
        corpora.close()


def test_a_daemon_answers_with_them(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    where = Address(tmp_path, "daemon")
    server = Server(where, idle=3600, workers=2)
    assert server._processes is not None
    running = threading.Thread(target=server.run)
    running.start()
    try:
        daemon = _until_it_listens(folder, where)
        with server._processes.asked():
            first = daemon.ask(QUERY, QueryRequest("moon"), Call())
        server._processes.wait()
        monkeypatch.setattr(Here, "ask", None)
        with server._processes.asked():
            second = daemon.ask(QUERY, QueryRequest("moon"), Call())
    finally:
        server.stop()
        running.join()
    assert second.evidence == first.evidence
    assert not server._processes._all


def _until_it_listens(folder: Path, where: Address) -> Daemon:
    listened = threading.Event()
    while not where.socket.exists():
        listened.wait(0.01)
    return Daemon(folder, where)


def test_a_reply_is_sent_without_blanks_and_has_the_values_of_the_command_line(folder: Path):
    asker = here(folder)
    reply = asker.ask(QUERY, QueryRequest("moon"), Call())
    asker.close()
    half = replace(reply, query="\ud83d", notes=("ü\u2028",), timings={"total": 1e-7, "open": 1e22})
    for result in (reply, half):
        assert json.loads(sent(result).body) == json.loads(encoded(result))
        assert sent(result).index_version == reply.index_version
    assert b'", "' not in sent(reply).body
