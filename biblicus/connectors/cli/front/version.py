"""Version, commit and extras of the installed distribution, for `biblicus --version`."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata, version
from importlib.resources import files

_DISTRIBUTION = "biblicus-corpus"
_NAME = re.compile(r"[\w.-]+")


def text() -> str:
    """Return two lines, such as `biblicus 0.1.0 (3f2a9c01)` and `extras: meaning, serve`.

    A release knows its commit; an installation from a checkout does not, and leaves it out.
    """
    commit = files("biblicus") / "commit.txt"
    commit_suffix = f" ({commit.read_text('utf-8')[:8]})" if commit.is_file() else ""
    return f"biblicus {version(_DISTRIBUTION)}{commit_suffix}\nextras: {', '.join(extras()) or 'none'}"


def extras() -> list[str]:
    """Return the extras whose requirements are all installed, in the order of the distribution."""
    about = metadata(_DISTRIBUTION)
    lines = about.get_all("Requires-Dist") or []
    needed = {
        extra: [_NAME.match(line) for line in lines if re.search(rf"extra == ['\"]{extra}['\"]", line)]
        for extra in about.get_all("Provides-Extra") or []
    }
    return [extra for extra, names in needed.items() if all(name and _is_installed(name[0]) for name in names)]


def _is_installed(name: str) -> bool:
    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False
