"""What a question costs: to an open corpus, and to a command line that has just started."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from tantivy import Index

from benchmarks.figures import Figure
from benchmarks.indexing import raw_seconds
from benchmarks.workbench import REFERENCE, Workbench, finished, run_folder
from biblicus.connectors.python import Corpus
from biblicus.stores.tables import TableReader

QUESTIONS = 200
"""In one round. No question is asked twice, so that no cache of wordings helps."""
_LIMIT = 10
_SHORTEST, _LONGEST = 4, 8  # words
_PATTERNS = ("{}", "what is {}", "how to use {}", "when do I need {}")
_FORBIDDEN = ("numpy", "tantivy", "pypdf", "httpx")
_HELP = f"""
import contextlib, io, sys
sys.argv = ["biblicus", "--help"]
from biblicus.__main__ import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(*(name for name in {_FORBIDDEN!r} if name in sys.modules))
"""


def measure(bench: Workbench) -> list[Figure]:
    """The rows `warm` and `cold`, over one corpus."""
    folder = bench.copies(1)
    bench.index(folder)
    raw_seconds(bench, folder)
    questions = list(islice(asked(run_folder(folder)), QUESTIONS * (bench.runs + 1)))
    return [*warm(bench, folder, questions), cold(bench, folder, questions)]


def measure_help(bench: Workbench) -> list[Figure]:
    """The row `help`: which of the heavy modules `biblicus --help` loads."""
    loaded = finished(("-c", _HELP)).split()
    name = f"`--help` imports of {', '.join(_FORBIDDEN)}"
    return [Figure("help", name, "modules", len(loaded), 0, detail=" ".join(loaded))]


def asked(run: Path) -> Iterator[str]:
    """Distinct questions of 4 to 8 words made from titles and headings, in an order that only their text decides."""
    tables = TableReader(run)
    names = {item.item.title for item in tables.all_items()} | {chunk.heading or "" for chunk in tables.all_chunks()}
    tables.close()
    for number, name in enumerate(sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())):
        question = _PATTERNS[number % len(_PATTERNS)].format(name)
        if _SHORTEST <= len(question.split()) <= _LONGEST and '"' not in question:
            yield question


def warm(bench: Workbench, folder: Path, questions: Sequence[str]) -> list[Figure]:
    """The p50 and the p99 of `Corpus.query` against those of tantivy's own answer.

    In a round both answer each question in turn and take turns in being first. The first round warms and is dropped.
    """
    size = len(questions) // (bench.runs + 1)
    with Corpus.open(folder) as corpus:
        own = own_answer(bench.place / "raw")
        starts = range(0, size * (bench.runs + 1), size)
        rounds = [_round(corpus, own, questions[start : start + size]) for start in starts][1:]
    figures = []
    for share, bar, aim in ((0.5, 3.9, 3.2), (0.99, 5.0, 4.0)):
        pairs = [(_percentile(ours, share), _percentile(theirs, share)) for ours, theirs in rounds]
        detail = (
            f"{1000 * median(ours for ours, _ in pairs):.2f} ms against {1000 * median(own for _, own in pairs):.2f} ms"
        )
        name = f"warm query p{100 * share:.0f} against tantivy's own answer with 10 texts"
        figures.append(Figure("warm", name, "×", median(ours / own for ours, own in pairs), bar, aim, detail))
    return figures


def _percentile(seconds: Sequence[float], share: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(share * len(seconds)))]


def own_answer(folder: Path) -> Callable[[str], object]:
    """What tantivy's user would write over the index of `benchmarks.raw`: parse, search, read the 10 texts."""
    index = Index.open(str(folder))
    searcher = index.searcher()

    def answer(text: str) -> object:
        words = re.sub(r"[^\w\s]", " ", text).lower()  # signs and AND are orders to its parser
        hits = searcher.search(index.parse_query(words, ["text"]), _LIMIT).hits
        return [searcher.doc(address)["text"] for _, address in hits]

    return answer


def _round(
    corpus: Corpus, own: Callable[[str], object], questions: Sequence[str]
) -> tuple[Sequence[float], Sequence[float]]:
    """Seconds of each of our answers, and of tantivy's."""
    seconds: tuple[list[float], list[float]] = [], []
    for number, question in enumerate(questions):
        ways: tuple[Callable[[], object], ...] = (partial(corpus.query, question, limit=_LIMIT), partial(own, question))
        turns = list(enumerate(ways))
        for at, act in turns[number % 2 :] + turns[: number % 2]:
            seconds[at].append(_seconds(act))
    return seconds


def _seconds(act: Callable[[], object]) -> float:
    """Processor time, which others that keep the machine busy change less than what a clock shows."""
    began = time.thread_time()
    act()
    return time.thread_time() - began


def cold(bench: Workbench, folder: Path, questions: Sequence[str]) -> Figure:
    """A whole `biblicus query` process against one that only imports what any such command line needs."""
    question = questions[0]
    bench.biblicus("-C", str(folder), "query", question)  # for bytecode, and the check of the seal
    bench.python(*REFERENCE)
    pairs = [
        (bench.biblicus("-C", str(folder), "query", question), bench.python(*REFERENCE)) for _ in range(3 * bench.runs)
    ]
    return Figure(
        "cold",
        "cold `biblicus query` against `import typer, pydantic`",
        "×",
        median(ours / reference for ours, reference in pairs),
        1.4,
        1.3,
        f"{median(ours for ours, _ in pairs):.3f} s against {median(reference for _, reference in pairs):.3f} s",
    )
