"""Parsers that come with an extra: which are installed, and what a file says that needs one that is not."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from biblicus.models.extraction import NoExtraction

PARSERS = ("olefile", "python-calamine", "msoffcrypto-tool", "tinytag", "py7zr", "rars", "pyzipper")
"""What default extractors use where it is there."""


def installed(package: str) -> str:
    """The version of a package; `none` where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # lazy: it reads mails, archives and tables

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def parsers_here() -> list[str]:
    """What tells whether another of `PARSERS`, or another version, is installed: the names of the folders that describe
    them. The folder that a command is called in is no place for packages."""
    beginnings = tuple(f"{name.replace('-', '_')}_" for name in PARSERS)
    names: set[str] = set()
    here = {""}
    with suppress(OSError):  # a folder that is gone
        here.add(os.getcwd())
    for folder in {entry for entry in sys.path if isinstance(entry, str)} - here:
        with suppress(OSError):
            names.update(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    return sorted(name for name in names if name.lower().replace("-", "_").startswith(beginnings))


def missing(extra: str) -> NoExtraction:
    """What an extractor gives whose package is not installed."""
    return NoExtraction("unsupported", f'it takes an extra: pip install "biblicus-corpus[{extra}]"')
