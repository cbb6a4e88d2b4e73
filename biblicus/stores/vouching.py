"""Digests by which a database vouches for the rows that it keeps for us.

Each row that evidence is made of carries a digest over all its values, made before it is copied in. Who reads the row
makes the digest again: a row that was damaged or edited is refused when it is served. Digests have no key. They find
damage and stray edits; whoever owns the database could also write digests that fit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import NoReturn

from biblicus.errors import RunDamaged

_BYTES = 8
_encoded = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def seal_of(values: Sequence[object] | Mapping[str, object]) -> int:
    """Return the digest of a row: 64 bits with a sign, as a `bigint` holds them. Values: texts, numbers, None, lists
    and mappings of these."""
    return int.from_bytes(
        hashlib.blake2b(_encoded(values).encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest(), signed=True
    )


def refuse(run_id: str, store: str, table: str) -> NoReturn:
    """Raise `RunDamaged` for a row that is not as it was copied in."""
    raise RunDamaged(run_id, f"the store {store} has a row of its {table} that is not as it was copied in")
