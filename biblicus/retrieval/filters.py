"""Filters on chunks, and path globs as regular expressions for tantivy."""

from __future__ import annotations

from functools import lru_cache

from biblicus.contracts import RankedChunk
from biblicus.models.question import Allow
from biblicus.text.fitting import fits_indexed, of_filter


def allowed(allow: Allow | None, chunk: RankedChunk) -> bool:
    """Return True if a chunk may be ranked."""
    if allow is None:
        return True
    return (allow.item_rows is None or chunk.item in allow.item_rows) and fits_indexed(chunk, allow.filters)


_ANY = r"[\s\S]*"
_SPECIAL = frozenset("\\.+*?()|[]{}^$-")


@lru_cache(maxsize=256)
def path_pattern(glob: str) -> str | None:
    """Return a filter's glob (see `text.fitting`) as a regular expression for tantivy. None for globs with sets
    (`[a-z]`), whose syntax differs."""
    if "[" in glob:
        return None
    # `**/**` is equivalent to `**`, with fewer automaton states.
    parts = of_filter(glob).split("/")
    segments = [part for part, before in zip(parts, ["", *parts], strict=False) if part != "**" or before != "**"]
    pattern = ""
    for number, segment in enumerate(segments):
        is_last = number == len(segments) - 1
        if segment != "**":
            pattern += "".join(map(_piece, segment)) + ("" if is_last else "/")
        elif not is_last:
            pattern += f"({_ANY}/)?"
        elif pattern.endswith("/"):
            pattern = f"{pattern[:-1]}(/{_ANY})?"
        else:
            pattern += _ANY
    return pattern


def _piece(char: str) -> str:
    if char in "*?":
        return "[^/]*" if char == "*" else "[^/]"
    return f"\\{char}" if char in _SPECIAL else char
