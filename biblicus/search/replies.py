"""Replies of language models that are kept in the corpus's cache, by the digest of what was asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from biblicus.corpus.folder import CorpusFolder

_KIND = "replies"
_SHAPE = {"key": str, "reply": {"text": str, "raw": {str: object}}}


class KeptReplies:
    """See `llm.caching.Memory`."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._cache = corpus.kept

    def get(self, key: str) -> Mapping[str, Any] | None:
        entry = self._cache.get(_KIND, key, _SHAPE)
        # The seal proves that we wrote it, not that it stands under its own key.
        return entry["reply"] if entry is not None and entry["key"] == key else None

    def put(self, key: str, value: Mapping[str, Any]) -> None:
        self._cache.put(_KIND, key, json.dumps({"key": key, "reply": dict(value)}, ensure_ascii=True).encode())

    def drop(self, key: str) -> None:
        self._cache.drop(_KIND, key)
