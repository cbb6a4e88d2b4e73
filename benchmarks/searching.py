"""What a question costs: to an open corpus, and to a command line that has just started."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from tantivy import Index

from benchmarks.figures import Figure
from benchmarks.indexing import raw_seconds
from benchmarks.workbench import REFERENCE, Workbench, finished, run_folder
from biblicus.connectors.python import Corpus
from biblicus.contracts import Given
from biblicus.models.question import Question
from biblicus.retrieval.words import lexical, wording
from biblicus.retrieval.words.lexical_reader import LexicalReader
from biblicus.search.opened_run import shares
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
    return [warm(bench, folder, questions), cold(bench, folder, questions)]


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


@dataclass(frozen=True)
class Medians:
    """Seconds a question: Biblicus's answer; tantivy's search for the same query; tantivy's own answer."""

    ours: float
    search: float
    answer: float


def warm(bench: Workbench, folder: Path, questions: Sequence[str]) -> Figure:
    """The p50 of `Corpus.query` against that of tantivy's search for the query that Biblicus puts to it.

    In a round all answer each question in turn and take turns in being first. The first round warms and is dropped.
    """
    size = len(questions) // (bench.runs + 1)
    with Corpus.open(folder) as corpus:
        ways = (same_query(folder, corpus), own_answer(bench.place / "raw"))
        starts = range(0, size * (bench.runs + 1), size)
        rounds = [_round(corpus, ways, questions[start : start + size]) for start in starts][1:]
    ours, search, answer = (median(getattr(entry, name) for entry in rounds) for name in ("ours", "search", "answer"))
    against = median(entry.ours / entry.answer for entry in rounds)
    return Figure(
        "warm",
        "warm query p50 against raw tantivy",
        "×",
        median(entry.ours / entry.search for entry in rounds),
        2.0,
        1.2,
        f"{1000 * ours:.2f} ms against {1000 * search:.2f} ms; {against:.2f} times tantivy's own answer with 10 texts "
        f"({1000 * answer:.2f} ms)",
    )


Prepared = Callable[[str], Callable[[], object]]
"""For a question, what is put on the clock."""


def same_query(folder: Path, corpus: Corpus) -> Prepared:
    """The searches of the same index for the same queries, ready made, down to the best 10 addresses."""
    reader = lexical.build(lexical.Options(), Given()).open(run_folder(folder) / "lexical")
    assert isinstance(reader, LexicalReader)
    languages = shares(corpus.runs()[-1].languages)
    searcher = reader._searcher

    def prepared(text: str) -> Callable[[], object]:
        queries = reader._asked(Question(text, languages))
        return lambda: [searcher.search(query, _LIMIT).hits for query in queries]

    return prepared


def own_answer(folder: Path) -> Prepared:
    """What tantivy's user would write over the index of `benchmarks.raw`: parse, search, read the 10 texts."""
    index = Index.open(str(folder))
    searcher = index.searcher()

    def prepared(text: str) -> Callable[[], object]:
        words = re.sub(r"[^\w\s]", " ", text).lower()  # signs and AND are orders to its parser
        return lambda: [
            searcher.doc(address)["text"]
            for _, address in searcher.search(index.parse_query(words, ["text"]), _LIMIT).hits
        ]

    return prepared


def _round(corpus: Corpus, ways: Sequence[Prepared], questions: Sequence[str]) -> Medians:
    seconds: list[list[float]] = [[], [], []]
    prepared = [[way(question) for way in ways] for question in questions]
    wording._understood.cache_clear()  # it has just seen these questions
    for number, (question, others) in enumerate(zip(questions, prepared, strict=True)):
        ours: Callable[[], object] = partial(corpus.query, question, limit=_LIMIT)
        turns = list(enumerate([ours, *others]))
        for at, act in turns[number % 3 :] + turns[: number % 3]:
            seconds[at].append(_seconds(act))
    return Medians(*(median(taken) for taken in seconds))


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


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
        1.6,
        1.3,
        f"{median(ours for ours, _ in pairs):.3f} s against {median(reference for _, reference in pairs):.3f} s",
    )
