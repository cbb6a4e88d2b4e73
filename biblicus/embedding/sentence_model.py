"""Any sentence-transformers model: a user's folder, or a name on the hub from the user's configuration.

Importing the library costs about 8 s of CPU time, even for a question: `minilm` does not need it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from biblicus.embedding.hub import clean, loaded, located
from biblicus.embedding.model_folder import ModelFolder
from biblicus.embedding.networks.wordpieces import Tokenizer
from biblicus.errors import EmbedderUnavailable
from biblicus.lazy import NDArray, np

if TYPE_CHECKING:
    from biblicus.contracts import Call, Embedder, Given

_WHAT = "The embedder sentence-transformers"
_BATCH = 32
_BETWEEN_CHECKS = 256


class Options(BaseModel):
    """`model`: a folder (`/…` or `~/…`) or a name on the hub. `revision`: for a name on the hub, preferably a commit.

    `max_tokens`: a lower limit than the model's own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, Field(min_length=1)]
    revision: str | None = None
    max_tokens: Annotated[int, Field(ge=8, le=1 << 20)] | None = None


class SentenceModel:
    """Model that is loaded with the first text; everything else is read from the files of its folder."""

    def __init__(self, options: Options, given: Given) -> None:
        self._options = options
        self._given = given

    @cached_property
    def _folder(self) -> ModelFolder:
        name = self._options.model
        folder = ModelFolder(located(name, self._options.revision, _WHAT), self._given)
        folder.check()
        return folder

    @cached_property
    def fingerprint(self) -> str:
        return f"sentence-transformers/1 {self._folder.digest()} {self.max_tokens}"

    @cached_property
    def max_tokens(self) -> int:
        model_limit = self._folder.max_tokens
        chosen = self._options.max_tokens
        return min(model_limit, chosen) if model_limit and chosen else model_limit or chosen or 0

    @cached_property
    def dim(self) -> int:
        return self._folder.dim or int(self._model.get_embedding_dimension())

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        path = self._folder.path / "tokenizer.json"
        return Tokenizer(path, most=self.max_tokens, marks=True, extra="embed")

    @cached_property
    def _model(self) -> Any:
        model = loaded("SentenceTransformer", self._folder.path, self._options.model, _WHAT, self._given)
        if self.max_tokens:
            model.max_seq_length = self.max_tokens
        return model

    def _encode(self, texts: Sequence[str], ask: str) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = getattr(self._model, f"encode_{ask}")(
            list(map(clean, texts)),
            batch_size=_BATCH,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        ).astype("float32", copy=False)
        if vectors.shape[1] != self.dim:
            raise EmbedderUnavailable(self._options.model, f"it gives {vectors.shape[1]} dimensions, not {self.dim}")
        return vectors

    def embed(self, texts: Sequence[str], call: Call) -> NDArray[np.float32]:

        vectors = np.empty((len(texts), self.dim), np.float32)
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for start in range(0, len(order), _BETWEEN_CHECKS):
            call.check()
            part = order[start : start + _BETWEEN_CHECKS]
            vectors[part] = self._encode([texts[index] for index in part], "document")
        return vectors

    def question(self, text: str, call: Call) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._encode([text], "query")[0]
        return vector

    def count(self, texts: Sequence[str]) -> list[int]:
        return self._tokenizer.count([self._folder.prompt + text for text in texts])


def build(options: Options, given: Given) -> Embedder:
    """Create the embedder; its files are read on first use."""
    return SentenceModel(options, given)
