"""Worker process started by `processes`: `python -m biblicus.service.askers.process DESCRIPTOR FOLDER…`."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.errors import BiblicusError
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers.answering import THREADS, Answering, Departure
from biblicus.service.telemetry import observe
from biblicus.service.verbs import QUERY


def run(control: socket.socket, roots: Sequence[str]) -> None:
    """Open the corpora, send a byte when ready, and answer each stream that comes with a byte, until the end."""
    answering = Answering()
    for root in roots:
        with suppress(BiblicusError):
            answering.asker(Path(root)).ask(QUERY, QueryRequest("ready", limit=1), Call())
    gc.freeze()  # indexes and modules stay: collecting cycles among them would hold up a question for 30 ms
    pool = ThreadPoolExecutor(THREADS, "biblicus-answer")
    with suppress(OSError):
        control.sendall(b".")
        while descriptors := socket.recv_fds(control, 1, 1)[1]:
            stream = socket.socket(fileno=descriptors[0])
            pool.submit(answering.serve, stream, Call(cancel=Departure(stream)))


def main(descriptor: int, roots: Sequence[str]) -> None:
    """Answer until the parent process ends or closes the connection."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the parent ends this process after running requests
    logging.basicConfig(level=logging.WARNING)
    observe()
    run(socket.socket(fileno=descriptor), roots)
    telemetry.stop()  # send pending measurements; no other exit handlers run
    os._exit(0)


if __name__ == "__main__":
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main(int(sys.argv[1]), sys.argv[2:])
