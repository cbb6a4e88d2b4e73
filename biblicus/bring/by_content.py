"""A document by what it holds, or by where it came from: found by digests and addresses, and read."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from biblicus.bring.naming import key_of
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
"""Searches, each of which reads all lines, before a table is made, for which all are parsed."""


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


class Known:
    """The items of a catalog by source and by content. Some are searched for; for more a table of all is made."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._sources: dict[str, str | None] = {}
        self._contents: dict[str, str | None] = {}

    def by_source(self, uri: str) -> str | None:
        """The path of the copy of what lies there; None where none was made."""
        if uri not in self._sources:
            self._sources[uri] = self._of_source(uri, key_of(uri))
        return self._sources[uri]

    def by_content(self, key: str) -> str | None:
        """The path of the first item with a digest, of its bytes or of its text."""
        if key not in self._contents:
            self._contents[key] = self._of_content(key)
        return self._contents[key]

    def add(self, key: str, path: str) -> None:
        """Take an item that was brought in just now, where none is known."""
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
    """What makes a source the same again, where Biblicus made a copy of it."""
    return key_of(content.uri) if content.kind in IMPORTED else None


def held_by(corpus: CorpusFolder, sha256: str) -> Held | None:
    """The item whose bytes have this digest, where it still has them; None where none does."""
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
