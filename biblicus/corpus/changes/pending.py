"""Detect changes in a corpus's folder since the last refresh, by stats and, if needed, by digests.

It finds what a refresh would report: new, changed and removed items. Ignored files do not count. A changed ignore file
counts by the files it excludes or includes, a sidecar or transcript by its item. A touched or copied file with the same
bytes is unchanged; a renamed one is changed."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from functools import cached_property

from biblicus.corpus import catalog as catalogs
from biblicus.corpus.changes import file_stats
from biblicus.corpus.changes.file_stats import FileFacts
from biblicus.corpus.changes.folder_scan import Compared, GivenUp, IsOver, Numbers, looked_at, walked
from biblicus.corpus.changes.known_folder import KnownFolder, is_ignore_file
from biblicus.corpus.extracted.transcripts import paired
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry
from biblicus.disk import files
from biblicus.disk.files import Stamp
from biblicus.errors import BiblicusError, UnsafeInput
from biblicus.models.frozen import dataclass
from biblicus.models.item import NO_DIFFERENCES, Differences
from biblicus.sources.folder import SIDECAR
from biblicus.text.paths import file_of, to_os

_HASHED = 32
"""Number of hashed files between two calls of `IsOver`."""


class Look:
    """Repeated checks of one folder. Remembers files with unchanged bytes despite changed stamps.

    `folders`: folders visited by the last check, relative to the root."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus = corpus
        self.folders: Collection[str] = ()
        self._alike: dict[str, Numbers] = {}
        self._begun: tuple[KnownFolder, Compared] | None = None

    @property
    def reached(self) -> tuple[int, int]:
        """Return the progress of an unfinished check: folders, and files of the next one."""
        return (0, 0) if self._begun is None else (self._begun[1].folders, self._begun[1].names)

    def differences(self, known: KnownFolder, is_over: IsOver, goes_on: bool = False) -> Differences | None:
        """Return the differences from the last refresh.

        None if the check was given up, or a walk would be refused, which the next reindex reports. `goes_on`: nothing
        happened since the last call, so continue an unfinished check."""
        if not goes_on or self._begun is None or self._begun[0] is not known:
            self._begun = known, Compared()
        try:
            present = self._compared(known, self._begun[1], is_over)
        except (GivenUp, UnsafeInput):
            return None
        self._begun = None
        return present

    def _compared(self, known: KnownFolder, compared: Compared, is_over: IsOver) -> Differences:
        corpus, started_ns = self._corpus, time.time_ns()
        present = looked_at(corpus, known, lambda: (), (), started_ns, compared=compared, is_over=is_over)
        if present is None:
            present = walked(corpus, started_ns)
        self.folders = [to_os(folder) for folder in present.folder.folders]
        if present.folder is known:
            return NO_DIFFERENCES
        before, now = _stamps_of(known), _stamps_of(present.folder)
        return _Judgement(corpus, known, before, now, self._alike, is_over).differences()


def _stamps_of(known: KnownFolder) -> dict[str, Numbers]:
    """Return the stamps of items, sidecars and transcripts."""
    return {
        path: numbers for path, numbers in known.stamped() if not is_ignore_file(path) and path not in known.too_large
    }


@dataclass
class _Judgement:
    """Converts differing stamps into changed items."""

    _corpus: CorpusFolder
    _known: KnownFolder
    _before: Mapping[str, Numbers]
    _now: Mapping[str, Numbers]
    _alike: dict[str, Numbers]
    _is_over: IsOver
    _hashed: int = 0

    def differences(self) -> Differences:
        """Return the differences. Raises `GivenUp`."""
        spoken_before, spoken_now = self._transcripts(self._before), self._transcripts(self._now)
        items_before = {path for path in self._before if not path.endswith(SIDECAR)} - set(spoken_before.values())
        items_now = {path for path in self._now if not path.endswith(SIDECAR)} - set(spoken_now.values())
        new, removed = items_now - items_before, items_before - items_now
        renamed = self._renamed(new, removed)
        changed = {
            path
            for path in items_before & items_now
            if self._is_changed(path)
            or self._is_other_beside(path + SIDECAR, path + SIDECAR)
            or self._is_other_beside(spoken_before.get(path, ""), spoken_now.get(path, ""))
        }
        return Differences(
            frozenset(new - renamed.keys()),
            frozenset(changed | renamed.keys()),
            frozenset(removed - set(renamed.values())),
        )

    def _transcripts(self, paths: Mapping[str, Numbers]) -> dict[str, str]:
        """Return the transcript of each recording, without those that are items themselves."""
        pairs = paired(paths)
        return {path: words for path, words in pairs.items() if words not in self.seen}

    @cached_property
    def seen(self) -> LastRefresh:
        """Return the facts of the last refresh, read on first use."""

        return last_refresh(self._corpus, self._known)

    def _is_changed(self, path: str) -> bool:
        before, now = self._before[path], self._now[path]
        if before == now and path not in self._known.unsure:
            return False
        return before[0] != now[0] or not self._has_bytes_of(path, path)

    def _has_bytes_of(self, path: str, known: str) -> bool:
        """Return true if a file has the same bytes as a known one."""
        if path == known and self._alike.get(path) == self._now[path] and path not in self._known.unsure:
            return True
        self._hashed += 1
        if self._hashed % _HASHED == 0 and self._is_over():
            raise GivenUp
        facts = self.seen.get(known)
        if facts is None:
            return False
        try:
            is_alike = files.sha256(self._corpus.absolute(path)) == facts.sha256
        except (OSError, UnsafeInput):
            return facts.excluded
        if is_alike:
            self._alike[path] = self._now[path]
        return is_alike

    def _is_other_beside(self, path: str, path_now: str) -> bool:
        """Return true if a sidecar or transcript changed. A copy has another inode, but the same size and time."""
        before, now = self._before.get(path), self._now.get(path_now)
        if before is None or now is None or path != path_now:
            return before is not now
        return before != now and (before[:2] != now[:2] or before[3] == now[3])

    def _renamed(self, new: set[str], removed: set[str]) -> dict[str, str]:
        """Return renamed paths: the same inode, or the only file with the same bytes."""
        moved: dict[str, str] = {}
        gone = {_but_change_time(self._before[path]): path for path in removed}
        for path in sorted(new):
            old = gone.pop(_but_change_time(self._now[path]), None)
            if old is not None:
                moved[path] = old
        left: dict[int, list[str]] = {}
        for path in sorted(removed - set(moved.values())):
            left.setdefault(self._before[path][0], []).append(path)
        for path in sorted(new - moved.keys()):
            twins = [old for old in left.get(self._now[path][0], ()) if self._has_bytes_of(path, old)]
            if len(twins) == 1:
                moved[path] = twins[0]
                left[self._now[path][0]].remove(twins[0])
        return moved


def _but_change_time(numbers: Numbers) -> Numbers:
    """Return size, time and inode, which a rename does not change."""
    return numbers[0], numbers[1], numbers[3]


@dataclass(frozen=True)
class LastRefresh:
    """Files and members by path. `rows`: those with facts beyond stamp and digest."""

    files: Mapping[str, Stamp]
    sidecars: Mapping[str, Stamp]
    entries: Mapping[str, Entry]
    rows: Mapping[str, FileFacts]

    def get(self, path: str) -> FileFacts | None:
        """Return the facts of a path; None if it was not seen."""
        if (row := self.rows.get(path)) is not None:
            return row
        entry, stamp = self.entries.get(path), self.files.get(file_of(path))
        if entry is None or stamp is None:
            return None
        return FileFacts(stamp, self.sidecars.get(path + SIDECAR), catalogs.content_of(entry.line).sha256)

    def __contains__(self, path: object) -> bool:
        return path in self.rows or path in self.entries

    def is_told(self, path: str, seen: FileFacts) -> bool:
        """Return true if folder and catalog imply these facts, so that no row needs to be stored."""
        entry = self.entries.get(path)
        return (
            not seen.is_noted
            and seen.stamp is not None
            and entry is not None
            and seen.stamp == self.files.get(file_of(path))
            and seen.sidecar == self.sidecars.get(path + SIDECAR)
            and seen.sha256 == catalogs.content_of(entry.line).sha256
        )


NOTHING = LastRefresh({}, {}, {}, {})


def last_refresh(corpus: CorpusFolder, known: KnownFolder) -> LastRefresh:
    """Return the facts of the last refresh; nothing if a part is missing or newer."""
    rows = file_stats.load_rows(corpus, known.mark)
    try:
        catalog = catalogs.known(corpus) if rows is not None else None
    except BiblicusError:
        return NOTHING
    if rows is None or catalog is None or catalog.header.corpus_digest != known.corpus_digest:
        return NOTHING
    return LastRefresh(known.files(), known.sidecars(), catalog.entries, rows)
