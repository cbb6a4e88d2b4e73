"""How far each place for runs goes: the same passages, recipes and questions in files, in PostgreSQL and in Milvus.

`python -m benchmarks.scale [--copies 6] [--stores local,postgres,shards,milvus]` (`make bench-scale`): six copies of
cpp-docs are 327,000 passages; vectors are wordllama's, of 256 dimensions, since only their number matters here. `--made
1000000`: so many passages of words that nobody uses instead, frequent as words are. `--legs lexical`: by words alone.
`shards` is three PostgreSQL: their evidence is compared with that of the store before, and one of them is killed.
"""

from __future__ import annotations

import argparse
import json
import operator
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import accumulate, islice
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.postgres import kept, pieces
from benchmarks.searching import asked
from benchmarks.workbench import apart, opened, run_folder
from biblicus.connectors.python import Corpus

_RECIPE = "scale"
_QUESTIONS = 100
_CLIENTS = 8
_NODES = 3
_SHARE = 0.05
_TEXT = """name: scale
build:
  chunking: {default: {by: paragraphs, tokens: 320, overlap: 0}, code: {by: definitions}, notebook: {by: cells}}
  legs:
"""
_LEGS = {"lexical": "    lexical: {}\n", "vector": "    vector: {engine: hnsw, embedder: static}\n"}
_VOCABULARY = 200_000
_SECTIONS, _FILES, _LONG = 50, 1000, (50, 60)
"""Of a made file; of a made folder; words of a section."""


def measured(folder: Path, store: str, questions: Sequence[str], under: str) -> dict[str, Any]:
    """What one store takes and gives, with the evidence of each question."""
    with kept(store), Corpus.open(folder) as corpus:
        began = time.perf_counter()
        run = corpus.reindex(_RECIPE, fresh=True).runs[0].manifest
        seconds = time.perf_counter() - began
        for question in questions[:3]:  # what is loaded with the first questions
            corpus.query(question, recipe=_RECIPE)
        evidence = [pieces(corpus.query(question, recipe=_RECIPE)) for question in questions]
        hybrid = _times(corpus, questions)
        within = _times(corpus, questions, path=(under,))
        with ThreadPoolExecutor(_CLIENTS) as clients:
            many = list(clients.map(lambda question: _times(corpus, [question])[0], questions))
        return {
            "evidence": evidence,
            "store": store,
            "passages": run.counts["chunks"],
            "seconds to build": round(seconds, 1),
            "passages a second": round(run.counts["chunks"] / seconds),
            "MB": round(sum(run.sizes.values()) / 1e6),
            "p50 ms": round(median(hybrid), 1),
            "p99 ms": round(quantiles(hybrid, n=100)[-1], 1),
            "p50 ms in 5 %": round(median(within), 1),
            f"p50 ms, {_CLIENTS} clients": round(median(many), 1),
        }


def killed(folder: Path, store: str, questions: Sequence[str], servers: Sequence[Any]) -> dict[str, Any]:
    """What questions bring while one of the servers is killed."""
    told = right = count = 0
    with kept(store), Corpus.open(folder) as corpus:
        corpus.query(questions[0], recipe=_RECIPE)
        servers[1].kill()
        for question in questions:
            result = corpus.query(question, recipe=_RECIPE)
            told += bool(result.notes)
            verdicts = corpus.verify(result)
            count, right = count + len(verdicts), right + sum(verdict.status == "ok" for verdict in verdicts)
        servers[1].start()
    return {"one of three killed": f"{told} of {len(questions)} say so; {right} of {count} pieces are right"}


def written(folder: Path, passages: int) -> list[str]:
    """Writes files of so many passages, the same ones each time; questions of four words of a passage. The word of
    rank n is n times as rare as the first, as in texts that people write."""
    chance = random.Random(passages)
    syllables = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "ai", "or", "en")]
    words = [
        f"{chance.choice(syllables)}{chance.choice(syllables)}{_spelled(n, syllables)}" for n in range(_VOCABULARY)
    ]
    shares = list(accumulate(1 / rank for rank in range(1, _VOCABULARY + 1)))
    questions: list[str] = []
    for number in range(-(-passages // _SECTIONS)):
        sections = []
        for place in range(min(_SECTIONS, passages - number * _SECTIONS)):
            drawn = chance.choices(words, cum_weights=shares, k=chance.randint(*_LONG))
            sections.append(f"## {' '.join(drawn[:3])}\n\n{' '.join(drawn[3:])}.\n")
            if len(questions) < _QUESTIONS and place == number % _SECTIONS:
                questions.append(" ".join(drawn[-4:]))
        path = folder / f"part-{number // _FILES:03}" / f"{number % _FILES:04}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(sections), "utf-8")
    return questions


def _spelled(number: int, syllables: Sequence[str]) -> str:
    """A number as syllables, so that no two words are the same."""
    higher, last = divmod(number, len(syllables))
    return (_spelled(higher, syllables) if higher else "") + syllables[last]


def _times(corpus: Corpus, questions: Sequence[str], **filters: Any) -> list[float]:
    """Milliseconds of each question, with all that is made of its hits."""
    taken = []
    for question in questions:
        began = time.perf_counter()
        corpus.query(question, recipe=_RECIPE, **filters)
        taken.append(1000 * (time.perf_counter() - began))
    return taken


def _folder_of_some(root: Path) -> str:
    """The folder whose share of the files is nearest to 5 %, as a glob."""
    counts: Counter[str] = Counter()
    paths = [path.relative_to(root).as_posix() for path in root.rglob("*.md")]
    for path in paths:
        parts = path.split("/")
        counts.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
    nearest = min(counts, key=lambda folder: (abs(counts[folder] - _SHARE * len(paths)), folder))
    return f"{nearest}/**"


@contextmanager
def _servers(wanted: Sequence[str]) -> Iterator[list[Any]]:
    """Start the servers. Yields the nodes of `shards`."""
    stores: dict[str, Any] = {}
    started: list[Any] = []
    nodes: list[Any] = []
    if "postgres" in wanted:
        from tools.postgres import Server

        started.append(postgres := Server())
        stores["postgres"] = {"by": "postgres", "dsn": postgres.dsn}
    if "shards" in wanted:
        from tools.postgres import Server

        nodes += [Server() for _ in range(_NODES)]
        started += nodes
        stores |= {f"node{at}": {"by": "postgres", "dsn": node.dsn} for at, node in enumerate(nodes)}
        stores["shards"] = {"by": "shards", "nodes": [f"node{at}" for at in range(_NODES)]}
    if "milvus" in wanted:
        from tools import milvus

        started.append(server := milvus.Server())
        stores["milvus"] = {"by": "milvus", "uri": server.uri}
    os.environ["BIBLICUS_STORES"] = json.dumps(stores)
    try:
        yield nodes
    finally:
        for one in started:
            one.stop()


def main() -> None:
    """Print a line of JSON for each store."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("--copies", type=int, default=6)
    parser.add_argument("--stores", default="local,postgres,milvus")
    parser.add_argument("--made", type=int, default=0)
    parser.add_argument("--legs", default="lexical,vector")
    words = parser.parse_args()
    wanted, legs = words.stores.split(","), words.legs.split(",")
    if not _LEGS.keys() >= set(legs):
        parser.error(f"--legs takes {' and '.join(_LEGS)}, by comma")
    with _documents(words.made, words.copies) as (folder, questions), _servers(wanted) as nodes:
        recipes = folder / ".biblicus" / "recipes"
        recipes.mkdir(exist_ok=True)
        (recipes / f"{_RECIPE}.yml").write_text(_TEXT + "".join(_LEGS[leg] for leg in legs), "utf-8")
        under = _folder_of_some(folder)
        if "vector" in legs:
            with Corpus.open(folder) as corpus:
                corpus.reindex(_RECIPE)  # embeds, once for all
        before: list[Any] = []
        for store in wanted:
            figures = measured(folder, store, questions, under)
            evidence = figures.pop("evidence")
            if before:
                figures["same as before"] = sum(map(operator.eq, before, evidence))
            before = evidence
            if store == "shards":
                figures |= killed(folder, store, questions, nodes)
            print(json.dumps(figures), flush=True)


@contextmanager
def _documents(passages: int, copies: int) -> Iterator[tuple[Path, list[str]]]:
    """A corpus of made passages or of copies, and questions to it."""
    if passages:
        with apart() as place:
            folder = place / "made"
            questions = written(folder, passages)
            Corpus.init(folder).close()
            yield folder, questions
        return
    with opened(1) as bench:
        folder = bench.copies(copies)
        bench.index(folder)
        yield folder, list(islice(asked(run_folder(folder)), _QUESTIONS))


if __name__ == "__main__":
    main()
