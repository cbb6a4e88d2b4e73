"""Who is let in: Host, Origin, tokens and scopes; each with whoever should not be."""

import threading
from pathlib import Path

import pytest

from biblicus.connectors.cli.front.app import run
from biblicus.contracts import Call
from tests.http.conftest import Running, Serve

SEARCH = "/search?q=moon"


def test_a_question_with_a_token_is_answered(running: Running):
    found = running.ask("GET", SEARCH)
    assert found.status == 200
    assert found.json["evidence"][0]["path"] == "tides.md"
    assert found.headers["index-version"] == found.json["index_version"]
    assert found.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "localhost@evil.example", "10.0.0.8", "[::2]", "a b"],
)
def test_a_host_name_that_was_bent_to_this_address_is_refused(running: Running, host: str):
    found = running.ask("GET", SEARCH, Host=host)
    assert (found.status, found.json["error"]["code"]) == (421, "host_refused")


@pytest.mark.parametrize(
    ("header", "said"),
    [
        *(("Host", host) for host in ("localhost", "LOCALHOST:9", "127.0.0.1:9", "[::1]:9", "127.8.9.1")),
        ("Origin", "http://127.0.0.1:{port}"),
        ("authorization", "bEARER {token}"),
    ],
)
def test_this_machine_is_a_host_by_all_its_names_and_a_scheme_is_read_in_any_case(
    running: Running, header: str, said: str
):
    sent = {header: said.format(port=running.port, token=running.token)}
    assert running.ask("GET", SEARCH, **sent).status == 200


def test_no_host_and_two_hosts_are_none(running: Running):
    head = f"GET {SEARCH} HTTP/1.1\r\nAuthorization: Bearer {running.token}\r\nConnection: close\r\n"
    for hosts in ("", "Host: localhost\r\nHost: evil.example\r\n"):
        assert running.say(f"{head}{hosts}\r\n".encode()).split(b" ", 2)[1] in (b"400", b"421")


def test_a_host_that_was_allowed_is_answered(serve: Serve, folder: Path):
    allowed = serve({"notes": folder}, hosts=frozenset({"notes.example"}), origins=frozenset({"https://ui.example"}))
    assert allowed.ask("GET", SEARCH, Host="notes.example").status == 200
    assert allowed.ask("GET", SEARCH, Origin="https://ui.example").status == 200
    assert allowed.ask("GET", SEARCH, Host="other.example").status == 421


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1.evil.example"]
)
def test_a_page_of_another_origin_is_refused(running: Running, origin: str):
    found = running.ask("GET", SEARCH, Origin=origin)
    assert (found.status, found.json["error"]["code"]) == (403, "origin_refused")
    assert "access-control-allow-origin" not in found.headers


@pytest.mark.parametrize(
    "said", ["", "Bearer", "Bearer ", "Bearer biblicus_wrong", "Basic {token}", "{token}", "Bearer {token}x"]
)
def test_without_a_valid_token_it_is_401_and_says_what_to_bring(running: Running, said: str):
    found = running.ask("GET", SEARCH, authorization=said.format(token=running.token))
    assert (found.status, found.json["error"]["code"]) == (401, "unauthorized")
    assert found.headers["www-authenticate"].startswith("Bearer ")


def test_what_says_nothing_of_a_corpus_needs_no_token(running: Running):
    for path in ("/livez", "/readyz", "/openapi.json", "/openapi-3.0.json"):
        assert running.ask("GET", path, authorization="Bearer wrong").status == 200
    for path in ("/metrics", "/corpora", "/capabilities", "/nothing"):
        assert running.ask("GET", path, authorization="Bearer wrong").status == 401


def test_a_token_that_reads_does_not_write(serve: Serve, folder: Path):
    reader = serve({"notes": folder}, scope="read")
    assert reader.ask("GET", SEARCH).status == 200
    for path in ("/ingest", "/ingest/upload", "/reindex"):
        found = reader.ask("POST", path, {"text": "Lamps."})
        assert (found.status, found.json["error"]["code"]) == (403, "scope_missing")
        assert "insufficient_scope" in found.headers["www-authenticate"]
    assert reader.ask("POST", "/jobs/x/cancel").status == 403


def test_a_revoked_token_opens_nothing_from_the_next_request_on(serve: Serve, folder: Path):
    service = serve({"notes": folder}, scope="read")
    other = service.tokens.new("read", "other", Call())
    assert service.ask("GET", SEARCH, authorization=f"Bearer {other.token}").status == 200
    service.tokens.revoke(other.id, Call())
    assert service.ask("GET", SEARCH, authorization=f"Bearer {other.token}").status == 401
    assert service.ask("GET", SEARCH).status == 200


def test_on_this_machine_no_token_reads_and_writes_only_where_that_was_said(serve: Serve, folder: Path):
    careful = serve({"notes": folder}, scope=None)
    assert careful.ask("GET", SEARCH).status == 200
    assert careful.ask("POST", "/reindex", {}).status == 403
    assert serve({"notes": folder}, scope=None, allow_ingest=True).ask("POST", "/reindex", {}).status == 202


def test_a_service_that_others_reach_is_not_started_without_a_token(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("biblicus.connectors.http.server.serve", lambda *_: None)  # which would not end
    code = run(["serve", str(folder), "--host", "0.0.0.0", "--port", "0", "--token-file", str(tmp_path / "t.json")])
    assert code == 7
    assert "biblicus token new" in capsys.readouterr().err


def test_personal_exists_only_on_this_machine(serve: Serve, folder: Path):
    service = serve({"notes": folder, "personal": folder})
    here = service.ask("GET", "/corpora").json["corpora"]
    assert [entry["corpus"] for entry in here] == ["notes", "personal"]
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
        there = service.ask("GET", "/corpora", None, **{header: "203.0.113.9"})
        assert [entry["corpus"] for entry in there.json["corpora"]] == ["notes"]
        assert service.ask("GET", f"{SEARCH}&corpus=personal", None, **{header: "203.0.113.9"}).status == 404
        told = service.ask("GET", "/capabilities", None, **{header: "203.0.113.9"}).raw
        assert b"personal" not in told


def test_system_is_read_only(serve: Serve, folder: Path):
    service = serve({"system": folder})
    assert service.ask("GET", SEARCH).status == 200
    for path, body in (("/ingest", {"text": "Lamps burn oil."}), ("/reindex", {})):
        found = service.ask("POST", path, body)
        assert (found.status, found.json["error"]["code"]) == (403, "read_only")


def test_many_clients_at_once_each_get_their_own_answer(running: Running):
    words = ["moon", "lamp", "winch"] * 6
    found: dict[int, str] = {}

    def one(number: int, word: str) -> None:
        found[number] = running.ask("GET", f"/search?q={word}").json["query"]

    threads = [threading.Thread(target=one, args=pair) for pair in enumerate(words)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [found[number] for number in range(len(words))] == words
