"""Reads which files git's settings of this machine hide: `.git/info/exclude` and `core.excludesFile`.

The files are read as data; git is not started. `[include]` is followed, `[includeIf]` is not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from biblicus.disk import files
from biblicus.errors import UnsafeInput

_SECTION = re.compile(r"\s*\[\s*([\w.-]+)\s*\](.*)")
_ENTRY = re.compile(r"\s*([A-Za-z][\w-]*)\s*=(.*)")
_PART = re.compile(r'"((?:[^"\\]|\\.)*)"|((?:[^"#;\\]|\\.)+)|[#;].*')
_DEPTH = 10
"""How deep one file of settings includes another, as in git."""


def local_excludes(tree: Path) -> list[str]:
    """The patterns that hide files of a work tree on this machine alone, the strongest last."""
    folder = _git_folder(tree)
    lines = [*_lines(_excludes_file(tree, folder)), *_lines(folder / "info" / "exclude")]
    return [line for line in lines if line.strip() and line[0] != "#"]


def _lines(path: str | Path) -> list[str]:
    """The lines of a file; none where it cannot be read."""
    with suppress(OSError, UnsafeInput):
        return files.read(path, limit=files.SMALL).decode("utf-8", "surrogateescape").splitlines()
    return []


def _git_folder(tree: Path) -> Path:
    """The folder that all work trees of a repository share."""
    folder = tree / ".git"
    if (named := next(iter(_lines(folder) if folder.is_file() else ()), "")).startswith("gitdir: "):
        folder = tree / named.removeprefix("gitdir: ")
    shared = next(iter(_lines(folder / "commondir")), "")
    return folder / shared if shared else folder


def _excludes_file(tree: Path, folder: Path) -> str | Path:
    """The file that `core.excludesFile` names; git's usual one where nothing does."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    usual = [os.path.join(home, "git", "config"), os.path.expanduser("~/.gitconfig")]
    own = os.environ.get("GIT_CONFIG_GLOBAL")
    system = () if os.environ.get("GIT_CONFIG_NOSYSTEM") else (os.environ.get("GIT_CONFIG_SYSTEM", "/etc/gitconfig"),)
    named = None
    for settings in (*system, *(usual if own is None else [own]), folder / "config"):
        for key, value in _entries(settings):
            if key == "core.excludesfile":
                named = value
    return tree / os.path.expanduser(named) if named is not None else os.path.join(home, "git", "ignore")


def _entries(path: str | Path, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Each key with its value, in order."""
    section = ""
    for line in _lines(path):
        if heading := _SECTION.match(line):
            section, line = heading[1].lower(), heading[2]
        elif line.lstrip().startswith("["):  # of one branch, remote or condition
            section = ""
        if (entry := _ENTRY.match(line)) is None:
            continue
        key, value = f"{section}.{entry[1].lower()}", _value(entry[2])
        if key == "include.path" and depth < _DEPTH:
            yield from _entries(os.path.join(os.path.dirname(path), os.path.expanduser(value)), depth + 1)
        yield key, value


def _value(text: str) -> str:
    """A value without quotation marks, escapes and comments."""
    parts = (found[1] if found[1] is not None else found[2] or "" for found in _PART.finditer(text.strip()))
    return re.sub(r"\\(.)", r"\1", "".join(parts)).strip()
