"""Parts of the seconds of a full build, an edit, a warm and a cold question, and of the bytes beside a folder.

`python -m benchmarks.costs [--write]`: two minutes; `--write` puts it into research/costs.md. Processor time of
processes that are bound to one core, so that all work is done in one: each part is what runs in the functions named
here, without what they call of the others. To watch a call takes a microsecond, too much for the many small ones.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sqlite3
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain, islice
from math import inf
from pathlib import Path
from typing import Any

from benchmarks.page import write_between
from benchmarks.searching import asked
from benchmarks.workbench import ROOT, Workbench, finished, opened, run_folder

PAGE = ROOT / "research" / "costs.md"
_START = "starting Python, imports of the command"
_REST = "all else"
_INDEXER = "tantivy's own thread: words, stems, lists"
_QUESTIONS = 400

BUILD = {
    "walking, comparing stamps": (
        *("corpus.refresh:walk", "corpus.refresh:looked_at", "corpus.passes:Pass._look"),
        *(
            "corpus.changes.file_stats:load_scan",
            "corpus.changes.file_stats:load_rows",
            "corpus.changes.known_folder:load",
        ),
    ),
    "reading and hashing": ("corpus.examine:_read",),
    "text, headings, front matter": ("corpus.extracted.extractions:extracted",),
    "language": ("corpus.described.describe:detect",),
    "the rest of what describes an item": ("corpus.examine:describe",),
    "catalog, stamps, events": (
        *("corpus.passes:Pass._write", "corpus.passes:Pass._compare", "corpus.passes:Pass._identify"),
        *("corpus.refresh:_Refreshing._kept", "corpus.refresh:_Refreshing._store"),
        *("corpus.catalog:parse_lines", "corpus.catalog:known"),
        *("runs.reindex:Indexing._point_to", "runs.manifests:commit"),
    ),
    "cutting": ("runs.cutting:Cutter.cut",),
    "what a chunk is called": ("retrieval.words.fields:titles_of",),
    "what a chunk tells beside its words": ("text.terms.analysis:indexed", "retrieval.words.fields:multiplier_of"),
    "documents for tantivy": ("retrieval.words.analyst:document_of",),
    "handing them over, commit": ("retrieval.words.lexical:Lexical._write",),
    "tables": ("stores.filling:TableWriter.add", "stores.filling:TableWriter.close"),
    "what an edit changes of a run": ("runs.build:plan",),
    "linking, sealing and pruning files": (
        *("stores.local:LocalStore.begin", "stores.local:LocalStore.seal", "stores.local:LocalStore.sizes"),
        *("stores.local:LocalStore.open", "stores.local:LocalStore.drop"),
    ),
}
"""The functions of each part, as `module:name` below `biblicus`."""
QUESTION = {
    "whether something changed since": (
        "search.searcher:LocalSearcher._pending",
        "search.searcher:LocalSearcher._current_header",
    ),
    "reading the question": ("retrieval.words.lexical_reader:LexicalReader._asked",),
    "tantivy's search": ("retrieval.words.lexical_reader:LexicalReader._with_more",),
    "ranking what was found": ("retrieval.words.lexical_reader:LexicalReader._hits",),
    "files and items of a name": ("search.by_name:named_by",),
    "places, items and texts from the tables": (
        *("stores.tables:TableReader.chunks", "stores.tables:TableReader.items", "stores.tables:TableReader.places"),
        "stores.packing:_Unread.read",
    ),
    "pages first, doubles, budget": ("search.stages:Stages._outcome",),
    "whether the evidence answers": ("search.stages:Stages._support", "search.stages:Stages._rarity"),
    "snippets": ("search.evidence:best_part",),
    "evidence": ("search.evidence:EvidenceBuilder.evidence",),
}


def owner_of(place: str) -> tuple[Any, str]:
    """What a function belongs to, a module or a class, and its name there."""
    module, _, name = place.partition(":")
    *owners, last = name.split(".")
    owner: Any = importlib.import_module(f"biblicus.{module}")
    for own in owners:
        owner = getattr(owner, own)
    return owner, last


class Clock:
    """Processor seconds of a thread, each counted for the innermost part that runs."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)
        self._now, self._since = _REST, time.thread_time()

    def switch(self, part: str) -> str:
        """Go on with a part; the one before."""
        moment = time.thread_time()
        self.spent[self._now] += moment - self._since
        before, self._now, self._since = self._now, part, moment
        return before

    def watch(self, parts: Mapping[str, Sequence[str]]) -> None:
        """Count what runs in the functions of these parts."""
        for part, places in parts.items():
            for place in places:
                owner, last = owner_of(place)
                setattr(owner, last, self._watched(part, getattr(owner, last)))

    def _watched(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any, **named: Any) -> Any:
            before = self.switch(part)
            try:
                return function(*given, **named)
            finally:
                self.switch(before)

        return watched


def of_command(words: Sequence[str]) -> dict[str, float]:
    """Seconds by part of a command line, in this process."""
    from biblicus.__main__ import _run

    clock = Clock()
    clock.watch(BUILD)
    started, began = time.process_time(), time.thread_time()
    with quiet():
        if code := _run([*words]):
            raise RuntimeError(f"biblicus {' '.join(words)} left with {code}")
    clock.switch(_REST)
    others = time.process_time() - started - (time.thread_time() - began)
    return {_START: started, **clock.spent, _INDEXER: others}


def of_questions(folder: Path) -> dict[str, float]:
    """Milliseconds by part of a warm question."""
    from biblicus.connectors.python import Corpus

    clock = Clock()
    clock.watch(QUESTION)
    questions = list(islice(asked(run_folder(folder)), 2 * _QUESTIONS))
    with Corpus.open(folder) as corpus:
        for number, question in enumerate(questions):
            if number == _QUESTIONS:  # those before warm what is remembered
                clock.switch(_REST)
                clock.spent.clear()
            corpus.query(question, limit=10)
    clock.switch(_REST)
    return {part: 1000 * seconds / _QUESTIONS for part, seconds in clock.spent.items()}


def of_bytes(folder: Path) -> dict[str, float]:
    """Megabytes by part of what is kept beside a folder."""
    local, run = folder / ".biblicus" / "local", run_folder(folder)
    sizes: Counter[str] = Counter()  # bytes
    for path in local.rglob("*"):
        if path.is_file() and path.suffix != ".db":
            is_index = path.is_relative_to(run / "lexical")
            part = _INDEX.get(path.suffix[1:], "index: its own notes") if is_index else "seal of the run"
            sizes[part if path.is_relative_to(run) else f"`{path.relative_to(local).parts[0]}`"] += path.stat().st_size
    with closing(sqlite3.connect(f"{(run / 'tables.db').as_uri()}?mode=ro", uri=True)) as tables:
        for name, size in tables.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
            sizes[_TABLES.get(name, "tables: indexes and the like")] += size
    return {part: size / 1e6 for part, size in sizes.items() if size}


_IMPORTED = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s*(\S+)")
_FAMILIES = (("biblicus", "Biblicus"), ("tantivy", "tantivy"), ("sqlite3", "SQLite"), ("_sqlite3", "SQLite"))
_PYTHON = "Python's own"
_STARTS = 7
_SHOWN = 8
"""Modules that are told by name."""


def of_imports(folder: Path) -> str:
    """What a cold question imports and how long that takes (`python -X importtime`), as Markdown."""
    question = next(asked(run_folder(folder)))
    command = [sys.executable, "-X", "importtime", "-m", "biblicus", "-C", str(folder), "query", question]
    starts = (subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True) for _ in range(_STARTS))
    return imports_table([done.stderr for done in starts])


def imports_table(printed: Sequence[str]) -> str:
    """The lines of `-X importtime`, of each module the quickest, by whose modules they are, and the longest ones."""
    modules: dict[str, float] = {}
    for took, name in chain.from_iterable(map(_IMPORTED.findall, printed)):
        modules[name] = min(int(took) / 1000, modules.get(name, inf))
    of_family: defaultdict[str, list[float]] = defaultdict(list)
    for name, took in modules.items():
        of_family[dict(_FAMILIES).get(name.partition(".")[0], _PYTHON)].append(took)
    lines = ["## What a cold question imports\n", "| of | modules | ms |", "|---|---|---|"]
    rows = sorted(of_family.items(), key=lambda row: -sum(row[1]))
    lines += [f"| {family} | {len(took)} | {sum(took):.1f} |" for family, took in rows]
    lines.append(f"| all | {len(modules)} | {sum(modules.values()):.1f} |")
    longest = sorted(modules.items(), key=lambda row: -row[1])[:_SHOWN]
    lines.append(f"\nThe longest: {', '.join(f'`{name}` {took:.1f}' for name, took in longest)} ms.")
    return "\n".join(lines) + "\n"


_INDEX = {
    "idx": "index: which chunk has a word",
    "pos": "index: where in it",
    "term": "index: the words",
    "fast": "index: numbers of chunks",
    "store": "index: numbers of chunks",
    "fieldnorm": "index: lengths",
}
_TABLES = {
    "texts": "tables: texts of chunks, packed",
    "chunks": "tables: spans, lines and headings of chunks",
    "items": "tables: items, with their lines of the catalog, packed",
}


@contextmanager
def quiet() -> Iterator[None]:
    """What a command prints goes to standard error."""
    before, sys.stdout = sys.stdout, sys.stderr
    try:
        yield
    finally:
        sys.stdout = before


def measured(bench: Workbench) -> str:
    """The tables, as Markdown."""
    folder = bench.fresh(bench.copies(1))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
    bench.biblicus("init", str(folder))
    full = _apart("build", folder)
    bytes_, warm, imported = of_bytes(folder), _apart("question", folder), of_imports(folder)
    edited = min(path for path in folder.rglob("*.md") if path.is_file())
    with edited.open("a") as file:
        file.write("\nThis sentence was added to see what an edit costs.\n")
    edit = _apart("build", folder)
    return "\n".join(
        (
            _table("A full `reindex`", "s", full),
            _table("`reindex` after one edit", "s", edit),
            _table("A warm question", "ms", warm),
            imported,
            _table(f"`.biblicus/local` beside {size:.0f} MB", "MB", bytes_),
        )
    )


def _apart(what: str, folder: Path) -> dict[str, float]:
    """The same in a process of its own, on one core."""
    done = finished(("-m", "benchmarks.costs", "--of", what, str(folder)), cores=1)
    parts: dict[str, float] = json.loads(done)
    return parts


def _table(title: str, unit: str, parts: Mapping[str, float]) -> str:
    whole = sum(parts.values())
    lines = [f"## {title}\n", f"| part | {unit} | of {whole:.2f} |", "|---|---|---|"]
    shown = sorted(((value, part) for part, value in parts.items() if part != _REST), reverse=True)
    small = [value for value, _ in shown if value < 0.005 * whole]
    rows = [*((value, part) for value, part in shown if value not in small), (sum(small, parts.get(_REST, 0.0)), _REST)]
    lines += [f"| {part} | {value:.2f} | {100 * value / whole:.0f} % |" for value, part in rows if value]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, or those of one process."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.costs", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--of", choices=("build", "question"), help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="write them into research/costs.md")
    given = parser.parse_args(arguments)
    if given.of:
        parts = (
            of_questions(given.folder) if given.of == "question" else of_command(["-C", str(given.folder), "reindex"])
        )
        print(json.dumps(parts))
        return
    with opened(1) as bench:
        text = measured(bench)
    if given.write:
        write_between(PAGE, "costs", text)
    else:
        print(text)


if __name__ == "__main__":
    main()
