"""Parsers that come with an extra: which are installed, and what a file says that needs one that is not."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from biblicus.models.extraction import NoExtraction

PARSERS = ("olefile", "python-calamine", "msoffcrypto-tool", "tinytag", "py7zr", "rars", "pyzipper")
"""What default extractors use where it is there."""


def installed(package: str) -> str:
    """The version of a package; `none` where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"


def missing(extra: str) -> NoExtraction:
    """What an extractor gives whose package is not installed."""
    return NoExtraction("unsupported", f'it takes an extra: pip install "biblicus-corpus[{extra}]"')
