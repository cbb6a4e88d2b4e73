"""Speed of judged questions: `python -m benchmarks judge-warm`, `judge-cold`, `judge-clients`, `judge-first`."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median, quantiles
from unittest.mock import patch

from benchmarks.figures import Figure
from benchmarks.judge_quality import kept_folder
from benchmarks.known_folders import judged_collection
from benchmarks.quality import load
from benchmarks.workbench import REFERENCE, Workbench, data_folder, finished
from biblicus.connectors.python import Corpus
from biblicus.embedding.judge import is_installed
from biblicus.models.recipe import JUDGED, MEANING, WORDS

_CLIENTS, _SECONDS = 16, 20.0
_ASK = """
import sys, resource
from biblicus.connectors.python import Corpus
with Corpus.open(sys.argv[1]) as corpus:
    for text in sys.argv[2:]:
        corpus.query(text, recipe="meaning")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measure_warm(bench: Workbench) -> list[Figure]:
    """Questions that were not asked before, one at a time, in a process that is warm: by the clock and its own time."""
    if not is_installed():
        return []
    rows = []
    with Corpus.open(_folder(bench)) as corpus, patch.dict(os.environ, BIBLICUS_JUDGE_SECONDS="0"):
        questions = _questions()
        for text in questions[:5]:
            corpus.query(text, recipe=MEANING)
        for number in range(60):
            began, spent = time.perf_counter(), time.process_time()
            corpus.query(f"{questions[number % len(questions)]} ({number})", recipe=MEANING)
            rows.append((1000 * (time.perf_counter() - began), 1000 * (time.process_time() - spent)))
    clock, own = (sorted(side) for side in zip(*rows, strict=True))
    detail = f"processor time {median(own):.0f} ms on two threads; {len(rows)} questions over xquad-en"
    peak = int(finished(("-c", _ASK, os.fspath(_folder(bench)), *_questions()[:10])))
    return [
        Figure("judge-warm", "warm judged question, p50", "ms", median(clock), 280, 200, detail),
        Figure("judge-warm", "warm judged question, p99", "ms", quantiles(clock, n=100)[98], 420),
        Figure("judge-warm", "memory of a process that judged ten questions, at most", "MB", peak / 1024, 380),
    ]


def measure_cold(bench: Workbench) -> list[Figure]:
    """A whole process that asks one question."""
    if not is_installed():
        return []
    words = ("-C", os.fspath(_folder(bench)), "query", "--recipe", MEANING)
    cold = median(bench.biblicus(*words, f"Which team won the cup, take {number}?") for number in range(bench.runs))
    reference = median(bench.python(*REFERENCE) for _ in range(bench.runs))
    detail = f"`import typer, pydantic` {reference:.2f} s"
    return [Figure("judge-cold", "cold judged question, whole process", "s", cold, 0.9, 0.6, detail)]


def measure_clients(bench: Workbench) -> list[Figure]:
    """Clients that ask without a pause, each question once: judged a second, and how soon the others are answered."""
    if not is_installed():
        return []
    found: list[tuple[str, float]] = []
    failed: Counter[str] = Counter()
    questions, until = _questions(), 0.0

    def client(number: int) -> None:
        turn = 0
        while time.perf_counter() < until:
            turn += 1
            began = time.perf_counter()
            try:
                result = corpus.query(
                    f"{questions[(number + turn) % len(questions)]} ({number}.{turn})", recipe=MEANING
                )
            except Exception as error:
                failed[type(error).__name__] += 1
                return
            found.append((str(result.rerank), time.perf_counter() - began))

    with Corpus.open(_folder(bench)) as corpus:
        for text in questions[:3]:
            corpus.query(text, recipe=MEANING)
        until = time.perf_counter() + _SECONDS
        threads = [threading.Thread(target=client, args=(number,)) for number in range(_CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    counts = Counter(state for state, _ in found)
    busy = [1000 * seconds for state, seconds in found if state == "busy"]
    detail = ", ".join(f"{state} {count}" for state, count in sorted(counts.items()))
    return [
        Figure("judge-clients", "16 clients: judged", "/s", counts["done"] / _SECONDS, 4, detail=detail),
        Figure("judge-clients", "16 clients: answered as `busy`, p50", "ms", median(busy) if busy else 0.0, 300),
        Figure("judge-clients", "16 clients: errors", "requests", sum(failed.values()), 0),
    ]


def measure_first(bench: Workbench) -> list[Figure]:
    """Time of `reindex` until a question can be asked, with models, against words alone; 2,437 files."""
    if not is_installed():
        return []
    taken: dict[str, list[float]] = {"off": [], "auto": []}
    for _ in range(bench.runs):
        for state in taken:
            folder = bench.fresh(bench.sample(4))
            bench.biblicus("init", str(folder))
            with patch.dict(os.environ, BIBLICUS_MEANING=state):
                taken[state].append(float(finished(("-c", _SEAL, str(folder)))))
    seconds = {state: median(times) for state, times in taken.items()}
    detail = f"{seconds['auto']:.1f} s against {seconds['off']:.1f} s"
    return [Figure("judge-first", "words sealed by `reindex` with models, against words alone", "×",
                   seconds["auto"] / seconds["off"], 1.05, detail=detail)]  # fmt: skip


_SEAL = """
import sys, threading, time
from pathlib import Path
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.errors import Cancelled
from biblicus.models.requests.runs import ReindexRequest
from biblicus.runs.reindex import reindex

call, sealed = Call(), []
began = time.perf_counter()
def watch():
    while not any(Path(sys.argv[1], ".biblicus", "runs").glob("*")):
        time.sleep(0.01)
    sealed.append(time.perf_counter() - began)
    call.cancel.set()  # what follows is meaning

threading.Thread(target=watch, daemon=True).start()
try:
    reindex(find(sys.argv[1]), ReindexRequest(), call)
except Cancelled:
    pass
print(sealed[0])
"""


def _folder(bench: Workbench) -> Path:
    """The paragraphs of xquad-en with runs of all recipes, where the quality rows keep them."""
    place = kept_folder(bench)
    place.mkdir(parents=True, exist_ok=True)
    corpus, _ = judged_collection("xquad-en", Workbench(place, bench.documents))
    with corpus:
        corpus.reindex(WORDS, JUDGED, "hybrid-int8", MEANING)
    return place / "xquad-en"


def _questions() -> list[str]:
    return list(load(data_folder() / "ir" / "xquad-en").questions.values())[:200]


MEASURES: Mapping[tuple[str, ...], Callable[[Workbench], list[Figure]]] = {
    ("judge-warm",): measure_warm,
    ("judge-cold",): measure_cold,
    ("judge-clients",): measure_clients,
    ("judge-first",): measure_first,
}
