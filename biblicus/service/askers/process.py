"""Worker process started by `processes`: `python -m biblicus.service.askers.process DESCRIPTOR FOLDER…`."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.errors import BiblicusError
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers.here import Here
from biblicus.service.askers.processes import KEPT
from biblicus.service.askers.sent import sent
from biblicus.service.telemetry import observe
from biblicus.service.verbs import QUERY, VERBS

THREADS = 8


class Answering:
    """Answers requests from a connection, several at once."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection = connection
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._askers: OrderedDict[str, Here] = OrderedDict()
        self._calls: dict[int, Call] = {}

    def run(self, roots: Sequence[str]) -> None:
        """Open the corpora, report readiness, and answer until the connection is closed."""
        for root in roots:
            with suppress(BiblicusError):
                self._asker(root).ask(QUERY, QueryRequest("ready", limit=1), Call())
        gc.freeze()  # indexes and modules stay: collecting cycles among them would hold up a question for 30 ms
        self._send(0)
        pool = ThreadPoolExecutor(THREADS, "biblicus-answer")
        with suppress(OSError, EOFError):
            while True:
                number, question, *how = self._connection.recv()
                if question is None:
                    self._give_up(number)
                else:
                    left, who, traceparent = how
                    deadline = None if left is None else time.monotonic() + left
                    self._calls[number] = call = Call(deadline=deadline, **who)
                    pool.submit(self._answer, number, question, call, traceparent)

    def _give_up(self, number: int) -> None:
        if (call := self._calls.get(number)) is not None:
            call.cancel.set()

    def _answer(self, number: int, question: tuple[str, str, Any, bool], call: Call, traceparent: bytes) -> None:
        root, name, request, is_sent = question
        try:
            with telemetry.request(name, traceparent):
                reply = self._asker(root).ask(VERBS[name], request, call)
                self._send(number, sent(reply) if is_sent else reply, None)
        except BiblicusError as error:
            self._send(number, None, (error.as_object(), error.category))
        except Exception:  # the boundary: every request needs a reply; the parent reports the error
            self._send(number, None, traceback.format_exc())
        finally:
            del self._calls[number]

    def _asker(self, root: str) -> Here:
        with self._lock:
            if root not in self._askers:
                self._askers[root] = Here(find(Path(root)))
            self._askers.move_to_end(root)
            gone = self._askers.popitem(last=False)[1] if len(self._askers) > KEPT else None
            asker = self._askers[root]
        if gone is not None:
            gone.close()
        return asker

    def _send(self, *answer: Any) -> None:
        with self._sending, suppress(OSError):  # the listening thread notices a closed connection
            self._connection.send(answer)


def main(descriptor: int, roots: Sequence[str]) -> None:
    """Answer until the parent process ends or closes the connection."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the parent ends this process after running requests
    logging.basicConfig(level=logging.WARNING)
    observe()
    Answering(Connection(descriptor)).run(roots)
    telemetry.stop()  # send pending measurements; no other exit handlers run
    os._exit(0)


if __name__ == "__main__":
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main(int(sys.argv[1]), sys.argv[2:])
