"""The lines of a catalog, one item each, sorted by path.

A single line is found by binary search, and unchanged lines are copied as bytes; neither parses the other lines.
Iterating over all parses them once."""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import ItemsView, Iterable, Iterator, Mapping, ValuesView
from functools import cached_property
from itertools import islice, takewhile
from typing import TYPE_CHECKING, NamedTuple

from biblicus.errors import CatalogUnreadable

if TYPE_CHECKING:
    from hashlib import _Hash

WHERE = ".biblicus/catalog.json"
BETWEEN = b",\n"
BLOCK = 256
"""Number of lines handled at once."""
_BYTES = 1 << 15
"""Bytes of unparsed lines handled at once."""
_FEW, _SHARE = 256, 32
"""Number, or share, of binary searches after which all lines are parsed; one search costs as much as parsing twenty."""
_SEARCHES = 16
"""Number of searches by id before a table of all ids is built; a search scans all bytes but parses nothing."""


class Entry(NamedTuple):
    """An item's line, with id and media type read without parsing the rest."""

    item_id: str
    media_type: str
    line: bytes


_HEAD = re.compile(rb'\{"item_id":"([\w.-]{1,64})","path":("(?:[^"\\]|\\.)*"),"media_type":"([^"\\]*)",')


def unquoted(text: bytes) -> str:
    """Decode a JSON string, most of which have no escapes."""
    return str(json.loads(text)) if b"\\" in text else text[1:-1].decode()


_MERGED = (b"<<<<<<< ", b"=======", b">>>>>>> ")


def refused(line: bytes, cause: str) -> CatalogUnreadable:
    """Return the error for an invalid line; conflict markers of git are recognised."""
    if line.startswith(_MERGED):
        return CatalogUnreadable(WHERE, "a merge left both sides in it", "biblicus reindex, then git add .biblicus")
    return CatalogUnreadable(WHERE, cause)


def entry(line: bytes) -> tuple[str, Entry]:
    """Return the path and entry of a line. Raises `CatalogUnreadable`."""
    head = _HEAD.match(line)
    if head is None:
        raise refused(line, "a line is not an item's")
    item_id, quoted, media_type = head.groups()
    try:
        path = unquoted(quoted)
        return path, Entry(item_id.decode(), media_type.decode(), line)
    except ValueError as error:
        raise CatalogUnreadable(WHERE, "a path is not text") from error


def corpus_digest(lines: Iterable[bytes]) -> str:
    """Return the digest over the items' lines in order of path."""
    digest = hashlib.sha256()
    rest = iter(lines)
    while block := list(islice(rest, BLOCK)):
        digest.update(b"\n".join(block) + b"\n")
    return digest.hexdigest()


class Written(NamedTuple):
    """Catalog lines `data[start:end]`: each ends with a line feed, all but the last have a comma before it.

    `digests`: hash state of all lines before some offsets, by offset."""

    data: bytes
    start: int
    end: int
    digests: dict[int, _Hash]

    @classmethod
    def of(cls, data: bytes, start: int, end: int) -> tuple[Written, str, int]:
        """Create it, and return it with the digest of all lines and the number of commas."""
        digest = hashlib.sha256()
        written = cls(data, start, end, {start: digest.copy()})
        commas = 0
        for lines, until in written.lines(start, end):
            digest.update(lines)
            commas += until - start - len(lines)
            written.digests[until] = digest.copy()
            start = until
        return written, digest.hexdigest(), commas

    def lines(self, start: int, end: int) -> Iterator[tuple[bytes, int]]:
        """Yield blocks of lines without commas between two offsets, each with its end offset."""
        while start < end:
            until = self.data.find(b"\n", min(start + _BYTES, end - 1), end) + 1 or end
            lines = self.data[start:until].split(b"\n")  # splitting by a single byte is fastest
            yield b"\n".join([line.removesuffix(b",") for line in lines]), until
            start = until

    def path_at(self, place: int) -> str:
        """Return the path of the line that begins at an offset."""
        if (head := _HEAD.match(self.data, place)) is None:
            raise refused(self.line_at(place), "a line is not an item's")
        return unquoted(head[2])

    def after(self, place: int) -> int:
        """Return the offset of the next line."""
        return self.data.find(b"\n", place, self.end) + 1 or self.end

    def line_at(self, place: int) -> bytes:
        return self.data[place : self.after(place) - 1].removesuffix(b",")

    def place_of(self, path: str) -> int:
        """Return the offset of a path's line, or of the first line after its position."""
        low, high = self.start, self.end
        while low < high:
            middle = self.data.rfind(b"\n", low, (low + high) // 2) + 1 or low
            if self.path_at(middle) < path:
                low = self.after(middle)
            else:
                high = middle
        return low

    def entry_of(self, path: str) -> Entry | None:
        place = self.place_of(path)
        if place < self.end and self.path_at(place) == path:
            return entry(self.line_at(place))[1]
        return None

    def holding(self, text: bytes) -> Iterator[tuple[str, Entry]]:
        """Yield every line that contains a text."""
        place = self.start
        while (place := self.data.find(text, place, self.end)) >= 0:
            begins = max(self.data.rfind(b"\n", self.start, place) + 1, self.start)
            yield entry(self.line_at(begins))
            place = self.after(place)

    def all(self) -> dict[str, Entry]:
        lines = self.data[self.start : self.end].split(b"\n")[:-1]
        return dict(entry(line[:-1] if line[-1:] == b"," else line) for line in lines)


_NOTHING = Written(b"", 0, 0, {0: hashlib.sha256()})


class Lines(Mapping[str, Entry]):
    """Entries by path: the lines `written`, changed by `changes`, in which None removes an entry."""

    def __init__(
        self,
        written: Written = _NOTHING,
        count: int = 0,
        changes: Mapping[str, Entry | None] | None = None,
        before: Lines | None = None,
    ) -> None:
        self._written, self._count, self._changes = written, count, dict(changes or {})
        self._before = before
        self._found: dict[str, Entry | None] = {}
        self._searches = self._halvings = 0

    @classmethod
    def of(cls, entries: Mapping[str, Entry]) -> Lines:
        """Return the entries as `Lines`."""
        return entries if isinstance(entries, Lines) else cls(changes=entries, count=len(entries))

    def changed(self, changes: Mapping[str, Entry | None]) -> Lines:
        """Return the entries after applying changes."""
        count = self._count
        for path, now in changes.items():
            count += (now is not None) - (path in self)
        return Lines(self._written, count, {**self._changes, **changes}, self)

    # --- one ---

    def __getitem__(self, path: str) -> Entry:
        if (item_entry := self._get(path)) is None:
            raise KeyError(path)
        return item_entry

    def _is_parsed(self) -> bool:
        """Count a search; return true if all lines are parsed or should be."""
        self._halvings += 1
        return "_all" in self.__dict__ or self._halvings > max(_FEW, self._count // _SHARE)

    def _get(self, path: str) -> Entry | None:
        if path in self._found:
            return self._found[path]
        if self._is_parsed():
            return self._all.get(path)
        item_entry = self._changes[path] if path in self._changes else self._written.entry_of(path)
        self._found[path] = item_entry
        return item_entry

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._get(path) is not None

    def path_of(self, item_id: str) -> str | None:
        """Return the path of an item id."""
        if "/" in item_id:  # a file path, never an id
            return None
        self._searches += 1
        if "_all" in self.__dict__ or "paths" in self.__dict__ or self._searches > _SEARCHES:
            return self.paths.get(item_id)
        return self.beginning(item_id, '",').get(item_id)

    def beginning(self, item_id: str, then: str = "") -> dict[str, str]:
        """Return the ids with this prefix, and their paths."""
        entries = self.holding(f'{{"item_id":"{item_id}{then}'.encode("utf-8", "surrogatepass"))
        return {entry.item_id: path for path, entry in entries if entry.item_id.startswith(item_id)}

    def holding(self, text: bytes) -> Iterator[tuple[str, Entry]]:
        """Yield the entries whose JSON lines contain a text."""
        for path, item_entry in self._written.holding(text):
            if path not in self._changes:
                yield path, item_entry
        for path, new in self._changes.items():
            if new is not None and text in new.line:
                yield path, new

    def below(self, prefix: str) -> list[str]:
        """Return the paths with this prefix."""
        if self._is_parsed():
            first = until = bisect_left(self._sorted, prefix)
            while until < len(self._sorted) and self._sorted[until].startswith(prefix):
                until += 1
            return self._sorted[first:until]
        paths: list[str] = []
        place = self._written.place_of(prefix)
        while place < self._written.end and (path := self._written.path_at(place)).startswith(prefix):
            paths += [path] if path not in self._changes else []
            place = self._written.after(place)
        return sorted(paths + [p for p, new in self._changes.items() if new is not None and p.startswith(prefix)])

    # --- all ---

    def after(self, path: str = "", below: str = "") -> Iterator[tuple[str, Entry]]:
        """Yield the entries after a path, limited to a path prefix; they are parsed on demand and not kept."""
        since = max(path + "\0", below) if path else below  # no path has a NUL
        return takewhile(lambda known: known[0].startswith(below), self._since(since))

    def _since(self, path: str) -> Iterator[tuple[str, Entry]]:
        if "_all" in self.__dict__:
            yield from islice(self._all.items(), bisect_left(self._sorted, path), None)
            return
        for piece in self._pieces(path):
            if isinstance(piece, bytes):
                yield entry(piece)
                continue
            for lines, _ in self._written.lines(*piece):
                yield from map(entry, lines.split(b"\n")[:-1])

    @cached_property
    def _all(self) -> dict[str, Entry]:
        before, self._before = self._before, None
        is_parsed = before is not None and "_all" in before.__dict__
        base = before._all if before is not None and is_parsed else self._written.all()
        if not self._changes:
            return base
        merged: dict[str, Entry | None] = {**base, **self._changes}
        order = merged if merged.keys() == base.keys() else sorted(merged)
        return {path: item_entry for path in order if (item_entry := merged[path]) is not None}

    @cached_property
    def _sorted(self) -> list[str]:
        return list(self._all)

    @cached_property
    def paths(self) -> dict[str, str]:
        """Return the path of each item id."""
        return {entry.item_id: path for path, entry in self._all.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return self._count

    def values(self) -> ValuesView[Entry]:
        return self._all.values()

    def items(self) -> ItemsView[str, Entry]:
        return self._all.items()

    # --- as they are written ---

    def digest(self) -> str:
        """Return the digest over all lines. Lines before the first change are not hashed again."""
        digest: _Hash | None = None
        for piece in self._pieces():
            if isinstance(piece, bytes):
                digest = digest or hashlib.sha256()
                digest.update(piece + b"\n")
                continue
            start, end = piece
            if digest is None and start == self._written.start:
                start = max(place for place in self._written.digests if place <= end)
                digest = self._written.digests[start].copy()
            digest = digest or hashlib.sha256()
            for lines, _ in self._written.lines(start, end):
                digest.update(lines)
        return (digest or hashlib.sha256()).hexdigest()

    def blocks(self) -> Iterator[bytes | memoryview]:
        """Yield all lines as written to the file; unchanged parts are not copied."""
        between, data, some = b"", memoryview(self._written.data), []
        for piece in self._pieces():
            if isinstance(piece, bytes):
                some.append(piece)
                if len(some) < BLOCK:
                    continue
            if some:
                yield between + BETWEEN.join(some)
                between, some = BETWEEN, []
            if not isinstance(piece, bytes):
                start, end = piece
                yield between
                yield data[start : end - (2 if data[end - 2] == ord(",") else 1)]
                between = BETWEEN
        if some:
            yield between + BETWEEN.join(some)
        if between or some:
            yield b"\n"

    def _pieces(self, since: str = "") -> Iterator[tuple[int, int] | bytes]:
        """Yield, in order, new lines and the offset ranges of unchanged lines. `since`: start at this path."""
        written = self._written
        at = written.place_of(since) if since else written.start
        for path in sorted(path for path in self._changes if path >= since):
            place, now = written.place_of(path), self._changes[path]
            if place > at:
                yield at, place
            at = written.after(place) if place < written.end and written.path_at(place) == path else place
            if now is not None:
                yield now.line
        if at < written.end:
            yield at, written.end
