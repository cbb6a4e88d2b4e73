"""A document by what it holds: found by the sha256 of its bytes, and read."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from pathlib import PurePosixPath

from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.extracted import contents
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UnsafeInput
from biblicus.models.item import Item


@dataclass(frozen=True)
class Held:
    """An item and its bytes."""

    item: Item
    data: bytes

    @property
    def name(self) -> str:
        """Its file's name."""
        return PurePosixPath(self.item.path).name

    @property
    def base64(self) -> str:
        """The bytes as a request over a wire has them."""
        return base64.b64encode(self.data).decode()


def held_by(corpus: CorpusFolder, sha256: str) -> Held | None:
    """The item whose bytes have this digest, where it still has them; None where none does."""
    for item in catalog_of(corpus).items.values():
        if item.sha256 != sha256:
            continue
        try:
            data = contents.read(corpus, item.path)
        except (OSError, UnsafeInput):
            continue
        if hashlib.sha256(data).hexdigest() == sha256:
            return Held(item, data)
    return None
