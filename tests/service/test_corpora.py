"""Several corpora behind one service."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from biblicus.contracts import Call
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers.here import Here
from biblicus.service.corpora import Corpora
from tests.http.conftest import corpus


def test_they_are_asked_at_the_same_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    names = ["one", "two", "three"]
    corpora = Corpora.open([f"{name}={corpus(tmp_path / name)}" for name in names])
    all_asked = threading.Barrier(3, timeout=60)
    ask = Here.ask

    def waits(asker: Here, verb: Any, request: Any, call: Call) -> Any:
        all_asked.wait()
        return ask(asker, verb, request, call)

    monkeypatch.setattr(Here, "ask", waits)
    fused = corpora.query(names, QueryRequest("moon"), Call())
    corpora.close()
    assert [answered.corpus for answered in fused.corpora] == names
    assert {piece["corpus"] for piece in fused.evidence} == set(names)
