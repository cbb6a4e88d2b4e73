"""What this user allowed of a corpus's sources, in the user's own state: never in a committed file.

An entry of `sources.yml` is known by its digest. That it stands here means that this user wrote it or trusted it;
`local` is the absolute path that it may read, `private` whether hosts of a private network may be asked.
"""

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
    """What one entry may do."""

    local: str | None = None
    private: bool = False


def _file(corpus_id: str) -> Path:
    return user_folder("state") / "sources" / f"{corpus_id}.json"


def allowances(corpus_id: str) -> dict[str, Allowance]:
    """What is allowed, by the digest of an entry. A file that cannot be read allows nothing."""
    try:
        data = read(files.read(_file(corpus_id), limit=files.SMALL), max_bytes=files.SMALL)
        return {str(digest): Allowance(**fields) for digest, fields in data["entries"].items()}
    except (OSError, UnsafeInput, JsonRefused, TypeError, KeyError, AttributeError):
        return {}


def allow(corpus_id: str, digest: str, *, local: str | None = None, private: bool = False) -> Allowance:
    """Remember that this user vouches for an entry, and what more it may do. Under the corpus's lock."""
    known = allowances(corpus_id)
    before = known.get(digest, Allowance())
    known[digest] = replace(before, local=local or before.local, private=private or before.private)
    _write(corpus_id, known)
    return known[digest]


def keep(corpus_id: str, digests: Iterable[str]) -> None:
    """Forget all other entries. Under the corpus's lock."""
    wanted = set(digests)
    known = allowances(corpus_id)
    if known.keys() - wanted:
        _write(corpus_id, {digest: allowance for digest, allowance in known.items() if digest in wanted})


def _write(corpus_id: str, known: dict[str, Allowance]) -> None:
    path = _file(corpus_id)
    files.make_folder(path.parent, 0o700)
    document = {"entries": {digest: asdict(allowance) for digest, allowance in sorted(known.items())}}
    files.write(path, json.dumps(document, indent=1).encode() + b"\n", mode=0o600)
