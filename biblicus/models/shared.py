"""What came of a cache that a team shares."""

from __future__ import annotations

from dataclasses import dataclass

IN_SETTINGS = "shared_cache"
"""Where a user's settings say what it is; a key in the keyring is called so, too."""


@dataclass
class Shared:
    """Entries that were fetched and put, and `refused` because they are not what was put under their names. `trouble`:
    why the cache is not used any more."""

    fetched: int = 0
    put: int = 0
    refused: int = 0
    trouble: str = ""
