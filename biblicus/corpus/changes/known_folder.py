"""The folder at the last refresh, in a form that is fast to compare. Derived.

`folder.json` lists every folder and its files, ignore files included, with all stamps as one block of integers. So ten
thousand files are compared, and mostly reused, without creating an object for each. The block precedes the JSON
object; the object's offset precedes both."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from biblicus.corpus.changes.file_stats import KNOWN_FOLDER, is_calm
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk.files import Stamp
from biblicus.disk.seals import read_sealed, read_shaped, write_cache
from biblicus.models.frozen import dataclass
from biblicus.sources.folder import SIDECAR, Scan
from biblicus.text.paths import alike, is_member

NUMBERS = 4
"""Numbers in a stamp."""
MANY = 2_000
"""Files and folders that can be checked in some milliseconds."""
_SHAPE = {
    "corpus_digest": str,
    "mark": str,
    "own": str,
    "is_whole": bool,
    "folders": [str],
    "names": [str],
    "unsure": [str],
    "too_large": [str],
}
_WORD = 1 << 64
_PLACE = 16
"""Digits of the object's offset."""
_VERSION = 4
"""Version of the file's format; another one is rebuilt."""
_RULES = (".biblicusignore", ".gitignore")
"""Names of ignore files."""


@dataclass(frozen=True)
class KnownFolder:
    """Files and folders of a corpus with their stamps.

    `corpus_digest`: of the catalog made from it. `mark`: id of the refresh (see `stamps`). `own`: token of this
    machine's ignore rules. `folders`: paths with a trailing slash, empty for the root. `names`: file names of each
    folder, joined by slashes. `stamps`: of each folder and then its files, in this order. `unsure`: paths changed so
    recently that their stamp may not detect a further change. `too_large`: excluded files. `is_whole`: nothing
    failed."""

    corpus_digest: str
    own: str
    folders: list[str]
    names: list[str]
    stamps: array[int]
    unsure: frozenset[str]
    too_large: frozenset[str]
    is_whole: bool = True
    mark: str = ""

    @property
    def is_large(self) -> bool:
        """Return true if checking every file takes longer than a typical command on one file."""
        return len(self.stamps) > NUMBERS * MANY

    def paths(self) -> Iterator[str]:
        """Yield the path of every file, ignore files included."""
        each = zip(self.folders, self.names, strict=True)
        return (folder + name for folder, names in each for name in parted(names))

    def stamped(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Yield every file with its stamp as signed integers."""
        at = 0
        for folder, names in zip(self.folders, self.names, strict=True):
            for name in parted(names):
                at += NUMBERS
                yield folder + name, tuple(self.stamps[at : at + NUMBERS])
            at += NUMBERS

    def files(self) -> Mapping[str, Stamp]:
        """Return the possible items with their stamps."""
        return _Part(self, sidecars=False)

    def sidecars(self) -> Mapping[str, Stamp]:
        """Return the sidecars with their stamps."""
        return _Part(self, sidecars=True)

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Return each folder's number and the offset of its stamps."""
        places, at = {}, 0
        for number, folder in enumerate(self.folders):
            places[folder] = number, at
            at += NUMBERS * (count_of(self.names[number]) + 1)
        return places

    @cached_property
    def _numbered(self) -> dict[str, dict[str, int]]:
        return {}

    def block(self, folder: str) -> tuple[list[str], array[int]]:
        """Return a folder's file names, and its stamps: the folder's own first."""
        number, at = self.places[folder]
        names = parted(self.names[number])
        return names, self.stamps[at : at + NUMBERS * (len(names) + 1)]

    def holds_below(self, folder: str) -> bool:
        """Return true if a folder contains any known file or folder."""
        if folder in self.places and self.names[self.places[folder][0]]:
            return True
        return any(known_folder.startswith(folder) and known_folder != folder for known_folder in self.folders)

    def stamp(self, path: str) -> Stamp | None:
        """Return the stamp of any known file, or None."""
        folder, slash, name = path.rpartition("/")
        if (place := self.places.get(folder + slash)) is None:
            return None
        if (numbers := self._numbered.get(folder)) is None:
            self._numbered[folder] = numbers = {entry: at for at, entry in enumerate(parted(self.names[place[0]]), 1)}
        if (number := numbers.get(name)) is None:
            return None
        at = place[1] + NUMBERS * number
        return _stamp(self.stamps[at : at + NUMBERS])

    @cached_property
    def rules(self) -> list[str]:
        """Return the paths of ignore files."""
        some = ((place, names) for place, names in enumerate(self.names) if "ignore" in names)
        return [self.folders[place] + rule for place, names in some for rule in _RULES if rule in parted(names)]

    def ending(self, suffix: str) -> list[str]:
        """Return the paths of files whose names have this suffix."""
        return [
            folder + name
            for folder, names in zip(self.folders, self.names, strict=True)
            if suffix in names
            for name in parted(names)
            if name.endswith(suffix)
        ]

    def may_collide(self, paths: Collection[str]) -> bool:
        """Return true if one of these paths may differ from another only in case or Unicode form."""
        if any(map(is_member, paths)):
            return True
        named: dict[str, list[str]] = {}
        for path in paths:
            folder, slash, name = path.rpartition("/")
            named.setdefault(alike(folder + slash), []).append(alike(name))
        present: dict[str, Counter[str]] = {}
        for folder, names in zip(self.folders, self.names, strict=True):
            if (key := alike(folder)) in named:
                present.setdefault(key, Counter()).update(map(alike, parted(names)))
        return any(present.get(folder, Counter())[name] > 1 for folder, names in named.items() for name in names)


class _Part(Mapping[str, Stamp]):
    """Lazy mapping of possible items, or sidecars, to their stamps."""

    def __init__(self, known: KnownFolder, *, sidecars: bool) -> None:
        self._known, self._sidecars = known, sidecars

    def __getitem__(self, path: str) -> Stamp:
        stamp = self._known.stamp(path) if self._has(path) else None
        if stamp is None:
            raise KeyError(path)
        return stamp

    def _has(self, path: str) -> bool:
        is_sidecar = path.endswith(SIDECAR)
        return is_sidecar == self._sidecars and not is_ignore_file(path) and path not in self._known.too_large

    def __iter__(self) -> Iterator[str]:
        if self._sidecars:
            return iter(sorted(filter(self._has, self._known.ending(SIDECAR))))
        return iter(sorted(filter(self._has, self._known.paths())))

    @cached_property
    def _count(self) -> int:
        return sum(map(self._has, self._known.ending(SIDECAR) if self._sidecars else self._known.paths()))

    def __len__(self) -> int:
        return self._count


def of_scan(scan: Scan, started_ns: int) -> KnownFolder:
    """Return the state seen by a walk, marking files that may have changed meanwhile as unsure."""
    seen_at = {**scan.files, **scan.sidecars, **scan.others, **scan.folders}
    names: dict[str, list[str]] = {folder: [] for folder in scan.folders}
    numbers: dict[str, list[int]] = {folder: numbers_of(stamp) for folder, stamp in scan.folders.items()}
    for part in (scan.files, scan.sidecars, scan.others):
        for path, stamp in part.items():
            folder, slash, name = path.rpartition("/")
            names[folder + slash].append(name)
            numbers[folder + slash] += numbers_of(stamp)
    return KnownFolder(
        corpus_digest="",
        own=scan.own.token,
        folders=list(names),
        names=list(map("/".join, names.values())),
        stamps=array("q", (number for row in numbers.values() for number in row)),
        unsure=frozenset(path for path, stamp in seen_at.items() if not is_calm(stamp, started_ns)),
        too_large=frozenset(path for path in scan.others if not is_ignore_file(path)),
        is_whole=not scan.failed,
    )


def patched(
    known: KnownFolder,
    gone: Collection[str],
    listed: KnownFolder,
    changed: Mapping[str, tuple[int, ...]],
    looked: Collection[str],
    started_ns: int,
) -> KnownFolder:
    """Return the known state without removed folders and with updated folders and files.

    `looked`: paths checked now, whose stamps are reliable as of now."""
    by_folder: dict[str, list[str]] = {}
    for path in changed:
        by_folder.setdefault(path[: path.rfind("/") + 1], []).append(path)
    left = {*gone, *listed.places}
    folders = sorted({*known.folders} - left | listed.places.keys())  # parents before children
    names: list[str] = []
    stamps = array("q")
    for folder in folders:
        of = listed if folder in listed.places else known
        number, first = of.places[folder]
        block = of.stamps[first : first + NUMBERS * (count_of(of.names[number]) + 1)]
        for path in by_folder.get(folder, ()) if folder not in left else ():
            at = NUMBERS * (parted(of.names[number]).index(path[len(folder) :]) + 1)
            block[at : at + NUMBERS] = array("q", changed[path])
        names.append(of.names[number])
        stamps.extend(block)
    unsure = {path for path, numbers in changed.items() if not is_calm(_stamp(numbers), started_ns)}
    return KnownFolder(
        corpus_digest="",
        own=known.own,
        folders=folders,
        names=names,
        stamps=stamps,
        unsure=frozenset(unsure | listed.unsure | (known.unsure - {*looked} - left)),
        too_large=frozenset(p for p in known.too_large if p[: p.rfind("/") + 1] not in left) | listed.too_large,
        is_whole=known.is_whole,
    )


def store(corpus: CorpusFolder, known: KnownFolder) -> None:
    """Store the state of a refresh."""
    body = {
        "corpus_digest": known.corpus_digest,
        "mark": known.mark,
        "own": known.own,
        "folders": known.folders,
        "names": known.names,
        "version": _VERSION,
        "unsure": sorted(known.unsure),
        "too_large": sorted(known.too_large),
        "is_whole": known.is_whole,
    }
    stamps, state_json = known.stamps.tobytes(), json.dumps(body, separators=(",", ":")).encode()
    write_cache(
        corpus.local / KNOWN_FOLDER, b"%0*d" % (_PLACE, _PLACE + len(stamps)) + stamps + state_json, corpus.local
    )


def load(corpus: CorpusFolder) -> KnownFolder | None:
    """Load the stored state; None if it is missing or unusable."""
    body = read_sealed(corpus.local / KNOWN_FOLDER) or b""
    place = int(body[:_PLACE]) if body[:_PLACE].isdigit() else 0
    state = read_shaped(body[place:], _SHAPE, _VERSION)
    if state is None:
        return None
    state["stamps"] = stamps = array("q")
    if place - _PLACE != stamps.itemsize * NUMBERS * sum(count_of(names) + 1 for names in state["names"]):
        return None
    stamps.frombytes(memoryview(body)[_PLACE:place])
    return KnownFolder(**state | {name: frozenset(state[name]) for name in ("unsure", "too_large")})


def parted(names: str) -> list[str]:
    """Split joined file names."""
    return names.split("/") if names else []


def count_of(names: str) -> int:
    """Count joined file names."""
    return names.count("/") + 1 if names else 0


def numbers_of(stamp: Stamp) -> list[int]:
    """Return a stamp as signed 64-bit integers."""
    if max(stamp) < _WORD // 2 and min(stamp) >= 0:
        return list(stamp)
    return [(number + _WORD // 2) % _WORD - _WORD // 2 for number in stamp]


def _stamp(numbers: Collection[int]) -> Stamp:
    size, mtime, ctime, inode = numbers
    return Stamp(size, mtime, ctime, inode % _WORD)


def is_ignore_file(path: str) -> bool:
    """Return true if a path is an ignore file."""
    return path.rpartition("/")[2] in _RULES
