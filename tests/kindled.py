"""`biblicus …` in a process of its own, forked off one that has imported what is imported at each start.

`command()` is what to start instead of `python -m biblicus`: a small program that hands its words, its environment and
its three streams to the process that is ready, and ends as what was forked off there ends. An import of the SDK for MCP
takes one second and a half of a processor, and a dozen tests start a server of their own.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

_ASKING = """
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as ready:
    ready.connect(sys.argv[1])
    message = json.dumps({"words": sys.argv[2:], "folder": os.getcwd(), "environment": dict(os.environ)})
    socket.send_fds(ready, [message.encode() + b"\\n"], [0, 1, 2])
    code = ready.recv(1)
sys.exit(code[0] if code else 1)
"""


@cache
def _ready(owner: int) -> tuple[str, subprocess.Popen[bytes]]:
    """Where the process that is ready listens, and itself; it ends with its owner."""
    place = str(Path(tempfile.mkdtemp(prefix="bq"), "ready"))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(place)
        listening.listen()
        started = [sys.executable, "-m", "tests.kindled", str(listening.fileno())]
        root = Path(__file__).parents[1]
        process = subprocess.Popen(
            started, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, pass_fds=[listening.fileno()], cwd=root
        )
    return place, process


def address() -> str:
    return _ready(os.getpid())[0]


def command(*words: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", _ASKING, address(), *words]


def _asked(ready: socket.socket) -> tuple[socket.socket, dict[str, object] | None, list[int]]:
    """Who asks, for what, and its streams; for nothing where it was killed before it had said so."""
    asking, _ = ready.accept()
    line, streams, *_ = socket.recv_fds(asking, 1 << 16, 3)
    while not line.endswith(b"\n") and (rest := asking.recv(1 << 16)):
        line += rest
    return asking, json.loads(line) if line.endswith(b"\n") else None, streams


def _become(streams: list[int], words: list[str], folder: str, environment: dict[str, str]) -> None:
    """All that a start makes of a process."""
    for own, stream in enumerate(streams):
        os.dup2(stream, own)
        os.close(stream)
    for own, name in enumerate(("stdin", "stdout", "stderr")):
        setattr(sys, name, open(own, "w" if own else "r", buffering=1 if own == 2 else -1, closefd=False))  # noqa: SIM115 - it stays open
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["biblicus", *words]


def main() -> None:
    """Forks off whatever is asked for, until its owner ends, who holds the other end of its input."""
    import biblicus.connectors.http.service
    import biblicus.connectors.mcp.server
    import biblicus.connectors.mcp.stdio  # noqa: F401 - so that nobody else has to
    from biblicus.__main__ import program

    ready = socket.socket(fileno=int(sys.argv[1]))
    with selectors.DefaultSelector() as waiting:
        waiting.register(ready, selectors.EVENT_READ)
        waiting.register(0, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj == 0:
                    shutil.rmtree(Path(ready.getsockname()).parent, ignore_errors=True)
                    return None
                if key.data is None:
                    asking, message, streams = _asked(ready)
                    if message is None:
                        asking.close()
                        continue
                    if not (child := os.fork()):
                        waiting.close()
                        ready.close()
                        asking.close()
                        _become(streams, **message)  # type: ignore[arg-type]  # as it was put together above
                        return program()
                    for stream in streams:
                        os.close(stream)
                    waiting.register(os.pidfd_open(child), selectors.EVENT_READ, (child, asking))
                    continue
                child, asking = key.data
                waiting.unregister(key.fileobj)
                os.close(key.fd)
                code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                with asking:
                    asking.send(bytes([code & 0xFF]))


if __name__ == "__main__":
    main()
