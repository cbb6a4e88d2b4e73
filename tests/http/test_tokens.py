"""Tokens: what is kept, what is compared, and what a damaged or foreign file does."""

import json
from pathlib import Path

import pytest

from biblicus.contracts import Call
from biblicus.errors import ConfigInvalid, TokenNotFound, UnsafeInput
from biblicus.service.tokens import IMPLIED, PREFIX, Tokens
from tests.http.conftest import Serve


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "tokens.json"


def test_only_the_digest_is_kept_and_only_the_owner_may_read_it(path: Path):
    made = Tokens(path).new("read", "laptop", Call(clock=lambda: 0.0))
    assert made.token.startswith(PREFIX)
    assert len(made.token) >= len(PREFIX) + 43  # 32 bytes in base64
    assert made.created_at == "1970-01-01T00:00:00Z"
    assert made.token not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_no_two_tokens_are_alike_and_each_has_its_scope(path: Path):
    tokens = Tokens(path)
    reader, writer = tokens.new("read", "", Call()), tokens.new("ingest", "", Call())
    assert reader.token != writer.token
    assert [IMPLIED[shown.scope] for made in (reader, writer) if (shown := tokens.known(made.token))] == [
        {"read"},
        {"read", "ingest"},
    ]
    assert [shown.id for shown in tokens.list()] == [reader.id, writer.id]


@pytest.mark.parametrize("secret", ["", "biblicus_", "x" * 100_000, "\ud800", "ünï"])
def test_what_is_no_token_opens_nothing(path: Path, secret: str):
    tokens = Tokens(path)
    tokens.new("ingest", "", Call())
    assert tokens.known(secret) is None


def test_the_digest_that_is_kept_is_no_token(path: Path):
    tokens = Tokens(path)
    tokens.new("ingest", "", Call())
    assert tokens.known(json.loads(path.read_text())["tokens"][0]["sha256"]) is None


def test_another_process_sees_a_new_token_and_a_revoked_one(path: Path):
    here, there = Tokens(path), Tokens(path)
    made = here.new("read", "", Call())
    assert there.known(made.token)
    here.revoke(made.id, Call())
    assert not there.known(made.token)
    with pytest.raises(TokenNotFound):
        here.revoke(made.id, Call())


def test_whoever_revokes_the_last_token_opens_nothing_by_it(serve: Serve, folder: Path):
    service = serve({"notes": folder}, scope="read")
    assert service.ask("GET", "/stats").status == 200
    for shown in service.tokens.list():
        service.tokens.revoke(shown.id, Call())
    assert service.ask("GET", "/stats").status == 401
    assert service.ask("GET", "/stats", authorization="").status == 401


@pytest.mark.parametrize("text", ["{", "[]", '{"tokens": [{"id": "x"}]}', '{"schema_version": 2}', "\x00"])
def test_a_file_that_holds_no_tokens_is_said_to_and_opens_nothing(path: Path, text: str):
    path.parent.mkdir()
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(ConfigInvalid):
        Tokens(path).known("any")


def test_a_file_that_others_may_write_is_not_believed(path: Path):
    tokens = Tokens(path)
    made = tokens.new("read", "", Call())
    path.chmod(0o666)
    with pytest.raises(UnsafeInput):
        Tokens(path).known(made.token)


def test_a_link_in_the_place_of_the_file_is_not_followed(path: Path, tmp_path: Path):
    Tokens(tmp_path / "other.json").new("ingest", "", Call())
    path.parent.mkdir()
    path.symlink_to(tmp_path / "other.json")
    with pytest.raises(UnsafeInput):
        Tokens(path).list()
