"""What runs in PostgreSQL cost and reach beside runs on this disk: the same folder, the same questions, in turns."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from statistics import median

from benchmarks.figures import Figure
from benchmarks.meaning import built
from benchmarks.searching import asked
from benchmarks.workbench import Workbench, run_folder
from biblicus.connectors.python import Corpus
from biblicus.models.evidence import Result
from tools.postgres import Server

_RECIPES = ("lexical", "vector", "hybrid")
_QUESTIONS = 200


def measure(bench: Workbench) -> list[Figure]:
    """The rows `postgres`."""
    with _server():
        folder = bench.copies(1)
        bench.index(folder)
        questions = list(islice(asked(run_folder(folder)), _QUESTIONS))
        with Corpus.open(folder) as corpus, kept("here"):
            began = time.perf_counter()
            corpus.reindex()
            seconds = time.perf_counter() - began
        return [
            _latency(folder, questions, seconds),
            *quality(built(bench.place, "scifact"), "postgres", "PostgreSQL"),
        ]


@contextmanager
def _server() -> Iterator[None]:
    server = Server()
    os.environ["BIBLICUS_STORES"] = json.dumps({"here": {"by": "postgres", "dsn": server.dsn}})
    try:
        yield
    finally:
        server.stop()


@contextmanager
def kept(store: str) -> Iterator[None]:
    """Runs are kept in this store meanwhile."""
    os.environ["BIBLICUS_STORE"] = store
    try:
        yield
    finally:
        del os.environ["BIBLICUS_STORE"]


def opened(folder: Path, store: str, question: str) -> Corpus:
    """A corpus that has a run of a store open."""
    with kept(store):
        corpus = Corpus.open(folder)
        corpus.query(question)
        return corpus


def _latency(folder: Path, questions: Sequence[str], seconds: float) -> Figure:
    """The p50 of questions by words, and how many bring the same evidence."""
    here, there = (opened(folder, store, questions[0]) for store in ("local", "here"))
    taken: tuple[list[float], list[float]] = ([], [])
    same = 0
    with here, there:
        for question in questions:
            results = []
            for corpus, times in zip((here, there), taken, strict=True):
                began = time.perf_counter()
                results.append(corpus.query(question))
                times.append(1000 * (time.perf_counter() - began))
            same += pieces(results[0]) == pieces(results[1])
    ours, theirs = map(median, taken)
    detail = f"{theirs:.1f} ms against {ours:.1f} ms; {same} of {len(questions)} questions bring the same evidence; "
    detail += f"the run was built and copied in in {seconds:.0f} s"
    return Figure("postgres", "warm query p50, PostgreSQL against the disk", "×", theirs / ours, 6.0, detail=detail)


def pieces(result: Result) -> list[tuple[str, int, int]]:
    return [(piece.chunk_id, piece.span_start, piece.span_end) for piece in result.evidence]


def quality(folder: Path, command: str, name: str) -> list[Figure]:
    """nDCG@10 on scifact of each recipe in the store `here`, less what it is on the disk."""
    reached = []
    for store in ("local", "here"):
        with kept(store), Corpus.open(folder) as corpus:
            corpus.reindex(*_RECIPES)
            systems = corpus.evaluate("scifact", recipes=_RECIPES, metrics=["ndcg@10"]).systems
            reached.append({system.name: system.metrics["ndcg@10"] for system in systems})
    ours, theirs = reached
    return [
        Figure(
            command,
            f"{recipe} on scifact, {name} less the disk",
            "gain",
            theirs[recipe] - ours[recipe],
            -0.005,
            detail=f"nDCG@10 {theirs[recipe]:.4f} against {ours[recipe]:.4f}",
        )
        for recipe in _RECIPES
    ]
