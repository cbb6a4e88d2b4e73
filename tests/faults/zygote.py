"""A process with everything imported that starts commands in a few milliseconds, stopped until they are traced.

The command is the real one, `connectors.cli.front.app.run`, in a process of its own; only the interpreter's start is
spared.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from pathlib import Path

from tests.faults.variants import VARIANTS
from tests.faults.world import Done

_PATIENCE = 60.0
"""Seconds."""


@dataclass(frozen=True)
class Start:
    """A command to start: words, variant, environment, and where its output goes."""

    words: tuple[str, ...]
    variant: str | None
    environment: Mapping[str, str]
    folder: Path


class Zygote:
    """The process that forks. Make it before anything else runs in this one."""

    def __init__(self) -> None:
        self._pipe, there = Pipe()
        self._pid = os.fork()
        if self._pid == 0:
            self._pipe.close()
            _serve(there)
        there.close()
        Finalize(None, self.close, exitpriority=0)  # runs as a process of a pool ends, too

    def close(self) -> None:
        """End it, and wait, so that what it and its commands took counts as this process's."""
        self._pipe.close()
        os.waitpid(self._pid, 0)

    def run(self, start: Start, tracer: Sequence[str]) -> Done:
        """Run a command under a tracer (its words, `-p` and the process are added), or under none."""
        self._pipe.send(start)
        pid: int | None = self._pipe.recv()
        if pid is None:
            raise AssertionError(f"the command did not begin: {(start.folder / 'err').read_text(errors='replace')}")
        tracing = subprocess.Popen([*tracer, "-p", str(pid)], stderr=subprocess.DEVNULL) if tracer else None
        with tracing or nullcontext():
            if tracing:
                _until_traced(pid, tracing)
            os.kill(pid, signal.SIGCONT)
            if not self._pipe.poll(_PATIENCE):
                os.kill(pid, signal.SIGKILL)
                raise AssertionError("the command did not end")
            code: int = self._pipe.recv()
        out, err = ((start.folder / name).read_text(errors="replace") for name in ("out", "err"))
        return Done(code, out, err)


def _until_traced(pid: int, tracing: subprocess.Popen[bytes]) -> None:
    """Wait until the tracer holds the process, which has stopped itself."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and tracing.poll() is None:
        status = Path(f"/proc/{pid}/status").read_text()
        if "TracerPid:\t0\n" not in status and "State:\tt" in status:
            return
        time.sleep(0.001)
    raise AssertionError("the command could not be traced")


def _serve(requests: Connection) -> None:
    """Fork a command for each request, tell its process, then its exit code."""
    _import_everything()
    while True:
        try:
            start: Start = requests.recv()
        except EOFError:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            _become(start)
        _, status = os.waitpid(pid, os.WUNTRACED)  # traced before it stopped itself, it would miss the word to go on
        requests.send(pid if os.WIFSTOPPED(status) else None)
        if not os.WIFSTOPPED(status):
            continue
        requests.send(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def _import_everything() -> None:
    import tantivy  # noqa: F401

    from biblicus.connectors.cli import corpus, items, query, runs  # noqa: F401
    from biblicus.extraction import markdown, text  # noqa: F401
    from biblicus.guards import process, yaml  # noqa: F401
    from biblicus.retrieval.words import lexical, lexical_reader  # noqa: F401
    from biblicus.text import media  # noqa: F401


def _become(start: Start) -> None:
    """The command itself, once it is traced."""
    code = 1
    try:
        os.chdir("/")
        os.environ.clear()
        os.environ.update(start.environment)
        for descriptor, name in ((1, "out"), (2, "err")):
            opened = os.open(start.folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(opened, descriptor)
            os.close(opened)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        if start.variant:
            VARIANTS[start.variant]()
        from biblicus.connectors.cli.front.app import run

        os.kill(os.getpid(), signal.SIGSTOP)
        code = run(start.words)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)
