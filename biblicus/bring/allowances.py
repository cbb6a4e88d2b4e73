"""Permissions of a corpus's sources, in the user's state folder: never in a committed file.

An entry of `sources.yml` is identified by its digest. An entry listed here was written or trusted by this user; `local`
is the absolute path that it may read, `private` allows hosts of a private network."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from biblicus.config import user_folder
from biblicus.disk import files
from biblicus.errors import UnsafeInput
from biblicus.guards.json import JsonRefused, read


@dataclass(frozen=True)
class Allowance:
    """Permissions of one entry."""

    local: str | None = None
    private: bool = False


def _file(corpus_id: str) -> Path:
    return user_folder("state") / "sources" / f"{corpus_id}.json"


def allowances(corpus_id: str) -> dict[str, Allowance]:
    """Return the permissions by digest of an entry. An unreadable file grants none."""
    try:
        data = read(files.read(_file(corpus_id), limit=files.SMALL), max_bytes=files.SMALL)
        return {str(digest): Allowance(**fields) for digest, fields in data["entries"].items()}
    except (OSError, UnsafeInput, JsonRefused, TypeError, KeyError, AttributeError):
        return {}


def allow(corpus_id: str, digest: str, *, local: str | None = None, private: bool = False) -> Allowance:
    """Record that this user trusts an entry, and its permissions. Requires the corpus's lock."""
    entries = allowances(corpus_id)
    before = entries.get(digest, Allowance())
    entries[digest] = replace(before, local=local or before.local, private=private or before.private)
    _write(corpus_id, entries)
    return entries[digest]


def keep(corpus_id: str, digests: Iterable[str]) -> None:
    """Remove all other entries. Requires the corpus's lock."""
    kept_digests = set(digests)
    entries = allowances(corpus_id)
    if entries.keys() - kept_digests:
        _write(corpus_id, {digest: allowance for digest, allowance in entries.items() if digest in kept_digests})


def _write(corpus_id: str, known: dict[str, Allowance]) -> None:
    path = _file(corpus_id)
    files.make_folder(path.parent, 0o700)
    document = {"entries": {digest: asdict(allowance) for digest, allowance in sorted(known.items())}}
    files.write(path, json.dumps(document, indent=1).encode() + b"\n", mode=0o600)
