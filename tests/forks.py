"""Tests shared out among processes that are forked off once all tests are known: `pytest --processes auto`.

Finding fourteen thousand tests takes more than twenty seconds of a processor. Whoever is forked has found them, and has
the modules that they are in; processes that start for themselves would each do it again. Each takes the next file of
tests that nobody has begun, the largest ones first, and tells its parent what came of every test.
"""

from __future__ import annotations

import json
import os
import random
import signal
import traceback
import warnings
from collections.abc import Iterator, Sequence
from itertools import groupby
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

import pytest

_WORD = 4


class Files:
    """The files of tests that nobody has begun: their numbers, in a pipe that all processes read."""

    def __init__(self, tests: Sequence[pytest.Item]) -> None:
        by_file = [list(group) for _, group in groupby(tests, key=lambda test: test.path)]
        self._files = sorted(by_file, key=len, reverse=True)
        self._pipe, entrance = os.pipe()
        os.write(entrance, b"".join(number.to_bytes(_WORD) for number in range(len(self._files))))
        os.close(entrance)

    def tests(self) -> Iterator[pytest.Item]:
        while word := os.read(self._pipe, _WORD):
            yield from self._files[int.from_bytes(word)]

    def leave(self) -> None:
        """What nobody has begun is not begun."""
        while os.read(self._pipe, 1 << 16):
            pass


class Teller:
    """Tells the parent what a process hears of its tests."""

    def __init__(self, config: pytest.Config, parent: Connection) -> None:
        self._config, self._parent = config, parent
        self.inherited: object = None

    def tell(self, **message: Any) -> None:
        self._parent.send_bytes(json.dumps(message, default=str).encode())

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self.tell(nodeid=nodeid, location=location)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.tell(report=self._config.hook.pytest_report_to_serializable(config=self._config, report=report))

    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage, when: str, nodeid: str) -> None:
        place = {"filename": warning_message.filename, "lineno": warning_message.lineno}
        text = f"{warning_message.category.__name__}: {warning_message.message}"
        self.tell(warning=place | {"message": text}, when=when, test=nodeid)


class Process:
    """One that is forked off, as its parent sees it."""

    def __init__(self, session: pytest.Session, files: Files, older: Sequence[Process]) -> None:
        self._config = session.config
        self._test: tuple[str, Any] = ("", ("", None, ""))
        factory = session.config._tmp_path_factory  # type: ignore[attr-defined]  # private to pytest
        factory.getbasetemp()  # all are in the parent's
        self.messages, parent = Pipe(duplex=False)
        self.pid = os.fork()
        if not self.pid:
            self._config.option.basetemp = str(factory.getbasetemp() / f"process-{len(older)}")
            for process in (*older, self):  # else whoever has too much to tell would wait for us, too
                process.messages.close()
            os.register_at_fork(after_in_child=parent.close)  # else one that a test leaves behind would count as alive
            _run(session, files, Teller(self._config, parent))
        parent.close()

    def heard(self) -> bool:
        """Passes on what it tells next; False where there is no more to come."""
        hook = self._config.hook
        try:
            message = json.loads(self.messages.recv_bytes())
        except EOFError:
            nodeid, location = self._test
            report = pytest.TestReport(nodeid, location, {}, "failed", "The process of this test has died.", "call")
            hook.pytest_runtest_logreport(report=report)
            return False
        match message:
            case {"nodeid": nodeid, "location": location}:
                self._test = nodeid, tuple(location)
                hook.pytest_runtest_logstart(nodeid=nodeid, location=self._test[1])
            case {"report": content}:
                report = hook.pytest_report_from_serializable(config=self._config, data=content)
                if isinstance(report.longrepr, list):  # why a test was skipped
                    report.longrepr = tuple(report.longrepr)
                hook.pytest_runtest_logreport(report=report)
            case {"warning": place, "when": when, "test": nodeid}:
                warning = warnings.WarningMessage(category=UserWarning, **place)
                words = {"warning_message": warning, "when": when, "nodeid": nodeid, "location": None}
                hook.pytest_warning_recorded.call_historic(kwargs=words)
            case {"broken": trace}:
                raise RuntimeError(trace)
            case {"done": _}:
                return False
        return True


def _run(session: pytest.Session, files: Files, teller: Teller) -> None:
    """All that a forked process does. What its parent registered to be done at its end is the parent's to do."""
    try:
        random.seed()
        plugins = session.config.pluginmanager
        plugins.unregister(name="terminalreporter")
        if capture := plugins.getplugin("capturemanager"):  # its files would be shared with the others
            capture.suspend_global_capture(in_=True)
            # Not closed: a default of some function may hold one of its files.
            teller.inherited, capture._global_capturing = capture._global_capturing, None
            capture.start_global_capturing()
        plugins.getplugin("tmpdir").pytest_configure(session.config)
        plugins.register(teller)
        tests = files.tests()
        test = next(tests, None)
        try:
            while test is not None and not (session.shouldfail or session.shouldstop):
                following = next(tests, None)
                test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
                test = following
        finally:
            signal.signal(signal.SIGINT, lambda *_: None)  # a terminal interrupts us, and so does our parent
            session._setupstate.teardown_exact(None)
        teller.tell(done=True)
    except BaseException:  # nothing may get out into what the parent does
        teller.tell(broken=traceback.format_exc())
    finally:
        os._exit(0)


def _number(word: str) -> int:
    # A third of what tests do is to wait: for processes that start and end, limits, servers.
    return (os.cpu_count() or 1) + 1 if word == "auto" else int(word)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--processes", type=_number, default=1, help="how many run tests side by side: a number, or auto")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    count = session.config.option.processes
    if count < 2 or session.testsfailed or session.config.option.collectonly:
        return None
    files = Files(session.items)
    processes: dict[Any, Process] = {}
    try:
        for _ in range(count):
            process = Process(session, files, list(processes.values()))
            processes[process.messages] = process
        while processes and not (session.shouldfail or session.shouldstop):
            for messages in wait(list(processes)):
                if not processes[messages].heard():
                    os.waitpid(processes.pop(messages).pid, 0)
    finally:
        files.leave()
        for process in processes.values():
            process.messages.close()  # who waits for room to tell something waits no more
            os.kill(process.pid, signal.SIGINT)
        for process in processes.values():
            os.waitpid(process.pid, 0)
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)
    return True
