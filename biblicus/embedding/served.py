"""Shared code of the embedders behind a server: batches, and handling of failed ones.

A batch that fails after all attempts is divided until the rejected text is alone; its row is NaN, and the run reports
it. If a server fails in the middle of a run and does not return after all attempts, the remaining texts get no vectors,
but the run succeeds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Call
from biblicus.embedding.networks.batches import by_length
from biblicus.errors import EmbedderUnavailable
from biblicus.guards.network.servers import Address
from biblicus.guards.network.transport import Failed, Retry, Server, as_body
from biblicus.lazy import NDArray, np
from biblicus.text.counting import estimate

if TYPE_CHECKING:
    from biblicus.contracts import Call

Read = TypeVar("Read")

_PROBE = "dimension"
_FIRST_ATTEMPTS = 2
_DOWN = ("unanswered", "late", "busy")
"""Failures of the whole server: dividing the batch would not help."""
LARGEST_REPLY = 256 << 20
_MOST_CHARACTERS = 400_000
"""Maximum characters of one request, with all texts counted as long as the longest."""


class ServedOptions(BaseModel):
    """`model`: its name on the server. `seconds`: for one request. `batch`: texts per request.

    `attempts`: for a batch, once the server has replied; two before. `max_tokens`: of the model, if known.
    `text_prefix`, `question_prefix`: required by some models."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, Field(min_length=1)]
    url: Address
    seconds: Annotated[float, Field(gt=0)] = 120.0
    attempts: Annotated[int, Field(ge=1, le=20)] = 5
    batch: Annotated[int, Field(ge=1, le=2048)] = 64
    max_tokens: Annotated[int, Field(ge=0)] = 0
    text_prefix: str = ""
    question_prefix: str = ""


class ServedEmbedder(ABC):
    """Embedder behind a server. `used_tokens`: tokens counted by the server since creation, for the bill."""

    def __init__(self, options: ServedOptions, headers: Mapping[str, str] | None = None) -> None:
        self._options = options
        self._server = Server(options.url, headers or {}, options.seconds)
        self._dim = 0
        self._answered = False
        self._gone = False
        self.used_tokens = 0

    # --- implemented by each protocol
    # ---------------------------------------------------------------------------------------

    def _request(self, texts: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        """Return path and body of the request for these texts' vectors, unless `_exchange` is overridden."""
        raise NotImplementedError

    @abstractmethod
    def _reply(self, reply: Any) -> tuple[Sequence[Any], int]:
        """Return the rows of a reply in text order, and the tokens used. Raises KeyError or TypeError without rows."""

    @abstractmethod
    def _remedy(self, failure: Failed) -> str:
        """Return the command that fixes a failure."""

    # --- the contract ------------------------------------------------------------------------------------------------

    @property
    def dim(self) -> int:
        """Return the dimension, with a short request if nothing has been embedded yet."""
        if not self._dim:
            try:
                self._ask([_PROBE], Call())
            except Failed as failure:
                raise self._unavailable(failure) from failure
        return self._dim

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[np.float32]:

        if not texts:
            return np.empty((0, self.dim), np.float32)
        rows: dict[int, Any] = {}
        lengths = [len(text) for text in texts]
        for batch in by_length(lengths, _MOST_CHARACTERS, self._options.batch):
            prefixed = [self._options.text_prefix + texts[index] for index in batch]
            rows |= dict(zip(batch, self._batch(prefixed, call), strict=True))
        vectors = np.full((len(texts), self.dim), np.nan, np.float32)
        for index, row in rows.items():
            if row is not None:
                vectors[index] = row
        return vectors

    def question(self, text: str, call: Call) -> NDArray[np.float32]:
        try:
            vector: NDArray[np.float32] = self._ask([self._options.question_prefix + text], call)[0]
        except Failed as failure:
            raise self._unavailable(failure) from failure
        return vector

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return estimates: the tokenizer is on the server."""
        return [estimate(self._options.text_prefix + text) for text in texts]

    # --- one batch ---------------------------------------------------------------------------------------------------

    def _batch(self, texts: Sequence[str], call: Call) -> list[Any]:
        """Return a row for each text, or None. Raises `EmbedderUnavailable` if the server never replied."""
        if self._gone:
            return [None] * len(texts)
        try:
            return list(self._ask(texts, call))
        except Failed as failure:
            if failure.kind == "refused":
                raise self._unavailable(failure) from failure
            rows = [None] * len(texts) if failure.kind in _DOWN else self._parts(texts, call)
            if all(row is None for row in rows):
                if not self._answered and (failure.kind in _DOWN or not self._answers(call)):
                    raise self._unavailable(failure) from failure
                self._gone = failure.kind in _DOWN
            return rows

    def _answers(self, call: Call) -> bool:
        """Check if the server can embed anything."""
        try:
            self._ask([_PROBE], call, attempts=1)
        except Failed:
            return False
        return True

    def _parts(self, texts: Sequence[str], call: Call) -> list[Any]:
        """Return the rows of a failed batch, half by half, without further attempts."""
        if len(texts) == 1:
            return [None]
        rows: list[Any] = []
        middle = len(texts) // 2
        for half in (texts[:middle], texts[middle:]):
            try:
                rows.extend(self._ask(half, call, attempts=1))
            except Failed as failure:
                rows.extend(self._parts(half, call) if failure.kind in ("broken", "rejected") else [None] * len(half))
        return rows

    def _ask(self, texts: Sequence[str], call: Call, attempts: int | None = None) -> NDArray[np.float32]:
        """Return normalised vectors (n, dim). Raises `Failed`."""
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        allowed = attempts or (self._options.attempts if self._answered else _FIRST_ATTEMPTS)
        vectors, tokens = self._again(lambda: self._read(self._exchange(clean, call), len(texts)), allowed, call)
        self._dim = vectors.shape[1]
        self._answered = True
        self.used_tokens += tokens
        return vectors

    def _again(self, once: Callable[[], Read], attempts: int, call: Call) -> Read:
        """Return the result of `once` within this number of attempts. Raises `Failed`."""
        return Retry(attempts, unanswered=attempts, late=True).ask(once, call)

    def _exchange(self, texts: Sequence[str], call: Call) -> Any:
        """Return the reply to the request for these texts' vectors, as needed by `_reply`. Raises `Failed`."""
        path, body = self._request(texts)
        with self._server.open("POST", path, call, as_body(body), most=LARGEST_REPLY) as response:
            if response.status != 200:
                raise response.failure()
            return response.json()

    def _read(self, reply: Any, wanted: int) -> tuple[NDArray[np.float32], int]:
        try:
            rows, tokens = self._reply(reply)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            raise Failed("broken", "its answer holds no vectors") from error
        return self._checked(rows, wanted), tokens

    def _checked(self, rows: Sequence[Any], wanted: int) -> NDArray[np.float32]:

        if len(rows) != wanted:
            raise Failed("broken", f"it gives {len(rows)} vectors for {wanted} texts")
        try:
            vectors = np.asarray(rows, np.float32)
        except (TypeError, ValueError) as error:
            raise Failed("broken", "its vectors are no rows of numbers") from error
        if vectors.ndim != 2 or not vectors.shape[1]:
            raise Failed("broken", "its vectors are no rows of numbers")
        if self._dim and vectors.shape[1] != self._dim:
            raise Failed("broken", f"it gives {vectors.shape[1]} dimensions, not {self._dim} as before")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or not lengths.all():
            raise Failed("broken", "its vectors hold what is no number, or nothing but zeros")
        vectors /= lengths
        return vectors

    def _unavailable(self, failure: Failed) -> EmbedderUnavailable:
        cause = f"no connection ({failure.cause})" if failure.kind == "unanswered" else failure.cause
        return EmbedderUnavailable(self._options.model, cause, self._remedy(failure))
