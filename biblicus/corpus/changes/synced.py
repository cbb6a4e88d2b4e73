"""Synced documents as a refresh needs them: the source of an item's path, and its metadata.

Registries are parsed only when an item needs them (see `corpus.registries`)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus import corpus
from biblicus.corpus.folder import CorpusFolder, stems
from biblicus.disk import files
from biblicus.errors import ConfigInvalid, NewerSchema, UnsafeInput
from biblicus.models import sources

if TYPE_CHECKING:
    from biblicus.corpus.registries import Registry
    from biblicus.models.sources.syncing import Provenance

IMPORTS = "imports"


def registry_file(corpus: CorpusFolder, name: str) -> Path:
    return corpus.sources / f"{name}.json"


def registered(corpus: CorpusFolder) -> list[str]:
    """Return the names of sources with a registry, sorted."""
    names = stems(corpus.sources)
    if not names:
        return []

    return [name for name in names if re.fullmatch(sources.syncing.NAME, name)]


@dataclass
class Synced:
    """Every registry of a corpus, for its refresh. `digest`: of their bytes. `broken`: unreadable ones with the
    cause."""

    digest: str
    broken: dict[str, str]
    _data: dict[str, bytes]

    @cached_property
    def _registries(self) -> dict[str, Registry]:
        if not self._data:
            return {}

        registries = {}
        for name, data in self._data.items():
            try:
                registries[name] = corpus.registries.registry_of(data, name)
            except (ConfigInvalid, NewerSchema) as error:
                self.broken[name] = error.message
        return registries

    def of(self, path: str) -> Provenance | None:
        """Return the provenance of a synced path, or None."""
        registry, rest = self._found(path)
        row = registry.rows.get(rest) if registry else None
        return registry.provenance(row) if registry and row else None

    def _found(self, path: str) -> tuple[Registry | None, str]:
        if not self._data or not path.startswith(f"{IMPORTS}/"):
            return None, ""
        name, _, rest = path[len(IMPORTS) + 1 :].partition("/")
        return self._registries.get(name), rest

    def mark(self, path: str) -> str:
        """Return a hash that changes with a path's metadata; empty if it was not synced."""
        registry, rest = self._found(path)
        return registry.mark(rest) if registry else ""

    def says(self, path: str, mark: str) -> bool:
        """Return true if the mark is still valid. That of a broken registry is, until it is repaired."""
        return self.mark(path) == mark or self.is_broken(path)

    def is_broken(self, path: str) -> bool:
        """Return true if the registry of a path is unreadable."""
        _ = self._registries  # parse, so that broken ones are known
        return bool(self.broken) and path.startswith(tuple(f"{IMPORTS}/{name}/" for name in self.broken))


def synced(corpus: CorpusFolder) -> Synced:
    """Return all registries; unreadable ones are in `broken`."""
    data: dict[str, bytes] = {}
    broken: dict[str, str] = {}
    for name in registered(corpus):
        try:
            data[name] = files.read(registry_file(corpus, name), limit=files.LARGE)
        except (OSError, UnsafeInput) as error:
            broken[name] = files.describe(error) if isinstance(error, OSError) else str(error)
    total = hashlib.sha256()
    for name, content in data.items():
        total.update(f"{name}\0{len(content)}\0".encode() + content)
    return Synced(total.hexdigest()[:16] if data or broken else "", broken, data)


def synced_from(corpus: CorpusFolder, path: str) -> str | None:
    """Return the source that a path was synced from, or None."""
    provenances = synced(corpus)
    return path.split("/")[1] if provenances.of(path) is not None else None
