"""The judge: a small cross-encoder that scores how well a passage answers a question.

It is ms-marco-MiniLM-L-12-v2 in eight bits. In this format a score would depend on the other pairs of a batch, so each
pair is computed alone and on one thread: its score is always the same. The weights are computed with our own graph,
which is a quarter faster than the file's and opens in a third of the time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from biblicus.contracts import Call
from biblicus.embedding import networks
from biblicus.errors import DeadlineExceeded, ExtraMissing
from biblicus.guards.processes import cores
from biblicus.lazy import np
from biblicus.model_files.table import FILES, are_here, located

MODEL, TOKENIZER = "judge.onnx", "wordpieces.json"
"""File names in `model_files.table`."""
LANGUAGES = frozenset(("en",))
"""Languages of the model."""
BY_COSINE = False
MOST_TOKENS, _QUESTION_TOKENS = 192, 64
"""Maximum tokens of a pair and of its question; the rest is cut."""
FINGERPRINT = f"judge/2 {FILES[MODEL].sha256[:16]} {MOST_TOKENS}"
_THREADS = 2
"""Number of pairs computed in parallel for one question."""


class Judge:
    """A loaded model. `slots`: number of questions judged in parallel, so that each is answered soon."""

    def __init__(self, model: Path, tokenizer: Path) -> None:
        """Load the model. Raises `ExtraMissing` without a library, `ConfigInvalid` for a file of another format."""
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ExtraMissing("The judge", "meaning") from error

        read = networks.onnx_weights.read(model, heads=12)
        self._layers = networks.int8.Int8Bert(read, "The judge", "meaning", first_only=True)
        weights: dict[str, Any] = dict(read.weights)
        pooler, classifier = weights["pooler.dense.weight"], weights["classifier.weight"]
        self._pooler = pooler.numbers * pooler.scales, weights["pooler.dense.bias"]
        self._classifier = classifier.numbers * classifier.scales, weights["classifier.bias"]
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.slots = threading.Semaphore(max(1, cores() // _THREADS))

    def logits(self, question: str, passages: Sequence[str], call: Call) -> list[float | None]:
        """Score each passage, higher is better; None for those not reached before the deadline. Raises `Cancelled`."""
        question_ids = self._ids(question, _QUESTION_TOKENS)

        def logit(passage: str) -> float | None:
            try:
                call.check()
            except DeadlineExceeded:
                return None
            return self._logit(question_ids, passage)

        workers = min(_THREADS, cores(), len(passages))
        if workers < 2:
            return [logit(passage) for passage in passages]
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(logit, passages))

    def _logit(self, asked: Sequence[int], passage: str) -> float:

        passage_ids = self._ids(passage, MOST_TOKENS - len(asked) + 1)[1:]
        state = self._layers.first([*asked, *passage_ids], len(asked))
        matrix, bias = self._pooler
        pooled = np.tanh(state @ matrix + bias)
        matrix, bias = self._classifier
        return round(float((pooled @ matrix + bias)[0]), 6)

    def _ids(self, text: str, most: int) -> list[int]:
        """Return token ids with the model's special tokens, cut to the limit."""
        # Most tokens have four letters: only the start of a long text is tokenized.
        encoded = self._tokenizer.encode(text[: 16 * most].encode("utf-8", "replace").decode())
        ids: list[int] = encoded.ids
        return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]


def is_installed() -> bool:
    """Check if its files and libraries are on this machine."""
    return are_here(MODEL, TOKENIZER) and all(find_spec(name) is not None for name in ("onnxruntime", "tokenizers"))


def find(digest: Callable[[Path], str]) -> Judge:
    """Open the judge of this machine. Raises `ModelFileMissing`, `ModelFileDamaged`, `ExtraMissing`."""
    return opened(located(MODEL, digest), located(TOKENIZER, digest))


@lru_cache(maxsize=1)
def vocabulary(digest: Callable[[Path], str]) -> Callable[[str], int]:
    """Return a function that counts the pieces that the judge reads a word in: a common word is one."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(located(TOKENIZER, digest)))
    tokenizer.no_padding()
    return lambda word: len(tokenizer.encode(word, add_special_tokens=False).ids)


@lru_cache(maxsize=1)
def opened(model: Path, tokenizer: Path) -> Judge:
    """Open the model of these files, once for all corpora of a process."""
    return Judge(model, tokenizer)
