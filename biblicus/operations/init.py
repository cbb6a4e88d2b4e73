"""Makes a folder a corpus."""

from __future__ import annotations

from pathlib import Path

from biblicus.storage import corpus
from biblicus.storage.corpus import CorpusFolder


def init(path: Path, name: str | None) -> CorpusFolder:
    """Make `path` (created where missing) a corpus; nothing in it is touched. Raises `CorpusExists`."""
    return corpus.create(path, name)
