"""Fits the class model of questions by the shape of their marked answers."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from benchmarks.fitting.questions import Asking
from biblicus.answering.reader import classes, features
from biblicus.answering.reader.classes import BUCKETS, CLASSES
from biblicus.models.evidence import Rarity, Result

Array = np.ndarray[Any, Any]

_TIME = re.compile(r"(?<!\d)(?:1\d{3}|20\d{2})(?!\d)|\d{1,2}[:/.-]\d{1,2}[:/.-]\d{2,4}|\d{1,2}:\d{2}")
_WIDE = re.compile("[\u3040-\u9fff\uac00-\ud7a3\u0e00-\u0eff]")
_L2, _ITERATIONS, _FOLDS = 3e-5, 120, 2


@dataclass(frozen=True)
class Fitted:
    """The model, and for the questions it was fitted on the probabilities by a model that did not see them."""

    model: tuple[Array, Array]
    unseen: Mapping[str, Array]

    def asked(self, one: Asking, result: Result) -> features.Asked:
        """Return a question with honest probabilities of its shape."""
        shares = self.unseen.get(one.question)
        if shares is None:
            (shares,) = _shares(self.model, [one.question])
        shapes = {name: float(share) for name, share in zip(CLASSES, shares, strict=True)}
        numbers = frozenset(features.NUMBER.findall(one.question))
        return features.Asked(one.question, result.rarity or Rarity({}, 1.0), shapes, numbers)

    @property
    def arrays(self) -> dict[str, Array]:
        """The model in signed bytes."""
        table, bias = self.model
        scale = np.abs(table).max() / 127
        return {
            "class_table": np.clip(np.rint(table / scale), -127, 127).astype(np.int8),
            "class_bias": np.round(bias, 6),
            "class_scale": np.array([round(float(scale), 8)]),
        }


def as_data(arrays: Mapping[str, Array]) -> dict[str, Any]:
    """Return the model as `weights.json` has it."""
    table = base64.b85encode(zlib.compress(arrays["class_table"].tobytes(), 9)).decode()
    bias = [float(value) for value in arrays["class_bias"]]
    return {"bias": bias, "scale": float(arrays["class_scale"][0]), "table": table}


def fitted(asked: Sequence[Asking]) -> Fitted:
    """Fit on the questions of the first half; each of them is also read by a model of the other folds."""
    known = [one for one in asked if one.holds and one.half == 0]
    unseen: dict[str, Array] = {}
    for fold in range(_FOLDS):
        model = _fit([one for one in known if _fold(one) != fold])
        mine = [one for one in known if _fold(one) == fold]
        unseen.update(zip((one.question for one in mine), _shares(model, [one.question for one in mine]), strict=True))
    return Fitted(_fit(known), unseen)


def shape(one: Asking) -> str:
    """Return the class of a marked answer."""
    text = one.answer
    words = max(len(text.split()), len(_WIDE.findall(text)) // 2)
    if _TIME.search(text) and words <= 6:
        return "time"
    if re.search(r"\d", text) and words <= 5:
        return "number"
    if words >= 8:
        return "clause"
    return "name" if words <= 5 and text[:1].isupper() else "other"


def _fold(one: Asking) -> int:
    return zlib.crc32(one.path.encode()) % _FOLDS


def _matrix(texts: Sequence[str]) -> csr_matrix:
    found = [classes.grams(text) for text in texts]
    rows = [at for at, grams in enumerate(found) for _ in grams]
    buckets = [bucket for grams in found for bucket in grams]
    values = [weight for grams in found for weight in grams.values()]
    return csr_matrix((values, (rows, buckets)), (len(texts), BUCKETS))


def _shares(model: tuple[Array, Array], texts: Sequence[str]) -> Array:
    return _softmax(_matrix(texts) @ model[0] + model[1])


def _softmax(sums: Array) -> Array:
    shares = np.exp(sums - sums.max(1, keepdims=True))
    made: Array = shares / shares.sum(1, keepdims=True)
    return made


def _fit(asked: Sequence[Asking]) -> tuple[Array, Array]:
    """Return table and bias of a softmax over hashed n-grams."""
    matrix, count = _matrix([one.question for one in asked]), len(CLASSES)
    wanted = np.eye(count)[[CLASSES.index(shape(one)) for one in asked]]

    def loss(values: Array) -> tuple[float, Array]:
        table, bias = values[:-count].reshape(BUCKETS, count), values[-count:]
        shares = _softmax(matrix @ table + bias)
        error = (shares - wanted) / len(wanted)
        cost = -np.log((shares * wanted).sum(1) + 1e-12).mean() + _L2 * (table**2).sum()
        return float(cost), np.concatenate([(matrix.T @ error + 2 * _L2 * table).ravel(), error.sum(0)])

    found = minimize(
        loss, np.zeros((BUCKETS + 1) * count), jac=True, method="L-BFGS-B", options={"maxiter": _ITERATIONS}
    )
    return found.x[:-count].reshape(BUCKETS, count), found.x[-count:]
