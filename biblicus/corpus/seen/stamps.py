"""What the last refresh saw, so that the next one reads only what changed. Derived; losing it costs time only.

`folder.json` (`known_folder`) has the stamp of every file, and is what refreshes and questions hold the folder against;
`stamps.json` says of a file what neither that nor the catalog tells: notes that were made, and stamps that cannot be
relied on; `scan.json` has what the whole depended on, and the report. Each names the refresh that wrote it (`mark`):
only together do they count.
A file that was changed so shortly before the scan that a further change could leave its stamp as it is ("racy", as git
calls it) is stored without one and hashed again next time.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.disk.files import Stamp
from biblicus.disk.seals import fits, read_object, read_sealed, write_cache
from biblicus.models.digest import canonical
from biblicus.models.frozen import dataclass

KNOWN_FOLDER = "folder.json"
"""What `corpus.seen.known_folder` keeps."""
RACY = (0,)
"""In the place of the stamp of what lies beside a file and was changed just before the scan; no stamp is like it."""
_RACY_NS = 50_000_000
_COARSE_NS = 2_000_000_000
_MANY = 2_000
"""Items from which looking at all of them again takes longer than to wait until no stamp is racy."""


_NOTES = [{"path": str, "reason": str}]
_SCAN = {
    **dict.fromkeys(("basis", "limits", "synced", "ignored", "corpus_digest", "mark"), str),
    "items": int,
    "wary": [str],
    "report": {
        "skipped": _NOTES,
        "failed": _NOTES,
        "warnings": _NOTES,
        "unchanged": int,
        "strayed": {str: str},
    },
}
_ROW = (list | None, list | None, str)
_LONG_ROW = (*_ROW, str | None, str | None, [str], bool, str)


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was last described: its stamp (None: racy), that of what lies beside it, its sidecar and its
    transcript (None: nothing does; or `RACY`), its digest, and the notes made.

    `skip`, `fail`: why it has no text; `warnings`: problems that cost no text. `excluded`: it is no item (its declared
    id was taken). `synced`: the mark of what its source's registry said of it.
    """

    stamp: tuple[int, ...] | None
    sidecar: tuple[int, ...] | None
    sha256: str
    skip: str | None = None
    fail: str | None = None
    warnings: tuple[str, ...] = ()
    excluded: bool = False
    synced: str = ""

    @property
    def is_noted(self) -> bool:
        """Whether there is more to say of it than its stamps and its digest."""
        return bool(self.skip or self.fail or self.warnings or self.excluded or self.synced)

    @property
    def is_calm(self) -> bool:
        """Whether its stamps can be relied on."""
        return self.stamp is not None and self.sidecar != RACY


def is_calm(stamp: Stamp, started_ns: int) -> bool:
    """Whether any further change would show: the file was not changed just before the scan began."""
    return stamp.ctime_ns < started_ns - (_RACY_NS if stamp.ctime_ns % 1_000_000_000 else _COARSE_NS)


def calm_stamp(files: Mapping[str, Stamp], started_ns: int, path: str) -> str | None:
    """The stamp of one of these files as text; None where it cannot be relied on."""
    stamp = files.get(path)
    return str(stamp) if stamp and is_calm(stamp, started_ns) else None


def let_calm_down(corpus: CorpusFolder) -> None:
    """Wait until what was written just now is no longer racy, where the next refresh would have much to look at."""
    report = load_scan(corpus).get("report", {})
    if report.get("unchanged", 0) >= _MANY:
        time.sleep(_RACY_NS / 1e9)


def load_scan(corpus: CorpusFolder) -> dict[str, Any]:
    """What the last refresh depended on; its `mark`; the files that the next one looks at whatever their stamps say
    (`wary`); and its `report`. Empty if there was none."""
    return read_object(corpus.local / "scan.json", _SCAN) or {}


def made(corpus: CorpusFolder, corpus_digest: str) -> int | None:
    """How many items the catalog of this digest has, if the last refresh made it, or proved it."""
    scan = load_scan(corpus)
    return scan.get("items") if scan.get("corpus_digest") == corpus_digest else None


_NOTED = ("skipped", "failed", "warnings")
"""The parts of a report that name files with a reason."""


def notes_of(scan: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """What the last refresh said of files that it left out, or read with a warning."""
    report = scan.get("report", {})
    return frozenset((note["path"], note["reason"]) for kind in _NOTED for note in report.get(kind, ()))


def load_rows(corpus: CorpusFolder, mark: str) -> dict[str, Seen] | None:
    """What is kept of single files; None where it is not of this refresh."""
    kept = read_object(corpus.local / "stamps.json", {"mark": str, "rows": {str: list}})
    if kept is None or not mark or kept["mark"] != mark:
        return None
    if not all(fits(row, _ROW) or fits(row, _LONG_ROW) for row in kept["rows"].values()):
        return None
    return {path: _seen(row) for path, row in kept["rows"].items()}


def kept(corpus: CorpusFolder) -> list[Path]:
    """The files that keep it."""
    return [corpus.local / name for name in ("scan.json", "stamps.json", KNOWN_FOLDER)]


def drop_damaged(corpus: CorpusFolder) -> None:
    """Delete all of it where a part cannot be used: it is made anew. Under the lock."""
    paths = kept(corpus)
    if any(os.path.lexists(path) and read_sealed(path) is None for path in paths):
        for path in paths:
            files.remove(path)


def _seen(row: list[Any]) -> Seen:
    stamp, sidecar, sha256, *rest = row
    skip, fail, warnings, excluded, synced = rest or (None, None, (), False, "")
    return Seen(
        tuple(stamp) if stamp else None,
        tuple(sidecar) if sidecar else None,
        sha256,
        skip,
        fail,
        tuple(warnings),
        excluded,
        synced,
    )


def _row(seen: Seen) -> list[Any]:
    row: list[Any] = [seen.stamp, seen.sidecar, seen.sha256]
    if seen.is_noted:
        row += [seen.skip, seen.fail, seen.warnings, seen.excluded, seen.synced]
    return row


def store(corpus: CorpusFolder, scan: Mapping[str, Any], rows: Mapping[str, Seen] | None) -> None:
    """Keep what a refresh saw: `rows` of files (None: they are as they were), and what the whole depended on."""
    if rows is not None:
        body = {"mark": scan["mark"], "rows": {path: _row(seen) for path, seen in rows.items()}}
        write_cache(corpus.local / "stamps.json", json.dumps(body, separators=(",", ":")).encode(), corpus.local)
    write_cache(corpus.local / "scan.json", canonical(scan), corpus.local)
