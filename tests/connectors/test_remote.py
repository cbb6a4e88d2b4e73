"""The client of a service against services that misbehave: each answer is scripted, each failure has its words."""

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from biblicus.contracts import Call
from biblicus.errors import (
    BadData,
    BiblicusError,
    Cancelled,
    DeadlineExceeded,
    ItemNotFound,
    PlaceDown,
    Refused,
    UsageError,
)
from biblicus.service.askers.remote import ATTEMPTS, TOKEN, Service
from biblicus.service.verbs import VERBS

FOUND = {"items": 3}


def answer(status: int, body: bytes | None = None, **headers: str) -> bytes:
    """A whole response."""
    body = json.dumps(FOUND).encode() if body is None else body
    said = {"Content_Type": "application/json", "Content_Length": str(len(body)), **headers}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in said.items())
    return f"HTTP/1.1 {status} Word\r\n{head}\r\n".encode() + body


def problem(status: int, code: str, **headers: str) -> bytes:
    said = {"status": status, "error": {"code": code, "message": "In its words.", "hint": "a hint"}}
    return answer(status, json.dumps(said).encode(), Content_Type="application/problem+json", **headers)


@dataclass
class Scripted:
    """A service that gives one answer after the other, the last for ever; bytes, or what to do with a connection."""

    script: list[bytes | Callable[[socket.socket], None]] = field(default_factory=list)
    asked: list[bytes] = field(default_factory=list)
    address: str = ""

    def serve(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                self.asked.append(connection.recv(65536))
                said = self.script.pop(0) if len(self.script) > 1 else self.script[0]
                try:
                    said(connection) if callable(said) else connection.sendall(said)
                except OSError:
                    continue


@pytest.fixture
def service() -> Iterator[Scripted]:
    made = Scripted()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made.address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        threading.Thread(target=made.serve, args=(listening,), daemon=True).start()
        yield made
        listening.shutdown(socket.SHUT_RDWR)


def ask(service: Scripted, call: Call | None = None, *, verb: str = "stats", **words: object) -> object:
    return Service(service.address, "notes").told(VERBS[verb], words, call or Call())


@pytest.mark.parametrize(
    "script",
    [
        [answer(503, b"", Content_Type="text/html"), problem(429, "busy"), answer(200)],
        [answer(200)[:-3], b"", answer(200)],
    ],
    ids=["busy", "broken off"],
)
def test_what_is_busy_or_breaks_off_is_asked_again(service: Scripted, script: list[bytes]):
    service.script = [*script]
    assert ask(service) == FOUND
    assert len(service.asked) == 3


def test_a_pause_that_was_asked_for_is_kept(service: Scripted):
    service.script = [problem(429, "busy", Retry_After="1"), answer(200)]
    began = time.monotonic()
    assert ask(service) == FOUND
    assert 1 <= time.monotonic() - began < 10


@pytest.mark.parametrize(
    ("said", "words", "times"),
    [
        (problem(429, "busy", Retry_After="3600"), r"busy or starting \(429\)", 1),  # a pause of an hour is not kept
        (problem(503, "unavailable"), r"busy or starting \(503\)", ATTEMPTS),
        (answer(302, b"", Location="http://127.0.0.1:9/elsewhere"), "as biblicus serve does", 1),
        (answer(200, b"<html>", Content_Type="text/html"), "as biblicus serve does", 1),
    ],
    ids=["pause", "unavailable", "redirect", "another program"],
)
def test_it_gives_up_in_the_end_or_at_once(service: Scripted, said: bytes, words: str, times: int):
    service.script = [said]
    with pytest.raises(PlaceDown, match=words):
        ask(service)
    assert len(service.asked) == times


@pytest.mark.parametrize("status", [404, 503])
def test_an_error_in_the_services_words_is_raised_as_it_is_and_once(service: Scripted, status: int):
    service.script = [problem(status, "item_not_found")]
    with pytest.raises(ItemNotFound) as raised:
        ask(service)
    assert raised.value.as_object() == {"code": "item_not_found", "message": "In its words.", "hint": "a hint"}
    assert len(service.asked) == 1


def test_an_error_that_nobody_here_knows_keeps_its_code_and_its_family(service: Scripted):
    service.script = [problem(409, "from_the_future")]
    with pytest.raises(BiblicusError) as raised:
        ask(service)
    assert (raised.value.code, raised.value.exit_code) == ("from_the_future", 4)


@pytest.mark.parametrize("body", [b"<html>", b'{"a":' * 100_000, b'{"a": 1, "a": 2}', b'{"a": NaN}', b"\xff"])
def test_an_answer_that_is_no_json_is_refused(service: Scripted, body: bytes):
    service.script = [answer(200, body)]
    with pytest.raises(BadData):
        ask(service)


@pytest.mark.parametrize(
    ("status", "kind", "body", "words"),
    [
        (502, "text/html", b"<html><h1>Bad Gateway</h1><p>upstream is down</p></html>", "Bad Gateway upstream is down"),
        (404, "application/problem+json", b'{"title": "Gone away", "detail": "It moved."}', "Gone away: It moved."),
        (403, "application/json", b'{"message": "The quota is used up."}', "The quota is used up."),
        (418, "application/json", b'{"error": "I am a teapot"}', "I am a teapot"),
        (503, "application/problem+json", b'{"title": "Maintenance until noon"}', "Maintenance until noon"),
        (500, "text/plain", b"\xffout of " + b"memory " * 100, "out of memory"),
    ],
)
def test_what_another_server_says_itself_is_shown(service: Scripted, status: int, kind: str, body: bytes, words: str):
    service.script = [answer(status, body, Content_Type=kind)]
    with pytest.raises(PlaceDown) as raised:
        ask(service)
    assert words in raised.value.message
    assert str(status) in raised.value.message
    assert len(raised.value.message) < 400


def test_several_corpora_want_a_name(service: Scripted):
    fused = {"corpora": [{"corpus": "a"}], "failed": [{"corpus": "b"}], "evidence": []}
    service.script = [answer(200, json.dumps(fused).encode())]
    with pytest.raises(UsageError, match="several corpora: a, b"):
        ask(service, verb="query", query="moon")


def trickle(connection: socket.socket) -> None:
    for byte in answer(200) * 100:
        connection.sendall(bytes([byte]))
        time.sleep(0.02)


def silence(connection: socket.socket) -> None:
    connection.settimeout(60)
    while connection.recv(1024):  # until the other side has left
        pass


@pytest.mark.parametrize("slow", [trickle, silence])
def test_a_deadline_holds_however_slow_the_answer_is(service: Scripted, slow: Callable[[socket.socket], None]):
    service.script = [slow]
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        ask(service, Call(deadline=began + 0.3))
    assert time.monotonic() - began < 15


def test_what_is_cancelled_is_not_asked(service: Scripted):
    call = Call()
    call.cancel.set()
    with pytest.raises(Cancelled):
        ask(service, call)
    assert service.asked == []


def test_the_token_of_the_environment_is_sent(service: Scripted, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BIBLICUS_TOKEN", "bib_secret")
    service.script = [answer(200)]
    ask(service)
    assert b"\r\nAuthorization: Bearer bib_secret\r\n" in service.asked[0]


def test_no_token_leaves_this_machine_in_the_clear():
    with pytest.raises(Refused, match="without encryption"):
        Service("http://192.0.2.1:8765", None, "bib_secret")
    Service("https://192.0.2.1:8765", None, "bib_secret")
    Service("http://192.0.2.1:8765", None, "")


def test_proxies_of_the_environment_are_not_used(service: Scripted, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    service.script = [answer(200)]
    assert ask(service) == FOUND


@pytest.mark.parametrize("address", ["ftp://a", "http://", "http://ada:secret@host", "http://host?x=1", "host:8765"])
def test_what_is_no_address_is_refused(address: str):
    with pytest.raises(UsageError, match="no address of a service"):
        Service(address)


def test_words_travel_as_they_are(service: Scripted):
    service.script = [answer(200)]
    ask(service, verb="list", tag=["a b", "ü"], where={"k=": "v&w"}, limit=3)
    ask(service, verb="show", item="notes/ŷ ü?.md")
    ask(service, verb="query", query="„Ebbe“ ?&=")
    lines = [said.split(b"\r\n")[0].decode() for said in service.asked]
    assert lines[0] == "GET /items?corpus=notes&tag=a+b&tag=%C3%BC&where=k%3D%3Dv%26w&limit=3 HTTP/1.1"
    assert lines[1] == "GET /items/notes%2F%C5%B7%20%C3%BC%3F.md?corpus=notes HTTP/1.1"
    assert lines[2] == "POST /query?corpus=notes HTTP/1.1"


class Keyring:
    """A stand-in for the library: it holds one token, or is locked."""

    def __init__(self, held: dict[tuple[str, str], str] | None) -> None:
        self._held = held

    def get_password(self, service: str, name: str) -> str | None:
        if self._held is None:
            raise RuntimeError("locked")
        return self._held.get((service, name))


@pytest.mark.parametrize(
    ("variable", "held", "sent"),
    [(None, "kept", b"Bearer kept"), ("given", "kept", b"Bearer given"), (None, None, None)],
)
def test_a_token_comes_from_the_environment_else_from_the_keyring(
    service: Scripted, monkeypatch: pytest.MonkeyPatch, variable: str | None, held: str | None, sent: bytes | None
):
    if variable:
        monkeypatch.setenv(TOKEN, variable)
    else:
        monkeypatch.delenv(TOKEN, raising=False)
    keyring = Keyring({("biblicus", service.address): held} if held else None)
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    service.script = [answer(200)]
    assert ask(service) == FOUND
    (asked,) = service.asked
    assert (sent in asked) if sent else (b"uthorization" not in asked)
