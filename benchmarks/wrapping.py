"""Fit the weights of a question's words: `python -m benchmarks.wrapping`; minutes, the same file each time.

Each word of a question is labelled by whether the passage that answers it has it; of questions for a term, put in
wordings of several languages, by whether it is of the term. `--left-out` fits without each fifth wording in turn and
prints how often the words of a term weigh more than all others there.
"""

from __future__ import annotations

import argparse
import base64
import json
import math
import random
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from benchmarks.workbench import ROOT, data_folder
from biblicus.text.terms import analysis, wrapping

WORDINGS = ROOT / "benchmarks" / "wordings.txt"
_TARGET = ROOT / "biblicus" / "text" / "terms" / "wrapping.json"
_STEMMERS = {"xquad-en": "english", "xquad-de": "german", "xquad-ru": "russian", "xquad-zh": ""}
_QA = ("tydi-en", "tydi-multi", "covidqa", "faq-docs")
_MOST, _TERMS, _L2 = 1_200, 25, 2e-4
"""Questions of a collection, terms that are put in each wording, and the penalty of weights."""

Question = tuple[list[str], list[bool]]
"""Words, and which of them tell."""


def natural() -> Iterator[Question]:
    """Questions of the collections, of the half of their documents that is for fits."""
    data = data_folder()
    for name, stemmer in _STEMMERS.items():
        texts = {row["_id"]: row for row in _lines(data / "ir" / name / "corpus.jsonl")}
        asked = {row["_id"]: row["text"] for row in _lines(data / "ir" / name / "queries.jsonl")}
        rows = [row for row in _lines(data / "ir" / name / "answers.jsonl") if row["_id"] in asked]
        rows = [row for row in rows if not half(texts[row["doc"]].get("title") or row["doc"])]
        for row in _some(rows):
            text = texts[row["doc"]]
            yield labelled(asked[row["_id"]], f"{text.get('title', '')} {text['text']}", stemmer)
    for name in _QA:
        texts = {row["id"]: row for row in _lines(data / "qa" / name / "passages.jsonl")}
        lines = _lines(data / "qa" / name / "questions.jsonl")
        for row in _some([row for row in lines if row["answers"] and row["split"] == "train" and not half(row["doc"])]):
            text = texts[row["answers"][0]["passage"]]
            yield labelled(row["question"], f"{text['title']} {text['text']}", "" if "multi" in name else "english")


def labelled(question: str, text: str, stemmer: str) -> Question:
    """Return the words of a question, and whether the text has each."""
    known = set(analysis.analyzer(stemmer).analyze(analysis.bigrams(analysis.normalised(text))))
    asked = analysis.bigrams(analysis.normalised(question))
    words, terms = analysis.plain_analyzer().analyze(asked), analysis.analyzer(stemmer).analyze(asked)
    return words, [term in known for term in terms]


def worded(wordings: Sequence[str], terms: Sequence[str]) -> Iterator[Question]:
    """Put terms in each wording."""
    for at, wording in enumerate(wordings):
        for term in random.Random(at).sample(list(terms), min(_TERMS, len(terms))):
            before, _, behind = wording.partition("{t}")
            parts = [analysis.plain_analyzer().analyze(analysis.bigrams(part)) for part in (before, term, behind)]
            yield (
                [word for part in parts for word in part],
                [number == 1 for number, part in enumerate(parts) for _ in part],
            )


def terms() -> list[str]:
    """Return titles of the collections as terms, of the half that is for fits. No file that may change counts."""
    found = set()
    for name in _QA[:2]:
        found |= {row["title"] for row in _lines(data_folder() / "qa" / name / "passages.jsonl")}
    short = (re.sub(r"\s*\(.*\)|_", " ", term).strip().lower() for term in found)
    return sorted(term for term in short if 2 < len(term) <= 40 and len(term.split()) <= 4 and not half(term))


def half(document: str) -> int:
    """Return 0 for a document of the half for fits, else 1."""
    return random.Random(document).randrange(2)


def fit(questions: Sequence[Question]) -> tuple[bytes, float]:
    """Return the steps of the model and the value of one."""
    rows: list[int] = []
    columns: list[int] = []
    labels: list[bool] = []
    for words, tells in questions:
        for label, found in zip(tells, wrapping.features(words), strict=True):
            rows += [len(labels)] * len(found)
            columns += found
            labels.append(label)
    matrix = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(labels), wrapping.BUCKETS))
    signs = np.where(np.array(labels), 1.0, -1.0)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        margin = signs * (matrix @ weights)
        value = np.logaddexp(0, -margin).mean() + _L2 / 2 * weights @ weights
        gradient = matrix.T @ (-signs / (1 + np.exp(margin))) / len(signs) + _L2 * weights
        return float(value), gradient

    best = minimize(loss, np.zeros(wrapping.BUCKETS), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    scale = float(f"{max(abs(best)) / 127:.6g}")
    return bytes((np.round(best / scale).astype(int) + 128).astype(np.uint8)), scale


def written(model: tuple[bytes, float]) -> str:
    """Return the data file of a model."""
    steps, scale = model
    table = base64.b85encode(zlib.compress(steps, 9)).decode()
    return json.dumps({"version": "1", "scale": scale, "table": table}) + "\n"


def found(model: tuple[bytes, float], questions: Sequence[Question]) -> float:
    """Return the share of questions in which the words that tell outweigh all others."""
    steps, _ = model
    right = 0
    for words, tells in questions:
        sums = [sum(steps[bucket] - 128 for bucket in buckets) for buckets in wrapping.features(words)]
        least = min((total for total, tell in zip(sums, tells, strict=True) if tell), default=math.inf)
        right += least > max((total for total, tell in zip(sums, tells, strict=True) if not tell), default=-math.inf)
    return right / len(questions)


def _some(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    random.Random(54).shuffle(rows)
    return rows[:_MOST]


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wrapping", description=__doc__)
    parser.add_argument(
        "--left-out", action="store_true", help="fit without each fifth wording in turn; writes nothing"
    )
    base, names = list(natural()), terms()
    wordings = WORDINGS.read_text("utf-8").splitlines()
    if not parser.parse_args().left_out:
        _TARGET.write_text(written(fit([*base, *worded(wordings, names)])), encoding="utf-8")
        return
    for number in range(5):
        model = fit([*base, *worded([w for at, w in enumerate(wordings) if at % 5 != number], names)])
        for wording in wordings[number::5]:
            print(f"{found(model, list(worded([wording], names))):.2f}  {wording}")


if __name__ == "__main__":
    main()
