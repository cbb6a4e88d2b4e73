"""Folders that a program creates and can recreate: packages, environments, caches, builds.

They are skipped only with proof, never by name alone: a folder `build`, `dist`, `vendor` or `target` may be any
folder."""

from __future__ import annotations

import os
from collections.abc import Sequence

VERSION = 1
"""Version of the rule, saved in the catalog; raise it whenever other folders are skipped."""
REASON = "machine-made"
"""Start of the reason for skipping such a folder."""
_ENVIRONMENT = "pyvenv.cfg"
_TAG = "CACHEDIR.TAG"
_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"
_INSTALLED = frozenset({".bin", ".package-lock.json", ".modules.yaml", ".yarn-integrity", ".yarn-state.yml"})
_LOOKED = 50
"""Number of folders in `node_modules` checked for a package."""
_BUILDERS = frozenset({"Cargo.toml", "pom.xml"})


def proof_within(base: str, entries: Sequence[os.DirEntry[str]]) -> str | None:
    """Return the proof that a folder is machine-made, from its content. `base`: its path with a trailing slash."""
    name = base.rstrip("/").rpartition("/")[2]
    for entry in entries:
        if entry.name == _ENVIRONMENT:
            return f"{REASON}: a Python environment"
        if entry.name == _TAG and _is_signed(entry):
            return f"{REASON}: a cache"
    if name == "__pycache__" and any(entry.name.endswith(".pyc") for entry in entries):
        return f"{REASON}: compiled Python"
    if name == "node_modules" and any(map(_is_package, entries[:_LOOKED])):
        return f"{REASON}: packages of Node.js"
    return None


def proof_beside(base: str, entries: Sequence[os.DirEntry[str]]) -> str | None:
    """Return the proof that a folder is machine-made, from its neighbours."""
    if base.rstrip("/").rpartition("/")[2] != "target":
        return None
    builder = next((entry.name for entry in entries if entry.name in _BUILDERS), None)
    return f"{REASON}: built from {builder}" if builder else None


def _is_signed(entry: os.DirEntry[str]) -> bool:
    """Check for a cache tag as in https://bford.info/cachedir/."""
    try:
        if not entry.is_file(follow_symlinks=False):
            return False
        with open(entry.path, "rb") as stream:
            return stream.read(len(_SIGNATURE)) == _SIGNATURE
    except OSError:
        return False


def _is_package(entry: os.DirEntry[str]) -> bool:
    """Check if an entry of `node_modules` is a package, a scope of packages, or a file of an installer."""
    if entry.name in _INSTALLED:
        return True
    if not entry.is_dir(follow_symlinks=False):
        return False
    if os.path.lexists(os.path.join(entry.path, "package.json")):
        return True
    try:
        scoped = os.listdir(entry.path) if entry.name.startswith("@") else []
    except OSError:
        return False
    return any(os.path.lexists(os.path.join(entry.path, name, "package.json")) for name in scoped[:_LOOKED])
