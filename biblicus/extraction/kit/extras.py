"""Optional parser packages: which are installed, and the result for a file whose parser is missing."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from biblicus.models.extraction import NoExtraction

PARSERS = ("olefile", "python-calamine", "msoffcrypto-tool", "tinytag", "py7zr", "rars", "pyzipper")
"""Packages that default extractors use if they are installed."""


def installed(package: str) -> str:
    """Return the version of a package, or `none` if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version  # lazy: it reads mails, archives and tables

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def parsers_here() -> list[str]:
    """Return the names of the `.dist-info` folders of installed `PARSERS`, to detect a changed installation. The
    current directory is not searched."""
    beginnings = tuple(f"{name.replace('-', '_')}_" for name in PARSERS)
    names: set[str] = set()
    here = {""}
    with suppress(OSError):  # the current directory was deleted
        here.add(os.getcwd())
    for folder in {entry for entry in sys.path if isinstance(entry, str)} - here:
        with suppress(OSError):
            names.update(name for name in os.listdir(folder) if name.endswith((".dist-info", ".egg-info")))
    return sorted(name for name in names if name.lower().replace("-", "_").startswith(beginnings))


def missing(extra: str) -> NoExtraction:
    """Return the result of an extractor whose package is not installed."""
    return NoExtraction("unsupported", f'it takes an extra: pip install "biblicus-corpus[{extra}]"')
