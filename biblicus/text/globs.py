"""Globs over relative paths, and names of media types, as used in filters and doctype rules.

`*` and `?` match within a folder, a segment `**` matches any number of folders, `[...]` one character of a set. A glob
that ends in `/` matches everything below that folder; in a filter a plain name also matches a folder or a file.
Matching takes polynomial time at worst.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile

_WILD = frozenset("*?[")
_FIRST_WILD = re.compile(r"[*?\[]")


def in_full(glob: str) -> str:
    """Return a glob with an implicit `**` added: `notes/` becomes `notes/**`."""
    glob = glob.removeprefix("./")
    return glob + "**" if glob.endswith("/") else glob


def of_filter(glob: str) -> str:
    """Return a filter's glob in full: a folder's plain name matches everything below. Corpus rules do not use this."""
    full = in_full(glob)
    return full if _WILD & set(full) or not full else full + "/**"


@lru_cache(maxsize=512)
def segments(glob: str) -> tuple[re.Pattern[str] | None, ...]:
    """Return one pattern for each folder of a full glob; None for `**`."""
    return tuple(None if part == "**" else re.compile(fnmatch.translate(part)) for part in glob.split("/"))


def matches_path(path: str, globs: Iterable[str]) -> bool:
    """Return True if a path matches any of the globs."""
    return _is_any(path, map(in_full, globs))


def fits_path(path: str, wanted: Iterable[str]) -> bool:
    """Return True if a path matches any glob of a filter."""
    return _is_any(path, map(of_filter, wanted))


def beginning(wanted: Iterable[str]) -> str:
    """Return the common prefix of all paths that a filter can match."""
    begun = [_FIRST_WILD.split(in_full(glob))[0].rstrip("/") for glob in wanted] or [""]
    pairs = zip(min(begun), max(begun), strict=False)
    return "".join(letter for letter, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _is_any(path: str, globs: Iterable[str]) -> bool:
    parts = path.split("/")
    return any(_matches(parts, segments(glob)) for glob in globs)


def _matches(parts: list[str], pattern: tuple[re.Pattern[str] | None, ...]) -> bool:
    """Match by dynamic programming: `reached` has the numbers of path parts consumed so far."""
    reached = {0}
    for segment in pattern:
        if segment is None:
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {n + 1 for n in reached if n < len(parts) and segment.match(parts[n])}
        if not reached:
            return False
    return len(parts) in reached


def fits_type(media_type: str, wanted: Iterable[str]) -> bool:
    """Return True if a media type is one of those wanted: exact, `text/*`, a word (`pdf`, `image`) or extension
    (`.md`)."""
    kind, _, last = media_type.partition("/")
    names = [word.lower() for word in wanted]
    if any(name in (media_type, last, kind) or (name.endswith("/*") and name[:-2] == kind) for name in names):
        return True
    from biblicus.text.media import suffixes_of  # lazy: most questions name no type

    return not {name.removeprefix(".") for name in names}.isdisjoint(suffixes_of(media_type))
