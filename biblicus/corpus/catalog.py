"""`.biblicus/catalog.json`: the items of the corpus.

One JSON document: the first line is the header (and opens `items`), then one item a line, sorted by path. A query reads
only the first line. Equal content gives equal bytes, so the file can be committed and merged line by line."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from biblicus.corpus.changes import file_stats
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.corpus.lines import BLOCK, Entry, Lines, Written, entry, refused, unquoted
from biblicus.corpus.lines import corpus_digest as corpus_digest
from biblicus.disk import files
from biblicus.errors import AmbiguousItem, CatalogGone, CatalogUnreadable, ItemNotFound, NewerSchema, UnsafeInput
from biblicus.models.frozen import dataclass
from biblicus.models.item import Item
from biblicus.models.manifest import SCHEMA_VERSION
from biblicus.models.records import Bounds, Record, plainly
from biblicus.text.fitting import beginning, fits_path
from biblicus.text.paths import from_os

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_OPEN = b', "items": ['
_CLOSE = b"]}"
_FEW = 1 << 16
"""Up to this many bytes of lines are read without pydantic, whose import takes longer."""
_DOUBTFUL = re.compile(rb"\\u|NaN|Infinity|\d{16}")
_WHERE = f"{FOLDER}/catalog.json"
_HEADER_LIMIT = 1 << 20
_QUOTED = json.encoder.encode_basestring
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DIGEST = re.compile(rb', "digest": "([0-9a-f]{16})"\Z')


@dataclass(frozen=True, kw_only=True)
class Latest(Record):
    """The latest run of a recipe, and its build."""

    run_id: str
    build_id: str


@dataclass(frozen=True, kw_only=True)
class Header(Record):
    """The catalog's first line."""

    schema_version: Annotated[int, Bounds(ge=1)]
    corpus_id: str
    latest: dict[str, Latest] = field(default_factory=dict)
    corpus_digest: str
    folder_rules: int = 0
    """Version of the rule that excludes machine-made folders."""
    latest_run_id: str | None = field(default=None, compare=False)
    """The newest of the latest runs; None before the first run. It follows from `latest` and is not compared."""

    def model_dump(self, *, mode: Literal["python", "json"] = "python") -> dict[str, Any]:
        header = super().model_dump(mode=mode)
        return header if self.latest_run_id else {key: header[key] for key in header if key != "latest_run_id"}

    def to_write(self) -> Header:
        """Return the header with its newest run."""
        newest = max((run.run_id for run in self.latest.values()), default=None)
        return replace(self, latest_run_id=newest)


class Items:
    """Items by path. Each access parses and validates its line again, so a large corpus needs little memory."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries

    def __getitem__(self, path: str) -> Item:
        return parse_line(self._entries[path].line)

    def get(self, path: str) -> Item | None:
        return self[path] if path in self._entries else None

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, path: object) -> bool:
        return path in self._entries

    def values(self) -> Iterator[Item]:
        """Yield every item in order of path."""
        return self._parsed(iter(self._entries.values()))

    def after(self, path: str = "", globs: Collection[str] = ()) -> Iterator[Item]:
        """Yield the items after a path, in order. With `globs`, only matching items are parsed."""
        after = Lines.of(self._entries).after(path, beginning(globs))
        return self._parsed(entry for path, entry in after if not globs or fits_path(path, globs))

    def _parsed(self, entries: Iterator[Entry]) -> Iterator[Item]:
        while block := [entry.line for entry in islice(entries, BLOCK)]:
            yield from _parse(b"[" + b",".join(block) + b"]")

    def items(self) -> Iterator[tuple[str, Item]]:
        return zip(self._entries, self.values(), strict=True)


@dataclass(frozen=True)
class Catalog:
    """The parsed `catalog.json`. `entries`: by path, in order; lines of unchanged items are kept as they are."""

    header: Header
    entries: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def items(self) -> Items:
        return Items(self.entries)

    @cached_property
    def of_all(self) -> Lines:
        """Return the entries as `Lines`, for finding single ones."""
        return Lines.of(self.entries)

    @property
    def paths(self) -> dict[str, str]:
        """Return the path of each item id."""
        return self.of_all.paths

    def lines(self) -> Iterator[bytes]:
        return (entry.line for entry in self.entries.values())


def entry_of(item: Item) -> Entry:
    return Entry(item.item_id, item.media_type, line_of(item))


def quoted(text: str) -> bytes:
    """Return a text as it is written in an item's line."""
    return _QUOTED(text).encode("utf-8", "surrogatepass")


def with_id(entry: Entry, item_id: str) -> Entry:
    """Return the entry with another item id."""
    head = len(f'{{"item_id":"{entry.item_id}"')
    return Entry(item_id, entry.media_type, b'{"item_id":"%b"%b' % (item_id.encode(), entry.line[head:]))


def line_of(item: Item) -> bytes:
    """Return the item's line: compact JSON in field order."""
    source, text = item.source, _QUOTED
    return (
        f'{{"item_id":{text(item.item_id)},"path":{text(item.path)},"media_type":{text(item.media_type)}'
        f',"bytes":{item.bytes},"sha256":{text(item.sha256)}'
        f',"content_hash":{"null" if item.content_hash is None else text(item.content_hash)}'
        f',"title":{text(item.title)},"language":{"null" if item.language is None else text(item.language)}'
        f',"doctype":{text(item.doctype)},"tags":[{",".join(map(text, item.tags))}]'
        f',"source":{{"kind":{text(source.kind)},"uri":{text(source.uri)}'
        f"{_also('ref', source.ref)}{_also('retrieved_at', source.retrieved_at)}}}"
        f',"metadata":{_COMPACT(item.metadata) if item.metadata else "{}"}'
        f"{_also('layer', item.layer)}{_also('approval', item.approval)}}}"
    ).encode()


def _also(key: str, value: str | None) -> str:
    return "" if value is None else f',"{key}":{_QUOTED(value)}'


def encode(header: Header, lines: Iterable[bytes], *, digested: bool = True) -> Iterator[bytes]:
    """Yield the whole document in blocks. `digested`: the header contains its own digest; older ones lack it."""
    yield _head(header, digested)
    rest = iter(lines)
    before = b""
    while block := list(islice(rest, BLOCK)):
        yield before + b",\n".join(block)
        before = b",\n"
    yield (b"\n" if before else b"") + _CLOSE + b"\n"


def _head(header: Header, digested: bool = True) -> bytes:
    head = json.dumps(header.model_dump(), ensure_ascii=False, separators=(", ", ": ")).encode()[:-1]
    digest_field = b', "digest": "%b"' % hashlib.sha256(head).hexdigest()[:16].encode() if digested else b""
    return head + digest_field + _OPEN + b"\n"


def read_header(corpus: CorpusFolder) -> Header | None:
    """Read only the header; None if there is no catalog. Raises `CatalogUnreadable`, `NewerSchema`."""
    try:
        with files.opened(corpus.catalog) as descriptor:
            data = os.read(descriptor, 4096)
            while b"\n" not in data and len(data) < _HEADER_LIMIT and (more := os.read(descriptor, 65536)):
                data += more
    except FileNotFoundError:
        _refuse_gone(corpus)
        return None
    except (OSError, UnsafeInput) as error:
        raise _unreadable(error) from error
    return _header(data.partition(b"\n")[0])


def _refuse_gone(corpus: CorpusFolder) -> None:
    """Raise `CatalogGone` if other files show that a catalog existed."""
    runs: list[str] = []
    with suppress(OSError):
        runs = [name for name in os.listdir(corpus.runs) if name.endswith(".json")]
    if runs or any(os.path.lexists(corpus.local / name) for name in ("scan.json", "stamps.json")):
        raise CatalogGone(_WHERE)


def _unreadable(error: OSError | UnsafeInput) -> CatalogUnreadable:
    cause = files.describe(error) if isinstance(error, OSError) else "it is no regular file, or too large"
    return CatalogUnreadable(_WHERE, cause)


def _header(line: bytes) -> Header:
    if not line.endswith(_OPEN):
        raise refused(line, "its first line is not a catalog header")
    try:
        data = json.loads(_DIGEST.sub(b"", line[: -len(_OPEN)]) + b"}")
        version = data.get("schema_version") if isinstance(data, dict) else None
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise NewerSchema(_WHERE, version, SCHEMA_VERSION)
        return Header.model_validate(data)
    except (ValueError, RecursionError) as error:
        raise CatalogUnreadable(_WHERE, "its header does not validate") from error


@lru_cache(maxsize=1)
def _validator() -> TypeAdapter[list[Item]]:
    from pydantic import ConfigDict, TypeAdapter  # lazy: a query reads only the header

    return TypeAdapter(list[Item], config=ConfigDict(extra="forbid"))


def _parse(data: bytes) -> list[Item]:
    if len(data) <= _FEW:
        with suppress(ValueError, RecursionError):  # pydantic reports the problem
            return _plainly(data)
    from pydantic import ValidationError  # lazy: most commands read few lines

    try:
        return _validator().validate_json(data)
    except ValidationError as error:
        raise CatalogUnreadable(_WHERE, f"item {error.errors()[0]['loc'][:1]} does not validate") from error


def _plainly(data: bytes) -> list[Item]:
    """Parse lines without pydantic. Raises `ValueError` for anything unusual, which pydantic then checks."""
    if _DOUBTFUL.search(data):
        raise ValueError
    read = plainly(Item)
    return [read(item) for item in json.loads(data.decode())]


def parse_line(line: bytes) -> Item:
    """Parse and validate one line. Raises `CatalogUnreadable`."""
    items = _parse(b"[" + line + b"]")
    if len(items) != 1:
        raise CatalogUnreadable(_WHERE, "a line is not an item's")
    return items[0]


def parse_lines(lines: Iterable[bytes]) -> list[Item]:
    """Parse and validate lines. Raises `CatalogUnreadable`."""
    return _parse(b"[" + b",".join(lines) + b"]")


_FACTS = (
    rb',"bytes":(\d+),"sha256":"[^"]*","content_hash":(?:null|"[^"]*"),"title":"[^"\\]*(?:\\.[^"\\]*)*"'
    rb',"language":(?:null|"([^"\\]*)"),'
)


def size_and_language(line: bytes) -> tuple[int, str | None]:
    """Return an item's size in bytes and its language from its line."""
    if facts := re.search(_FACTS, line):
        return int(facts[1]), facts[2].decode() if facts[2] is not None else None
    item = parse_line(line)
    return item.bytes, item.language


_DIGESTS = rb',"sha256":"([^"]*)","content_hash":(?:null|"([^"]*)"),'
_SOURCE = rb',"source":\{"kind":"([^"\\]*)","uri":("(?:[^"\\]|\\.)*")'


class Content(NamedTuple):
    """Digests of an item's bytes and text, and kind and URI of its source."""

    sha256: str
    content_hash: str | None
    kind: str
    uri: str


def content_of(line: bytes) -> Content:
    """Read an item's content fields from its line without parsing the rest."""
    digests, source = re.search(_DIGESTS, line), re.search(_SOURCE, line)
    if digests is None or source is None:
        item = parse_line(line)
        return Content(item.sha256, item.content_hash, item.source.kind, item.source.uri)
    text = digests[2].decode() if digests[2] is not None else None
    return Content(digests[1].decode(), text, source[1].decode(), unquoted(source[2]))


def read(corpus: CorpusFolder) -> Catalog | None:
    """Read the whole catalog; None if there is none. Raises `CatalogUnreadable`, `NewerSchema`.

    Lines are not parsed if this machine's last refresh wrote them and the digest matches."""
    try:
        data = files.read(corpus.catalog, limit=files.LARGE)
    except FileNotFoundError:
        _refuse_gone(corpus)
        return None
    except (OSError, UnsafeInput) as error:
        raise _unreadable(error) from error
    start = data.find(b"\n") + 1 or len(data)
    header = _header(data[:start].removesuffix(b"\n"))
    if (count := file_stats.made(corpus, header.corpus_digest)) is not None and data.endswith(_CLOSE + b"\n", start):
        written, digest, commas = _written(data, start)
        if digest == header.corpus_digest and commas == max(0, count - 1):
            return Catalog(header, Lines(written, count))
    lines = data[start:].split(b"\n")
    while lines and not lines[-1]:
        lines.pop()
    last = lines.pop() if lines else b""
    if last != _CLOSE:
        raise refused(last, "it ends too early")
    entries = [entry(line[:-1] if line[-1:] == b"," else line) for line in lines]
    catalog = Catalog(header, dict(entries))
    _check(catalog, len(entries))
    return catalog


def _written(data: bytes, start: int) -> tuple[Written, str, int]:
    return Written.of(data, start, len(data) - len(_CLOSE) - 1)


def known(corpus: CorpusFolder) -> Catalog | None:
    """Return the catalog from this process's cache if there is one, else read it."""
    if corpus.host is not None and os.path.lexists(corpus.catalog):
        return corpus.host.catalog(corpus)
    return read(corpus)


def catalog_of(corpus: CorpusFolder) -> Catalog:
    """Return the catalog, or an empty one before the first ingest."""
    return known(corpus) or Catalog(
        Header(schema_version=1, corpus_id=corpus.config.corpus_id, corpus_digest=corpus_digest(()))
    )


def _check(catalog: Catalog, count: int) -> None:
    """Refuse the results of a bad merge: a duplicate path or id, a path outside the corpus, unsorted lines."""
    paths = list(catalog.entries)
    if len(paths) != count or len(catalog.paths) != count:
        raise CatalogUnreadable(_WHERE, "an item stands twice")
    if any(path.startswith("/") or "\0" in path or (".." in path and ".." in path.split("/")) for path in paths):
        raise CatalogUnreadable(_WHERE, "a path leaves the corpus")
    if paths != sorted(paths) or corpus_digest(catalog.lines()) != catalog.header.corpus_digest:
        raise CatalogUnreadable(_WHERE, "its digest does not fit its items")


def is_as_written(corpus: CorpusFolder, catalog: Catalog) -> bool:
    """Return true if the file is byte for byte as Biblicus writes it, with or without the header's digest."""
    written = files.read(corpus.catalog, limit=files.LARGE)
    return any(
        written == b"".join(encode(catalog.header, catalog.lines(), digested=digested)) for digested in (True, False)
    )


def is_sound(corpus: CorpusFolder) -> bool:
    """Return true if the digests of header and items match, without parsing items. False if the file is missing."""
    try:
        data = files.read(corpus.catalog, limit=files.LARGE)
        start = data.find(b"\n") + 1 or len(data)
        header = _header(data[:start].removesuffix(b"\n"))
    except (OSError, CatalogUnreadable, UnsafeInput):
        return False
    if data[:start] not in (_head(header), _head(header, False)):
        return False
    if data.endswith(_CLOSE + b"\n", start) and _written(data, start)[1] == header.corpus_digest:
        return True
    lines = data[start:].rstrip(b"\n").split(b"\n")
    return lines.pop() == _CLOSE and corpus_digest(line.removesuffix(b",") for line in lines) == header.corpus_digest


def write(corpus: CorpusFolder, catalog: Catalog) -> None:
    """Write the catalog durably. Entries must be sorted by path and match `header.corpus_digest`."""
    blocks: Iterator[bytes | memoryview] = chain(
        (_head(catalog.header.to_write()),), catalog.of_all.blocks(), (_CLOSE + b"\n",)
    )
    files.write(corpus.catalog, blocks)


def write_header(corpus: CorpusFolder, header: Header) -> None:
    """Replace the header and keep the items' lines. Call under the lock."""

    def blocks() -> Iterator[bytes]:
        yield _head(header.to_write())
        first = True
        for block in files.blocks(corpus.catalog):
            if first:
                _, line_feed, block = block.partition(b"\n")
                first = not line_feed
            yield block

    files.write(corpus.catalog, blocks())


def refuse_newer(corpus: CorpusFolder) -> None:
    """Raise `NewerSchema` if a newer Biblicus wrote the catalog; ignore other problems."""
    try:
        read_header(corpus)
    except (CatalogUnreadable, UnsafeInput):
        return


def named(catalog: Catalog, name: str) -> Item:
    """Return the item of this id, path or unambiguous id prefix. Raises `ItemNotFound`, `AmbiguousItem`."""
    if (item_path := catalog.of_all.path_of(name)) is not None:
        return catalog.items[item_path]
    path = name.removeprefix("./")
    if path in catalog.items:
        return catalog.items[path]
    with suppress(UnicodeEncodeError):  # no file can have this name
        if (typed := from_os(path)) in catalog.items:
            return catalog.items[typed]
    ids = catalog.of_all.beginning(name) if name else {}
    if len(ids) > 1:
        raise AmbiguousItem(name, [*ids])
    if not ids:
        raise ItemNotFound(name)
    return catalog.items[next(iter(ids.values()))]
