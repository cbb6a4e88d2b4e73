"""What a document from outside is called: by what is said of it, by what its text shows, else by its bytes; and what
else is said of it."""

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
"""Bytes of a file in which its front matter stands, and how that declares an id."""

_TITLE_LENGTH = 80
_TITLE_SOUGHT = 4_000
"""Characters of a text in which a line is looked for that names it."""
_MARKS = re.compile(r"^\s*(?:[#>*+-]+\s+)+|[\"{}\[\]]")
"""What of a line is a sign of its format: of headings, lists and quotations, of JSON."""


def may_declare_an_id(data: bytes, sidecar: str | None) -> bool:
    """Whether a file, or what stands beside it, may declare the id of its item: more files may than do."""
    return any(map(_AN_ID.search, (data[:_BEGINNING], (sidecar or "").encode())))


def title_of(extraction: Extraction) -> str | None:
    """What a text shows as its title: what it says itself, its first heading, else its first line with a word."""
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
    """What makes standard input the same document again: its source, else its title, else its bytes."""
    if request.stdin_source:
        return request.stdin_source
    words = slug(request.title or "")
    return f"stdin:{words}" if words else known_by_bytes(request.data)


def known_by_bytes(data: bytes) -> str:
    """The source URI of a document of which nobody said where it comes from: equal bytes alone are the same again."""
    return f"stdin:{by_bytes(data)}"


def by_bytes(data: bytes) -> str:
    """The name of what came without one."""
    return f"stdin-{hashlib.sha256(data).hexdigest()[:12]}"


def is_reserved(name: str) -> bool:
    """Whether a file of this name would be more than a document here: a sidecar, or a file of ours."""
    last = name.rpartition("/")[2].casefold()
    return last.endswith(SIDECAR) or last.startswith(".biblicus") or last in (".gitignore", ".ignore")


def slug(title: str) -> str:
    """A file name from a title: its words, joined by hyphens, with room for suffixes and what a sidecar adds."""
    words = "-".join(re.findall(r"\w+", title.lower()))[:80]
    return words.encode()[:200].decode(errors="ignore")


def key_of(uri: str) -> str:
    """What makes a source the same again: where a file lay, whatever it was named relative to."""
    return uri.rpartition("#")[2] if uri.startswith("file:") else uri


def folder_of(into: str | None) -> str:
    """The folder of the corpus that imports go to. Raises `UsageError` where it would leave the corpus."""
    if into is None:
        return "imports"
    parts = [part for part in into.replace("\\", "/").split("/") if part not in ("", ".")]
    if into.startswith("/") or any(part == ".." or part.startswith(".") for part in parts):
        raise UsageError(f"--into takes a folder of the corpus, not {into}.", "biblicus ingest FILE --into notes")
    return "/".join(parts)


def stated_fields(request: IngestRequest, tags: Sequence[str]) -> dict[str, object]:
    """The title, tags (added to those it has) and metadata given on the command line, as a sidecar says them."""
    fields: dict[str, object] = {}
    if request.title:
        fields["title"] = request.title
    if request.tags:
        fields["tags"] = list(dict.fromkeys((*tags, *request.tags)))
    metadata = dict(request.metadata)
    if language := metadata.pop("language", None):  # a field of its own there
        fields["language"] = language
    if metadata:
        fields["metadata"] = metadata
    return fields
