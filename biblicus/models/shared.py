"""Statistics of a cache shared by a team."""

from __future__ import annotations

from dataclasses import dataclass

IN_SETTINGS = "shared_cache"
"""Name of its setting, and of its key in the keyring."""


@dataclass
class Shared:
    """Entries that were fetched, stored, and `refused` because their seal does not match.
    `trouble`: why the cache is no longer used."""

    fetched: int = 0
    put: int = 0
    refused: int = 0
    trouble: str = ""
