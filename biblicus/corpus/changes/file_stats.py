"""State of the last refresh, so that the next one reads only changed files. Derived; losing it costs only time.

`folder.json` (`known_folder`) has the stamp of every file; refreshes and queries compare the folder with it.
`stamps.json` has further facts of files: notes, and unreliable stamps. `scan.json` has the inputs of the refresh and
its report. All three contain the id of their refresh (`mark`) and are valid only together. A file changed so shortly
before the scan that its stamp may not detect another change ("racy", as in git) is stored without a stamp and hashed
again next time."""

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
"""File name of `corpus.changes.known_folder`."""
RACY = (0,)
"""Replaces the stamp of a sidecar or transcript changed just before the scan; equals no stamp."""
_RACY_NS = 50_000_000
_COARSE_NS = 2_000_000_000
_MANY = 2_000
"""Number of items above which waiting until stamps are reliable is faster than checking all again."""


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
class FileFacts:
    """A file as last described: its stamp (None: racy), its digest and its notes.

    `sidecar`: stamps of sidecar and transcript (None: it has neither; or `RACY`). `skip`, `fail`: why it has no text;
    `warnings`: lesser problems. `excluded`: it is no item, since its declared id was taken. `synced`: mark of its
    registry row."""

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
        """Return true if it has facts beyond stamps and digest."""
        return bool(self.skip or self.fail or self.warnings or self.excluded or self.synced)

    @property
    def is_calm(self) -> bool:
        """Return true if its stamps are reliable."""
        return self.stamp is not None and self.sidecar != RACY


def is_calm(stamp: Stamp, started_ns: int) -> bool:
    """Return true if the stamp will detect any further change: the file was not changed just before the scan."""
    return stamp.ctime_ns < started_ns - (_RACY_NS if stamp.ctime_ns % 1_000_000_000 else _COARSE_NS)


def calm_stamp(files: Mapping[str, Stamp], started_ns: int, path: str) -> str | None:
    """Return a file's stamp as text; None if it is not reliable."""
    stamp = files.get(path)
    return str(stamp) if stamp and is_calm(stamp, started_ns) else None


def let_calm_down(corpus: CorpusFolder) -> None:
    """Wait until recent stamps are reliable, if the next refresh would otherwise have many files to check."""
    report = load_scan(corpus).get("report", {})
    if report.get("unchanged", 0) >= _MANY:
        time.sleep(_RACY_NS / 1e9)


def load_scan(corpus: CorpusFolder) -> dict[str, Any]:
    """Load the inputs of the last refresh, its `mark`, its `report`, and `wary`: files to check despite their
    stamps."""
    return read_object(corpus.local / "scan.json", _SCAN) or {}


def made(corpus: CorpusFolder, corpus_digest: str) -> int | None:
    """Return the number of items of a catalog with this digest that the last refresh wrote or verified."""
    scan = load_scan(corpus)
    return scan.get("items") if scan.get("corpus_digest") == corpus_digest else None


_NOTED = ("skipped", "failed", "warnings")
"""The lists of a report with paths and reasons."""


def notes_of(scan: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """Return (path, reason) of the files that the last refresh left out or warned about."""
    report = scan.get("report", {})
    return frozenset((note["path"], note["reason"]) for kind in _NOTED for note in report.get(kind, ()))


def load_rows(corpus: CorpusFolder, mark: str) -> dict[str, FileFacts] | None:
    """Load the stored facts of files; None if they are of another refresh."""
    cached = read_object(corpus.local / "stamps.json", {"mark": str, "rows": {str: list}})
    if cached is None or not mark or cached["mark"] != mark:
        return None
    if not all(fits(row, _ROW) or fits(row, _LONG_ROW) for row in cached["rows"].values()):
        return None
    return {path: _seen(row) for path, row in cached["rows"].items()}


def kept(corpus: CorpusFolder) -> list[Path]:
    """Return the paths of the state files."""
    return [corpus.local / name for name in ("scan.json", "stamps.json", KNOWN_FOLDER)]


def drop_damaged(corpus: CorpusFolder) -> None:
    """Delete the whole state if a part is damaged; it is rebuilt. Call under the lock."""
    paths = kept(corpus)
    if any(os.path.lexists(path) and read_sealed(path) is None for path in paths):
        for path in paths:
            files.remove(path)


def _seen(row: list[Any]) -> FileFacts:
    stamp, sidecar, sha256, *rest = row
    skip, fail, warnings, excluded, synced = rest or (None, None, (), False, "")
    return FileFacts(
        tuple(stamp) if stamp else None,
        tuple(sidecar) if sidecar else None,
        sha256,
        skip,
        fail,
        tuple(warnings),
        excluded,
        synced,
    )


def _row(seen: FileFacts) -> list[Any]:
    row: list[Any] = [seen.stamp, seen.sidecar, seen.sha256]
    if seen.is_noted:
        row += [seen.skip, seen.fail, seen.warnings, seen.excluded, seen.synced]
    return row


def store(corpus: CorpusFolder, scan: Mapping[str, Any], rows: Mapping[str, FileFacts] | None) -> None:
    """Store the state of a refresh. `rows`: facts of files; None: unchanged."""
    if rows is not None:
        body = {"mark": scan["mark"], "rows": {path: _row(facts) for path, facts in rows.items()}}
        write_cache(corpus.local / "stamps.json", json.dumps(body, separators=(",", ":")).encode(), corpus.local)
    write_cache(corpus.local / "scan.json", canonical(scan), corpus.local)
