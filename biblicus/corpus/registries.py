"""Sources on disk: `.biblicus/sources.yml`, and for each source a registry of its synced documents.

`.biblicus/sources/<name>.json` is one JSON document like the catalog: a header line, then one document a line, sorted
by path. Each line has a checksum, so lines can be merged and damage is detected. It is committed and contains nothing
about the machine. Items under `imports/<name>/` get their source, id and metadata from it, so no sidecars are
needed."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from biblicus import guards
from biblicus.config import explain, read_mapping
from biblicus.corpus.changes.synced import IMPORTS, registry_file
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import ConfigInvalid, NewerSchema, UnsafeInput
from biblicus.models.sources.entries import Entry, SourceDoctype, SourceList
from biblicus.models.sources.syncing import NAME, Provenance, Row
from biblicus.text.fitting import matches_path
from biblicus.text.paths import to_os

SCHEMA_VERSION = 1
_LIST = f"{FOLDER}/sources.yml"
_OPEN = b', "documents": ['
_CHECKSUM = re.compile(rb',"crc":"([0-9a-f]{8})"')
_CLOSE = b"]}"
_CHECKSUM_LENGTH = len(',"crc":"00000000"')
_DEFAULTS = {f.name: f.default for f in fields(Row) if f.name != "metadata"}


class RegistryHeader(BaseModel):
    """The first line of a registry.

    `entry`: digest of the synced entry of `sources.yml`, whose metadata are copied here, so that items stay described
    if the list changes. `state`: data of the source's kind. `failed`: reasons of the documents that failed, by id."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    schema_version: int = Field(default=SCHEMA_VERSION, ge=1)
    name: str = Field(pattern=NAME)
    kind: str
    entry: str
    toolkit: str | None = None
    category: str | None = None
    tags: tuple[str, ...] = ()
    doctypes: tuple[SourceDoctype, ...] = ()
    state: dict[str, str] = Field(default_factory=dict)
    failed: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True)
class Registry:
    """The synced documents of one source. `rows`: by path below `imports/<name>/`, sorted. `lines`: as read."""

    header: RegistryHeader
    rows: Mapping[str, Row] = field(default_factory=dict)
    lines: Mapping[str, bytes] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def metadata(self) -> dict[str, str]:
        """Return the metadata that every item of the source gets."""
        values = {"toolkit": self.header.toolkit, "category": self.header.category}
        values["licence"] = self.header.state.get("licence")
        return {key: value for key, value in values.items() if value}

    def provenance(self, row: Row) -> Provenance:
        """Return the provenance for the item of a row."""
        doctype = next((rule.doctype for rule in self.header.doctypes if matches_path(row.origin, (rule.path,))), None)
        metadata: dict[str, str | list[str]] = {**row.metadata, **self.metadata}
        if row.readers is not None:
            metadata["readers"] = list(row.readers)
        return Provenance(self.header.kind, row, metadata, (*self.header.tags, *row.tags), doctype)

    def mark(self, path: str) -> str:
        """Return a hash that changes with a path's row or the header; empty if there is no row."""
        line = self.lines.get(path)
        return hashlib.blake2b(line, key=self._key, digest_size=8).hexdigest() if line is not None else ""

    @cached_property
    def _key(self) -> bytes:
        """Return a key derived from the header's metadata."""
        shared = repr((self.header.kind, self.metadata, self.header.tags, self.header.doctypes))
        return hashlib.blake2b(shared.encode("utf-8", "surrogatepass"), digest_size=32).digest()


# --- the list --------------------------------------------------------------------------------------------------------


def list_file(corpus: CorpusFolder) -> Path:
    return corpus.home / "sources.yml"


def read_list(corpus: CorpusFolder) -> SourceList:
    """Read `sources.yml`; empty if it is missing. Raises `ConfigInvalid`."""
    try:
        text = files.read(list_file(corpus), limit=files.SMALL).decode()
    except FileNotFoundError:
        return SourceList()
    except (OSError, UnicodeDecodeError, UnsafeInput) as error:
        raise ConfigInvalid(_LIST, "cannot be read.") from error
    return _parsed(text)


def _parsed(text: str) -> SourceList:
    try:
        return SourceList.model_validate(read_mapping(text, _LIST))
    except ValidationError as error:
        raise ConfigInvalid(_LIST, explain(error, SourceList)) from error


def add_entry(corpus: CorpusFolder, entry: Entry) -> None:
    """Add an entry at the end of the list; other lines and comments stay. Call under the lock."""

    current = read_list(corpus)
    updated = SourceList(sources=(*current.sources, entry))
    text = _text(corpus)
    block = guards.yaml.write({"sources": [_said(entry)]})
    items = block.partition("\n")[2]
    appended = f"{text.rstrip()}\n{items}" if current.sources else f"{text.rstrip()}\n{block}".lstrip()
    _write(corpus, appended, updated)


def remove_entry(corpus: CorpusFolder, name: str) -> None:
    """Remove an entry from the list; other lines stay. Call under the lock."""
    current = read_list(corpus)
    updated = SourceList(sources=tuple(entry for entry in current.sources if entry.name != name))
    lines = _text(corpus).splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines) if line.lstrip().startswith("- ")]
    index = next(at for at, entry in enumerate(current.sources) if entry.name == name)
    if len(starts) == len(current.sources) > 1:
        end = starts[index + 1] if index + 1 < len(starts) else len(lines)
        lines = lines[: starts[index]] + lines[end:]
    _write(corpus, "".join(lines), updated)


def _text(corpus: CorpusFolder) -> str:
    try:
        return files.read(list_file(corpus), limit=files.SMALL).decode()
    except FileNotFoundError:
        return ""


def _write(corpus: CorpusFolder, text: str, wanted: SourceList) -> None:
    """Write the text if it parses to the wanted list, else a newly generated one."""

    try:
        fits = _parsed(text) == wanted
    except ConfigInvalid:
        fits = False
    if not fits:
        text = guards.yaml.write({"sources": [_said(entry) for entry in wanted.sources]})
    files.write(list_file(corpus), text.encode())


def _said(entry: Entry) -> dict[str, Any]:
    """Return an entry as a person would write it, without defaults."""
    values = entry.model_dump(mode="json", exclude_defaults=True)
    first: dict[str, Any] = {key: values.pop(key) for key in ("name", "kind", "url", "path") if key in values}
    return {**first, **values}


# --- registries ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _validator() -> TypeAdapter[list[Row]]:
    return TypeAdapter(list[Row], config=ConfigDict(extra="forbid"))


def read_registry(corpus: CorpusFolder, name: str) -> Registry | None:
    """Read a source's registry; None if there is none. Raises `ConfigInvalid`, `NewerSchema`."""
    try:
        data = files.read(registry_file(corpus, name), limit=files.LARGE)
    except FileNotFoundError:
        return None
    except (OSError, UnsafeInput) as error:
        raise _invalid(name, "it cannot be read") from error
    return registry_of(data, name)


def _invalid(name: str, cause: str) -> ConfigInvalid:
    return ConfigInvalid(f"{FOLDER}/sources/{name}.json", f"{cause}.", f"biblicus sources sync {name}")


def registry_of(data: bytes, name: str) -> Registry:
    first, _, rest = data.partition(b"\n")
    body = rest.rstrip(b"\r\n")
    if not first.endswith(_OPEN) or not body.endswith(_CLOSE):
        raise _invalid(name, "it is no registry, or ends too early")
    try:
        head = json.loads(_checked(first[: -len(_OPEN)], name) + b"}")
        version = head.get("schema_version") if isinstance(head, dict) else None
        if isinstance(version, int) and version > SCHEMA_VERSION:
            raise NewerSchema(f"{FOLDER}/sources/{name}.json", version, SCHEMA_VERSION)
        header = RegistryHeader.model_validate(head)
        inner = body[: -len(_CLOSE)].rstrip(b"\n")
        lines = [_row_of(line, name) for line in inner.split(b",\n")] if inner else []
        rows = _validator().validate_json(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError) as error:  # includes ValidationError
        raise _invalid(name, "it does not validate") from error
    paths = [row.path for row in rows]
    apart = paths == sorted(set(paths)) and len({row.origin for row in rows}) == len(rows) == len(lines)
    if header.name != name or not apart:
        raise _invalid(name, "it is not written as Biblicus writes it")
    if any((any(part in ("", ".", "..") for part in path.split("/")) or "\0" in path) for path in paths):
        raise _invalid(name, "a path leaves its folder")
    return Registry(header, dict(zip(paths, rows, strict=True)), dict(zip(paths, lines, strict=True)))


def _checked(line: bytes, name: str) -> bytes:
    """Verify and remove a line's checksum, which older files lack; the line comes without its closing bracket."""
    match = _CHECKSUM.match(line, len(line) - _CHECKSUM_LENGTH) if len(line) >= _CHECKSUM_LENGTH else None
    if match is None:
        return line
    if b"%08x" % zlib.crc32(line[: match.start()]) != match[1]:
        raise _invalid(name, "a checksum does not fit its line")
    return line[: match.start()]


def _row_of(line: bytes, name: str) -> bytes:
    """Return a document's line without its checksum."""
    if not line.endswith(b"}"):
        raise _invalid(name, "a line is not a document's")
    return _checked(line[:-1], name) + b"}"


def write_registry(corpus: CorpusFolder, registry: Registry, before: Registry | None = None) -> None:
    """Write a registry durably if it changed. Call under the lock.

    `before`: the registry as read; lines of unchanged row objects are reused."""
    rows = sorted(registry.rows.values(), key=lambda row: row.path)
    data = b"".join(_encoded(registry.header, rows, before or registry))
    path = registry_file(corpus, registry.header.name)
    if path.is_file() and not path.is_symlink() and files.read(path, limit=files.LARGE) == data:
        return
    corpus.refuse_links()
    files.make_folder(path.parent)
    files.write(path, data)


def _encoded(header: RegistryHeader, rows: Iterable[Row], before: Registry) -> Iterator[bytes]:
    head = json.dumps(header.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False).encode()
    yield _with_checksum(f'{{"schema_version": {header.schema_version}, '.encode() + head[1:-1]) + _OPEN + b"\n"
    between = b""
    for row in rows:
        yield between
        line = before.lines.get(row.path) if before.rows.get(row.path) is row else None
        yield _with_checksum((line or _line(row))[:-1]) + b"}"
        between = b",\n"
    yield (b"\n" if between else b"") + _CLOSE + b"\n"


def _with_checksum(line: bytes) -> bytes:
    return line + b',"crc":"%08x"' % zlib.crc32(line)


def _line(row: Row) -> bytes:
    values = {f: value for f, default in _DEFAULTS.items() if (value := getattr(row, f)) != default}
    if row.metadata:
        values["metadata"] = dict(row.metadata)
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()


def delete_registry(corpus: CorpusFolder, name: str, then: str = "") -> None:
    """Delete a source's registry. Call under the lock. `then`: as in `files.remove`."""
    files.remove(registry_file(corpus, name), then)


def copy_of(corpus: CorpusFolder, name: str, path: str) -> Path:
    """Return the path of a document's copy. Raises `UnsafeInput` if a link on the way could lead out."""
    return corpus.inside(f"{IMPORTS}/{name}/{path}")


def is_there(corpus: CorpusFolder, name: str, path: str) -> bool:
    """Return true if a document's copy exists as a regular file."""
    return os.path.isfile(f"{corpus.root}/{IMPORTS}/{name}/{to_os(path)}")
