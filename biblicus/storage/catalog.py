"""`.biblicus/catalog.json`: what the corpus holds now.

One JSON document: the first line is the header (and opens `items`), then one item a line, sorted by path. A query reads
the first line only. Equal content gives equal bytes, so that it can be committed and merged line by line.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from biblicus.errors import CatalogUnreadable, NewerSchema
from biblicus.models.item import Item
from biblicus.models.manifest import SCHEMA_VERSION
from biblicus.storage import files
from biblicus.storage.corpus import FOLDER, CorpusFolder

_OPEN = b', "items": ['
_CLOSE = b"]}"
_WHERE = f"{FOLDER}/catalog.json"
_HEADER_LIMIT = 1 << 20


class Latest(BaseModel):
    """The latest run of a recipe, and of which build."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    run_id: str
    build_id: str


class Header(BaseModel):
    """The catalog's first line."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    schema_version: int
    corpus_id: str
    latest: dict[str, Latest] = Field(default_factory=dict)
    corpus_digest: str


@dataclass(frozen=True)
class Catalog:
    """Items by path, each with its line as it stands on disk (`lines`), so that unchanged items are never rewritten."""

    header: Header
    items: Mapping[str, Item] = field(default_factory=dict)
    lines: Mapping[str, bytes] = field(default_factory=dict)

    def by_id(self) -> dict[str, Item]:
        return {item.item_id: item for item in self.items.values()}


def line_of(item: Item) -> bytes:
    """The item's line: compact JSON in field order, empty fields left out."""
    source = {"kind": item.source.kind, "uri": item.source.uri}
    if item.source.ref is not None:
        source["ref"] = item.source.ref
    if item.source.retrieved_at is not None:
        source["retrieved_at"] = item.source.retrieved_at
    data: dict[str, Any] = {
        "item_id": item.item_id,
        "path": item.path,
        "media_type": item.media_type,
        "bytes": item.bytes,
        "sha256": item.sha256,
        "title": item.title,
        "language": item.language,
        "doctype": item.doctype,
        "tags": item.tags,
        "source": source,
        "metadata": item.metadata,
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def corpus_digest(lines: Iterable[bytes]) -> str:
    """The digest over the items' ids, digests and metadata: their lines in order of path."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line)
        digest.update(b"\n")
    return digest.hexdigest()


def encode(header: Header, lines: Iterable[bytes]) -> bytes:
    """The whole document."""
    head = json.dumps(header.model_dump(), ensure_ascii=False, separators=(", ", ": ")).encode()
    body = b",\n".join(lines)
    return head[:-1] + _OPEN + b"\n" + body + (b"\n" if body else b"") + _CLOSE + b"\n"


def read_header(place: CorpusFolder) -> Header | None:
    """The first line alone; None where there is no catalog yet."""
    try:
        with files.opened(place.catalog) as descriptor:
            data = os.read(descriptor, 4096)
            while b"\n" not in data and len(data) < _HEADER_LIMIT and (more := os.read(descriptor, 65536)):
                data += more
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CatalogUnreadable(_WHERE, files.describe(error)) from error
    return _header(data.partition(b"\n")[0])


def _header(line: bytes) -> Header:
    if not line.endswith(_OPEN):
        raise CatalogUnreadable(_WHERE, "its first line is not a catalog header")
    try:
        data = json.loads(line[: -len(_OPEN)] + b"}")
        version = data.get("schema_version") if isinstance(data, dict) else None
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise NewerSchema(_WHERE, version, SCHEMA_VERSION)
        return Header.model_validate(data)
    except (ValueError, RecursionError) as error:
        raise CatalogUnreadable(_WHERE, "its header does not validate") from error


@lru_cache(maxsize=1)
def _items() -> TypeAdapter[list[Item]]:
    """The validator of item lines, built when a whole catalog is first read."""
    return TypeAdapter(list[Item], config=ConfigDict(extra="forbid"))


def read(place: CorpusFolder) -> Catalog | None:
    """The whole catalog, validated; None where there is none yet. Raises `CatalogUnreadable`, `NewerSchema`."""
    try:
        data = files.read(place.catalog)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CatalogUnreadable(_WHERE, files.describe(error)) from error
    first, _, rest = data.partition(b"\n")
    header = _header(first)
    body, end, trailer = rest.rpartition(_CLOSE)
    if not end or trailer.strip():
        raise CatalogUnreadable(_WHERE, "it ends too early")
    lines = [line.removesuffix(b",") for line in body.split(b"\n") if line]
    try:
        items = _items().validate_json(b"[" + b",".join(lines) + b"]")
    except ValidationError as error:
        raise CatalogUnreadable(_WHERE, f"item {error.errors()[0]['loc'][:1]} does not validate") from error
    if len(items) != len(lines):
        raise CatalogUnreadable(_WHERE, "it does not hold one item a line")
    catalog = Catalog(
        header, {item.path: item for item in items}, dict(zip((i.path for i in items), lines, strict=True))
    )
    _check(catalog, items)
    return catalog


def _check(catalog: Catalog, items: list[Item]) -> None:
    """Refuse what a bad merge leaves: a path or id twice, a path that leaves the corpus, lines out of order."""
    if len(catalog.items) != len(items) or len({item.item_id for item in items}) != len(items):
        raise CatalogUnreadable(_WHERE, "an item stands twice")
    paths = list(catalog.items)
    if any(path.startswith("/") or "\0" in path or ".." in path.split("/") for path in paths):
        raise CatalogUnreadable(_WHERE, "a path leaves the corpus")
    if paths != sorted(paths) or corpus_digest(catalog.lines.values()) != catalog.header.corpus_digest:
        raise CatalogUnreadable(_WHERE, "its digest does not fit its items")


def write(place: CorpusFolder, catalog: Catalog) -> None:
    """Write the catalog durably; `lines` must be sorted by path and `header.corpus_digest` be theirs."""
    files.write(place.catalog, encode(catalog.header, catalog.lines.values()))


def write_header(place: CorpusFolder, header: Header) -> None:
    """Replace the first line, keeping the items' lines as they are. Under the lock."""
    rest = files.read(place.catalog).partition(b"\n")[2]
    head = json.dumps(header.model_dump(), ensure_ascii=False, separators=(", ", ": ")).encode()
    files.write(place.catalog, head[:-1] + _OPEN + b"\n" + rest)


def parse_line(line: bytes) -> Item:
    """One item from its line, validated."""
    return _items().validate_json(b"[" + line + b"]")[0]


def refuse_newer(place: CorpusFolder) -> None:
    """Raise `NewerSchema` where a newer Biblicus wrote the catalog; any other trouble with it is let pass."""
    try:
        read_header(place)
    except CatalogUnreadable:
        return
