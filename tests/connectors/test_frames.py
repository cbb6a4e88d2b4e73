"""What a daemon is sent may be anything: it goes on answering."""

import json
import socket
import struct
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biblicus.connectors.daemon.server import Server
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, Cancelled, PlaceDown, UsageError
from biblicus.guards.frames import Frames, pack
from biblicus.service.askers import wire
from biblicus.service.askers.answering import Departure
from biblicus.service.askers.daemon import Address, exchanged
from biblicus.service.askers.wire import packed

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(document=st.dictionaries(st.text(), JSON, max_size=3))
def test_a_document_arrives_as_it_left(document: Any):
    left, right = socket.socketpair()
    with left, right:
        left.sendall(packed(document))
        assert wire.receive(right) == document


@given(bodies=st.lists(st.binary(max_size=50), max_size=4), step=st.integers(1, 40))
def test_frames_are_found_however_the_bytes_come(bodies: list[bytes], step: int):
    data = b"".join(b"".join(pack(b"{}", body)) for body in bodies)
    frames, found = Frames(10, 50), []
    for start in range(0, len(data), step):
        frames.feed(data[start : start + step])
        while (frame := frames.next()) is not None:
            found.append(frame)
    assert found == [(b"{}", body) for body in bodies]


def exchange(where: Address, document: dict[str, Any]) -> Any:
    return json.loads(exchanged(where, packed(document), Call(), time.monotonic() + 60).body)


@pytest.fixture(scope="module")
def where() -> Iterator[Address]:
    """A daemon in this process."""
    with tempfile.TemporaryDirectory(prefix="bq") as folder:
        address = Address(Path(folder), "daemon-test")
        server = Server(address, idle=60)
        thread = threading.Thread(target=server.run)
        thread.start()
        until = time.monotonic() + 60
        while not address.socket.exists() and time.monotonic() < until:
            time.sleep(0.01)
        yield address
        server.stop()
        thread.join()
        assert not address.socket.exists()


GARBAGE = {
    "nothing": b"",
    "half a length": b"\0\0",
    "less than announced": struct.pack(">II", 100, 0) + b"{}",
    "more than may be": struct.pack(">II", (1 << 32) - 1, 0) + b"{}",
    "a body, which no request has": struct.pack(">II", 2, 1) + b"{}.",
    "no JSON": struct.pack(">II", 4, 0) + b"moon",
    "no object": struct.pack(">II", 2, 0) + b"[]",
    "deep JSON": struct.pack(">II", 100_000, 0) + b"[" * 100_000,
    "HTTP": b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",
}


@pytest.mark.parametrize("what", GARBAGE)
def test_garbage_ends_one_connection_and_no_more(where: Address, what: str):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(60)
        connection.connect(str(where.socket))
        connection.sendall(GARBAGE[what])
        connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionResetError):  # where some of it was left unread
            assert connection.recv(1) == b""
    assert exchange(where, {"verb": "status"})["running"]


@pytest.mark.parametrize("said", [b"[]", b"5", b"{}", b'{"error": "odd"}', b'{"error": null}'])
def test_an_answer_that_is_none_is_told(said: bytes):
    with tempfile.TemporaryDirectory(prefix="bq") as short, socket.socket(socket.AF_UNIX) as listening:
        broken = Address(Path(short), "broken")
        listening.bind(str(broken.socket))
        listening.listen()

        def answer() -> None:
            connection, _ = listening.accept()
            with connection:
                wire.receive(connection)
                connection.sendall(b"".join(pack(said, b"")))

        answering = threading.Thread(target=answer)
        answering.start()
        with pytest.raises(PlaceDown, match=r"is no answer|no JSON object"):
            exchange(broken, {"verb": "status"})
        answering.join()


@pytest.mark.parametrize(
    "asked",
    [
        {"verb": "nosuch"},
        {"verb": "ingest", "request": {"text": "a"}},
        {},
        {"verb": "query", "request": [1]},
        {"verb": "query", "request": {"nosuch": 1}},
        {"verb": ["query"]},
    ],
)
def test_what_is_no_question_is_refused(where: Address, asked: dict[str, Any]):
    with pytest.raises(UsageError):
        exchange(where, asked)


def test_a_path_without_a_corpus_is_refused_as_it_would_be_here(where: Address, tmp_path: Path):
    with pytest.raises(BiblicusError, match="There is no corpus in") as raised:
        exchange(where, {"verb": "stats", "path": str(tmp_path), "request": {}})
    assert raised.value.exit_code == 3


def test_a_client_that_says_nothing_keeps_nobody_else_waiting(where: Address):
    silent = [socket.socket(socket.AF_UNIX) for _ in range(4)]
    try:
        for connection in silent:
            connection.connect(str(where.socket))
        began = time.monotonic()
        assert exchange(where, {"verb": "status"})["running"]
        assert time.monotonic() - began < 8
    finally:
        for connection in silent:
            connection.close()


def test_nobody_there_says_so(tmp_path: Path):
    with pytest.raises(PlaceDown, match="it is not running"):
        exchange(Address(tmp_path, "none"), {"verb": "status"})


def test_an_idle_daemon_ends_by_itself():
    with tempfile.TemporaryDirectory(prefix="bq") as folder:
        address = Address(Path(folder), "daemon-idle")
        thread = threading.Thread(target=Server(address, idle=0.1).run)
        thread.start()
        thread.join(60)
        assert not thread.is_alive()
        assert not address.socket.exists()


def test_who_has_left_is_noticed_and_who_waits_is_not():
    here, there = socket.socketpair()
    with here:
        with there:
            waiting = Departure(here)
            assert not waiting.is_set(), "it still waits for its answer"
            there.shutdown(socket.SHUT_WR)
            assert waiting.wait(60)
            there.settimeout(60)
            here.sendall(b"end")
            assert there.recv(3) == b"end", "it may wait for the end"
        with pytest.raises(Cancelled):
            Call(cancel=waiting).check()


@pytest.mark.parametrize("how", ["shutdown", "close"])
def test_who_waits_for_something_else_notices_too(how: str):
    here, there = socket.socketpair()
    with here:
        waiting = Departure(here)
        assert not waiting.wait(0.05)
        there.shutdown(socket.SHUT_WR) if how == "shutdown" else there.close()
        assert waiting.wait()
    there.close()


def test_a_question_whose_asker_left_is_given_up(where: Address, monkeypatch: pytest.MonkeyPatch):
    begun, ended = threading.Event(), threading.Event()

    def slow(self: Server, name: str, head: object, call: Call) -> None:
        begun.set()
        try:
            while True:
                call.check()
                time.sleep(0.01)
        finally:
            ended.set()

    monkeypatch.setattr(Server, "answer", slow)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(where.socket))
        connection.sendall(packed({"verb": "stats", "path": "/", "request": {}}))
        assert begun.wait(60)
    assert ended.wait(60), "it went on for nobody"


def test_a_request_in_drops_has_its_time_as_a_whole() -> None:
    left, right = socket.socketpair()
    with left, right:
        left.sendall(b"\0\0")
        with pytest.raises(TimeoutError):
            wire.receive(right, time.monotonic() - 1)  # bytes are there, but its time is over


def test_a_trace_that_is_no_text_gets_an_error_with_its_code(where: Address) -> None:
    request = {"verb": "query", "path": "/nowhere", "request": {"query": "a"}, "traceparent": "\ud800"}
    with pytest.raises(BiblicusError) as failed:
        exchange(where, request)
    assert failed.value.code == "corpus_not_found"
