"""Detect changes in a corpus's folder since the last refresh, by stats and, if needed, by digests.

It finds what a refresh would report: new, changed and removed items. Ignored files do not count. A changed ignore file
counts by the files it excludes or includes, a sidecar or transcript by its item. A touched or copied file with the same
bytes is unchanged; a renamed one is changed."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from biblicus.corpus.changes.known_folder import NUMBERS, KnownFolder, count_of, is_ignore_file, numbers_of, parted
from biblicus.corpus.extracted.transcripts import paired
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, system
from biblicus.disk.files import stamp_of
from biblicus.errors import UnsafeInput
from biblicus.models.item import NO_DIFFERENCES, Differences
from biblicus.sources.folder import SIDECAR, Scan, listed_again, walk
from biblicus.sources.ignoring import OwnRules
from biblicus.text.paths import to_os

if TYPE_CHECKING:
    from biblicus.corpus.changes.last_refresh import LastRefresh

IsOver = Callable[[], bool]
"""Returns true if the check should be given up."""
BETWEEN = 256
"""Number of files between two calls of `IsOver`."""
_HASHED = 32
"""Number of hashed files between two calls of `IsOver`."""

Numbers = tuple[int, ...]
"""A stamp: size, two change times, inode."""


class _GivenUp(Exception):
    """The check took too long."""


@dataclass
class Compared:
    """Result of comparing stats: folders `gone` or to be listed `again`, and changed files (None: removed).

    `folders`, `names`: progress, as completed folders and files of the next one."""

    gone: set[str] = field(default_factory=set)
    again: list[str] = field(default_factory=list)
    files: dict[str, Numbers | None] = field(default_factory=dict)
    folders: int = 0
    names: int = 0

    def __bool__(self) -> bool:
        return bool(self.gone or self.again or self.files)


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
        except (_GivenUp, UnsafeInput):
            return None
        self._begun = None
        return present

    def _compared(self, known: KnownFolder, compared: Compared, is_over: IsOver) -> Differences:
        compare(compared, self._corpus.root, known, is_over)
        self.folders = [to_os(folder) for folder in known.folders]
        own_rules = self._corpus.own_rules()
        if not (compared or known.unsure) and own_rules.token == known.own:
            return NO_DIFFERENCES
        before = _stamps_of(known)
        now = self._now(known, compared, before, own_rules)
        return _Judgement(self._corpus, known, before, now, self._alike, is_over).differences()

    def _now(
        self, known: KnownFolder, compared: Compared, before: Mapping[str, Numbers], own: OwnRules
    ) -> dict[str, Numbers]:
        """Return every current file with its stamp. If ignore files changed, the whole folder is walked."""
        most = self._corpus.settings.max_file_bytes
        again = {*compared.again, *(folder_of(path) for path in compared.files if path in known.too_large)}
        folders = set(known.folders) - compared.gone
        takes_made = self._corpus.config.machine_made
        scan = listed_again(
            self._corpus.root, own, sorted(again & folders), folders, max_bytes=most, machine_made=takes_made
        )
        elsewhere = {path for path in known.paths() if is_ignore_file(path) and folder_of(path) not in again}
        rules = {path for path in known.paths() if is_ignore_file(path)}
        same_rules = rules == elsewhere | {path for path in scan.others if is_ignore_file(path)}
        is_made = any(map(known.holds_below, scan.made))
        if own.token != known.own or is_made or not same_rules or any(map(is_ignore_file, compared.files)):
            scan = walk(self._corpus.root, own, max_bytes=most, machine_made=takes_made)
            self.folders = [to_os(folder) for folder in scan.folders]
            return _files_of(scan)
        self.folders = [to_os(folder) for folder in folders | scan.folders.keys()]
        left = again | compared.gone
        now = {path: numbers for path, numbers in before.items() if folder_of(path) not in left}
        for path, numbers in compared.files.items():
            if path in now and numbers is None:
                del now[path]
            elif path in now and numbers is not None:
                now[path] = numbers
        return {**now, **_files_of(scan)}


def is_within(known: KnownFolder, most: int) -> bool:
    """Return true if the same files are excluded for their size now."""
    if not known.too_large and max(known.stamps[::NUMBERS], default=0) <= most:
        return True
    return known.too_large == {path for path, numbers in known.stamped() if numbers[0] > most}


def compare(
    compared: Compared,
    root: os.PathLike[str],
    known: KnownFolder,
    is_over: IsOver,
    only: Collection[str] | None = None,
) -> None:
    """Compare every folder and file with its stamp, continuing an unfinished call. Raises `_GivenUp`.

    `only`: files to check; of others, the folder's stamp shows additions, removals and renames, but no edits in
    place."""
    base = os.fspath(root)
    at, left = 0, BETWEEN
    for number, (folder, named) in enumerate(zip(known.folders, known.names, strict=True)):
        names = parted(named) if only is None else []
        expected = known.stamps[at : at + NUMBERS * (len(names) + 1)]
        at += NUMBERS * (count_of(named) + 1)
        if number < compared.folders:
            continue
        try:
            if compared.gone and folder_of(folder[:-1]) in compared.gone:
                raise FileNotFoundError
            opened = system.Folder(f"{base}/{to_os(folder[:-1])}")  # with a trailing slash a link would be followed
        except OSError:
            compared.gone.add(folder)
            compared.folders, compared.names = number + 1, 0
            continue
        try:
            is_same = [*numbers_of(stamp_of(opened.status))] == expected[:NUMBERS].tolist()
            if not is_same or folder in known.unsure:
                compared.again.append(folder)
            for start in range(compared.names, len(names), BETWEEN):
                some = names[start : start + BETWEEN]
                left -= len(some)
                if left <= 0:
                    left = BETWEEN
                    if is_over():
                        raise _GivenUp
                first = NUMBERS * (start + 1)
                _compare_files(opened, folder, some, expected[first : first + NUMBERS * len(some)], compared)
                compared.names = start + len(some)
            compared.folders, compared.names = number + 1, 0
        finally:
            opened.close()
    for path in only or ():
        stamp = known.stamp(path) if folder_of(path) not in compared.gone else None
        if stamp is not None and stamp != (now := files.stamp(f"{base}/{to_os(path)}", follow=False)):
            compared.files[path] = now and tuple(numbers_of(now))


def _compare_files(
    opened: system.Folder, folder: str, names: list[str], expected: array[int], compared: Compared
) -> None:
    """Compare the files of an opened folder, in one step if nothing changed."""
    try:
        if array("q", opened.numbers(names if "".join(names).isascii() else map(to_os, names))) == expected:
            return
    except (OSError, OverflowError):
        pass
    for number, name in enumerate(names):
        numbers: Numbers | None
        try:
            numbers = tuple(numbers_of(stamp_of(opened.stat(to_os(name)))))
        except OSError:
            numbers = None
        if numbers != tuple(expected[NUMBERS * number : NUMBERS * (number + 1)]):
            compared.files[folder + name] = numbers


def folder_of(path: str) -> str:
    folder, slash, _ = path.rpartition("/")
    return folder + slash


def _stamps_of(known: KnownFolder) -> dict[str, Numbers]:
    """Return the stamps of items, sidecars and transcripts."""
    return {
        path: numbers for path, numbers in known.stamped() if not is_ignore_file(path) and path not in known.too_large
    }


def _files_of(scan: Scan) -> dict[str, Numbers]:
    return {path: tuple(numbers_of(stamp)) for part in (scan.files, scan.sidecars) for path, stamp in part.items()}


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
        """Return the differences. Raises `_GivenUp`."""
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
        from biblicus.corpus.changes.last_refresh import last_refresh  # lazy: only if something differs

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
            raise _GivenUp
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
