"""Items by content or source: found by digests and addresses, and read."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from biblicus.bring.incoming import key_of
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.extracted import contents
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Lines
from biblicus.errors import UnsafeInput
from biblicus.models.item import Item

IMPORTED = ("file", "stdin")
"""Source kinds whose copy Biblicus made."""
_SEARCHES = 32
"""Number of searches, each of which reads all lines, before all lines are parsed into a table."""


@dataclass(frozen=True)
class Held:
    """An item and its bytes."""

    item: Item
    data: bytes

    @property
    def name(self) -> str:
        return PurePosixPath(self.item.path).name

    @property
    def base64(self) -> str:
        """Return the bytes in base64, for a request."""
        return base64.b64encode(self.data).decode()


class Known:
    """Items of a catalog by source and by content. Searches at first; after many lookups it builds a table."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._sources: dict[str, str | None] = {}
        self._contents: dict[str, str | None] = {}

    def by_source(self, uri: str) -> str | None:
        """Return the path of the copy of a source; None if there is none."""
        if uri not in self._sources:
            self._sources[uri] = self._of_source(uri, key_of(uri))
        return self._sources[uri]

    def by_content(self, key: str) -> str | None:
        """Return the path of the first item with this digest, of its bytes or of its text."""
        if key not in self._contents:
            self._contents[key] = self._of_content(key)
        return self._contents[key]

    def add(self, key: str, path: str) -> None:
        """Add a new item, unless the digest is known."""
        if self.by_content(key) is None:
            self._contents[key] = path

    def _of_source(self, uri: str, key: str) -> str | None:
        if self._is_much():
            return self._tables[0].get(key)
        text = catalogs.quoted(key)
        holding = self._lines.holding(text if key == uri else b"#" + text[1:])
        paths = [path for path, entry in holding if _imported(catalogs.content_of(entry.line)) == key]
        return max(paths, default=None)

    def _of_content(self, key: str) -> str | None:
        if self._is_much():
            return self._tables[1].get(key)
        holding = self._lines.holding(catalogs.quoted(key))
        return min((path for path, entry in holding if key in catalogs.content_of(entry.line)[:2]), default=None)

    def _is_much(self) -> bool:
        return len(self._sources) + len(self._contents) > _SEARCHES

    @cached_property
    def _tables(self) -> tuple[dict[str, str], dict[str, str]]:
        by_source: dict[str, str] = {}
        by_content: dict[str, str] = {}
        for path, entry in self._lines.items():
            content = catalogs.content_of(entry.line)
            if (key := _imported(content)) is not None:
                by_source[key] = path
            by_content.setdefault(content.sha256, path)
            by_content.setdefault(content.content_hash or "", path)
        return by_source, by_content


def _imported(content: catalogs.Content) -> str | None:
    """Return the identity of a source, if Biblicus made a copy of it."""
    return key_of(content.uri) if content.kind in IMPORTED else None


def held_by(corpus: CorpusFolder, sha256: str) -> Held | None:
    """Return the item with this digest, if its file still has these bytes; otherwise None."""
    catalog = catalog_of(corpus)
    for path, entry in sorted(catalog.of_all.holding(catalogs.quoted(sha256))):
        item = catalogs.parse_line(entry.line)
        if item.sha256 != sha256:
            continue
        try:
            data = contents.read(corpus, path)
        except (OSError, UnsafeInput):
            continue
        if hashlib.sha256(data).hexdigest() == sha256:
            return Held(item, data)
    return None
