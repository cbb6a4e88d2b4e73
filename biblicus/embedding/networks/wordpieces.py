"""A model's own tokenizer (`tokenizer.json`): converts texts to token ids, and counts them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from biblicus.errors import ConfigInvalid, ExtraMissing


class Tokenizer:
    """`most`: maximum ids of a text, special tokens included; 0: no limit. `marks`: the model needs special tokens."""

    def __init__(self, path: Path, *, most: int, marks: bool, extra: str) -> None:
        try:
            from tokenizers import Tokenizer as Loaded  # imported late: an extra
        except ImportError as error:
            raise ExtraMissing("Counting a model's tokens", extra) from error
        try:
            self._loaded: Any = Loaded.from_str(path.read_text(encoding="utf-8"))
        except Exception as error:  # the library raises nothing narrower
            raise ConfigInvalid(str(path), "no tokenizer that can be read.", "install the model again") from error
        self._loaded.no_padding()
        self._loaded.no_truncation()
        self._most = most
        self._marks = marks
        self._counted: tuple[list[str], list[int]] = [], []

    @property
    def unknown(self) -> int | None:
        """Return the id of unknown tokens."""
        token = getattr(self._loaded.model, "unk_token", None)
        return self._loaded.token_to_id(token) if isinstance(token, str) else None

    def _encode(self, texts: Sequence[str]) -> list[list[int]]:
        clean = [text.encode("utf-8", "replace").decode() for text in texts]  # lone surrogates have no token
        encoded = self._loaded.encode_batch_fast(clean, add_special_tokens=self._marks)
        return [encoding.ids for encoding in encoded]

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text before cutting; the counts of the last call of `ids` are cached."""
        latest, counts = self._counted
        return list(counts) if latest == list(texts) else [len(ids) for ids in self._encode(texts)]

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return token ids of each text, cut to the limit; the final special token is kept."""
        encoded = self._encode(texts)
        if not self._most:
            return encoded
        self._counted = list(texts), [len(ids) for ids in encoded]
        end = 1 if self._marks else 0
        return [
            ids if len(ids) <= self._most else [*ids[: self._most - end], *ids[len(ids) - end :]] for ids in encoded
        ]
