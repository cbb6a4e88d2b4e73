"""The user's own folders: what a corpus, which may come from a stranger, has no say in."""

from __future__ import annotations

import os
from pathlib import Path


def user_folder(kind: str) -> Path:
    """Biblicus's folder of the user: `config` or `state`, by the XDG base directory specification.

    `BIBLICUS_CONFIG_HOME` and `BIBLICUS_STATE_HOME` override it.
    """
    own = os.environ.get(f"BIBLICUS_{kind.upper()}_HOME")
    if own:
        return Path(own)
    base = os.environ.get(f"XDG_{kind.upper()}_HOME")
    fallback = {"config": ".config", "state": ".local/state"}[kind]
    return (Path(base) if base else Path.home() / fallback) / "biblicus"
