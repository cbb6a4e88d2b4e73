"""A model's folder in the layout of sentence-transformers, examined without loading the model.

Only safetensors weights are accepted. The older formats are pickles, which run code when loaded."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from biblicus.contracts import Given
from biblicus.errors import BadData, ConfigInvalid, UnsafeInput
from biblicus.guards import json as guarded_json

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
