"""Calibration of answers on a corpus's own questions: a fitted line from stated to measured confidence, in logits.

It is stored beside the recipe (`.biblicus/recipes/NAME.calibration.json`) by `eval --calibrate`, and used for answers
of the same answerer."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BiblicusError

LEAST = 60
"""Minimum number of questions; fewer are no basis for a fit."""
_STEPS, _RIDGE = 50, 1.0
"""Number of Newton steps, and the strength of regularization towards the identity."""
_EDGE = 1e-3


@dataclass(frozen=True)
class Calibration:
    """A fitted line. `error_before`, `error_after`: mean gap between confidence and accuracy, over questions not used
    for the fit."""

    answerer: str
    questions: int
    slope: float
    intercept: float
    error_before: float
    error_after: float

    def applied(self, confidence: float) -> float:
        """Return the calibrated confidence; 0 stays 0."""
        return round(_sigmoid(self.slope * _logit(confidence) + self.intercept), 4) if confidence else 0.0


def fitted(answerer: str, pairs: Sequence[tuple[float, float]]) -> Calibration | None:
    """Fit a calibration to pairs of confidence and right (0 or 1), in halves for the errors. None: too few pairs, or a
    line that decreases or does not help."""
    if len(pairs) < LEAST:
        return None
    slope, intercept = _line(pairs)
    if slope <= 0:
        return None
    before = after = 0.0
    pairs = sorted(pairs, key=lambda pair: pair[::-1])  # so that both halves have right and wrong answers
    for half in (0, 1):
        line = Calibration(answerer, 0, *_line(pairs[half::2]), 0.0, 0.0)
        held_out = pairs[1 - half :: 2]
        before += _error(held_out) / 2
        after += _error([(line.applied(confidence), right) for confidence, right in held_out]) / 2
    if after > before:
        return None
    return Calibration(answerer, len(pairs), round(slope, 6), round(intercept, 6), round(before, 4), round(after, 4))


def path_of(corpus: CorpusFolder, recipe: str) -> Path:
    """Return the file of a recipe's calibration."""
    return corpus.recipes / f"{recipe}.calibration.json"


def write(corpus: CorpusFolder, recipe: str, calibration: Calibration) -> None:
    """Store a recipe's calibration."""
    corpus.check_writable()
    files.make_folder(corpus.recipes)
    files.write(path_of(corpus, recipe), json.dumps(asdict(calibration), indent=2).encode() + b"\n")


def read(corpus: CorpusFolder, recipe: str) -> Calibration | None:
    """Return a recipe's calibration, or None without a valid one."""
    try:
        calibration = Calibration(**json.loads(files.read(path_of(corpus, recipe), limit=files.SMALL)))
        numbers = (calibration.slope, calibration.intercept)
        return (
            calibration
            if calibration.questions >= LEAST and calibration.slope > 0 and all(map(math.isfinite, numbers))
            else None
        )
    except (OSError, ValueError, TypeError, BiblicusError):
        return None


def _line(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Fit a logistic line by Newton's method."""
    slope, intercept = 1.0, 0.0
    points = [(_logit(confidence), right) for confidence, right in pairs]
    for _ in range(_STEPS):
        a, b = _RIDGE * (slope - 1), _RIDGE * intercept
        aa, ab, bb = _RIDGE, 0.0, _RIDGE
        for x, right in points:
            p = _sigmoid(slope * x + intercept)
            w = p * (1 - p)
            a, b = a + (p - right) * x, b + (p - right)
            aa, ab, bb = aa + w * x * x, ab + w * x, bb + w
        d = aa * bb - ab * ab
        step = (bb * a - ab * b) / d, (aa * b - ab * a) / d
        size = max(1.0, *map(abs, step))  # far from the fit, a whole step leads astray
        slope, intercept = slope - step[0] / size, intercept - step[1] / size
        if max(map(abs, step)) < 1e-9:
            break
    return slope, intercept


def _error(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the expected calibration error over five bins."""
    bins: dict[int, list[tuple[float, float]]] = {}
    for confidence, right in pairs:
        bins.setdefault(min(4, int(confidence * 5)), []).append((confidence, right))
    gaps = (abs(math.fsum(c for c, _ in each) - math.fsum(r for _, r in each)) for each in bins.values())
    return math.fsum(gaps) / len(pairs)


def _logit(share: float) -> float:
    share = min(1 - _EDGE, max(_EDGE, share))
    return math.log(share / (1 - share))


def _sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, x))))
