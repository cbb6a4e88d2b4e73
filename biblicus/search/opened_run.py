"""A run opened for queries: its manifest, tables and legs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from biblicus.contracts import LegReader
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import Manifest
from biblicus.models.unread import TOO_LARGE, kind_of
from biblicus.models.weights import Weighing
from biblicus.search.weighting import Weighed, weighed

if TYPE_CHECKING:
    from biblicus.corpus.editorial.approvals import Trust
    from biblicus.models.extraction import Extraction
    from biblicus.stores.contract import Tables

_PATHS = 10_000
"""Maximum paths whose folder context is cached."""
_WEIGHINGS = 16
"""Maximum weightings and layer selections cached for a run."""
_TEXT = 2_000_000
"""Maximum characters of cached complete texts."""


class Texts:
    """Cache of complete texts by item and extraction, since a few texts answer many questions."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Extraction] = {}
        self._size = 0

    def of(self, item_id: str, extraction_id: str) -> Extraction | None:
        return self._known.get((item_id, extraction_id))

    def keep(self, item_id: str, extraction_id: str, extraction: Extraction) -> None:
        """Cache a text, clearing the cache if it would become too large."""
        if self._size + len(extraction.text) > _TEXT:
            self._known, self._size = {}, 0
        if len(extraction.text) <= _TEXT:
            self._known[item_id, extraction_id] = extraction
            self._size += len(extraction.text)


@dataclass(frozen=True)
class OpenRun:
    """A run ready for queries. `legs`: functions that open each leg on first use."""

    manifest: Manifest
    tables: Tables
    legs: Mapping[str, Callable[[], LegReader]]
    languages: Mapping[str, float]
    texts: Texts = field(default_factory=Texts)
    _readers: dict[str, LegReader] = field(default_factory=dict)
    _weighed: dict[str, Weighed] = field(default_factory=dict)
    _trusted: dict[tuple[object, ...], frozenset[int]] = field(default_factory=dict)
    _contexts: dict[str, tuple[int, object] | None] = field(default_factory=dict)

    def reader(self, leg: str) -> LegReader:
        if leg not in self._readers:
            self._readers[leg] = self.legs[leg]()
        return self._readers[leg]

    @cached_property
    def too_large(self) -> frozenset[str]:
        """Paths of items that were too large to be read."""
        notes = (*self.manifest.skipped, *self.manifest.failed)
        return frozenset(note.path for note in notes if kind_of(note.reason, failed=False) == TOO_LARGE)

    @cached_property
    def has_bare(self) -> bool:
        """True if some items have no text."""
        return self.tables.has_bare()

    def weighed(self, weighing: Weighing) -> Weighed:
        """Return the cached multipliers of a weighting for the run's items."""
        if weighing.key not in self._weighed:
            if len(self._weighed) >= _WEIGHINGS:
                self._weighed.clear()
            self._weighed[weighing.key] = weighed(weighing, self.tables.facets())
        return self._weighed[weighing.key]

    def trusted(self, layers: Sequence[str], trust: Trust) -> frozenset[int]:
        """Return the rows of items that may be shown for these layers; cached until approvals change."""
        key = (tuple(layers), trust.as_of, trust.log.digest, trust.is_sealed)
        if key not in self._trusted:
            if len(self._trusted) >= _WEIGHINGS:
                self._trusted.clear()
            rows = self.tables.in_layers(layers)
            self._trusted[key] = frozenset(row.row for row in rows if trust.shows(row, row.expires))
        return self._trusted[key]

    def contexts(self, paths: Set[str]) -> dict[str, tuple[int, object]]:
        """Return by path the row and `context` metadata of items that have one; cached, since folders are shared."""
        cache = self._contexts
        pairs: dict[str, tuple[int, object] | Literal[False] | None] = {path: cache.get(path, False) for path in paths}
        if missing := sorted(path for path, context in pairs.items() if context is False):
            stored_contexts = self.tables.contexts(missing)
            of_missing = {path: stored_contexts.get(path) for path in missing}
            pairs.update(of_missing)
            if len(cache) > _PATHS:
                cache.clear()
            cache.update(of_missing)
        return {path: context for path, context in pairs.items() if context}

    @cached_property
    def toolkits(self) -> frozenset[str]:
        """Toolkits that its items are about."""
        return self.tables.toolkits()

    def close(self) -> None:
        for reader in self._readers.values():
            reader.close()
        self.tables.close()


def shares(counts: Mapping[str, int]) -> dict[str, float]:
    """Return languages with their share of chunks, most frequent first."""
    total = sum(counts.values()) or 1
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return {language: count / total for language, count in ordered if language}
