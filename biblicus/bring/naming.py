"""Names for imported documents: from given metadata, from their text, or from their bytes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from biblicus.errors import UsageError
from biblicus.models.extraction import Extraction
from biblicus.models.requests.bring import IngestRequest
from biblicus.sources.folder import SIDECAR

_AN_ID = re.compile(rb"(?:^|[\n{,])[ \t]*[\"']?id[\"']?[ \t]*[:=]")
_BEGINNING = 65_536
"""Bytes searched for front matter, and for an id declared there."""

_TITLE_LENGTH = 80
_TITLE_SOUGHT = 4_000
"""Characters of a text searched for a title line."""
_MARKS = re.compile(r"^\s*(?:[#>*+-]+\s+)+|[\"{}\[\]]")
"""Markup removed from a title line: of headings, lists, quotations and JSON."""


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
