"""What an embedder needs of the machine that it runs on, handed to it by operations."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Device = Literal["auto", "cpu", "cuda"]


def file_digest(path: Path) -> str:
    """The sha256 of a file, in hex; half a second for 100 MB."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class Places:
    """`device`: where a model computes. `digest`: a file's sha256, which operations remember while it is unchanged."""

    device: Device = "auto"
    digest: Callable[[Path], str] = file_digest
