"""What the last refresh saw, so that the next one reads only what changed. Derived; losing it costs time only.

`scan.json` answers "did anything change at all" at the price of one small file; `stamps.json` holds each file's stamp,
what it depended on, and what was said of it; `folder.json` (`known_folder`) is what questions are held against.
A file that was changed so shortly before the scan that a further change could leave its stamp as it is ("racy", as git
calls it) is stored without one and hashed again next time.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.disk.files import Stamp
from biblicus.disk.seals import read_sealed, write_cache
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


@dataclass(frozen=True)
class Stamps:
    """All of it. `basis`: digest of everything else that decides a description (rules, versions). `limits`: digest of
    those under which files failed; `ignored`: of the ignore rules."""

    basis: str = ""
    corpus_digest: str = ""
    seen: Mapping[str, Seen] = field(default_factory=dict)
    limits: str = ""
    ignored: str = ""


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
    """`digest`, `basis`, `limits`, `synced`, `corpus_digest` and the `report` of the last refresh that left nothing
    racy; empty if none."""
    body = read_sealed(corpus.local / "scan.json")
    return json.loads(body) if body else {}


_NOTED = ("skipped", "failed", "warnings")
"""The parts of a report that name files with a reason."""


def notes_of(scan: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """What the last refresh said of files that it left out, or read with a warning."""
    report = scan.get("report", {})
    return frozenset((note["path"], note["reason"]) for kind in _NOTED for note in report.get(kind, ()))


def load(corpus: CorpusFolder) -> Stamps:
    body = read_sealed(corpus.local / "stamps.json")
    if not body:
        return Stamps()
    data = json.loads(body)
    seen = {path: _seen(row) for path, row in data["seen"].items()}
    return Stamps(data["basis"], data["corpus_digest"], seen, data.get("limits", ""), data.get("ignored", ""))


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
    skip, fail, warnings, excluded, synced = (*rest, "")[:5] if rest else (None, None, (), False, "")
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
    if seen.skip or seen.fail or seen.warnings or seen.excluded or seen.synced:
        row += [seen.skip, seen.fail, seen.warnings, seen.excluded, seen.synced]
    return row


def store(
    corpus: CorpusFolder, stamps: Stamps, scan_digest: str | None, report: Mapping[str, Any], synced: str = ""
) -> None:
    """Keep both files. `scan_digest` is None where something was racy; `synced`: digest of the sources' registries."""
    rows = {path: _row(seen) for path, seen in stamps.seen.items()}
    header = {name: getattr(stamps, name) for name in ("basis", "limits", "ignored", "corpus_digest")}
    body = {**header, "seen": rows}
    write_cache(corpus.local / "stamps.json", json.dumps(body, separators=(",", ":")).encode(), corpus.local)
    small = {
        "digest": scan_digest,
        "basis": stamps.basis,
        "limits": stamps.limits,
        "synced": synced,
        "corpus_digest": stamps.corpus_digest,
        "report": report,
    }
    write_cache(corpus.local / "scan.json", canonical(small), corpus.local)
