"""Folders that a program made and makes again: packages, environments, caches, builds.

They are left out by proof, never by name alone: a folder `build`, `dist`, `vendor` or `target` is one like others.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

VERSION = 1
"""Of the rule: raised when another folder would be left out. It stands in the catalog."""
REASON = "machine-made"
"""How the reason begins for which such a folder is left out."""
_ENVIRONMENT = "pyvenv.cfg"
_TAG = "CACHEDIR.TAG"
_SIGNATURE = b"Signature: 8a477f597d28d172789f06886806bc55"
_INSTALLED = frozenset({".bin", ".package-lock.json", ".modules.yaml", ".yarn-integrity", ".yarn-state.yml"})
_LOOKED = 50
"""Folders in `node_modules` that are looked at for a package."""
_BUILDERS = frozenset({"Cargo.toml", "pom.xml"})


def proof_within(base: str, entries: Sequence[os.DirEntry[str]]) -> str | None:
    """Why a folder is machine-made, by what lies in it. `base`: its path with a trailing slash."""
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
    """Why a folder is machine-made, by what lies beside it."""
    if base.rstrip("/").rpartition("/")[2] != "target":
        return None
    builder = next((entry.name for entry in entries if entry.name in _BUILDERS), None)
    return f"{REASON}: built from {builder}" if builder else None


def _is_signed(entry: os.DirEntry[str]) -> bool:
    """Return true if a tag is one of https://bford.info/cachedir/."""
    try:
        if not entry.is_file(follow_symlinks=False):
            return False
        with open(entry.path, "rb") as stream:
            return stream.read(len(_SIGNATURE)) == _SIGNATURE
    except OSError:
        return False


def _is_package(entry: os.DirEntry[str]) -> bool:
    """Whether an entry of `node_modules` is a package, a scope of packages, or what an installer leaves there."""
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
