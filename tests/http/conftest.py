"""A service on a socket of its own, in a thread of this process."""

import http.client
import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from biblicus.connectors.http.app import application
from biblicus.connectors.http.gate import Access
from biblicus.connectors.http.profiles import Profile
from biblicus.connectors.http.service import Service
from biblicus.contracts import Call
from biblicus.service.admission import Limits
from biblicus.service.corpora import Corpora
from biblicus.service.tokens import Tokens
from tests.folders import corpus_of
from tests.serving import served

TEXTS = {
    "tides.md": "# Tides\n\nThe moon pulls tides twice a day.\n",
    "lamp.md": "# Lamp\n\nThe lamp burns oil. It is lit at dusk.\n",
    "winch.txt": "Grease the winch in May.\n",
}


class Answer(NamedTuple):
    """A response as a client sees it; header names in lower case."""

    status: int
    headers: dict[str, str]
    raw: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.raw)


@dataclass
class Running:
    """A service that runs, and how to ask it."""

    service: Service
    port: int
    tokens: Tokens
    token: str | None = None
    patience: float = 120.0

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request over a connection of its own. Dictionaries go as JSON; `_` in header names stands for `-`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token and "authorization" not in {name.lower() for name in sent}:
            sent["Authorization"] = f"Bearer {self.token}"
        if isinstance(body, dict):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.patience)
        try:
            connection.request(method, path, body, {name: value for name, value in sent.items() if value})
            got = connection.getresponse()
            return Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())
        finally:
            connection.close()

    def say(self, raw: bytes, seconds: float = 60, more: bytes = b"", pause: float = 0.0) -> bytes:
        """Bytes as they are; whatever comes back until the service closes or the time is over. `more` after a pause."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as line:
            line.sendall(raw)
            time.sleep(pause)
            line.sendall(more)
            parts = []
            try:
                while part := line.recv(65536):
                    parts.append(part)
            except TimeoutError:
                pass
        return b"".join(parts)


def corpus(folder: Path) -> Path:
    """A small corpus with a run."""
    return corpus_of(folder, TEXTS)


Serve = Callable[..., Running]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Starts services: `serve(NAME=PATH, …, scope=…, limits=…, host=…)`. All are stopped after the module's tests."""
    with ExitStack() as running:
        yield partial(_start, running, tmp_path_factory)


def _start(
    running: ExitStack,
    tmp_path_factory: pytest.TempPathFactory,
    places: dict[str, Path],
    scope: str | None = "ingest",
    limits: Limits | None = None,
    public_url: str | None = None,
    profile: Profile | None = None,
    processes: int = 1,
    **access: Any,
) -> Running:
    tokens = Tokens(tmp_path_factory.mktemp("tokens") / "tokens.json")
    token = tokens.new(scope, "test", Call()).token if scope else None  # type: ignore[arg-type]  # a scope by its name
    corpora = Corpora.open([f"{name}={path}" for name, path in places.items()], processes)
    if corpora.processes is not None:
        corpora.processes.start()
    app, service = application(
        corpora, Access(tokens, **access), limits or Limits(drain=2), profile=profile, public_url=public_url
    )
    address = running.enter_context(served(app, service))
    return Running(service, int(address.rpartition(":")[2]), tokens, token)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus(tmp_path_factory.mktemp("corpora") / "notes")


@pytest.fixture(scope="module")
def running(serve: Serve, folder: Path) -> Running:
    """One corpus, with a token that may ingest."""
    return serve({"notes": folder})
