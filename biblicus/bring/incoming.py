"""Files from outside the corpus, and standard input: read as bytes, with names, sources and titles."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from biblicus.corpus.extracted.extractions import Extractions, Raw
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.report import Report
from biblicus.disk import files
from biblicus.errors import UnsafeInput, UsageError
from biblicus.models.extraction import Extraction
from biblicus.models.requests.bring import IngestRequest
from biblicus.sources.folder import SIDECAR, walk
from biblicus.sources.ignoring import own_rules
from biblicus.text import media
from biblicus.text.paths import from_os

_BATCH_FILES = 64
_BATCH_BYTES = 32 << 20
STDIN = "standard input"  # as in reports
_AN_ID = re.compile(rb"(?:^|[\n{,])[ \t]*[\"']?id[\"']?[ \t]*[:=]")
_BEGINNING = 65_536
"""Bytes searched for front matter, and for an id declared there."""
_TITLE_LENGTH = 80
_TITLE_SOUGHT = 4_000
"""Characters of a text searched for a title line."""
_MARKS = re.compile(r"^\s*(?:[#>*+-]+\s+)+|[\"{}\[\]]")
"""Markup removed from a title line: of headings, lists, quotations and JSON."""


@dataclass(frozen=True)
class Incoming:
    """An external file: its bytes, its name below the target folder, its source URI and kind.

    `title`: the title shown in its text, if it has no other name."""

    data: bytes
    name: str
    uri: str
    kind: str
    shown: str
    sidecar: str | None = None
    title: str | None = None

    @property
    def is_known_by_bytes(self) -> bool:
        """Check if it has neither source nor title, so that only its bytes identify it."""
        return self.uri == known_by_bytes(self.data)

    @cached_property
    def raw(self) -> Raw:
        """Return the description of the document for its extraction."""
        sha256 = hashlib.sha256(self.data).hexdigest()
        return Raw(self.name, sha256, media.media_type(self.name, self.data[:8192]), len(self.data))


def read(source: Path | None, request: IngestRequest, extractions: Extractions, notes: Report) -> Iterator[Incoming]:
    """Yield the files of one source. Records unreadable files in `notes`."""
    corpus = extractions.corpus
    if source is None:
        yield _read_stdin(request, extractions)
    elif source.is_file():
        yield from _read_file(source, source.name, corpus, notes)
    else:
        scan = walk(source, own_rules(source), max_bytes=corpus.settings.max_file_bytes)
        notes.skipped += [{"path": str(source / n.path), "reason": n.reason} for n in scan.skipped]
        notes.failed += [{"path": str(source / n.path), "reason": n.reason} for n in scan.failed]
        for path in scan.files:
            there = CorpusFolder(source).absolute(path)
            yield from _read_file(there, f"{source.name}/{path}", corpus, notes)


def _read_stdin(request: IngestRequest, extractions: Extractions) -> Incoming:
    """Read standard input; name it as requested, by its title, or by its bytes."""
    data = request.data
    if not data.strip():
        raise UsageError("Standard input is empty.", "biblicus ingest - < FILE")
    if len(data) > (limit := extractions.corpus.settings.max_file_bytes):
        raise UnsafeInput(f"Standard input is larger than {limit:,} bytes (max_file_bytes).")
    uri = stdin_uri(request)
    if request.stdin_name:
        return Incoming(data, request.stdin_name, uri, "stdin", STDIN)
    suffix = media.usable_extension(media.of_bytes(data))
    named = Incoming(data, f"{slug(request.title or '') or by_bytes(data)}{suffix}", uri, "stdin", STDIN)
    outcome = extractions.of_bytes(named.raw, data) if not request.title else None
    if not isinstance(outcome, Extraction) or (found_title := title_of(outcome)) is None:
        return named
    says_itself = outcome.title or "title" in outcome.metadata
    return replace(
        named, name=f"{slug(found_title) or by_bytes(data)}{suffix}", title=None if says_itself else found_title
    )


def batches(incoming: Iterator[Incoming]) -> Iterator[list[Incoming]]:
    """Yield batches of files, so that those that need a worker are parsed in parallel."""
    batch: list[Incoming] = []
    for file in incoming:
        batch.append(file)
        if len(batch) == _BATCH_FILES or sum(len(batch_file.data) for batch_file in batch) > _BATCH_BYTES:
            yield batch
            batch = []
    if batch:
        yield batch


def _read_file(path: Path, name: str, corpus: CorpusFolder, notes: Report) -> Iterator[Incoming]:
    digest = hashlib.sha256(os.fsencode(os.path.abspath(path))).hexdigest()[:12]
    try:
        if path.stat().st_size > corpus.settings.max_file_bytes:
            notes.skipped.append({"path": str(path), "reason": "larger than max_file_bytes"})
            return
        data = files.read(path)
        sidecar_path = path.with_name(path.name + SIDECAR)
        sidecar = (
            files.read(sidecar_path, limit=files.SMALL).decode("utf-8", "replace") if sidecar_path.is_file() else None
        )
    except (OSError, UnsafeInput) as error:
        reason = files.describe(error) if isinstance(error, OSError) else str(error)
        notes.failed.append({"path": str(path), "reason": reason})
        return
    name = from_os(name)
    yield Incoming(data, name, f"file:{quote(name)}#{digest}", "file", str(path), sidecar)


def may_declare_an_id(data: bytes, sidecar: str | None) -> bool:
    """Check if a file or its sidecar may declare an item id. May be True without one."""
    return any(map(_AN_ID.search, (data[:_BEGINNING], (sidecar or "").encode())))


def title_of(extraction: Extraction) -> str | None:
    """Return the title shown in a text: its own, its first heading, or its first line with a word."""
    if title := extraction.metadata.get("title") or extraction.title:
        return str(title)
    if heading := next((heading.title for heading in extraction.headings if heading.title), None):
        return heading
    start = extraction.masked[0].end if extraction.masked and extraction.masked[0].start == 0 else 0
    lines = extraction.text[start : start + _TITLE_SOUGHT].splitlines()
    line = next((line for line in lines if re.search(r"[^\W_]{2}", line)), "")
    words = " ".join(_MARKS.sub("", line).strip(" \t,;=").split())
    if len(words) > _TITLE_LENGTH:
        head = words[:_TITLE_LENGTH]
        words = f"{head[: head.rfind(' ')] if ' ' in head else head}…"
    return words or None


def stdin_uri(request: IngestRequest) -> str:
    """Return the identity of standard input: its source, its title, or its bytes."""
    if request.stdin_source:
        return request.stdin_source
    words = slug(request.title or "")
    return f"stdin:{words}" if words else known_by_bytes(request.data)


def known_by_bytes(data: bytes) -> str:
    """Return the source URI of a document of unknown origin, identified by its bytes."""
    return f"stdin:{by_bytes(data)}"


def by_bytes(data: bytes) -> str:
    """Return a name for unnamed content."""
    return f"stdin-{hashlib.sha256(data).hexdigest()[:12]}"


def is_reserved(name: str) -> bool:
    """Check if a file of this name would be more than a document: a sidecar or another file of Biblicus."""
    last = name.rpartition("/")[2].casefold()
    return last.endswith(SIDECAR) or last.startswith(".biblicus") or last in (".gitignore", ".ignore")


def slug(title: str) -> str:
    """Return a file name from a title: its words joined by hyphens, short enough for suffixes."""
    words = "-".join(re.findall(r"\w+", title.lower()))[:80]
    return words.encode()[:200].decode(errors="ignore")


def key_of(uri: str) -> str:
    """Return the identity of a source; for files, independent of the relative name."""
    return uri.rpartition("#")[2] if uri.startswith("file:") else uri


def folder_of(into: str | None) -> str:
    """Return the corpus folder for imports. Raises `UsageError` for a path outside the corpus."""
    if into is None:
        return "imports"
    parts = [part for part in into.replace("\\", "/").split("/") if part not in ("", ".")]
    if into.startswith("/") or any(part == ".." or part.startswith(".") for part in parts):
        raise UsageError(f"--into takes a folder of the corpus, not {into}.", "biblicus ingest FILE --into notes")
    return "/".join(parts)


def stated_fields(request: IngestRequest, tags: Sequence[str]) -> dict[str, object]:
    """Return title, tags (added to existing ones) and metadata from the command line as sidecar fields."""
    fields: dict[str, object] = {}
    if request.title:
        fields["title"] = request.title
    if request.tags:
        fields["tags"] = list(dict.fromkeys((*tags, *request.tags)))
    metadata = dict(request.metadata)
    if language := metadata.pop("language", None):  # a separate field there
        fields["language"] = language
    if metadata:
        fields["metadata"] = metadata
    return fields
