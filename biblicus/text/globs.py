"""Globs over relative paths, and names of media types: what filters and doctype rules are made of.

`*` and `?` stay within a folder, a segment `**` stands for any number of folders, `[...]` for one of a set. A glob that
ends in `/` means everything below that folder; in a filter, a plain name means that, too, or a file. Matching is
polynomial in the worst case and never backtracks across folders, so that no committed glob can run away.
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
    """A glob with what goes without saying: `notes/` stands for all below it."""
    glob = glob.removeprefix("./")
    return glob + "**" if glob.endswith("/") else glob


def of_filter(glob: str) -> str:
    """What a filter means by a glob: a folder's plain name stands for all below it. Rules of a corpus do not."""
    full = in_full(glob)
    return full if _WILD & set(full) or not full else full + "/**"


@lru_cache(maxsize=512)
def segments(glob: str) -> tuple[re.Pattern[str] | None, ...]:
    """A glob in full as one pattern a folder; None stands for `**`."""
    return tuple(None if part == "**" else re.compile(fnmatch.translate(part)) for part in glob.split("/"))


def matches_path(path: str, globs: Iterable[str]) -> bool:
    """Whether a path fits any of the globs."""
    return _is_any(path, map(in_full, globs))


def fits_path(path: str, wanted: Iterable[str]) -> bool:
    """Whether a path is one of those that a filter wants."""
    return _is_any(path, map(of_filter, wanted))


def beginning(wanted: Iterable[str]) -> str:
    """How every path begins that is one of those that a filter wants."""
    begun = [_FIRST_WILD.split(in_full(glob))[0].rstrip("/") for glob in wanted] or [""]
    pairs = zip(min(begun), max(begun), strict=False)
    return "".join(letter for letter, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _is_any(path: str, globs: Iterable[str]) -> bool:
    parts = path.split("/")
    return any(_matches(parts, segments(glob)) for glob in globs)


def _matches(parts: list[str], pattern: tuple[re.Pattern[str] | None, ...]) -> bool:
    """Dynamic programming over folders: `reached` holds how many parts can be consumed so far."""
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
    """Whether a media type is one of those wanted: exact, `text/*`, a bare word (`pdf`, `image`) or a suffix of its
    files (`docx`, `.md`)."""
    kind, _, last = media_type.partition("/")
    names = [word.lower() for word in wanted]
    if any(name in (media_type, last, kind) or (name.endswith("/*") and name[:-2] == kind) for name in names):
        return True
    from biblicus.text.media import suffixes_of  # lazy: most questions name no type

    return not {name.removeprefix(".") for name in names}.isdisjoint(suffixes_of(media_type))
