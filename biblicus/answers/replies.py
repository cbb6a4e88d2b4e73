"""Replies of language models that are kept, by the digest of what was asked. Derived, sealed and bounded.

A torn, altered or foreign entry is as good as absent. Each of 256 folders holds so many replies, the oldest go first.
`check --prune-cache` counts them with the rest of the cache.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import seals

_PER_FOLDER = 32


class KeptReplies:
    """A memory in the corpus's cache folder. Failing to keep is no error: it is only there to save time."""

    def __init__(self, place: CorpusFolder) -> None:
        self._folder = place.cache / "replies"
        self._cache = place.cache

    def get(self, key: str) -> Mapping[str, Any] | None:
        body = seals.read_sealed(self._path(key))
        if body is None:
            return None
        entry = json.loads(body)
        # The seal proves that we wrote it, not that it stands under its own key.
        return entry["reply"] if entry.get("key") == key else None

    def put(self, key: str, value: Mapping[str, Any]) -> None:
        path = self._path(key)
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.parent.is_symlink() or self._folder.is_symlink():
                return
            entry = {"key": key, "reply": dict(value)}
            seals.write_cache(path, json.dumps(entry, ensure_ascii=True).encode(), self._cache)
            _bound(path.parent)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def _bound(folder: Path) -> None:
    """Delete the oldest beyond the limit."""
    with os.scandir(folder) as entries:
        found = sorted((entry.stat(follow_symlinks=False).st_mtime_ns, entry.path) for entry in entries)
    for _, path in found[:-_PER_FOLDER]:
        with suppress(OSError):
            os.unlink(path)
