"""Fit the weights of ranking by words: `python -m benchmarks.search_fit FOLDER [--natural FOLDER]`.

The first run indexes each collection and keeps a table of numbers for it under FOLDER: the score of every candidate in
every field alone. Later runs fit on these tables, once for all collections and once with each one left out.
`--natural`: folders that the questions of `natural_*.jsonl` are about, by set; sets without a folder are skipped.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from benchmarks.known_folders import Grades, collections
from benchmarks.quality import ndcg
from benchmarks.workbench import opened
from biblicus.connectors.python import Corpus
from biblicus.contracts import Call
from biblicus.corpus.folder import find
from biblicus.models.question import Allow, Question
from biblicus.models.requests.query import Filters, QueryRequest
from biblicus.retrieval.words import fields, lexical_reader, sibling_boost
from biblicus.search.query import searcher

PARTS = ("text", "title", "heading", "whole title", "whole heading")
"""Columns of a table: weights of fields, then of whole titles and headings."""
STEPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.35, 0.5, 0.75, 1.0, 1.5)
COMPANY, MANY = "company", "company of"
"""Weight of the company of siblings, and siblings from which it counts in full."""
LOSS = 0.003
_POOL, _OF_PART, _MANY = 160, 40, 4_000
_DEPTH = 10
_MOST_QUESTIONS = 240

Floats = NDArray[np.float32]
Weights = Mapping[str, float]


class Asked(NamedTuple):
    """A question's candidates. `scores`: one row each, by `PARTS`; `items`, `others`, `kinds` and `grades`: their
    items, how many other chunks these have, the numbers of their kinds and the grades of their files; `ideal`: all
    grades that the question has; `is_graded`: scored by nDCG, else by the place of the first right file."""

    scores: Floats
    items: Sequence[int]
    others: Sequence[int]
    multipliers: Floats
    grades: Sequence[int]
    ideal: Sequence[int]
    is_graded: bool


# --- tables -----------------------------------------------------------------------------------------------------------


def captured(corpus: Corpus, questions: Sequence[tuple[str, Grades]], is_graded: bool) -> Iterator[dict[str, Any]]:
    """Candidates of each question with their scores by each part alone. `questions`: with grades by part of a path."""
    local = searcher(find(corpus.path))
    run, _ = local._run(QueryRequest(query="-", recipe="lexical"), Call())
    reader = cast("lexical_reader.LexicalReader", run.reader("lexical"))
    for text, wanted in questions:
        question = Question(text, run.languages)
        found = {row for row, _ in _hits(reader, question, _POOL, None)}
        for part in PARTS:
            with _only(part):
                found |= {row for row, _ in _hits(reader, question, _OF_PART, None)}
        if not found:
            continue
        rows = sorted(found)
        places = run.tables.places(rows)
        chunks = run.tables.chunks(rows)
        allow = Allow(Filters(), frozenset(chunks[row].item for row in rows))
        columns = []
        for part in PARTS:
            with _only(part):
                scores = dict(_hits(reader, question, _MANY, allow))
            columns.append([scores.get(row, 0.0) for row in rows])
        paths = [places[row].path for row in rows]
        yield {
            "question": text,
            "scores": [[round(score, 5) for score in column] for column in columns],
            "items": [chunks[row].item for row in rows],
            "others": [min(places[row].chunks - 1, sibling_boost.OTHERS) for row in rows],
            "multipliers": [fields.multiplier(path) for path in paths],
            "grades": [max((grade for part, grade in wanted.items() if part in path), default=0) for path in paths],
            "ideal": list(wanted.values()),
            "is_graded": is_graded,
        }
    local.close()


def _hits(
    reader: lexical_reader.LexicalReader, question: Question, limit: int, allow: Allow | None
) -> list[tuple[int, float]]:
    """Rows with the engine's scores, before multipliers and sibling_boost."""
    queries = [reader._narrowed(query, allow) for query in reader._asked(question)]
    if not queries:
        return []
    found: dict[int, float] = {}
    for query in queries:
        hits = reader._searcher.search(query, limit, count=False).hits
        rows = reader._values("row", [address for _, address in hits])
        found.update(zip(rows, [score for score, _ in hits], strict=True))
    best = sorted(found.items(), key=lambda entry: entry[1], reverse=True)[:limit]
    return [(row, score) for row, score in best if score > 0]


@contextmanager
def _only(part: str) -> Iterator[None]:
    """Within it, one part alone is ranked by, with the weight 1."""
    tables = cast("list[dict[str, float]]", [fields.WEIGHTS, fields.WHOLE])
    before = [dict(table) for table in tables]
    for table, prefix in zip(tables, ("", "whole "), strict=True):
        table.update({name: float(prefix + name == part) for name in table})
    try:
        yield
    finally:
        for table, kept in zip(tables, before, strict=True):
            table.update(kept)


def capture(folder: Path, natural: Path | None) -> None:
    """Write the tables that are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened(1) as bench:
        for name, is_graded, made in collections(bench, natural):
            if (folder / f"{name}.jsonl").exists():
                continue
            corpus, questions = made()
            step = max(1, len(questions) // _MOST_QUESTIONS) if name != "scifact" else 1
            with corpus, (folder / f"{name}.part").open("w", encoding="utf-8") as lines:
                for row in captured(corpus, questions[::step], is_graded):
                    lines.write(json.dumps(row, separators=(",", ":")) + "\n")
            os.replace(folder / f"{name}.part", folder / f"{name}.jsonl")
            print(f"captured {name}", flush=True)


def read(path: Path) -> list[Asked]:
    return [
        Asked(
            np.array(row["scores"], np.float32).T,
            row["items"],
            row["others"],
            (np.array(row["multipliers"]) / 100).astype(np.float32),
            row["grades"],
            row["ideal"],
            row["is_graded"],
        )
        for row in map(json.loads, path.open(encoding="utf-8"))
    ]


# --- the fit ----------------------------------------------------------------------------------------------------------


def places(asked: Asked, weights: Weights) -> list[int]:
    """Grades of the first files in the order that the weights give."""
    scores = (asked.scores @ np.array([weights[part] for part in PARTS], np.float32)) * asked.multipliers
    order = np.argsort(-scores, kind="stable")
    best = order[:128].tolist()
    of_best = sibling_boost.scores_of(
        scores[best].tolist(), [asked.items[at] for at in best], [asked.others[at] for at in best],
        sibling_boost.FITTED._replace(worth=weights[COMPANY], many=int(weights[MANY])),
    )  # fmt: skip
    seen: dict[int, int] = {}
    for at in sorted(range(len(best)), key=lambda at: -of_best[at]):
        seen.setdefault(asked.items[best[at]], asked.grades[best[at]])
        if len(seen) == _DEPTH:
            break
    return list(seen.values())


def gain(asked: Asked, weights: Weights) -> float:
    """nDCG@10, or the reciprocal of the first right file's place."""
    grades = places(asked, weights)
    if asked.is_graded:
        found = {str(at): grade for at, grade in enumerate(grades)}
        rest = sorted(asked.ideal)
        for grade in grades:
            if grade:
                rest.remove(grade)
        return ndcg(list(found), {**found, **{f"missing {at}": grade for at, grade in enumerate(rest)}})
    return next((1 / (at + 1) for at, grade in enumerate(grades) if grade), 0.0)


class Fit:
    """Means of collections by weights, each computed once."""

    def __init__(self, tables: Mapping[str, Sequence[Asked]]) -> None:
        self.tables, self._before = tables, current()
        self._known: dict[tuple[str, tuple[float, ...]], float] = {}

    def mean(self, name: str, weights: Weights) -> float:
        key = name, tuple(weights[part] for part in (*PARTS, COMPANY, MANY))
        if key not in self._known:
            table = self.tables[name]
            self._known[key] = sum(gain(asked, weights) for asked in table) / len(table)
        return self._known[key]

    def best(self, names: Sequence[str], start: Weights) -> dict[str, float]:
        """The weights with the highest mean over these collections, found one weight after the other."""
        weights, reached = dict(start), self._over(names, start)
        while True:
            before = reached
            for part in (*PARTS[1:], COMPANY, MANY):
                for step in (1, 2, 3) if part == MANY else STEPS:
                    tried = {**weights, part: step}
                    if (mean := self._over(names, tried)) > reached + 1e-5:
                        weights, reached = tried, mean
            if reached <= before:
                return weights

    def _over(self, names: Sequence[str], weights: Weights) -> float:
        """The mean over collections. A loss beyond `LOSS`, or half a question, counts three times."""
        total = 0.0
        for name in names:
            gained = self.mean(name, weights) - self.mean(name, self._before)
            total += gained + 2 * min(0.0, gained + max(LOSS, 0.5 / len(self.tables[name])))
        return total / len(names)


def current() -> dict[str, float]:
    """The weights in `retrieval/words/weights.json`."""
    whole = {f"whole {name}": weight for name, weight in fields.WHOLE.items()}
    return {**fields.WEIGHTS, **whole, COMPANY: sibling_boost.FITTED.worth, MANY: sibling_boost.FITTED.many}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search_fit", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--natural", type=Path)
    parser.add_argument("--at", type=json.loads, help="weights to measure in the place of the fitted ones")
    chosen = parser.parse_args()
    capture(chosen.folder, chosen.natural)
    fit = Fit({path.stem: read(path) for path in sorted(chosen.folder.glob("*.jsonl"))})
    names, start = list(fit.tables), current()
    weights = {**start, **chosen.at} if chosen.at is not None else fit.best(names, start)
    print(json.dumps(weights))
    for name, table in fit.tables.items():
        without = weights if chosen.at is not None else fit.best([other for other in names if other != name], weights)
        first, three = (sum(any(places(asked, weights)[:upto]) for asked in table) for upto in (1, 3))
        now, all_in, left_out = (fit.mean(name, each) for each in (start, weights, without))
        print(f"{name:24} {len(table):4} {now:.4f} -> {all_in:.4f}, left out {left_out:.4f}; first {first}, {three}")


if __name__ == "__main__":
    main()
