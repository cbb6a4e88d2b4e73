"""What changed in a corpus's folder since the last refresh, told by stats and, where those leave it open, by digests.

What counts is what a refresh would tell of: items that are new, changed or gone. Ignored files count for nothing, a
changed ignore file as what it leaves out or takes in; a sidecar and a transcript as their item; a file that was touched
or copied and has the same bytes as unchanged; one that was renamed as changed.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from biblicus.corpus.extracted.transcripts import paired
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.seen.known_folder import NUMBERS, KnownFolder, count_of, is_ignore_file, numbers_of, parted
from biblicus.disk import files, system
from biblicus.disk.files import stamp_of
from biblicus.errors import UnsafeInput
from biblicus.models.item import NO_DIFFERENCES, Differences
from biblicus.sources.folder import SIDECAR, Scan, listed_again, walk
from biblicus.sources.ignoring import OwnRules
from biblicus.text.paths import to_os

if TYPE_CHECKING:
    from biblicus.corpus.seen.last import LastSeen

IsOver = Callable[[], bool]
"""Whether a look is to be given up."""
BETWEEN = 256
"""Files between two questions whether a look is over."""
_HASHED = 32
"""The same of files that are read."""

Numbers = tuple[int, ...]
"""A stamp: size, times of change, inode."""


class _GivenUp(Exception):
    """The look took too long."""


@dataclass
class Compared:
    """What stats say: folders that are `gone`, or to be listed `again`, and files that are not as they were, None for
    one that is gone. `folders`, `names`: how many folders were compared, and how many files of the next one."""

    gone: set[str] = field(default_factory=set)
    again: list[str] = field(default_factory=list)
    files: dict[str, Numbers | None] = field(default_factory=dict)
    folders: int = 0
    names: int = 0

    def __bool__(self) -> bool:
        return bool(self.gone or self.again or self.files)


class Look:
    """Looks at a folder time and again. It remembers which files have the bytes that they had, whatever their stamps
    say. `folders`: those that the last look went through, relative to the root."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus = corpus
        self.folders: Collection[str] = ()
        self._alike: dict[str, Numbers] = {}
        self._begun: tuple[KnownFolder, Compared] | None = None

    @property
    def reached(self) -> tuple[int, int]:
        """How far a look came that was given up: folders, and files of the next one."""
        return (0, 0) if self._begun is None else (self._begun[1].folders, self._begun[1].names)

    def differences(self, known: KnownFolder, is_over: IsOver, goes_on: bool = False) -> Differences | None:
        """What differs from what the last refresh saw; None where the look was given up, or where a walk would be
        refused: the next reindex says why. `goes_on`: nothing happened since the last look, so that one that was given
        up goes on."""
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
        own = self._corpus.own_rules()
        if not (compared or known.unsure) and own.token == known.own:
            return NO_DIFFERENCES
        before = _stamps_of(known)
        now = self._now(known, compared, before, own)
        return _Judgement(self._corpus, known, before, now, self._alike, is_over).differences()

    def _now(
        self, known: KnownFolder, compared: Compared, before: Mapping[str, Numbers], own: OwnRules
    ) -> dict[str, Numbers]:
        """Every file as it is now, with its stamp. Where ignore files changed, the whole folder is walked."""
        most = self._corpus.settings.max_file_bytes
        again = {*compared.again, *(folder_of(path) for path in compared.files if path in known.too_large)}
        kept = set(known.folders) - compared.gone
        takes_made = self._corpus.config.machine_made
        scan = listed_again(self._corpus.root, own, sorted(again & kept), kept, max_bytes=most, machine_made=takes_made)
        elsewhere = {path for path in known.paths() if is_ignore_file(path) and folder_of(path) not in again}
        rules = {path for path in known.paths() if is_ignore_file(path)}
        same_rules = rules == elsewhere | {path for path in scan.others if is_ignore_file(path)}
        is_made = any(map(known.holds_below, scan.made))
        if own.token != known.own or is_made or not same_rules or any(map(is_ignore_file, compared.files)):
            scan = walk(self._corpus.root, own, max_bytes=most, machine_made=takes_made)
            self.folders = [to_os(folder) for folder in scan.folders]
            return _files_of(scan)
        self.folders = [to_os(folder) for folder in kept | scan.folders.keys()]
        left = again | compared.gone
        now = {path: numbers for path, numbers in before.items() if folder_of(path) not in left}
        for path, numbers in compared.files.items():
            if path in now and numbers is None:
                del now[path]
            elif path in now and numbers is not None:
                now[path] = numbers
        return {**now, **_files_of(scan)}


def is_within(known: KnownFolder, most: int) -> bool:
    """Whether the files that were left out for their size are those that would be now."""
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
    """Hold every folder and file against its stamp, from where an earlier call gave up. Raises `_GivenUp`.

    `only`: the files that are looked at; of all others it shows in their folders whether they came, went or were
    renamed, but not whether one was edited in place."""
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
            opened = system.Folder(f"{base}/{to_os(folder[:-1])}")  # with a slash behind it a link is followed
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
    """The files of a folder that is open, all at once where nothing changed."""
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
    """Of every file that was an item, a sidecar or a transcript."""
    return {
        path: numbers for path, numbers in known.stamped() if not is_ignore_file(path) and path not in known.too_large
    }


def _files_of(scan: Scan) -> dict[str, Numbers]:
    return {path: tuple(numbers_of(stamp)) for part in (scan.files, scan.sidecars) for path, stamp in part.items()}


class _Judgement:
    """What differing stamps come to, in items."""

    def __init__(
        self,
        corpus: CorpusFolder,
        known: KnownFolder,
        before: Mapping[str, Numbers],
        now: Mapping[str, Numbers],
        alike: dict[str, Numbers],
        is_over: IsOver,
    ) -> None:
        self._corpus, self._known, self._before, self._now = corpus, known, before, now
        self._unsure = known.unsure
        self._alike, self._is_over = alike, is_over
        self._seen: LastSeen | None = None
        self._hashed = 0

    def differences(self) -> Differences:
        """Raises `_GivenUp`."""
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
        """The transcript of each recording, but for those that are items of their own."""
        pairs = paired(paths)
        return {path: words for path, words in pairs.items() if words not in self.seen}

    @property
    def seen(self) -> LastSeen:
        """What the last refresh said of each file; read where something differs."""
        from biblicus.corpus.seen.last import last_seen  # lazy: only where something differs

        if self._seen is None:
            self._seen = last_seen(self._corpus, self._known)
        return self._seen

    def _is_changed(self, path: str) -> bool:
        before, now = self._before[path], self._now[path]
        if before == now and path not in self._unsure:
            return False
        return before[0] != now[0] or not self._has_bytes_of(path, path)

    def _has_bytes_of(self, path: str, known: str) -> bool:
        """Whether a file has the bytes that one had."""
        if path == known and self._alike.get(path) == self._now[path] and path not in self._unsure:
            return True
        self._hashed += 1
        if self._hashed % _HASHED == 0 and self._is_over():
            raise _GivenUp
        seen = self.seen.get(known)
        if seen is None:
            return False
        try:
            is_alike = files.sha256(self._corpus.absolute(path)) == seen.sha256
        except (OSError, UnsafeInput):
            return seen.excluded
        if is_alike:
            self._alike[path] = self._now[path]
        return is_alike

    def _is_other_beside(self, path: str, path_now: str) -> bool:
        """Whether a sidecar or a transcript is another. A copy has another inode, but the same size and time."""
        before, now = self._before.get(path), self._now.get(path_now)
        if before is None or now is None or path != path_now:
            return before is not now
        return before != now and (before[:2] != now[:2] or before[3] == now[3])

    def _renamed(self, new: set[str], removed: set[str]) -> dict[str, str]:
        """New paths that stand for vanished ones: the same file, or the only one with the same bytes."""
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
    """Size, time and inode: what a rename leaves."""
    return numbers[0], numbers[1], numbers[3]
