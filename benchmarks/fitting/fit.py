"""Fit the reader's weights from the captured table of features: minutes, the same bytes each time.

usage: python -m benchmarks.fitting.fit [TABLE] [-o WEIGHTS]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from benchmarks.fitting import classes
from benchmarks.fitting.capture import COLLECTIONS, TABLE
from benchmarks.fitting.questions import WEIGHTS
from biblicus.answering.reader import scorer as scoring
from biblicus.answering.reader import statements
from biblicus.answering.reader.features import JUDGE, MODELS, NAMES

Array = np.ndarray[Any, Any]

OUTPUT = Path(scoring.__file__).with_name("weights.json")
CONFIGURATIONS = ("words", "words+cosine", "words+judge", "words+cosine+judge")
_STEP, _L2, MOST_WORDS = 1_000, 0.001, 60
_ABSENT = 0.15
"""Weight of a question whose answer was taken away where confidence is calibrated: most questions have an answer."""
SUREST = 0.97
"""The highest confidence: a fit on few questions is never certain."""
KINDS, _KIND = ("row",), 0.3
"""A kind of unit that few of these collections have, and the most that it may weigh."""


@dataclass(frozen=True)
class Part:
    """One question of the table. `about`: see `capture.Table`."""

    rows: Array
    gold: Array
    words: Array
    collection: str
    half: int
    is_here: bool
    is_gone: bool
    carrier: int
    by_models: bool
    search: scoring.Found


def parts(table: Mapping[str, Array]) -> list[Part]:
    """Return the questions of a table."""
    ends = np.cumsum(table["counts"].astype(int))
    rows, found = table["rows"] / _STEP, []
    for end, count, about in zip(ends, table["counts"], table["about"].tolist(), strict=True):
        span = slice(end - count, end)
        at, half, here, gone, carrier, models, *search = about
        found.append(
            Part(
                rows[span], table["gold"][span], table["words"][span], list(COLLECTIONS)[at], half, bool(here),
                bool(gone), carrier, bool(models), scoring.Found(*(one / _STEP for one in search)),
            )
        )  # fmt: skip
    return found


def columns(configuration: str) -> list[int]:
    """Return the columns of the table that a configuration uses."""
    names = (*NAMES, *MODELS)
    used = (*NAMES, *configuration.split("+")[1:])
    return [names.index(name) for name in used]


def scorer(some: Sequence[Part], used: Sequence[int], kinds: Sequence[int] = ()) -> Array:
    """Fit weights: the mass of a softmax over the units of a question on those that have its answer. `kinds`: the
    columns that say of which kind a unit is."""
    some = [part for part in some if part.gold.any()]
    counts: dict[str, int] = {}
    for part in some:
        counts[part.collection] = counts.get(part.collection, 0) + 1
    weigh = np.array([WEIGHTS.get(part.collection, 1.0) / counts[part.collection] ** 0.5 for part in some])
    weigh /= weigh.sum()
    matrix = np.concatenate([part.rows[:, used] for part in some])
    gold = np.concatenate([part.gold for part in some])
    starts = np.concatenate([[0], np.cumsum([len(part.gold) for part in some])[:-1]])
    group = np.repeat(np.arange(len(some)), [len(part.gold) for part in some])
    scale = matrix.std(0) + 1e-9

    def loss(values: Array) -> tuple[float, Array]:
        sums = (matrix / scale) @ values
        sums -= np.maximum.reduceat(sums, starts)[group]
        shares = np.exp(sums)
        shares /= np.add.reduceat(shares, starts)[group]
        held = np.add.reduceat(shares * gold, starts)
        error = (shares - shares * gold / held[group]) * weigh[group]
        cost = -(weigh * np.log(held + 1e-12)).sum() + _L2 * (values**2).sum()
        return float(cost), (matrix / scale).T @ error + 2 * _L2 * values

    bounds = [(-_KIND * step, _KIND * step) if at in kinds else (None, None) for at, step in enumerate(scale)]
    found = minimize(loss, np.zeros(len(used)), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 300})
    made: Array = np.round(found.x / scale, 3)
    return made


def _stacked(rows: Array, words: Array, more: Sequence[int]) -> Array:
    """Return the score by words and the columns of models."""
    return np.column_stack([rows[:, : len(words)] @ words, rows[:, more]])


def logistic(signs: Array, wanted: Array, weigh: Array) -> Array:
    """Fit a logistic regression; the last value is the bias."""
    matrix = np.hstack([signs, np.ones((len(signs), 1))])
    weigh, penalty = weigh / weigh.sum(), max(_L2, 2 / len(signs))

    def loss(values: Array) -> tuple[float, Array]:
        sums = matrix @ values
        cost = (weigh * (np.logaddexp(0, sums) - wanted * sums)).sum() + penalty * (values[:-1] ** 2).sum()
        error = weigh * (1 / (1 + np.exp(-sums)) - wanted)
        return float(cost), matrix.T @ error + 2 * penalty * np.append(values[:-1], 0)

    found = minimize(loss, np.zeros(matrix.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    made: Array = np.round(found.x, 3)
    return made


def isotonic(raw: Array, wanted: Array, weigh: Array) -> list[list[float]]:
    """Fit a rising curve by pooling adjacent violators; returned as points of a line."""
    order = np.argsort(raw, kind="stable")
    edges = np.array_split(order, 40)
    pools = [
        [float((raw[e] * weigh[e]).sum()), float((wanted[e] * weigh[e]).sum()), float(weigh[e].sum())] for e in edges
    ]
    merged: list[list[float]] = []
    for pool in pools:
        merged.append(pool)
        while len(merged) > 1 and merged[-2][1] / merged[-2][2] >= merged[-1][1] / merged[-1][2]:
            last = merged.pop()
            merged[-1] = [one + other for one, other in zip(merged[-1], last, strict=True)]
    return [[round(x / w, 3), round(min(y / w, SUREST), 3)] for x, y, w in merged]


def answers(part: Part, used: Sequence[int], weights: Array) -> tuple[list[float], bool, bool]:
    """Return the signs of doubt of a question, whether its best unit and whether what is quoted has the answer."""
    scores = (part.rows[:, used] @ weights).tolist()
    names = (*NAMES, *MODELS)
    judged = names.index(JUDGE) in used
    picked = statements.chosen(scores, part.words.tolist(), MOST_WORDS, judged=judged)
    rows = [dict(zip([names[at] for at in used], row, strict=True)) for row in part.rows[:, used].tolist()]
    signs = scoring.signs(scores, rows, picked, part.search)
    return signs, bool(picked) and bool(part.gold[picked[0]]), bool(part.gold[picked].any()) if picked else False


def doubt(some: Sequence[Part], used: Sequence[int], weights: Array) -> dict[str, Any]:
    """Fit both numbers of doubt and their calibration."""
    found = [answers(part, used, weights) for part in some]
    signs = np.array([one[0] for one in found])
    here = np.array([part.is_here for part in some], float)
    right = np.array([one[2] for one in found], float)
    counts: dict[str, int] = {}
    for part in some:
        counts[part.collection] = counts.get(part.collection, 0) + 1
    weigh = np.array([WEIGHTS.get(part.collection, 1.0) / counts[part.collection] ** 0.5 for part in some])
    is_here = logistic(signs, here, weigh)
    answered = here > 0
    is_right = logistic(signs[answered], right[answered], weigh[answered])
    raw = _joint(signs, is_here, is_right)
    absent = np.where(answered, 1.0, _ABSENT)
    return {
        "here": is_here.tolist(),
        "right": is_right.tolist(),
        "curve": isotonic(raw, right, weigh * absent),
    }


def _joint(values: Array, here: Array, right: Array) -> Array:
    """Return the product of both probabilities for an array of features."""
    first, second = values @ here[:-1] + here[-1], values @ right[:-1] + right[-1]
    product: Array = 1 / (1 + np.exp(-first)) / (1 + np.exp(-second))
    return product


def version(table: Mapping[str, Array]) -> str:
    """Return the digest of what is fitted on."""
    digest = hashlib.sha256()
    for name in sorted(table):
        digest.update(np.ascontiguousarray(table[name]).tobytes())
    return digest.hexdigest()[:8]


def fit(table: Mapping[str, Array], configurations: Sequence[str] = CONFIGURATIONS) -> dict[str, Any]:
    """Return what `weights.json` has."""
    every, words = parts(table), np.zeros(0)
    made: dict[str, Any] = {"version": version(table), "classes": classes.as_data(table), "scorers": {}, "doubt": {}}
    for name in configurations:
        used = columns(name)
        names = (*NAMES, *MODELS)
        some = [part for part in every if part.half == 0 and part.by_models == (name != "words")]
        if name == "words":
            weights = words = scorer(some, used, [NAMES.index(kind) for kind in KINDS])
        else:  # models read fewer questions: the score by words is one feature beside theirs
            more = used[len(words) :]
            stacked = [replace(part, rows=_stacked(part.rows, words, more)) for part in some]
            scale, *others = scorer(stacked, range(1 + len(more))).tolist()
            weights = np.round([*(scale * words), *others], 4)
        made["scorers"][name] = {names[at]: float(value) for at, value in zip(used, weights, strict=True)}
        made["doubt"][name] = doubt(some, used, weights)
    return made


def main() -> None:
    """Fit and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", nargs="?", type=Path, default=TABLE)
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    with np.load(options.table) as table:
        made = fit(dict(table))
    options.output.write_text(written(made), "utf-8")


def written(made: Mapping[str, Any]) -> str:
    """Return the weights as JSON: a key a line, each list of numbers on one line."""
    text = json.dumps(made, indent=1, sort_keys=True)
    return re.sub(r"\[\s+([-\d.,e\s]+?)\s+\]", lambda numbers: f"[{' '.join(numbers[1].split())}]", text) + "\n"


if __name__ == "__main__":
    main()
