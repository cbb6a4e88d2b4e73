"""The user's own folders on this machine, which a corpus cannot change."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from biblicus.errors import UsageError
from biblicus.guards.processes import folder_in_home


def user_folder(kind: str) -> Path:
    """Return Biblicus's folder of this user by the XDG base directory specification: `cache`, `config`, `state` or
    `data`.

    `BIBLICUS_CACHE_HOME`, `BIBLICUS_CONFIG_HOME`, `BIBLICUS_STATE_HOME` and `BIBLICUS_DATA_HOME` override it. Raises
    `UsageError` if there is no home folder."""
    own, base = (os.environ.get(f"{prefix}_{kind.upper()}_HOME") for prefix in ("BIBLICUS", "XDG"))
    return _user_folder(kind, own, base, os.path.expanduser("~"))


@lru_cache(maxsize=16)
def _user_folder(kind: str, own: str | None, base: str | None, home: str) -> Path:
    """Cached, because every query needs it several times."""
    if own:
        return Path(own)
    if not base and not os.path.isabs(home):  # `~`: no home folder is known
        problem = f"This user has no home folder: HOME is not set. BIBLICUS_{kind.upper()}_HOME does, too."
        raise UsageError(problem, "export HOME=/a/folder/of/yours")
    return (Path(base) if base else Path(home) / folder_in_home(kind)) / "biblicus"


def settings_file() -> Path:
    """Return the path of the user's settings (`config.Settings`)."""
    return _settings_file(user_folder("config"))


@lru_cache(maxsize=16)
def _settings_file(folder: Path) -> Path:
    return folder / "config.yml"


def without_folders(text: str) -> str:
    """Remove folders from paths in a sentence for remote users: `/home/ada/notes/a.md` becomes `a.md`; URLs stay."""
    return re.sub(r"(?<![\w:/.*])/(?:[^\s/:;,\"'()]+/)+(?=[^\s/:;,\"'()])", "", text)
