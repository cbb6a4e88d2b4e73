"""Digests that detect changed rows in a database.

Each row used for evidence has a digest over all its values, computed before it is copied in. On reading, the digest is
computed again: a damaged or edited row is refused. Digests have no key. They detect damage and stray edits; the
database's owner could write matching digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import NoReturn

from biblicus.errors import RunDamaged

_BYTES = 8
_encoded = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def seal_of(values: Sequence[object] | Mapping[str, object]) -> int:
    """Return the digest of a row as a signed 64-bit integer (`bigint`).
    Values: texts, numbers, None, and lists and mappings of these."""
    return int.from_bytes(
        hashlib.blake2b(_encoded(values).encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest(), signed=True
    )


def refuse(run_id: str, store: str, table: str) -> NoReturn:
    """Raise `RunDamaged` for a row that was altered."""
    raise RunDamaged(run_id, f"the store {store} has a row of its {table} that is not as it was copied in")
