"""Fits the judge's weights and threshold: `python -m benchmarks.judging` writes `biblicus/retrieval/weights.json`.

The fit reads `fitting/judge.json.gz`: candidates of each question of several collections, with their scores before the
judge, its logits, their cosines and grades. `--take FOLDER` makes that file anew of what `python -m benchmarks judge`
kept. Of all weights that lose more than .003 on no collection, those with the best mean are written; each collection is
also measured with the weights that the others choose. `--nothing tydi-en` fits the logit below which a result is
insufficient.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import tempfile
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.judge_quality import COLLECTIONS, graded
from benchmarks.quality import ndcg
from benchmarks.workbench import ROOT, data_folder
from biblicus.connectors.python import Corpus
from biblicus.contracts import Passage
from biblicus.models.recipe import JUDGED
from biblicus.retrieval.judge import JUDGE, LEAD, MEANING, SCORE, fused

TABLES = ROOT / "benchmarks" / "fitting" / "judge.json.gz"
WEIGHTS = ROOT / "biblicus" / "retrieval" / "weights.json"
_SHOWN = 16
_LOSS = -0.003
_FEWEST = 20
"""Questions that a collection must have to count."""
_JUDGE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0)
_GRIDS: Mapping[str, Sequence[Mapping[str, float]]] = {
    "words": [{SCORE: 1.0, JUDGE: judge, MEANING: near} for judge, near in product(_JUDGE, (0.0, 0.5, 1.0, 1.5, 2.0))],
    "meaning": [{SCORE: 1.0, JUDGE: judge, LEAD: lead} for judge, lead in product(_JUDGE, (0.0, 2.0, 3.0, 4.0, 6.0))],
    "code": [{SCORE: 1.0, JUDGE: judge} for judge in _JUDGE],
}
Table = Sequence[Mapping[str, Any]]
"""Questions of a collection: `shown`, (document, grade, score, logit, cosine) of each candidate that was judged;
`after`, (document, grade) of those that follow; `ideal`, all grades; `is_known`."""


def tables() -> Mapping[str, Mapping[str, Table]]:
    """Tables by `words`, `meaning`, `code words` and `code meaning`, then by collection."""
    kept: Mapping[str, Mapping[str, Table]] = json.loads(gzip.decompress(TABLES.read_bytes()))
    return kept


def quality(question: Mapping[str, Any], weights: Mapping[str, float]) -> float:
    """nDCG@10 of a question, or 1 / place of its known document, in the order that the weights give."""
    shown = question["shown"]
    passages = [Passage(0, "", score, stages={}) for _, _, score, _, _ in shown]
    cosines = [cosine for *_, cosine in shown] if weights.get(MEANING) else None
    scores = fused(passages, [logit for *_, logit, _ in shown], weights, cosines) if len(shown) > 1 else [0.0]
    order = sorted(range(len(shown)), key=lambda at: -scores[at])
    grades: dict[str, int] = {}
    for document, grade, *_ in [*(shown[at] for at in order), *question["after"]]:
        grades.setdefault(str(document), grade)
    if question["is_known"]:
        place = next((at for at, grade in enumerate(list(grades.values())[:10], 1) if grade), 0)
        return 1 / place if place else 0.0
    missing = list(question["ideal"])
    for grade in filter(None, grades.values()):
        missing.remove(grade)
    return ndcg(list(grades), {**{f"missing {at}": grade for at, grade in enumerate(missing)}, **grades})


class Fit:
    """Gains of each point of a grid on each collection."""

    def __init__(self, of_collections: Mapping[str, Table], grid: Sequence[Mapping[str, float]]) -> None:
        self.grid = grid
        before = {name: _mean(table, {SCORE: 1.0, JUDGE: 0.0}) for name, table in of_collections.items()}
        self.gains = [
            {name: _mean(table, point) - before[name] for name, table in of_collections.items()} for point in grid
        ]

    def best(self, names: Sequence[str]) -> int:
        """Place in the grid of the best mean among those that lose on none of these collections."""
        safe = [at for at, gains in enumerate(self.gains) if min(gains[name] for name in names) >= _LOSS]
        return max(safe, key=lambda at: (round(sum(self.gains[at][name] for name in names), 9), -at))


def _mean(table: Table, weights: Mapping[str, float]) -> float:
    return mean(quality(question, weights) for question in table)


def fitted(kept: Mapping[str, Mapping[str, Table]]) -> dict[str, dict[str, dict[str, float]]]:
    """The section `judge` of the weights; prints what each collection gains, fitted and left out."""
    found: dict[str, dict[str, dict[str, float]]] = {"prose": {}, "code": {}}
    for key in ("words", "meaning"):
        for kind, name, grid in (("prose", key, _GRIDS[key]), ("code", f"code {key}", _GRIDS["code"])):
            fit = Fit(kept[name], grid)
            names = list(kept[name])
            at = fit.best(names)
            found[kind][key] = {part: weight for part, weight in grid[at].items() if weight}
            for one in names:
                others = [other for other in names if other != one]
                left_out = f"{fit.gains[fit.best(others)][one]:+.3f}" if others else "–"
                print(f"{name} {one} {len(kept[name][one])}: {fit.gains[at][one]:+.3f}, left out {left_out}")
    return found


def written(kept: Mapping[str, Mapping[str, Table]]) -> str:
    """The text of the weights' file: the threshold as it is, the judge's weights as they are fitted."""
    return json.dumps({**json.loads(WEIGHTS.read_text("utf-8")), "judge": fitted(kept)}, indent=2) + "\n"


def taken(folder: Path) -> dict[str, dict[str, Table]]:
    """Tables of the results that the judge's rows left in a folder."""
    found: dict[str, dict[str, list[Mapping[str, Any]]]] = {}
    for path in sorted(folder.glob("*.jsonl")):
        if path.stem.startswith("xquad-") and path.stem != "xquad-en":
            continue
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            for key in ("words", "meaning"):
                name = f"code {key}" if path.stem == "code" else key
                found.setdefault(name, {}).setdefault(path.stem, []).append(_question(path.stem, row, row[key]))
    return {key: {name: rows for name, rows in of.items() if len(rows) >= _FEWEST} for key, of in found.items()}


def _question(name: str, row: Mapping[str, Any], pieces: Sequence[Any]) -> dict[str, Any]:
    is_known, grades = COLLECTIONS[name].is_known, row["grades"]
    documents = {path: at for at, path in enumerate(dict.fromkeys(path for path, _ in pieces))}
    judged = [(path, stages) for path, stages in pieces if JUDGE in stages]
    least = min((stages[MEANING] for _, stages in judged if MEANING in stages), default=0.0)
    shown = [
        [documents[path], graded(path, grades, is_known), _before(stages), stages[JUDGE], stages.get(MEANING, least)]
        for path, stages in judged
    ]
    shown.sort(key=lambda candidate: -candidate[2])
    after = [[documents[path], graded(path, grades, is_known)] for path, stages in pieces if JUDGE not in stages]
    return {"shown": shown, "after": after, "ideal": sorted(grades.values()), "is_known": is_known}


def _before(stages: Mapping[str, float]) -> float:
    """The score of a chunk before it was judged."""
    return next(stages[stage] for stage in ("page", "retrieve", "lexical") if stage in stages)


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
    parser.add_argument("--take", type=Path, metavar="FOLDER", help="of results that the rows of the judge left")
    parser.add_argument("--nothing", nargs="+", metavar="NAME", help="fit the threshold on collections of data/qa")
    parser.add_argument("--count", type=int, default=110, help="questions of each kind")
    given = parser.parse_args()
    if given.nothing:
        _fit_threshold(given.nothing, given.count)
        return
    if given.take:
        packed = json.dumps(taken(given.take), separators=(",", ":")).encode()
        TABLES.write_bytes(gzip.compress(packed, mtime=0))
    WEIGHTS.write_text(written(tables()), "utf-8")


if __name__ == "__main__":
    main()
