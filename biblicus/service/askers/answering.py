"""Answer requests of other processes of this machine (`wire`) with warm corpora."""

from __future__ import annotations

import math
import socket
import threading
import time
import traceback
from collections import OrderedDict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.errors import BiblicusError, NotFound, UsageError
from biblicus.guards import children
from biblicus.guards.frames import FrameBroken
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.pack import Pack
from biblicus.models.evidence import Result
from biblicus.models.plain import encoded
from biblicus.service.askers.here import Here
from biblicus.service.askers.wire import Sent, call_of, packed, receive
from biblicus.service.verbs import VERBS

THREADS = 8
"""Number of requests that are answered at once."""
KEPT = 16
"""Number of corpora that are kept warm; the least recently used is closed."""
_LOOK = 0.02
"""Seconds between two checks if a client is still connected."""
_JSON: TypeAdapter[Any] = TypeAdapter(Any)


def sent(reply: Any) -> Sent:
    """Encode a reply. Evidence, most of what is sent, by an encoder that takes a third of the time."""
    if isinstance(reply, Result):
        try:
            return Sent(_JSON.dump_json(reply.as_object()) + b"\n", reply.index_version)
        except ValueError:  # half of a surrogate pair in a text
            return Sent(encoded(reply), reply.index_version)
    made_from = reply.result if isinstance(reply, Answer) else reply
    return Sent(encoded(reply), made_from.index_version if isinstance(made_from, Result | Pack) else None)


class Answering:
    """Answers one request of each stream. Thread-safe. `patience`: seconds to receive it or to send the reply."""

    def __init__(self, patience: float = math.inf) -> None:
        self._patience = patience
        self._askers: OrderedDict[Path, Here] = OrderedDict()
        self._lock = threading.Lock()

    def serve(self, stream: socket.socket, call: Call, refusal: BiblicusError | None = None) -> None:
        """Receive a request, send the reply and close the stream. `call`: is cancelled when the client has left.
        `refusal`: reply to any request."""
        began, name = time.perf_counter(), "?"
        try:
            with stream:
                head = receive(stream, time.monotonic() + self._patience)
                stream.settimeout(None if self._patience == math.inf else self._patience)
                name = str(head.get("verb"))
                frame, outcome = self._reply(name, head, call, refusal)
                self.note(name, outcome, began)
                stream.sendall(frame)
        except (OSError, FrameBroken) as error:
            self.note(name, f"connection: {error}", began)

    def note(self, name: str, outcome: str, began: float) -> None:
        """Record a request, before its reply is sent. `outcome`: `ok`, an error's code, or a failure of the stream."""

    def _reply(self, name: str, head: dict[str, Any], call: Call, refusal: BiblicusError | None) -> tuple[bytes, str]:
        try:
            if refusal is not None:
                raise refusal
            with telemetry.request(name, str(head.get("traceparent", "")).encode("ascii", "replace")):
                reply = self.answer(name, head, call)
            return packed({"index_version": reply.index_version}, reply.body), "ok"
        except BiblicusError as error:
            return packed({"error": error.as_object(), "category": error.category}), error.code
        except Exception:  # the boundary: every request needs a reply; the client reports the error
            return packed({"traceback": traceback.format_exc()}), f"failed\n{traceback.format_exc()}"

    def answer(self, name: str, head: dict[str, Any], call: Call) -> Sent:
        """Return the reply to a request. Raises the verb's errors, and `UsageError`."""
        verb, words = VERBS.get(name), head.get("request")
        if verb is None or verb.scope != "read" or not isinstance(words, dict):
            raise UsageError(f"The daemon does not answer {name!r}.")
        request, path = verb.read(words), Path(str(head.get("path")))
        try:
            root = path if path in self._askers else find(path).root
            return sent(self.asker(root).ask(verb, request, call_of(head, call)))
        except NotFound:
            self._let_go_of_deleted()
            find(path)  # a deleted folder is reported as one that is not open
            raise

    def asker(self, root: Path) -> Here:
        """Return the asker of a corpus, which stays open."""
        with self._lock:
            if root not in self._askers:
                self._askers[root] = self.opened(root)
            self._askers.move_to_end(root)
            gone = self._askers.popitem(last=False) if len(self._askers) > KEPT else None
            asker = self._askers[root]
        if gone is not None:
            self.close(*gone)
        return asker

    def opened(self, root: Path) -> Here:
        """Return a new asker."""
        return Here(find(root))

    def close(self, root: Path, asker: Here) -> None:
        """Close an asker that is no longer kept."""
        asker.close()

    def _let_go_of_deleted(self) -> None:
        with self._lock:
            gone = [(root, self._askers.pop(root)) for root in list(self._askers) if not root.exists()]
        for root, asker in gone:
            self.close(root, asker)


class Departure(threading.Event):
    """Event that is set when the client closes its half of the stream, so that work can be cancelled."""

    def __init__(self, stream: socket.socket) -> None:
        super().__init__()
        self._stream = stream
        self._next = 0.0

    def is_set(self) -> bool:
        if not super().is_set() and (now := time.monotonic()) >= self._next:
            self._next = now + _LOOK
            if children.has_left(self._stream):
                self.set()
        return super().is_set()

    def wait(self, timeout: float | None = None) -> bool:
        until = None if timeout is None else time.monotonic() + timeout
        while not self.is_set() and (until is None or time.monotonic() < until):
            super().wait(_LOOK if until is None else min(_LOOK, max(until - time.monotonic(), 0.0)))
        return super().is_set()
