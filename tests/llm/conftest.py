"""A server of our own for every test, and each provider pointed at it.

`BIBLICUS_TEST_LLM` names a real one instead, for the tests that any model passes: an address, or `PROVIDER MODEL
ADDRESS` as in `ollama llama3.2 http://127.0.0.1:11434`.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from biblicus import plugins
from biblicus.contracts import Given, LLMClient, LLMResult, silent
from biblicus.guards.network import transport
from biblicus.llm.dependable import DependableLLMClient
from tests.llm.server import MODEL, Scripted, running

REAL = os.environ.get("BIBLICUS_TEST_LLM", "").split()
PROVIDERS = {"ollama": "", "openai-compatible": "/v1"}

Make = Callable[..., LLMClient]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folders of our own, and no key or address of whoever runs the tests."""
    mine = [name for name in os.environ if name.startswith(("BIBLICUS_", "OLLAMA_", "OPENAI_"))]
    for name in [*mine, "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(transport, "_FIRST_PAUSE", 0.01)
    return tmp_path


@pytest.fixture
def server() -> Iterator[Scripted]:
    with running() as scripted:
        yield scripted


@pytest.fixture(params=list(PROVIDERS))
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(server: Scripted, provider: str) -> Make:
    """A client of the server, as `answers.language_models` would make it; `bare` for the provider alone."""

    def made(*, bare: bool = False, hear: Any = silent, **options: Any) -> LLMClient:
        asked = {"model": MODEL, "url": server.url + PROVIDERS[provider], "seconds": 5, **options}
        return client(provider, asked, bare=bare, hear=hear)

    return made


def client(by: str, asked: dict[str, Any], *, bare: bool = False, hear: Any = silent) -> LLMClient:
    if by == "ollama":
        pytest.importorskip("ollama", reason="the extra [ollama] is not installed")
    options = plugins.checked("llm", by, asked)
    client: LLMClient = plugins.make("llm", by, options, Given(hear=hear))
    if bare:
        return client
    return DependableLLMClient(client, options.attempts, options.repairs, hear)


def real_client() -> LLMClient:
    """The model of `BIBLICUS_TEST_LLM`; the test is skipped where that is not set."""
    if not REAL:
        pytest.skip("BIBLICUS_TEST_LLM names no server")
    by, model, url = REAL if len(REAL) == 3 else ("ollama", os.environ.get("BIBLICUS_TEST_LLM_MODEL", MODEL), REAL[0])
    return client(by, {"model": model, "url": url})


def ask(client: LLMClient, prompt: str = "Greet me.", **options: Any) -> LLMResult:
    return asyncio.run(client.generate(prompt, **options))
