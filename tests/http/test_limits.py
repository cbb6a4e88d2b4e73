"""What is too large, too slow, too much, or malformed: each gets its own answer, and the next question is answered."""

import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from biblicus.contracts import Call
from biblicus.errors import BiblicusError
from biblicus.service.admission import Limits, Line, Ticket
from biblicus.service.verbs import QUERY, Verb
from tests.http.conftest import Running, Serve

SEARCH = "/search?q=moon"


@pytest.fixture(scope="module")
def tight(serve: Serve, folder: Path) -> Running:
    """One worker, one place to wait."""
    return serve(
        {"notes": folder}, limits=Limits(workers=1, waiting=1, seconds=60, body=2_000, document=4_000, drain=1)
    )


@pytest.fixture(scope="module")
def hasty(serve: Serve, folder: Path) -> Running:
    """Little patience: nothing comes of it that a busy machine would have to do in time."""
    return serve({"notes": folder}, limits=Limits(seconds=0.5, body_seconds=0.5, header_seconds=0.5, drain=1))


@pytest.fixture(scope="module")
def brisk(serve: Serve, folder: Path) -> Running:
    """Heads are not waited for long, but as long as a busy machine needs to read one that is there."""
    return serve({"notes": folder}, limits=Limits(seconds=60, header_seconds=3, drain=1))


class Slow:
    """Keeps a corpus's questions until it is let go; tells how they end."""

    def __init__(self, running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go, self.cancelled = threading.Semaphore(0), threading.Event(), threading.Event()
        asker = running.service.corpora.asker(None, Call())
        answer = asker.ask

        def slow(verb: Verb[Any, Any], request: Any, call: Call) -> Any:
            if verb is not QUERY:
                return answer(verb, request, call)
            self.begun.release()
            while not self.go.wait(0.01):
                try:
                    call.check()
                except BiblicusError:
                    self.cancelled.set()
                    raise
            return answer(verb, request, call)

        monkeypatch.setattr(asker, "ask", slow)


def head(running: Running, path: str, *lines: str) -> str:
    said = ["Host: localhost", f"Authorization: Bearer {running.token}", "Content-Type: application/json", *lines]
    return "\r\n".join([f"POST {path} HTTP/1.1", *said, "", ""])


def answered(raw: bytes) -> tuple[int, dict[str, object]]:
    top, _, body = raw.partition(b"\r\n\r\n")
    assert b"application/problem+json" in top
    return int(top.split(b" ", 2)[1]), json.loads(body)


def test_a_body_that_is_announced_too_large_is_refused_unread(tight: Running):
    code, told = answered(tight.say(head(tight, "/query", "Content-Length: 9000000", "Connection: close").encode()))
    assert (code, told["category"]) == (413, "bad_request")


def test_a_body_that_grows_too_large_is_refused_while_it_comes(tight: Running):
    chunk = f"{1000:x}\r\n{'x' * 1000}\r\n"
    asked = head(tight, "/query", "Transfer-Encoding: chunked", "Connection: close") + chunk * 3
    code, _ = answered(tight.say(asked.encode()))
    assert code == 413


def test_a_document_may_be_larger_than_a_question(tight: Running):
    assert tight.ask("POST", "/query", {"query": "x" * 2_500}).status == 413
    assert tight.ask("POST", "/ingest", {"text": "Lamp oil. " * 250, "index": False}).status == 201
    assert tight.ask("POST", "/ingest", {"text": "x" * 5_000}).status == 413


def test_a_body_or_a_head_that_does_not_come_ends_with_408(hasty: Running):
    code, problem = answered(hasty.say(head(hasty, "/query", "Content-Length: 20").encode() + b"{"))
    assert (code, problem["error"]["code"]) == (408, "slow_body")  # type: ignore[index]
    assert answered(hasty.say(b"GET /search?q=moon HTTP/1.1\r\nHost:"))[0] == 408


@pytest.mark.parametrize("sizes", [[8 << 20], [40_000, 40_000], [70_000]], ids=["endless", "in two", "just too much"])
@pytest.mark.parametrize("whole", [False, True])
def test_a_head_that_is_too_large_is_refused(running: Running, sizes: list[int], whole: bool):
    padding = "\r\n".join(f"X-{number}: {'x' * size}" for number, size in enumerate(sizes))
    asked = f"GET {SEARCH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{padding}"
    try:
        response = running.say((asked + "\r\n\r\n" * whole).encode())
    except ConnectionError:  # it was refused before it was all sent
        response = b""
    if response or sizes != [8 << 20]:
        code, problem = answered(response)
        assert (code, problem["error"]["code"]) == (431, "head_too_large")  # type: ignore[index]
    assert running.ask("GET", SEARCH).status == 200


def test_a_head_may_be_large(running: Running):
    assert running.ask("GET", SEARCH, X_Padding="x" * 60_000).status == 200


def entering(line: Line, monkeypatch: pytest.MonkeyPatch) -> threading.Semaphore:
    """Released by everyone who gets a place in the line."""
    entered, enter = threading.Semaphore(0), line.enter

    def counted() -> Ticket:
        ticket = enter()
        entered.release()
        return ticket

    monkeypatch.setattr(line, "enter", counted)
    return entered


def test_slow_bodies_of_one_token_or_address_leave_room_for_others(
    serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch
):
    service = serve({"notes": folder}, limits=Limits(workers=1, waiting=3, drain=1))
    other = service.tokens.new("read", "other", Call()).token
    asked = '{"query": "moon"}'

    def opened(token: str | None, address: str) -> socket.socket:
        line = socket.create_connection(("127.0.0.1", service.port), 20, (address, 0))
        head_lines = ["Host: localhost", f"Authorization: Bearer {token}", "Content-Type: application/json"]
        head_lines += [f"Content-Length: {len(asked)}", "Connection: close"]
        line.sendall("\r\n".join(["POST /query HTTP/1.1", *head_lines, "", asked[:5]]).encode())
        return line

    def status(line: socket.socket, rest: str = "") -> int:
        with line:
            line.sendall(rest.encode())
            return int(line.recv(100).split(b" ", 2)[1])

    entered = entering(service.service.admission.questions, monkeypatch)
    slow = [opened(service.token, "127.0.0.1") for _ in range(2)]
    assert all(entered.acquire(timeout=60) for _ in slow)
    assert status(opened(service.token, "127.0.0.2")) == 429
    assert status(opened(other, "127.0.0.1")) == 429
    assert status(opened(other, "127.0.0.2"), asked[5:]) == 200
    assert [status(line, asked[5:]) for line in slow] == [200, 200]
    assert status(opened(service.token, "127.0.0.1"), asked[5:]) == 200


@pytest.mark.parametrize("pause", [0.0, 0.2])
def test_a_second_head_that_does_not_come_ends_the_line(brisk: Running, pause: float):
    whole = f"GET {SEARCH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {brisk.token}\r\n\r\n"
    began = time.monotonic()
    raw = brisk.say(whole.encode(), 60, b"GET /search?q=moon HTTP/1.1\r\nHost:", pause)
    assert raw.count(b"HTTP/1.1 200 ") == raw.count(b"HTTP/1.1 ") == 1
    assert time.monotonic() - began < 59, "the line was left open"


def test_what_is_no_http_is_a_problem_too(tight: Running):
    code, told = answered(tight.say(b"HELO there\r\n\r\n"))
    assert (code, told["title"]) == (400, "Bad Request")


def test_one_more_than_may_wait_is_turned_away_and_the_others_are_answered(
    tight: Running, monkeypatch: pytest.MonkeyPatch
):
    slow = Slow(tight, monkeypatch)
    entered = entering(tight.service.admission.questions, monkeypatch)
    statuses: list[int] = []
    waiting = [threading.Thread(target=lambda: statuses.append(tight.ask("GET", SEARCH).status)) for _ in range(2)]
    for thread in waiting:
        thread.start()
    assert slow.begun.acquire(timeout=60)
    assert all(entered.acquire(timeout=60) for _ in waiting)
    turned = tight.ask("GET", SEARCH)
    assert (turned.status, turned.json["error"]["code"]) == (429, "busy")
    assert int(turned.headers["retry-after"]) >= 1
    assert tight.ask("GET", "/livez").status == 200
    slow.go.set()
    for thread in waiting:
        thread.join(60)
    assert statuses == [200, 200]
    assert tight.ask("GET", SEARCH).status == 200


def test_answers_that_take_their_time_keep_no_search_waiting(serve: Serve, folder: Path):
    full = serve({"notes": folder}, limits=Limits(workers=1, waiting=0, answerers=1, waiting_answers=0, drain=1))
    with full.service.admission.answers.admitted():
        assert full.ask("GET", "/answer?q=moon").status == 429
        assert full.ask("GET", SEARCH).status == 200
    assert full.ask("GET", "/answer?q=moon").status == 200


def test_what_takes_longer_than_its_deadline_ends_with_503(hasty: Running, monkeypatch: pytest.MonkeyPatch):
    slow = Slow(hasty, monkeypatch)
    found = hasty.ask("GET", SEARCH)
    assert (found.status, found.json["error"]["code"], found.json["category"]) == (503, "deadline", "unavailable")
    assert slow.cancelled.is_set()
    assert "retry-after" in found.headers


def test_a_client_that_leaves_stops_the_work(serve: Serve, folder: Path, monkeypatch: pytest.MonkeyPatch):
    tight = serve({"notes": folder}, limits=Limits(workers=1, waiting=1, seconds=60, drain=1))
    slow = Slow(tight, monkeypatch)
    with socket.create_connection(("127.0.0.1", tight.port), timeout=60) as line:
        line.sendall(
            f"GET {SEARCH} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {tight.token}\r\n\r\n".encode()
        )
        assert slow.begun.acquire(timeout=60)
    assert slow.cancelled.wait(60), "it went on for nobody"
    slow.go.set()
    until = time.monotonic() + 60
    while tight.service.admission.questions.inside and time.monotonic() < until:
        time.sleep(0.01)
    assert tight.service.admission.questions.inside == 0


_NO_REQUEST = ('{"query": "a", "query": "b"}', '{"query": NaN}', "[" * 3000, '{"query": "\\ud800"}')


@pytest.mark.parametrize("body", [*_NO_REQUEST, "{", "", "[]", '"moon"', "\xff"])
def test_json_that_is_none_or_says_two_things_is_a_bad_request(running: Running, body: str):
    found = running.ask("POST", "/query", body.encode("latin-1"), Content_Type="application/json")
    assert (found.status, found.json["category"]) == (400, "bad_request")
    assert found.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""])
def test_a_body_of_another_type_is_not_read(running: Running, kind: str):
    found = running.ask("POST", "/query", b'{"query": "moon"}', Content_Type=kind)
    assert (found.status, found.json["error"]["code"]) == (415, "content_type")


def test_the_frameworks_own_errors_are_problems(running: Running):
    for method, path, status in (
        ("GET", "/nothing", 404),
        ("POST", "/livez", 405),
        ("TRACE", "/search", 405),
        ("GET", "/search", 400),
        ("GET", "/search?q=a&limit=x", 400),
        ("GET", "/search?q=a&nonsense=1", 400),
        ("GET", "/search?q=%20", 400),
        ("GET", "/search/", 404),
    ):
        found = running.ask(method, path)
        assert (found.status, found.json["status"]) == (status, status), path
        assert found.headers["content-type"] == "application/problem+json"
        assert found.json["trace_id"] == found.headers["trace-id"]
    assert running.ask("POST", "/livez").headers["allow"] == "GET"
    assert running.ask("GET", "/query?q=a").json["detail"] == "This address takes POST alone."


@pytest.mark.parametrize(
    ("path", "body", "detail"),
    [
        ("/query", {"query": "moon", "tags": ["sea"]}, 'tags: unknown field; did you mean "tag"?'),
        ("/query", {"text": "moon"}, "text: unknown field; known: "),
        ("/query", {"query": "moon", "limit": 1_001}, "limit: "),
        ("/retrieve/batch", {"requests": [{"item": "a.md", "request": 1}]}, "requests.0.request: unknown field."),
    ],
)
def test_a_field_that_is_unknown_or_too_large_is_named(running: Running, path: str, body: dict, detail: str):
    found = running.ask("POST", path, body)
    assert (found.status, found.json["category"]) == (400, "bad_request")
    assert found.json["detail"].startswith(detail)


def test_what_nobody_foresaw_tells_nothing_but_where_to_look(
    running: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("the secret is /etc/shadow")

    monkeypatch.setattr(running.service.corpora.asker(None, Call()), "ask", broken)
    trace = "0af7651916cd43dd8448eb211c80319c"
    found = running.ask("GET", SEARCH, traceparent=f"00-{trace}-b7ad6b7169203331-01")
    assert (found.status, found.json["trace_id"]) == (500, trace)
    assert b"secret" not in found.raw
    assert b"Traceback" not in found.raw
    until = time.monotonic() + 60
    while trace not in caplog.text and time.monotonic() < until:  # it is logged after the answer has gone
        time.sleep(0.01)
    assert trace in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_no_folder_of_this_machine_is_in_an_error(serve: Serve, tmp_path: Path, folder: Path):
    from tests.http.conftest import corpus

    gone = corpus(tmp_path / "gone")
    service = serve({"notes": folder, "gone": gone})
    gone.rename(tmp_path / "elsewhere")
    found = service.ask("GET", f"{SEARCH}&corpus=gone")
    assert (found.status, found.json["error"]["code"]) == (404, "corpus_not_found")
    assert str(tmp_path).encode() not in found.raw
    (gone / ".biblicus").mkdir(parents=True)
    (gone / ".biblicus" / "config.yml").write_text("name: [")
    found = service.ask("GET", "/stats?corpus=gone")
    assert found.status in (404, 422)
    assert str(tmp_path).encode() not in found.raw
    both = service.ask("GET", SEARCH).json
    assert [entry["corpus"] for entry in both["corpora"]] == ["notes"]
    assert [entry["corpus"] for entry in both["failed"]] == ["gone"]
    assert both["evidence"][0]["corpus"] == "notes"
    assert service.ask("GET", "/readyz").json == {"ready": True, "corpora": 2, "failed": 1, "unread": 0}


def test_several_corpora_keep_the_budget_of_one(serve: Serve, tmp_path: Path):
    from tests.http.conftest import corpus

    service = serve({name: corpus(tmp_path / name) for name in ("notes", "twin")})
    result = service.ask("POST", "/query", {"query": "moon tides", "max_tokens": 16}).json
    assert [piece["corpus"] for piece in result["evidence"]] == ["notes"]
    assert result["budget"]["asked"]["tokens"] == 16 >= result["budget"]["used"]["tokens"]
    assert [(dropped["corpus"], dropped["reason"]) for dropped in result["budget"]["dropped"]] == [("twin", "tokens")]
