"""Quality of the default recipe with its models, a collection at a time: `python -m benchmarks judge-cisi --write`.

Each collection is indexed once for the recipes `lexical`, `judged` and `meaning`. Its corpus, vectors and scores stay
in a folder ($BIBLICUS_BENCHMARKS), so that a row can be measured alone, and again in less time. Beside them lie the
candidates of each question, from which `python -m benchmarks.judging` fits the judge's weights.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks import docstrings
from benchmarks.figures import Figure
from benchmarks.known_folders import Questions, copied, judged_collection, passages, unpacked_folder
from benchmarks.quality import ndcg
from benchmarks.triples import indexed, mixed
from benchmarks.workbench import ROOT, Workbench
from biblicus.connectors.python import Corpus
from biblicus.embedding import likeness
from biblicus.embedding.judge import is_installed
from biblicus.models.recipe import JUDGED, MEANING, WORDS

SYSTEMS: Mapping[str, Mapping[str, Any]] = {
    "words": {"recipe": WORDS},
    "vectors": {"recipe": "hybrid-int8", "leg_weights": {"lexical": 0.0, "vector": 1.0}},
    "fused": {"recipe": "hybrid-int8"},
    "judged": {"recipe": JUDGED},
    "auto": {"recipe": MEANING},
}
"""Options of `Corpus.query` by system. `judged` is `auto` before any vector is stored."""
_DEPTH = 40
_SEED = 52
_CODE = ("numpy", "hypothesis", "rich", "pydantic")
"""Packages out of which code questions are made."""
_DEFINITIONS = 1_500
_BARS = {"scifact": (0.745, 0.755), "cranfield": (0.60, 0.61), "cisi": (0.475, 0.49)}
"""nDCG@10 of `auto`: bar and aim."""
_LOSS, _GAIN = -0.003, 0.02
_LANGUAGES = ("de", "ru", "zh")
ENGLISH = ("scifact", "cranfield", "cisi", "xquad-en", "tydi-en", "faq-docs")
_NATURAL_BARS = (
    ("words", "words alone", (40, 62, 45, 66)),
    ("judged", "before any vector", (55, 76, 60, 78)),
    ("auto", "auto", (62, 80, 67, 85)),
)
"""System, title, and of 102 questions how many should find theirs first and in three: bars, then aims."""
_NATURAL = ("mixed", "peps", "networkx", "libraries", "tools", "manuals")


class Collection(NamedTuple):
    """`open`: makes the corpus and its questions with grades by path, or by part of a path where `is_known`. `most`:
    questions of the sample."""

    open: Callable[[Workbench], tuple[Corpus, Questions]]
    most: int
    is_known: bool = False


def measure(name: str, bench: Workbench) -> list[Figure]:
    """The rows `judge-<name>`; none where the models or the collection are missing."""
    collection = COLLECTIONS[name]
    if not is_installed():
        return []
    with _measuring(bench) as kept:
        try:
            corpus, questions = collection.open(kept)
        except FileNotFoundError:
            return []
        with corpus:
            corpus.reindex(WORDS, JUDGED, "hybrid-int8", MEANING)
            sample = random.Random(_SEED).sample(questions, min(collection.most, len(questions)))
            found = {system: _asked(corpus, sample, options) for system, options in SYSTEMS.items()}
            if name.removeprefix("xquad-") in _LANGUAGES:
                with patch.object(likeness, "is_installed", lambda: False):
                    found["without e5"] = _asked(corpus, sample, SYSTEMS["auto"])
        place = kept.place / "results"
        place.mkdir(exist_ok=True)
        (place / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table(sample, found)), "utf-8")
        scores = {system: [_scored(name, row, grades) for row, (_, grades) in zip(rows, sample, strict=True)]
                  for system, rows in found.items()}  # fmt: skip
        (place / f"{name}.json").write_text(json.dumps(scores), "utf-8")
    return figures(name, scores)


def figures(name: str, scores: Mapping[str, Sequence[Sequence[float]]]) -> list[Figure]:
    """Rows of a collection. `scores`: quality, first and in three of each question, by system."""
    command, is_known = f"judge-{name}", COLLECTIONS[name].is_known
    reached, first, three = ({key: mean(row[at] for row in rows) for key, rows in scores.items()} for at in range(3))
    measure = "mean of 1 / place" if is_known else "nDCG@10"
    detail = f"{measure}: {_listed(reached)}; {len(scores['auto'])} questions"
    if name == "code":
        gain = reached["auto"] - max(reached["words"], reached["vectors"])
        return [Figure(command, "code: auto less the better leg", "gain", gain, 0.0, 0.027, detail)]
    best = max(reached["words"], reached["vectors"], reached["fused"])
    rows = [Figure(command, f"{name}: auto less the best of words, vectors and both", "gain", reached["auto"] - best,
                   _LOSS, detail=detail)]  # fmt: skip
    if name in _BARS:
        rows.append(Figure(command, f"{name}: auto", "nDCG@10", reached["auto"], *_BARS[name]))
    if "without e5" in reached:
        gain = reached["without e5"] - reached["words"]
        rows.append(Figure(command, f"{name}: auto less words, no model knows the language", "gain", gain, _LOSS))
    if is_known:
        rows.append(Figure(command, f"{name}: auto, wanted file first", "share", first["auto"], 0.61, 0.66,
                           f"first {_listed(first)}; in three {_listed(three)}"))  # fmt: skip
    return rows


def summary(bench: Workbench) -> list[Figure]:
    """The rows `judge-all`, of what was measured before of single collections."""
    place = kept_folder(bench) / "results"
    found = {
        name: json.loads(path.read_text("utf-8")) for name in COLLECTIONS if (path := place / f"{name}.json").exists()
    }
    rows, english = [], [name for name in ENGLISH if name in found]
    if english:
        gains = []
        for name in english:
            reached = {system: mean(row[0] for row in scores) for system, scores in found[name].items()}
            gains.append(reached["auto"] - max(reached["words"], reached["vectors"]))
        title = "auto less the better leg, mean of the English collections"
        rows.append(Figure("judge-all", title, "gain", mean(gains), _GAIN, detail=", ".join(english)))
    natural = [found[name] for name in _NATURAL if name in found]
    for system, title, bars in _NATURAL_BARS:
        asked = [row for scores in natural for row in scores[system]]
        for at, where in ((1, "first"), (2, "in three")):
            if asked:
                total = sum(row[at] for row in asked)
                rows.append(Figure("judge-all", f"natural questions, {title}: {where}", "share", total / len(asked),
                                   bars[at - 1] / 102, bars[at + 1] / 102, f"{total:.0f} of {len(asked)}"))  # fmt: skip
    return rows


def table(sample: Questions, found: Mapping[str, Sequence[Sequence[Any]]]) -> Iterator[dict[str, Any]]:
    """Candidates of each question, as the fit reads them: paths and scores by stage, by words and by meaning."""
    for at, (text, grades) in enumerate(sample):
        row: dict[str, Any] = {"question": text, "grades": dict(grades)}
        for key, system in (("words", "judged"), ("meaning", "auto"), ("fused", "fused")):
            row[key] = [(piece.path, dict(piece.stage_scores)) for piece in found[system][at]]
        yield row


def graded(path: str, grades: Mapping[str, int], is_known: bool) -> int:
    """Grade of a path; of a known document a part of its path is enough."""
    return (
        max((grade for part, grade in grades.items() if part in path), default=0) if is_known else grades.get(path, 0)
    )


def _asked(corpus: Corpus, sample: Questions, options: Mapping[str, Any]) -> list[Sequence[Any]]:
    wide: dict[str, Any] = {"limit": _DEPTH, "max_tokens": 10**6, "max_per_source": _DEPTH}
    return [corpus.query(text, **options, **wide).evidence for text, _ in sample]


def _scored(name: str, evidence: Sequence[Any], grades: Mapping[str, int]) -> tuple[float, float, float]:
    paths = list(dict.fromkeys(piece.path for piece in evidence))
    if not COLLECTIONS[name].is_known:
        return ndcg(paths, grades), 0.0, 0.0
    place = next((at for at, path in enumerate(paths[:10], 1) if graded(path, grades, True)), 0)
    return (1 / place if place else 0.0), float(place == 1), float(0 < place <= 3)


def _listed(values: Mapping[str, float]) -> str:
    return ", ".join(f"{system} {value:.3f}" for system, value in values.items())


def kept_folder(bench: Workbench) -> Path:
    """Folder of what stays between measurements."""
    return Path(bench.kept or Path(tempfile.gettempdir()) / "biblicus-benchmarks")


@contextmanager
def _measuring(bench: Workbench) -> Iterator[Workbench]:
    """A workbench in the folder that stays, where the judge has no deadline: order is measured, not the machine."""
    place = kept_folder(bench)
    place.mkdir(parents=True, exist_ok=True)
    with patch.dict(os.environ, BIBLICUS_JUDGE_SECONDS="0"):
        yield Workbench(place, bench.documents, bench.runs)


def _mixed(bench: Workbench) -> tuple[Corpus, Questions]:
    rows = map(json.loads, (ROOT / "benchmarks" / "natural_mixed.jsonl").open(encoding="utf-8"))
    return indexed(mixed(bench)), [(row["query"], dict.fromkeys(row["relevant"], 1)) for row in rows]


def _code(bench: Workbench) -> tuple[Corpus, Questions]:
    """A question and a file for each of some definitions of installed packages."""
    folder = bench.place / "code"
    folder.mkdir(exist_ok=True)
    pairs = dict(pair for package in _CODE for pair in docstrings.pairs(package))
    chosen = random.Random(_SEED).sample(sorted(pairs.items()), min(_DEFINITIONS, len(pairs)))
    for number, (_, body) in enumerate(chosen):
        (folder / f"{number:05}.py").write_text(body, "utf-8")
    return indexed(folder), [(question, {f"{number:05}.py": 1}) for number, (question, _) in enumerate(chosen)]


def _natural(name: str, bench: Workbench) -> tuple[Corpus, Questions]:
    folder = Path(os.environ.get("BIBLICUS_NATURAL") or bench.place / "natural") / name
    if not folder.is_dir():
        raise FileNotFoundError(folder)
    return copied(bench, folder)


COLLECTIONS: Mapping[str, Collection] = {
    "cisi": Collection(partial(judged_collection, "cisi"), 76),
    "cranfield": Collection(partial(judged_collection, "cranfield"), 60),
    "scifact": Collection(partial(judged_collection, "scifact"), 60),
    **{f"xquad-{code}": Collection(partial(judged_collection, f"xquad-{code}"), 40) for code in ("en", *_LANGUAGES)},
    "tydi-en": Collection(partial(passages, "tydi-en"), 40),
    "faq-docs": Collection(partial(passages, "faq-docs"), 40),
    "code": Collection(_code, 40, is_known=True),
    "mixed": Collection(_mixed, 100, is_known=True),
    "peps": Collection(partial(unpacked_folder, "peps"), 100, is_known=True),
    "networkx": Collection(partial(unpacked_folder, "networkx"), 40, is_known=True),
    **{name: Collection(partial(_natural, name), 100, is_known=True) for name in ("libraries", "tools", "manuals")},
}
MEASURES: Mapping[tuple[str, ...], Callable[[Workbench], list[Figure]]] = {
    **{(f"judge-{name}",): partial(measure, name) for name in COLLECTIONS},
    ("judge-all",): summary,
}
