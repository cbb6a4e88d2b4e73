"""The folder's current state for a refresh: from a full walk, or from the last state and its differences."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field

from biblicus.corpus.changes import known_folder
from biblicus.corpus.changes.known_folder import NUMBERS, KnownFolder, count_of, is_ignore_file, numbers_of, parted
from biblicus.corpus.extracted.transcripts import may_be_paired, paired
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, system
from biblicus.disk.files import Stamp, stamp_of
from biblicus.models.frozen import dataclass
from biblicus.models.manifest import Note
from biblicus.sources.folder import SIDECAR, Scan, listed_again, walk
from biblicus.text.paths import file_of, to_os

IsOver = Callable[[], bool]
"""Returns true if the check should be given up."""
BETWEEN = 256
"""Number of files between two calls of `IsOver`."""
Numbers = tuple[int, ...]
"""A stamp: size, two change times, inode."""


class GivenUp(Exception):
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


@dataclass(frozen=True)
class FolderScan:
    """All files and sidecars with their stamps.

    `skipped`, `failed`: excluded files and unreadable folders, with reasons. `ignored`: check a member's path against
    ignore rules. `touched`: possibly changed files, missing ones too; None: all. `pairs`: transcripts of touched
    recordings. `folder`: the whole state for storing."""

    files: Mapping[str, Stamp]
    sidecars: Mapping[str, Stamp]
    skipped: Sequence[Note]
    failed: Sequence[Note]
    ignored: Callable[[str], tuple[str, str] | None]
    litter: Sequence[str]
    touched: Collection[str] | None
    pairs: Mapping[str, str]
    folder: KnownFolder
    rules: str | None = None
    """Digest of the ignore rules; None: unchanged."""


def walked(corpus: CorpusFolder, started_ns: int, without: Collection[str] = ()) -> FolderScan:
    """Walk the whole folder and return its state. `without`: as in `refresh`. Raises `UnsafeInput`."""
    most, takes_made = corpus.settings.max_file_bytes, corpus.config.machine_made
    scan = walk(corpus.root, corpus.own_rules(), max_bytes=most, machine_made=takes_made)
    take_out(scan, without)
    folder = known_folder.of_scan(scan, started_ns)
    left = scan.skipped, scan.failed, scan.ignored, scan.litter
    return FolderScan(scan.files, scan.sidecars, *left, None, paired(scan.files), folder, scan.rules_digest())


def looked_at(
    corpus: CorpusFolder,
    known: KnownFolder,
    skipped: Callable[[], Sequence[Note]],
    wary: Collection[str],
    started_ns: int,
    written: Collection[str] | None = None,
    without: Collection[str] = (),
    only: Collection[str] | None = None,
    compared: Compared | None = None,
    is_over: IsOver = lambda: False,
) -> FolderScan | None:
    """Return the last state updated with its differences; None if a full walk is needed.

    `skipped`: previously skipped files. `wary`: files to treat as touched. `written`: the only files that may have
    changed; only their folders, and files with unreliable stamps, are checked. `without`: as in `refresh`. `only`:
    files to check in addition to all folders; ignore files and files with unreliable stamps are always checked.
    `compared`: an unfinished comparison, to be continued until it `is_over`. Raises `GivenUp`."""
    most, own_rules = corpus.settings.max_file_bytes, corpus.own_rules()
    if known.own != own_rules.token or not is_within(known, most):
        return None
    compared = Compared() if compared is None else compared
    if written is None:
        looked = None if only is None else {*only, *known.rules, *known.unsure, *map(file_of, wary)}
        compare(compared, corpus.root, known, is_over, looked)
    else:
        compared.again = sorted({_nearest(known, path) for path in written})
    unsure = {*known.unsure, *wary}
    again = {*compared.again, *map(folder_of, without)}
    if rules := known.rules:  # touched archives have members, to which the rules apply
        again |= {folder_of(path) for path in (*unsure, *compared.files)}
    for path, numbers in compared.files.items():
        if numbers is None or numbers[0] > most or path in known.too_large:
            again.add(folder_of(path))
    folders = {*known.folders} - compared.gone
    scan: Scan | None = None
    with suppress(OSError):  # a file vanished meanwhile
        takes_made = corpus.config.machine_made
        scan = listed_again(
            corpus.root, own_rules, sorted(again & folders), folders, max_bytes=most, machine_made=takes_made
        )
    if scan is None or any(map(is_ignore_file, compared.files)):
        return None
    if any(map(known.holds_below, scan.made)):
        return None
    take_out(scan, without)
    left = compared.gone | scan.folders.keys()
    if {path for path in rules if folder_of(path) in left} != set(filter(is_ignore_file, scan.others)):
        return None
    if not (compared or again or unsure):
        return FolderScan(known.files(), known.sidecars(), (), (), scan.ignored, (), (), {}, known)
    notes = [note for note in skipped() if _listed_in(known, note.path) not in left]
    notes = sorted([*notes, *scan.skipped], key=lambda note: note.path)
    return _patched(known, compared, scan, notes, unsure, started_ns)


def take_out(scan: Scan, without: Collection[str]) -> None:
    """Remove files that are deleted next. Their folders are listed again, since the deletion may fail."""
    for path in without:
        scan.files.pop(path, None)
        scan.sidecars.pop(path + SIDECAR, None)
        scan.folders[folder_of(path)] = Stamp(0, 0, 0, 0)


def _listed_in(known: KnownFolder, path: str) -> str:
    """Return the folder whose listing excluded a path; a folder excluded for its content is its own."""
    return path if path in known.places else folder_of(path.removesuffix("/"))


def _nearest(known: KnownFolder, path: str) -> str:
    """Return the innermost known folder of a path."""
    folder = folder_of(path)
    while folder and folder not in known.places:
        folder = folder_of(folder[:-1])
    return folder


def _patched(
    known: KnownFolder,
    compared: Compared,
    scan: Scan,
    skipped: Sequence[Note],
    unsure: Collection[str],
    started_ns: int,
) -> FolderScan:
    """Return the known state updated with newly listed folders."""
    listed = known_folder.of_scan(scan, started_ns)
    before = _numbers(known, [folder for folder in (*compared.gone, *listed.folders) if folder in known.places])
    now = _numbers(listed, listed.folders)
    changed = {path: stamp for path, stamp in compared.files.items() if stamp and folder_of(path) in known.places}
    changed = {path: stamp for path, stamp in changed.items() if folder_of(path) not in listed.places}
    differing = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
    touched = {
        path.removesuffix(SIDECAR)
        for path in {*differing, *changed, *unsure}
        if path and not path.endswith("/") and not is_ignore_file(path)
    }
    looked = {*before, *now, *changed, *unsure}
    folder = known_folder.patched(known, compared.gone, listed, changed, looked, started_ns)
    pairs = _pairs(known, folder, touched)
    left = skipped, scan.failed, scan.ignored, scan.litter
    return FolderScan(folder.files(), folder.sidecars(), *left, touched, pairs, folder)


def _numbers(known: KnownFolder, folders: Iterable[str]) -> dict[str, Numbers]:
    """Return the stamps of all files in these folders."""
    numbers: dict[str, Numbers] = {}
    for folder in folders:
        names, block = known.block(folder)
        for at, name in enumerate(names, 1):
            numbers[folder + name] = tuple(block[NUMBERS * at : NUMBERS * (at + 1)])
    return numbers


def _pairs(known: KnownFolder, folder: KnownFolder, touched: set[str]) -> dict[str, str]:
    """Return the transcripts of touched recordings; partners of touched files are touched too."""
    stems = {path.rpartition(".")[0] for path in touched if may_be_paired(path)}
    named = {
        within + name
        for state in (known, folder)
        for within in {folder_of(stem) for stem in stems} & state.places.keys()
        for name in state.block(within)[0]
        if (within + name).rpartition(".")[0] in stems
    }
    present = folder.files()
    touched |= {path for path in named if may_be_paired(path)}
    return paired(path for path in sorted(named) if path in present)


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
    """Compare every folder and file with its stamp, continuing an unfinished call. Raises `GivenUp`.

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
                        raise GivenUp
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
