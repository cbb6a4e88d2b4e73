"""Evaluates filters on items and chunks in memory: the definition of each filter, and of globs over relative paths.

The tantivy leg has the filters of `INDEXED` in the engine's queries, too; tests compare them with this module.

`*` and `?` match within a folder, a segment `**` matches any number of folders, `[...]` one character of a set. A glob
that ends in `/` matches everything below that folder; in a filter a plain name also matches a folder or a file.
Matching takes polynomial time at worst.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple, Protocol

from biblicus.models.item import DATES, Item, Source
from biblicus.models.requests.query import FILTERS, INDEXED, Filters

_WILD = frozenset("*?[")
_FIRST_WILD = re.compile(r"[*?\[]")


class Described(Protocol):
    """Fields of an item or chunk that filters in indexes (`INDEXED`) use."""

    @property
    def language(self) -> str | None: ...
    @property
    def media_type(self) -> str: ...
    @property
    def doctype(self) -> str: ...
    @property
    def tags(self) -> Sequence[str]: ...
    @property
    def path(self) -> str: ...


class Description(NamedTuple):
    """The fields of an item that indexed filters use."""

    language: str | None
    media_type: str
    doctype: str
    tags: Sequence[str]
    path: str


class FilteredItem(NamedTuple):
    """The fields of an item that filters use, except `type`, `tag` and `hash`."""

    path: str
    language: str | None
    doctype: str
    layer: str | None
    source: Source
    metadata: Mapping[str, Any]


def fits(item: Item | FilteredItem, filters: Filters) -> bool:
    """Return True if an item matches all filters."""
    return _fits(item, filters, FILTERS)


def fits_indexed(chunk: Described, filters: Filters) -> bool:
    """Return True if a chunk matches the filters that indexes have a field for."""
    return _fits(chunk, filters, INDEXED)


def fits_by_item(item: Item | FilteredItem, filters: Filters) -> bool:
    """Return True if an item matches the filters that no index has a field for (see `Filters.by_item`)."""
    return _fits(item, filters, _BY_ITEM)


def day_of(metadata: Mapping[str, Any]) -> str | None:
    """Return the date in an item's metadata (see `models.item.DATES`), as precise as given, or None."""
    for key in DATES:
        value = metadata.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and (match := _DAY.fullmatch(str(value))):
            return match[1] or match[2]
    return None


def toolkits_of(item: Item) -> tuple[str, ...]:
    """Return the `toolkit` in an item's metadata, or else the repository from which it was synced."""
    value = item.metadata.get("toolkit")
    if value is None and item.source.kind == "git":
        value = item.path.removeprefix("imports/").partition("/")[0]
    return texts_of(value)


def texts_of(value: object) -> tuple[str, ...]:
    """Return the texts of a metadata value, which may be a text or a list."""
    return tuple(text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str))


_DAY = re.compile(r"([0-9]{4}(?:-[0-9]{2})?)|([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[T ].*)?", re.DOTALL)
_ENDS = "/#?@:"
_BY_ITEM = tuple(name for name in FILTERS if name not in INDEXED)


def _fits(item: Any, filters: Filters, names: Iterable[str]) -> bool:
    return all(MEANINGS[name](item, wanted) for name in names if (wanted := getattr(filters, name)))


def _has(item: Item, key: str, wanted: Iterable[str]) -> bool:
    """Return True if a metadata value is, or its list contains, one of these texts."""
    return any(text in wanted for text in texts_of(item.metadata.get(key)))


def _comes_from(item: Item, wanted: str) -> bool:
    uri = item.source.uri
    after = uri[len(wanted) : len(wanted) + 1]
    return bool(wanted) and (
        item.source.kind == wanted
        or item.path.startswith(f"imports/{wanted}/")
        or (uri.startswith(wanted) and (not after or after in _ENDS or wanted[-1] in _ENDS))
    )


def _since(item: Item, first: str) -> bool:
    """Return True if the item's date is not before `first`; a date without a day counts as its first day."""
    day = day_of(item.metadata)
    return day is not None and day[: len(first)] >= first


def _until(item: Item, last: str) -> bool:
    """Return True if the item's date is not after `last`; a month includes all its days."""
    day = day_of(item.metadata)
    return day is not None and day[: len(last)] <= last


MEANINGS: Mapping[str, Callable[[Any, Any], bool]] = {
    "tag": lambda item, wanted: set(wanted) <= set(item.tags),
    "type": lambda item, wanted: fits_type(item.media_type, wanted),
    "doctype": lambda item, wanted: item.doctype in wanted,
    "language": lambda item, wanted: item.language in wanted,
    "path": lambda item, wanted: fits_path(item.path, wanted),
    "where": lambda item, wanted: all(_has(item, key, (text,)) for key, text in wanted.items()),
    "toolkit": lambda item, wanted: _has(item, "toolkit", wanted),
    "category": lambda item, wanted: _has(item, "category", wanted),
    "source": lambda item, wanted: any(_comes_from(item, source) for source in wanted),
    "layer": lambda item, wanted: item.layer in wanted,
    "since": _since,
    "until": _until,
    "hash": lambda item, wanted: item.content_hash in wanted or f"sha256:{item.sha256}" in wanted,
}
"""Functions by filter name: do the item's fields match the filter's value?"""


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
