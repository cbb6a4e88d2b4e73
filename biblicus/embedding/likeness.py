"""The judge for languages not supported by the cross-encoder: the cosine of question and passage with `e5-int8`.

As in `embedding.judge`, each passage is computed alone and on one thread, so a score depends on no other passage."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from biblicus.contracts import Call, Given
from biblicus.embedding.e5_int8 import E5Int8
from biblicus.errors import DeadlineExceeded
from biblicus.guards.processes import cores

LANGUAGES = E5Int8.languages
"""Languages of the model."""
BY_COSINE = True
"""Its scores are cosines, so thresholds for logits do not apply."""
FINGERPRINT = f"likeness/1 {E5Int8.fingerprint}"
_AT_ONCE = 2
"""Number of passages computed at a time for one question."""


class Likeness:
    """A loaded model. `slots`: number of questions judged in parallel."""

    def __init__(self, digest: Callable[[Path], str]) -> None:
        self._model = E5Int8(Given(device="cpu", digest=digest))
        self.slots = threading.Semaphore(max(1, cores() // _AT_ONCE))

    def logits(self, question: str, passages: Sequence[str], call: Call) -> list[float | None]:
        """Return each passage's cosine with the question; None for those not reached before the deadline. Raises
        `Cancelled`."""
        question_vector = self._model.question(question, call)
        scores: list[float | None] = []
        for start in range(0, len(passages), _AT_ONCE):
            try:
                call.check()
                vectors = self._model.embed(passages[start : start + _AT_ONCE], call)
            except DeadlineExceeded:
                break
            scores.extend(round(float(score), 6) for score in vectors @ question_vector)
        return scores + [None] * (len(passages) - len(scores))


def is_installed() -> bool:
    """Check if its weights and library are on this machine."""
    return all(find_spec(name) is not None for name in (E5Int8.package, "onnxruntime"))


@lru_cache(maxsize=1)
def find(digest: Callable[[Path], str]) -> Likeness:
    """Open the model, once for all corpora of a process. Raises `ExtraMissing`, `EmbedderUnavailable`."""
    return Likeness(digest)
