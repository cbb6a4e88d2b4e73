"""Static embeddings: the mean of one vector per token, without a neural network; a thousand texts a second on one core.

The model of the package wordllama (256 dimensions), or a user's model2vec folder. They work best with shared words, and
are not sufficient for a search alone; figures are in docs/embedding.md."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from biblicus.embedding import networks
from biblicus.embedding.networks.wordpieces import Tokenizer
from biblicus.errors import ConfigInvalid, EmbedderUnavailable, ExtraMissing
from biblicus.lazy import NDArray, np

if TYPE_CHECKING:
    from biblicus.contracts import Call, Embedder, Given

_WORDLLAMA = ("weights/l2_supercat_256.safetensors", "tokenizers/l2_supercat_tokenizer_config.json")
_MODEL2VEC = ("model.safetensors", "tokenizer.json")
_MATRICES = ("embedding.weight", "embeddings")
"""Names of the matrix in the two formats."""

_AT_ONCE = 256


class Options(BaseModel):
    """`model`: a model2vec folder (`/…` or `~/…`); without it, wordllama's own model."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str | None = None


class Static:
    """Mean of the vectors of a text's tokens, with model2vec's token weights if the model has them."""

    max_tokens = 0

    def __init__(self, options: Options, given: Given) -> None:
        if options.model is None:
            folder, names = _wordllama(), _WORDLLAMA
        else:
            folder, names = Path(options.model).expanduser(), _MODEL2VEC
        self._matrix_file, self._tokenizer_file = (folder / name for name in names)
        self._given = given

    @cached_property
    def fingerprint(self) -> str:
        try:
            digests = [self._given.digest(path)[:16] for path in (self._matrix_file, self._tokenizer_file)]
        except OSError as error:
            raise ConfigInvalid(str(error.filename), "no file of a model2vec folder.", "name its folder") from error
        return f"static/1 {' '.join(digests)} mean"

    @cached_property
    def dim(self) -> int:
        return int(self._tensors[0].shape[1])

    @cached_property
    def _tensors(self) -> tuple[Any, Any, Any]:
        """Return the matrix, and each token's row and weight if the model has them."""

        try:
            tensors = networks.safetensors.read(self._matrix_file)
        except OSError as error:
            raise ConfigInvalid(str(self._matrix_file), "cannot be read.", "name a model2vec folder") from error
        for name in _MATRICES:
            if name in tensors and tensors[name].ndim == 2 and len(tensors[name]):
                return tensors[name], tensors.get("mapping"), tensors.get("weights")
        raise ConfigInvalid(str(self._matrix_file), "it holds no matrix of embeddings.", "name a model2vec folder")

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return Tokenizer(self._tokenizer_file, most=0, marks=False, extra="static")

    @cached_property
    def _unknown(self) -> int | None:
        """Return the token that model2vec omits from a mean."""
        return self._tokenizer.unknown

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[np.float32]:

        vectors = np.zeros((len(texts), self.dim), np.float32)
        for start in range(0, len(texts), _AT_ONCE):
            call.check()
            for index, ids in enumerate(self._tokenizer.ids(texts[start : start + _AT_ONCE]), start):
                known_ids = [token for token in ids if token != self._unknown]
                if known_ids:
                    vectors[index] = self._mean(np.asarray(known_ids))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths[lengths == 0] = np.nan  # a text without a known token has no direction
        vectors /= lengths
        return vectors

    def _mean(self, ids: NDArray[Any]) -> Any:
        matrix, mapping, weights = self._tensors
        rows = ids if mapping is None else mapping[ids]
        if rows.max() >= len(matrix):
            raise EmbedderUnavailable("static", f"{self._matrix_file} does not fit its tokenizer")
        picked = matrix[rows].astype("float32")
        if weights is not None:
            picked *= weights[ids].astype("float32")[:, None]
        return picked.mean(axis=0)

    def question(self, text: str, call: Call) -> NDArray[np.float32]:

        vector: NDArray[np.float32] = np.nan_to_num(self.embed([text], call)[0])
        return vector

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._tokenizer.count(texts)


def _wordllama() -> Path:
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None or find_spec("tokenizers") is None:
        raise ExtraMissing("The embedder static", "static")
    return Path(spec.origin).parent


def build(options: Options, given: Given) -> Embedder:
    """Create the embedder. Raises `ExtraMissing` if its package is not installed."""
    return Static(options, given)
