"""Names of documents from outside: paths for copies of web pages, and names of an external file tree that are safe.

A page's path is derived from its address, with an extension for the type. Names are untrusted: those that could leave
the folder, are hidden, control Biblicus (sidecars, ignore files) or clash with another name are skipped with a
reason."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote

from biblicus.guards.network.urls import Url
from biblicus.models.sources.syncing import Row
from biblicus.sources.folder import NEVER, SIDECAR
from biblicus.sources.ignoring import IGNORE_FILE, SYSTEM
from biblicus.text import media
from biblicus.text.decoding import is_binary
from biblicus.text.fitting import matches_path
from biblicus.text.paths import from_os

_SERVED = {
    "text/x-markdown": ".md",
    "text/calendar": ".ics",
    "text/xml": ".xml",
    "application/javascript": ".js",
    "application/rss+xml": ".rss",
    "application/atom+xml": ".atom",
    "application/x-bibtex": ".bib",
}
"""Extensions for types named by servers; those of other types are in `text.media`."""
_PROGRAMS = frozenset((".php", ".asp", ".aspx", ".jsp", ".cgi", ".do", ".html", ".htm", ".xhtml", ".shtml"))
"""Extensions of addresses that serve pages, whatever program made them."""
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}\Z")
_OPENING = re.compile(
    rb"(?:\xef\xbb\xbf)?\s{0,256}(?:<!--[^>]{0,500}>\s{0,64}){0,3}<(?:!doctype\s+html|html|head|body|title)\b",
    re.IGNORECASE,
)
_UNFIT = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+')
_LONGEST = 100
"""Maximum bytes of a name."""
POINTER = b"version https://git-lfs.github.com/spec/v1"
POINTER_BYTES = 1024
"""Maximum bytes of an LFS pointer."""
_VENDORED_NAMES = (
    "node_modules bower_components jspm_packages vendor third_party third-party thirdparty dist __pycache__ "
    "site-packages venv virtualenv pods carthage"
)
_VENDORED = frozenset(_VENDORED_NAMES.split())
_MINIFIED = re.compile(r"[.-](?:min|bundle)\.(?:js|mjs|css|html)$|\.(?:js|mjs|css|ts)\.map$")
_LOCK_NAMES = (
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock poetry.lock uv.lock pdm.lock "
    "pipfile.lock cargo.lock composer.lock gemfile.lock go.sum flake.lock"
)
_LOCKS = frozenset(_LOCK_NAMES.split())
_BINARY = media.suffixes_without_text()
"""Extensions of files without text, which need not be read."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_PART = "[A-Za-z0-9_][A-Za-z0-9_ +-]{0,60}"
_ORDINARY = re.compile(rf"(?:{_PART}/){{0,8}}{_PART}\.[A-Za-z0-9]{{1,8}}")
"""Ordinary names, which are safe unless they belong to a system."""
_LONGEST_PART = 200
_LONGEST_PATH = 1_000


def media_type_of(content_type: str) -> str:
    """Return the media type of a `Content-Type`, in lower case."""
    return content_type.partition(";")[0].strip().lower()


def charset_of(content_type: str) -> str | None:
    """Return the charset of a `Content-Type`, as written."""
    match = re.search(r";\s*charset\s*=\s*[\"']?([\w.:-]{1,40})", content_type, re.IGNORECASE)
    return match[1] if match else None


def is_html(data: bytes, content_type: str) -> bool:
    """Check if a body is HTML. Its start counts more than its declared type."""
    if b"%PDF-" in data[:1024] or is_binary(data[:4096]):
        return False
    return media.choose(media_type_of(content_type)) == "html" or _OPENING.match(data) is not None


def path_of(url: Url, data: bytes, content_type: str) -> str:
    """Return a relative path for a body: the path of the address, a short form of the query, and an extension."""
    *folders, last = [part(segment) for segment in url.path.split("/")[1:]]
    name = last or "index"
    match = _SUFFIX.search(name)
    extension = match[0].lower() if match else ""
    suffix = _suffix(extension, data, content_type)
    stem = (
        name[: -len(extension)]
        if extension and (extension in _PROGRAMS or _is_binary(extension) or extension == suffix)
        else name
    )
    if url.query:
        stem += "-" + part(url.query)[:40].strip("-") + "-" + hashlib.sha256(url.query.encode()).hexdigest()[:8]
    return "/".join([folder for folder in folders if folder] + [_short(stem or "index") + suffix])


class Paths:
    """Paths of one source's copies: stable for each document, and distinct even without case and Unicode form."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._known = {row.origin: row.path for row in rows}
        self._taken = {_alike(path): origin for origin, path in self._known.items()}

    def of(self, origin: str, wanted: str) -> str:
        """Return the path for a document: its current one if the extension still fits, or the wanted one, or a
        variant."""
        current_path = self._known.get(origin)
        if current_path is not None and PurePosixPath(current_path).suffix == PurePosixPath(wanted).suffix:
            return current_path
        if self._taken.setdefault(_alike(wanted), origin) == origin:
            return wanted
        path = PurePosixPath(wanted)
        mark = hashlib.sha256(origin.encode("utf-8", "replace")).hexdigest()[:8]
        variant = str(path.with_name(f"{path.stem}-{mark}{path.suffix}"))
        self._taken[_alike(variant)] = origin
        return variant


def _alike(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def slug(text: str) -> str:
    """Return words as a name."""
    return _short("-".join(re.findall(r"\w+", text.lower())))[:80]


def _suffix(own: str, data: bytes, content_type: str) -> str:
    kind = media_type_of(content_type)
    if b"%PDF-" in data[:1024]:
        return ".pdf"
    if is_html(data, content_type):
        return ".html"
    if is_binary(data[:4096]):
        if own and own not in _PROGRAMS and own != ".pdf":
            return own
        return ".bin" if media.is_textual(kind) else media.usable_extension(kind)
    if own and own not in _PROGRAMS and not _is_binary(own):
        return own
    return _SERVED.get(kind) or (media.usable_extension(kind) if media.is_textual(kind) else ".txt")


def _is_binary(suffix: str) -> bool:
    """Check if a text file of this name would be taken for binary."""
    named = media.of_name(f"a{suffix}")
    return named is not None and not media.is_textual(named)


def part(segment: str) -> str:
    """Return a segment of an address as a portable name; empty for an empty one."""
    name = _UNFIT.sub("-", unquote(segment, errors="replace")).strip().lstrip(".")
    return _short(name.rstrip(". ")) or ("_" if segment else "")


def _short(name: str) -> str:
    raw = name.encode()
    if len(raw) <= _LONGEST:
        return name
    return raw[: _LONGEST - 9].decode("utf-8", "ignore") + "-" + hashlib.sha256(raw).hexdigest()[:8]


def name_of(raw: bytes) -> str:
    """Decode a name to its stored form."""
    return from_os(os.fsdecode(raw))


def unsafe(path: str) -> str | None:
    """Return the reason why a document cannot have this name; None if it can."""
    parts = path.split("/")
    if _ORDINARY.fullmatch(path) and NEVER.isdisjoint(parts) and parts[-1] not in SYSTEM:
        return None
    if any(part in ("", ".", "..") for part in parts) or "\\" in path:
        return "its name could leave the folder"
    if _CONTROL.search(path):
        return "its name holds control or invisible characters"
    if len(path.encode("utf-8", "replace")) > _LONGEST_PATH or any(len(os.fsencode(p)) > _LONGEST_PART for p in parts):
        return "its name is too long"
    if any(part[0] == "." or part.startswith("~$") for part in parts):
        return "hidden"
    if any(part in NEVER or part in SYSTEM for part in parts) or parts[-1] == IGNORE_FILE:
        return "a system's file"
    return "a sidecar of Biblicus" if any(part.lower().endswith(SIDECAR) for part in parts) else None


def unwanted(path: str, include: Sequence[str], exclude: Sequence[str]) -> str | None:
    """Return the reason to skip a file by the entry's globs or its kind; empty if a glob excluded it.

    An `include` glob that names a vendored folder includes it."""
    if (include and not matches_path(path, include)) or (exclude and matches_path(path, exclude)):
        return ""
    folders = path.lower().split("/")
    name = folders.pop()
    parts = {part.lower() for glob in include for part in glob.split("/")}
    if any(folder in _VENDORED and folder not in parts for folder in folders):
        return "vendored or generated"
    if (_MINIFIED.search(name) or name in _LOCKS) and name not in parts:
        return "minified or generated"
    if name.rpartition(".")[2] in _BINARY and "." in name:
        return "no text in files of this kind"
    return None


class Names:
    """Names already used, to find those that some file systems cannot store side by side."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: set[str] = set()

    def clash(self, path: str) -> str | None:
        """Return the reason why a name clashes with earlier ones; None if it does not, and then record it."""
        key = path.lower() if path.isascii() else unicodedata.normalize("NFC", path).casefold()
        if (first := self._files.get(key)) is not None:
            return f"its name differs from {first} only in case or Unicode form" if first != path else "it stands twice"
        parts = key.split("/")
        above = ["/".join(parts[:end]) for end in range(1, len(parts))]
        if key in self._folders or any(folder in self._files for folder in above):
            return "its name is that of a folder and of a file"
        self._files[key] = path
        self._folders.update(above)
        return None
