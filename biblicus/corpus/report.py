"""What a refresh of the catalog found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from shlex import quote

from biblicus.corpus.extracted.extractions import Extractions
from biblicus.corpus.seen.stamps import Seen
from biblicus.models.manifest import Note
from biblicus.models.plain import EXCLUDED
from biblicus.sources.folder import SIDECAR, Scan
from biblicus.text.paths import collisions


@dataclass
class Report:
    """What a refresh found. `unchanged` counts; the lists are sorted by path. `known`: notes that the refresh before it
    made, too, by path and reason."""

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

    def leave_to(self, extractions: Extractions) -> None:
        """Take back that a file is unsupported which a recipe's own extractors read: its run says what came of it."""
        self.skipped = [note for note in self.skipped if not extractions.reads(note)]

    def note(self, scan: Scan, seen: Mapping[str, Seen], broken: Mapping[str, str], paths: Iterable[str]) -> None:
        """Skips, failures and warnings of this and earlier passes: the same folder gives the same report. `broken`:
        sources whose registry does not open, with the cause; `paths`: those of all items."""
        self.skipped += [_entry(note) for note in scan.skipped]
        self.failed += [_entry(note) for note in scan.failed]
        for path, known in seen.items():
            if known.skip:
                self.skipped.append({"path": path, "reason": known.skip})
            if known.fail:
                self.failed.append({"path": path, "reason": known.fail})
            self.warnings += [{"path": path, "reason": warning} for warning in known.warnings]
        moved = {entry["from"]: entry["path"] for entry in self.renamed}
        for sidecar in scan.sidecars:
            if (path := sidecar.removesuffix(SIDECAR)) not in scan.files:
                reason = "a sidecar without its file"
                if path in moved:
                    reason += f", which is {moved[path]} now: mv {quote(sidecar)} {quote(moved[path] + SIDECAR)}"
                self.warnings.append({"path": sidecar, "reason": reason})
        for name, cause in sorted(broken.items()):
            self.warnings.append({"path": f".biblicus/sources/{name}.json", "reason": cause})
        for group in collisions(paths):
            reason = f"differs from {group[0]} only in case or Unicode form; some systems cannot hold both"
            self.warnings.append({"path": group[1], "reason": reason})
        for notes in (self.skipped, self.failed, self.warnings):
            notes.sort(key=lambda note: note["path"])


def joined(first: Report, second: Report) -> Report:
    """Two refreshes in a row as one. The second is changed, and returned."""
    new = {entry["path"] for entry in (*first.added, *first.changed, *first.renamed)}
    again = {entry["path"] for entry in second.changed}
    for name in ("added", "renamed", "removed", "changed"):
        earlier = [entry for entry in getattr(first, name) if name != "changed" or entry["path"] not in again]
        setattr(second, name, sorted(earlier + getattr(second, name), key=lambda entry: entry["path"]))
    added = {entry["path"] for entry in second.added}
    second.changed = [entry for entry in second.changed if entry["path"] not in added]
    second.unchanged -= len(new - again)
    second.duplicates = first.duplicates + second.duplicates
    return second


def _entry(note: Note) -> dict[str, str]:
    return {"path": note.path, "reason": note.reason}
