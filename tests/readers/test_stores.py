"""A corpus whose runs are in a database answers a reader as a corpus without the hidden items does."""

import json
import os
from pathlib import Path

import pytest

from biblicus.service.askers.here import here
from tests.readers.corpora import Made, reader_of, reply
from tools.postgres import Server

COUNT = max(40, int(os.environ.get("READERS_ON_SURFACES", "4")))
"""Requests of two readers together; `make test-readers` makes 500."""


@pytest.mark.parametrize("store", ["postgres", "shards"])
def test_runs_in_a_database_tell_a_reader_nothing_of_hidden_items(
    tmp_path: Path, postgres: Server, monkeypatch: pytest.MonkeyPatch, store: str
) -> None:
    nodes = {f"node{number}": {"by": "postgres", "dsn": postgres.database(f"readers{number}")} for number in (1, 2)}
    wide = {"by": "shards", "nodes": list(nodes)} if store == "shards" else {"by": "postgres", "dsn": postgres.dsn}
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({**nodes, "wide": wide}))
    monkeypatch.setenv("BIBLICUS_STORE", "wide")
    made = Made(tmp_path, seed=4)
    asker = here(made.folder)
    assert not list(made.folder.glob(".biblicus/local/index/*"))
    for number in (0, 3):
        reader = reader_of(number)
        hidden = made.hidden(reader)
        monkeypatch.setenv("BIBLICUS_STORE", "local")
        reference = here(made.without(tmp_path / f"without{number}", hidden))
        requests = list(made.requests(hidden, COUNT // 2))
        expected = [reply(reference, verb, request) for verb, request in requests]
        monkeypatch.setenv("BIBLICUS_STORE", "wide")
        for (verb, request), answer in zip(requests, expected, strict=True):
            assert reply(asker, verb, request, reader) == answer, (reader, verb.name, request)
        reference.close()
    asker.close()
