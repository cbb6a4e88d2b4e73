"""Any sentence-transformers model: a user's folder, or a name on the hub from the user's configuration.

Importing the library costs about 8 s of CPU time, even for a question: `minilm` does not need it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from biblicus.contracts import Given
from biblicus.embedding.hub import clean, loaded, located
from biblicus.embedding.networks.wordpieces import Tokenizer
from biblicus.errors import BadData, ConfigInvalid, EmbedderUnavailable, UnsafeInput
from biblicus.guards import json as guarded_json
from biblicus.lazy import NDArray, np

if TYPE_CHECKING:
    from biblicus.contracts import Call, Embedder

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


_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")
_DATA = (".safetensors", ".json", ".txt", ".model")
_LARGEST_CONFIGURATION = 32 << 20
_NO_LIMIT = 1 << 20
"""Some tokenizers have a limit of 10³⁰."""


@dataclass(frozen=True)
class ModelFolder:
    path: Path
    given: Given

    def check(self) -> None:
        """Raise if the folder has no model, weights in another format than safetensors, or external modules."""
        if not (self.path / "modules.json").is_file():
            raise ConfigInvalid(
                str(self.path), "no folder of a sentence-transformers model: it holds no modules.json.", "name another"
            )
        for module in self._modules:
            if not str(module.get("type", "")).startswith("sentence_transformers."):
                raise UnsafeInput(f"{self.path} names the module {module.get('type')}, whose code is not run.")
        if not any(file.suffix == ".safetensors" for file in self._files()):
            raise UnsafeInput(
                f"{self.path} holds no safetensors; weights of other formats are programs and are not opened.",
                "convert them: model.save_pretrained(FOLDER) in sentence-transformers writes safetensors",
            )
        for folder in self._folders:
            names = [file.suffix for file in folder.iterdir()]
            if ".safetensors" not in names and any(name in _PICKLES for name in names):
                raise UnsafeInput(f"{folder} holds its weights as a pickle, which is a program and is not opened.")

    @cached_property
    def _modules(self) -> list[dict[str, Any]]:
        modules = self._read("modules.json")
        if not isinstance(modules, list) or not all(isinstance(module, dict) for module in modules):
            raise ConfigInvalid(str(self.path / "modules.json"), "no list of modules.")
        return modules

    @cached_property
    def _folders(self) -> list[Path]:
        """Return the folder, and the existing folders of its modules."""
        paths = dict.fromkeys(str(module.get("path", "")) for module in self._modules)
        return [self.path, *(self.path / path for path in paths if path and (self.path / path).is_dir())]

    def _files(self) -> Iterator[Path]:
        for folder in self._folders:
            yield from sorted(file for file in folder.iterdir() if file.suffix in _DATA and file.is_file())

    def _read(self, name: str) -> Any:
        path = self.path / name
        try:
            return guarded_json.read(path.read_bytes(), max_bytes=_LARGEST_CONFIGURATION)
        except FileNotFoundError:
            return {}
        except (OSError, BadData) as error:
            cause = error.message if isinstance(error, BadData) else str(error.strerror)
            raise ConfigInvalid(str(path), f"cannot be read: {cause}") from error

    def digest(self) -> str:
        """Return the digest of all files that affect vectors: weights, tokenizer, pooling. 16 hex digits."""
        parts = [f"{file.relative_to(self.path).as_posix()} {self.given.digest(file)}\n" for file in self._files()]
        return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]

    @cached_property
    def max_tokens(self) -> int:
        """Return the maximum tokens; 0 if not given."""
        limit = self._read("sentence_bert_config.json").get("max_seq_length")
        limit = limit or self._read("tokenizer_config.json").get("model_max_length")
        return limit if isinstance(limit, int) and 0 < limit < _NO_LIMIT else 0

    @cached_property
    def dim(self) -> int:
        """Return the dimension of the last module with one; 0 if not given."""
        for module in reversed(self._modules):
            config = self._read(f"{module.get('path', '')}/config.json".lstrip("/"))
            for key in ("out_features", "embedding_dimension", "word_embedding_dimension"):
                if isinstance(config.get(key), int):
                    return int(config[key])
        return 0

    @cached_property
    def prompt(self) -> str:
        """Return the model's prefix for texts of documents."""
        prompts = self._read("config_sentence_transformers.json").get("prompts") or {}
        return str(prompts.get("document") or "")
