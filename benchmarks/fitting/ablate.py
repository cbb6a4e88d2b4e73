"""What each feature of the reader gains: the fit without it, over the captured questions that no fit has seen.

usage: python -m benchmarks.fitting.ablate [TABLE]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from benchmarks.fitting.capture import TABLE
from benchmarks.fitting.fit import KINDS, MOST_WORDS, Array, Part, parts, scorer
from biblicus.answering.reader import statements
from biblicus.answering.reader.features import NAMES

_TIMES, _SEED = 2_000, 54
"""Resamplings of a paired interval, and their seed."""


def quoted(some: Sequence[Part], used: Sequence[int], weights: Array) -> Array:
    """Return for each question whether what is quoted holds its answer."""
    picked = (statements.chosen((one.rows[:, used] @ weights).tolist(), one.words.tolist(), MOST_WORDS) for one in some)
    return np.array([bool(one.gold[places].any()) for one, places in zip(some, picked, strict=True)], float)


def interval(gains: Array) -> tuple[float, float]:
    """Return the 90 % interval of a mean, by resampling."""
    means = gains[np.random.default_rng(_SEED).integers(0, len(gains), (_TIMES, len(gains)))].mean(1)
    return float(np.quantile(means, 0.05)), float(np.quantile(means, 0.95))


def main() -> None:
    """Print a row for each feature: questions right with all less those without it, in percent, with its interval."""
    with np.load(sys.argv[1] if len(sys.argv) > 1 else TABLE) as table:
        every = [one for one in parts(dict(table)) if not one.by_models]
    fitted = [one for one in every if one.half == 0]
    unseen = [one for one in every if one.half == 1 and one.is_here]

    def right(names: Sequence[str]) -> Array:
        used = [NAMES.index(name) for name in names]
        return quoted(unseen, used, scorer(fitted, used, [at for at, name in enumerate(names) if name in KINDS]))

    whole = right(NAMES)
    print(f"all features: {100 * whole.mean():.1f} % of {len(unseen)} questions quoted")
    for name in NAMES:
        gains = whole - right([other for other in NAMES if other != name])
        low, high = interval(gains)
        print(f"{name:14} {100 * gains.mean():+5.1f}   {100 * low:+5.1f} to {100 * high:+5.1f}")


if __name__ == "__main__":
    main()
