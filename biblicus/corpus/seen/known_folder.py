"""The folder as the last refresh saw it, in a form that a question can hold against the folder at once. Derived.

`folder.json` names every folder that was listed and every file in it, ignore files too, with their stamps as one block
of numbers: ten thousand files are compared without making an object of each.
"""

from __future__ import annotations

import base64
import json
from array import array
from collections.abc import Iterator
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.seen.stamps import KNOWN_FOLDER, is_calm
from biblicus.disk.files import Stamp
from biblicus.disk.seals import read_sealed, write_cache
from biblicus.models.frozen import dataclass
from biblicus.sources.folder import SIDECAR, Scan, in_work_tree

NUMBERS = 4
"""Of one stamp."""
_WORD = 1 << 64


@dataclass(frozen=True)
class KnownFolder:
    """`corpus_digest`: of the catalog that was made of it. `folders`: their paths with a trailing slash (empty at the
    root); `names`: of the files of each; `stamps`: of each folder, then of its files, in this order. `unsure`: paths
    that were changed so shortly before that their stamp may stand for other bytes. `too_large`: paths of files that
    were left out for it. `is_whole`: nothing failed, which may pass without a trace."""

    corpus_digest: str
    in_git: bool
    folders: list[str]
    names: list[list[str]]
    stamps: array[int]
    unsure: frozenset[str]
    too_large: frozenset[str]
    is_whole: bool = True

    def paths(self) -> Iterator[str]:
        """Of every file, ignore files too."""
        return (folder + name for folder, names in zip(self.folders, self.names, strict=True) for name in names)

    def stamped(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Every file with its stamp, as numbers with a sign."""
        at = 0
        for folder, names in zip(self.folders, self.names, strict=True):
            for name in names:
                at += NUMBERS
                yield folder + name, tuple(self.stamps[at : at + NUMBERS])
            at += NUMBERS

    def files(self) -> dict[str, Stamp]:
        """Those that could be items, with their stamps."""
        return {
            path: Stamp(size, mtime, ctime, inode % _WORD)
            for path, (size, mtime, ctime, inode) in self.stamped()
            if not path.endswith(SIDECAR) and not is_ignore_file(path) and path not in self.too_large
        }


def store(corpus: CorpusFolder, scan: Scan, corpus_digest: str, started_ns: int) -> None:
    """Keep what a refresh saw, with what may have been changed while it went on."""
    seen_at = {**scan.files, **scan.sidecars, **scan.others, **scan.folders}
    names: dict[str, list[str]] = {folder: [] for folder in scan.folders}
    numbers: dict[str, list[int]] = {folder: numbers_of(stamp) for folder, stamp in scan.folders.items()}
    for part in (scan.files, scan.sidecars, scan.others):
        for path, stamp in part.items():
            folder, slash, name = path.rpartition("/")
            names[folder + slash].append(name)
            numbers[folder + slash] += numbers_of(stamp)
    stamps = array("q", (number for row in numbers.values() for number in row))
    body = {
        "corpus_digest": corpus_digest,
        "in_git": in_work_tree(corpus.root),
        "folders": list(names),
        "names": list(names.values()),
        "unsure": sorted(path for path, stamp in seen_at.items() if not is_calm(stamp, started_ns)),
        "too_large": sorted(path for path in scan.others if not is_ignore_file(path)),
        "is_whole": not scan.failed,
        "stamps": base64.b64encode(stamps.tobytes()).decode(),
    }
    write_cache(corpus.local / KNOWN_FOLDER, json.dumps(body, separators=(",", ":")).encode(), corpus.local)


def load(corpus: CorpusFolder) -> KnownFolder | None:
    """What was kept; None where there is nothing that can be used."""
    body = read_sealed(corpus.local / KNOWN_FOLDER)
    if not body:
        return None
    kept: dict[str, Any] = json.loads(body)
    kept["stamps"] = array("q", base64.b64decode(kept["stamps"]))
    return KnownFolder(**kept | {name: frozenset(kept[name]) for name in ("unsure", "too_large")})


def numbers_of(stamp: Stamp) -> list[int]:
    """A stamp as numbers of 64 bits with a sign."""
    if max(stamp) < _WORD // 2 and min(stamp) >= 0:
        return list(stamp)
    return [(number + _WORD // 2) % _WORD - _WORD // 2 for number in stamp]


def is_ignore_file(path: str) -> bool:
    """Whether a file says what is left out."""
    return path.rpartition("/")[2] in (".biblicusignore", ".gitignore")
