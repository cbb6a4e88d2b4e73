"""What runs in Milvus cost and reach beside runs on this disk and the bare client: the same questions, in turns.

Its libraries are in an environment of their own: `make test-milvus`, `.venv-cluster/bin/python -m benchmarks milvus`.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

from benchmarks.figures import Figure
from benchmarks.meaning import built
from benchmarks.postgres import kept, opened, pieces, quality
from benchmarks.searching import asked
from benchmarks.workbench import Workbench, run_folder
from biblicus.connectors.python import Corpus
from tools.milvus import Server

_QUESTIONS = 100


def measure(bench: Workbench) -> list[Figure]:
    """The rows `milvus`."""
    with _server() as uri:
        folder = bench.copies(1)
        bench.index(folder)
        questions = list(islice(asked(run_folder(folder)), _QUESTIONS))
        with Corpus.open(folder) as corpus, kept("here"):
            began = time.perf_counter()
            corpus.reindex()
            seconds = time.perf_counter() - began
        return [*_latency(folder, questions, seconds, uri), *quality(built(bench.place, "scifact"), "milvus", "Milvus")]


@contextmanager
def _server() -> Iterator[str]:
    server = Server()
    os.environ["BIBLICUS_STORES"] = json.dumps({"here": {"by": "milvus", "uri": server.uri}})
    try:
        yield server.uri
    finally:
        server.stop()


def _latency(folder: Path, questions: Sequence[str], seconds: float, uri: str) -> list[Figure]:
    """The p50 of questions by words: with all that is made of the hits, and of the bare client's requests alone."""
    from pymilvus import MilvusClient

    bare = MilvusClient(uri)
    here, there = (opened(folder, store, questions[0]) for store in ("local", "here"))
    same = 0
    whole: list[float] = []
    alone: list[float] = []
    with here, there:
        for question in questions:
            requests: list[tuple[str, Any, Any]] = []
            began = time.perf_counter()
            with _noted("search", requests), _noted("query", requests):
                result = there.query(question)
            whole.append(1000 * (time.perf_counter() - began))
            same += pieces(result) == pieces(here.query(question))
            began = time.perf_counter()
            for method, words, options in requests:
                getattr(bare, method)(*words, **options)
            alone.append(1000 * (time.perf_counter() - began))
    mine, raw = median(whole), median(alone)
    detail = f"{mine:.0f} ms against {raw:.0f} ms; {same} of {len(questions)} questions bring the same evidence; "
    detail += f"the run was built and copied in in {seconds:.0f} s"
    return [
        Figure(
            "milvus",
            "query p50, with evidence, against the bare client's requests",
            "×",
            mine / raw,
            2.5,
            detail=detail,
        )
    ]


def _noted(method: str, requests: list[tuple[str, Any, Any]]) -> Any:
    """Note the requests that the client makes by a method."""
    from pymilvus import MilvusClient

    original = getattr(MilvusClient, method)

    def note(client: Any, *words: Any, **options: Any) -> Any:
        requests.append((method, words, options))
        return original(client, *words, **options)

    return mock.patch.object(MilvusClient, method, note)
