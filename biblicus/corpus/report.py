"""Report of a refresh of the catalog, and the log's events for its changes and for a new run, created under the lock.

In one log the events lead from one state of the catalog to the next without a gap: an item ingested, changed or
removed, in order of path. A reader that keeps its last cursor misses none and sees none twice (`events.reading`)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from biblicus.contracts import Call
from biblicus.corpus.changes.file_stats import FileFacts
from biblicus.corpus.changes.folder_scan import FolderScan
from biblicus.corpus.events import log
from biblicus.corpus.extracted.extractions import Extractions
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry
from biblicus.errors.families import typed
from biblicus.models.manifest import Manifest, Note
from biblicus.models.plain import EXCLUDED
from biblicus.sources.folder import SIDECAR
from biblicus.text.paths import collisions

ALIKE = "only in case or Unicode form; some systems cannot hold both"
"""End of the warning about colliding paths."""
_FIELDS = re.compile(
    rb'\{("item_id":"[^"]*","path":"(?:[^"\\]|\\.)*"),"media_type":"[^"]*","bytes":\d+,("sha256":"\w*")'
)


@dataclass
class Report:
    """Report of a refresh. `unchanged` is a count; the lists are sorted by path.

    `known`: notes that the previous refresh also made, as (path, reason). `strayed`: orphaned sidecars with the new
    path of their file."""

    added: list[dict[str, str]] = field(default_factory=list)
    changed: list[dict[str, str]] = field(default_factory=list)
    renamed: list[dict[str, str]] = field(default_factory=list)
    removed: list[dict[str, str]] = field(default_factory=list)
    unchanged: int = 0
    duplicates: list[dict[str, str]] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)
    failed: list[dict[str, str]] = field(default_factory=list)
    warnings: list[dict[str, str]] = field(default_factory=list)
    ms: float = 0.0
    known: frozenset[tuple[str, str]] = field(default=frozenset(), metadata=EXCLUDED)
    strayed: dict[str, str] = field(default_factory=dict, metadata=EXCLUDED)

    def leave_to(self, extractions: Extractions) -> None:
        """Remove "unsupported" notes of files that the recipe's own extractors read."""
        self.skipped = [note for note in self.skipped if not extractions.reads(note)]

    def note(
        self, present: FolderScan, seen: Mapping[str, FileFacts], broken: Mapping[str, str], paths: Iterable[str]
    ) -> None:
        """Add skips, failures and warnings, also those of earlier refreshes, so that an unchanged folder gives the same
        report.

        `seen`: files with notes. `broken`: unreadable registries with the cause. `paths`: paths of all items; empty if
        it is known that they do not collide."""
        self.skipped += [_noted(note) for note in present.skipped]
        self.failed += [_noted(note) for note in present.failed]
        for path, facts in seen.items():
            if facts.skip:
                self.skipped.append({"path": path, "reason": facts.skip})
            if facts.fail:
                self.failed.append({"path": path, "reason": facts.fail})
            self.warnings += [{"path": path, "reason": warning} for warning in facts.warnings]
        self._note_sidecars(present)
        for name, cause in sorted(broken.items()):
            self.warnings.append({"path": f".biblicus/sources/{name}.json", "reason": cause})
        for group in collisions(paths):
            reason = f"differs from {group[0]} {ALIKE}"
            self.warnings.append({"path": group[1], "reason": reason})
        for notes in (self.skipped, self.failed, self.warnings):
            notes.sort(key=lambda note: note["path"])

    def _note_sidecars(self, present: FolderScan) -> None:
        """Report sidecars without their file. If it was renamed, its new path is given; nothing is moved."""
        moved = {entry["from"]: entry["path"] for entry in self.renamed}
        before, self.strayed = self.strayed, {}
        for sidecar in present.sidecars:
            file = sidecar.removesuffix(SIDECAR)
            if file in present.files:
                continue
            reason, last = "a sidecar without its file", before.get(sidecar, file)
            if (now := moved.get(last, last)) in present.files:
                self.strayed[sidecar] = now
                is_free = now + SIDECAR not in present.sidecars
                remedy = f": mv {typed(sidecar)} {typed(now + SIDECAR)}" if is_free else " and has another sidecar"
                reason += f", which is {now} now{remedy}"
            self.warnings.append({"path": sidecar, "reason": reason})


def joined(first: Report, second: Report) -> Report:
    """Combine two consecutive reports. A note counts as known if the first refresh knew it."""
    changes = _Changes()
    changes.take(first)
    changes.take(second)
    lists = changes.lists()
    items = second.unchanged + len(second.added) + len(second.changed) + len(second.renamed)
    return replace(
        second,
        added=lists["added"],
        changed=lists["changed"],
        renamed=lists["renamed"],
        removed=lists["removed"],
        unchanged=items - len(lists["added"]) - len(lists["changed"]) - len(lists["renamed"]),
        duplicates=first.duplicates + second.duplicates,
        ms=round(first.ms + second.ms, 1),
        known=first.known,
    )


class _Changes:
    """Combined changes of consecutive reports: original path of each item, None if it was new."""

    def __init__(self) -> None:
        self._was: dict[str, str | None] = {}
        self._gone: dict[str, str] = {}
        self._ids: dict[str, str] = {}

    def take(self, report: Report) -> None:
        """Add the next report."""
        for entry in report.removed:
            first = self._was.pop(entry["path"], entry["path"])
            if first is not None:
                self._gone[first] = entry["item_id"]
        came = {entry["path"]: self._was.pop(entry["from"], entry["from"]) for entry in report.renamed}
        self._was.update(came)
        for entry in report.added:
            path = entry["path"]
            self._was[path] = path if self._gone.pop(path, None) else None
        for entry in report.changed:
            self._was.setdefault(entry["path"], entry["path"])
        self._ids.update({entry["path"]: entry["item_id"] for entry in report.added + report.changed + report.renamed})

    def lists(self) -> dict[str, list[dict[str, str]]]:
        """Return the combined lists."""
        lists: dict[str, list[dict[str, str]]] = {"added": [], "changed": [], "renamed": []}
        for path, first in sorted(self._was.items()):
            named = {"item_id": self._ids[path], "path": path}
            if first is None:
                lists["added"].append(named)
            elif first == path:
                lists["changed"].append(named)
            else:
                lists["renamed"].append({**named, "from": first})
        removed = [{"item_id": item_id, "path": path} for path, item_id in sorted(self._gone.items())]
        return {**lists, "removed": removed}


def _noted(note: Note) -> dict[str, str]:
    return {"path": note.path, "reason": note.reason}


def recording_items(
    corpus: CorpusFolder,
    report: Report,
    old: Mapping[str, Entry],
    new: Mapping[str, Entry],
    states: tuple[str, str],
    call: Call,
) -> AbstractContextManager[None]:
    """Log the change from the entries `old` to `new` made within this context. `states`: the catalog's digests."""
    return log.recording(corpus, _of_items(report, old, new, _at(call)), before=states[0], state=states[1])


def recording_run(corpus: CorpusFolder, manifest: Manifest, call: Call) -> AbstractContextManager[None]:
    """Log that a run is sealed by the manifest written within this context."""
    fields = {
        "run_id": manifest.run_id,
        "recipe_id": manifest.recipe_id,
        "index_version": manifest.index_version,
        "corpus_digest": manifest.corpus_digest,
    }
    line = b'"event":"run.sealed","at":"%b",%b' % (_at(call), json.dumps(fields, separators=(",", ":"))[1:].encode())
    state = manifest.corpus_digest
    return log.recording(corpus, [line], before=state, state=state, run_id=manifest.run_id)


def _at(call: Call) -> bytes:
    now = call.clock()
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now * 1000) % 1000:03d}Z".encode()


def _of_items(report: Report, old: Mapping[str, Entry], new: Mapping[str, Entry], at: bytes) -> Iterator[bytes]:
    for entry in report.added:
        yield _line(b"item.ingested", at, new[entry["path"]])
    for entry in report.changed:
        yield _line(b"item.changed", at, new[entry["path"]])
    for entry in report.renamed:
        moved = json.dumps(entry["from"], ensure_ascii=False).encode()
        yield _line(b"item.changed", at, new[entry["path"]])[:-1] + b',"from":%b}' % moved
    for entry in report.removed:
        yield _line(b"item.removed", at, old[entry["path"]])


def _line(kind: bytes, at: bytes, entry: Entry) -> bytes:
    """Return an event of an item; id, path and digest are copied from the catalog's line."""
    match = _FIELDS.match(entry.line)
    if match is None:
        raise AssertionError("a catalog line without its first fields")
    return b'"event":"%b","at":"%b",%b,%b}' % (kind, at, *match.groups())
