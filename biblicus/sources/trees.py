"""Selection and names of documents in an external file tree, with the reason for skipped files.

Names are untrusted: those that could leave the folder, are hidden, control Biblicus (sidecars, ignore files) or clash
with another name are skipped with a reason."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence

from biblicus.sources.folder import NEVER, SIDECAR
from biblicus.sources.ignoring import IGNORE_FILE, SYSTEM
from biblicus.text import media
from biblicus.text.globs import matches_path
from biblicus.text.paths import from_os

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
_LONGEST = 1_000


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
    if len(path.encode("utf-8", "replace")) > _LONGEST or any(len(os.fsencode(p)) > _LONGEST_PART for p in parts):
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
