"""Steps about places: the daemon, names for corpora, and one answer wherever it is asked."""

import json
import os
import time
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from pytest_bdd import given, then

from biblicus.contracts import Call
from biblicus.service.askers import daemon
from features.phrase import phrase
from features.world import World

_SOON = 120.0


@pytest.fixture
def own_daemon(home: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A daemon of this scenario's own, stopped after it."""
    with TemporaryDirectory(prefix="own", dir=os.environ["BIBLICUS_RUNTIME_HOME"]) as folder:
        monkeypatch.setenv("BIBLICUS_RUNTIME_HOME", folder)
        yield
        daemon.stop(Call())


def _wait_for(happens: Callable[[], bool]) -> bool:
    until = time.monotonic() + _SOON
    while not happens() and time.monotonic() < until:
        time.sleep(0.02)
    return happens()


@given("no daemon runs")
def no_daemon() -> None:
    assert not daemon.status()["running"]


@given(phrase('the corpus is "{name}" among my places'))
def place(world: World, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("BIBLICUS_PLACES", f"{{{name}: {world.folder}}}")


@given(phrase('the corpus is "{name}" among my places, after "{first!}"'))
def place_after(world: World, monkeypatch: pytest.MonkeyPatch, name: str, first: str) -> None:
    monkeypatch.setenv("BIBLICUS_PLACES", json.dumps({name: f"{first}, {world.folder}"}))


@given(phrase('"{name}" among my places is "{words!}"'))
def places_are(monkeypatch: pytest.MonkeyPatch, name: str, words: str) -> None:
    monkeypatch.setenv("BIBLICUS_PLACES", json.dumps({name: words}))


@then("the daemon keeps the corpus warm")
def warm(world: World) -> None:
    assert str(world.folder) in daemon.status()["corpora"]


@then("a daemon runs soon")
def runs_soon() -> None:
    assert _wait_for(lambda: bool(daemon.status()["running"]))


@then("no daemon runs now")
def runs_not() -> None:
    assert not daemon.status()["running"]
