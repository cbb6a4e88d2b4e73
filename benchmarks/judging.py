"""What the judge wins and loses, and what it takes: `python -m benchmarks judge`.

`python -m benchmarks.judging TABLE…` fits its weight on tables that `table` makes of collections: of each question the
best chunks with their scores, the judge's, and the grade of each one's file. The weight is the one that is best on the
mean of all tables and below the order before on none; it is also found with each table left out, on which it is then
measured. `python -m benchmarks.judging --nothing tydi-en` fits the logit below which a result is insufficient.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality import ndcg
from benchmarks.workbench import data_folder
from biblicus.connectors.python import Corpus
from biblicus.contracts import Passage
from biblicus.models.recipe import JUDGED
from biblicus.retrieval.judge import JUDGE, SCORE, fused

_GRID = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
_SHOWN, _DEPTH = 16, 40
_KNOWN = ("peps", "networkx")
_COLLECTIONS = {"scifact": 12, "cranfield": 9, "cisi": 3, "xquad-en": 40}
"""Collections with relevance judgements, of which each so manyth question is asked."""
_LOSS = -0.003


# --- the fit ----------------------------------------------------------------------------------------------------------


def table(corpus: Corpus, questions: Mapping[str, Mapping[str, int]], recipe: str) -> list[dict[str, Any]]:
    """Of each question the best chunks, in the order before the judge. `questions`: grades by path, by question."""
    rows = []
    for text, grades in questions.items():
        result = corpus.query(text, recipe=recipe, limit=_DEPTH, max_tokens=10**6, max_per_source=_DEPTH)
        found: list[dict[str, Any]] = [
            {"path": piece.path, "grade": grades.get(piece.path, 0), "score": _before(piece.stage_scores),
             "stages": dict(piece.stage_scores), "judge": piece.stage_scores.get(JUDGE)}
            for piece in result.evidence
        ]  # fmt: skip
        found.sort(key=lambda row: (row["judge"] is None, -row["score"]))
        paths = {row["path"] for row in found}
        missing = [grade for path, grade in grades.items() if path not in paths]
        rows.append({"question": text, "rows": found, "missing": missing})
    return rows


def _before(stages: Mapping[str, float]) -> float:
    """The score of a chunk before it was judged."""
    return next(stages[stage] for stage in ("page", "retrieve", "lexical") if stage in stages)


def quality(table: Sequence[Mapping[str, Any]], weights: Mapping[str, float]) -> float:
    """The mean nDCG@10 of a table's questions, with the first candidates in the order that the weights give."""
    total = 0.0
    for question in table:
        shown, rest = question["rows"][:_SHOWN], question["rows"][_SHOWN:]
        passages = [Passage(0, "", row["score"], stages=row["stages"]) for row in shown]
        scores = fused(passages, [row["judge"] for row in shown], weights) if len(shown) > 1 else [0.0] * len(shown)
        order = sorted(range(len(shown)), key=lambda at: -scores[at])
        grades: dict[str, int] = {}
        for row in [*(shown[at] for at in order), *rest]:
            grades.setdefault(row["path"], row["grade"])
        wanted = {**{str(at): grade for at, grade in enumerate(question["missing"])}, **grades}
        total += ndcg(list(grades), wanted)
    return total / len(table)


def fit(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> float:
    """The judge's weight beside a score that weighs 1: the best on the mean, and below the order before on no table."""
    gains = {weight: _gains(tables, weight) for weight in _GRID}
    safe = [weight for weight in _GRID if min(gains[weight]) >= _LOSS]
    return max(safe, key=lambda weight: sum(gains[weight]))


def _gains(tables: Mapping[str, Sequence[Mapping[str, Any]]], weight: float) -> list[float]:
    before = {SCORE: 1.0, JUDGE: 0.0}
    return [quality(table, {SCORE: 1.0, JUDGE: weight}) - quality(table, before) for table in tables.values()]


# --- the threshold ----------------------------------------------------------------------------------------------------


def best_logits(place: Path, name: str, count: int) -> tuple[list[float], list[float]]:
    """Best logit of each question of a collection in `qa/`: of `count` with an answer in it, and of as many without."""
    passages, questions = (
        [json.loads(line) for line in (data_folder() / "qa" / name / f"{kind}.jsonl").open(encoding="utf-8")]
        for kind in ("passages", "questions")
    )
    place.mkdir(parents=True)
    for number, passage in enumerate(passages):
        title = f"{passage['title']}\n\n" if passage.get("title") else ""
        (place / f"{number}.txt").write_text(title + passage["text"], "utf-8")
    found: tuple[list[float], list[float]] = ([], [])
    with Corpus.init(place) as corpus:
        corpus.reindex(JUDGED)
        for logits, is_answered in zip(found, (True, False), strict=True):
            texts = [row["question"] for row in questions if bool(row["answers"]) is is_answered]
            for text in texts[:: max(1, len(texts) // count)][:count]:
                result = corpus.query(text, recipe=JUDGED, limit=_SHOWN, max_tokens=10**6, max_per_source=_SHOWN)
                read = [piece.stage_scores[JUDGE] for piece in result.evidence if JUDGE in piece.stage_scores]
                logits.extend([max(read)] if read else [])
    return found


def auc(answered: Sequence[float], others: Sequence[float]) -> float:
    """Share of pairs of questions in which the one with an answer has the higher logit; equal ones count half."""
    return sum((one > other) + 0.5 * (one == other) for one in answered for other in others) / (
        len(answered) * len(others)
    )


def threshold(answered: Sequence[float], most: float = 0.02) -> float:
    """The highest whole logit below which no more than this share of the questions with an answer lie."""
    ordered = sorted(answered)
    return float(math.floor(ordered[int(most * len(ordered))]))


def _fit_threshold(names: Sequence[str], count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            answered, others = best_logits(Path(folder) / name, name, count)
            bound = threshold(answered)
            short = [sum(logit < bound for logit in logits) / len(logits) for logits in (answered, others)]
            print(f"{name}: AUC {auc(answered, others):.3f}, threshold {bound:g}: insufficient {short[0]:.3f} of "
                  f"{len(answered)} with an answer, {short[1]:.3f} of {len(others)} without")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judging", description=__doc__)
    parser.add_argument("table", type=Path, nargs="*")
    parser.add_argument("--nothing", nargs="+", metavar="NAME", help="fit the threshold on collections of data/qa")
    parser.add_argument("--count", type=int, default=110, help="questions of each kind")
    given = parser.parse_args()
    if given.nothing:
        _fit_threshold(given.nothing, given.count)
    if not given.table:
        return
    tables = {path.stem: [json.loads(line) for line in path.open(encoding="utf-8")] for path in given.table}
    for name, table in tables.items():
        others = {other: rows for other, rows in tables.items() if other != name}
        weight = fit(others) if others else 1.0
        before, after = (quality(table, {SCORE: 1.0, JUDGE: count}) for count in (0.0, weight))
        print(f"{name}: without it {weight:g}; {before:.4f} -> {after:.4f}, {len(table)} questions")
    print(f"all: {fit(tables):g}")


if __name__ == "__main__":
    main()
