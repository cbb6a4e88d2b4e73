"""Refreshes the catalog from the folder: what was added, changed, renamed, removed; what was left out, and why.

Runs under the writers' lock. A file whose stamp is as the last refresh saw it is not opened; if no stamp changed, no
folder is listed and the catalog is not even read.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import count
from typing import Any

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import registries as sources
from biblicus.corpus.catalog import Catalog, Entry, Header, Items
from biblicus.corpus.described.describe import Description, derived_id
from biblicus.corpus.described.members import Members, inherited
from biblicus.corpus.editorial import log as editorial
from biblicus.corpus.editorial.approvals import Standing, digest_at, standing_of
from biblicus.corpus.editorial.log import EditorialLog
from biblicus.corpus.events.recording import recording_items
from biblicus.corpus.examine import Examined, Wanted, basis_of, described, examine_all, limits_of
from biblicus.corpus.extracted.extractions import Extractions, Raw, of_default_recipe
from biblicus.corpus.extracted.transcripts import paired
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.registries import Synced
from biblicus.corpus.renames import renamed
from biblicus.corpus.report import Report
from biblicus.corpus.seen import known_folder, stamps
from biblicus.corpus.seen.pending import is_as_known
from biblicus.corpus.seen.stamps import RACY, Seen, Stamps, calm_stamp, is_calm
from biblicus.disk import files
from biblicus.disk.files import Stamp
from biblicus.extraction.members import OPENED
from biblicus.guards.side_by_side import Executor, no_collection
from biblicus.models.extraction import Elsewhere, Extraction, NoExtraction
from biblicus.models.item import Item
from biblicus.models.manifest import SCHEMA_VERSION
from biblicus.models.sources.entries import KINDS
from biblicus.models.sources.syncing import Provenance, Row
from biblicus.sources.folder import SIDECAR, Scan, walk
from biblicus.text.paths import file_of, is_member


@dataclass
class Refreshed:
    """The report, the catalog's header, the catalog itself if it had to be read, and the extractions in memory.

    `files`: gives every file with its stamp, as it was when the refresh began (`started_ns`). `helpers`: who keep the
    texts of many files. `seen`: what was seen of each file, where something had changed.
    """

    report: Report
    header: Header
    catalog: Catalog | None
    extractions: Extractions
    files: Callable[[], Mapping[str, Stamp]]
    started_ns: int
    helpers: Executor | None = None
    seen: Stamps | None = None

    @cached_property
    def stamp_of(self) -> Callable[[str], str | None]:
        """Gives a file's stamp, as runs keep it."""
        return partial(calm_stamp, self.files(), self.started_ns)


def refresh(
    corpus: CorpusFolder,
    call: Call,
    without: Collection[str] = (),
    *,
    retry_failed: bool = False,
    helpers: Executor | None = None,
    before: Refreshed | None = None,
    is_last: bool = True,
) -> Refreshed:
    """Bring the catalog up to the folder. The caller holds the lock. `without`: paths to take as gone, because they are
    deleted next. `retry_failed`: what failed is parsed again. `helpers`: who keep the texts of many files. `before`:
    what the last refresh came to, under the same lock; `is_last`: none follows, so that what was seen is kept."""
    with telemetry.span("refresh"), no_collection():
        refreshed = _refresh(corpus, call, without, retry_failed, helpers, before, is_last)
    refreshed.report.leave_to(of_default_recipe(corpus, call))
    return refreshed


def _refresh(
    corpus: CorpusFolder,
    call: Call,
    without: Collection[str],
    retry_failed: bool,
    helpers: Executor | None,
    before: Refreshed | None,
    is_last: bool,
) -> Refreshed:
    began = time.perf_counter()
    started_ns = time.time_ns()
    basis = basis_of(corpus)
    extractions = Extractions(corpus, call, retry_failed=retry_failed)
    is_far = helpers is not None and helpers.is_far
    extractions.executor = helpers if is_far else None
    header = catalogs.read_header(corpus)
    known = stamps.load_scan(corpus)
    synced = sources.synced(corpus)
    approvals = editorial.read(corpus)
    stands = (
        header is not None
        and known.get("digest") is not None
        and known.get("basis") == basis
        and known.get("synced", "") == synced.digest + approvals.digest
        and known.get("corpus_digest") == header.corpus_digest
        and all(map(os.path.lexists, stamps.kept(corpus)))
        and not (known["report"]["failed"] and (retry_failed or known.get("limits") != limits_of(extractions)))
    )

    def unchanged(header: Header, files: Callable[[], Mapping[str, Stamp]]) -> Refreshed:
        report = Report(**known["report"])
        report.ms = round((time.perf_counter() - began) * 1000, 1)
        report.known = stamps.notes_of(known)
        return Refreshed(report, header, None, extractions, files, started_ns, helpers)

    folder = known_folder.load(corpus) if stands and not without else None
    if header and folder and folder.corpus_digest == header.corpus_digest and is_as_known(corpus, folder):
        return unchanged(header, folder.files)
    scan = walk(corpus.root, max_bytes=corpus.settings.max_file_bytes)
    for name in scan.litter:  # of a writer that died, in sidecars' and imports' folders
        files.remove(corpus.root / name)
    for path in without:
        scan.files.pop(path, None)
        scan.sidecars.pop(path + SIDECAR, None)
        scan.folders[path[: path.rfind("/") + 1]] = Stamp(0, 0, 0, 0)  # listed again: the deletion may yet fail
    if header and stands and known["digest"] == scan.digest():
        known_folder.store(corpus, scan, header.corpus_digest, started_ns)
        return unchanged(header, lambda: scan.files)
    last = before.catalog if before and before.catalog else catalogs.known(corpus)
    seen = before.seen if before and before.seen else stamps.load(corpus)
    pass_ = _Pass(corpus, call, scan, basis, started_ns, extractions, synced, approvals, last, seen)
    strayed = known.get("report", {}).get("strayed", {})
    report, catalog = pass_.run(strayed, None if is_far else helpers, is_last)  # who is far has no files to examine
    report.known = stamps.notes_of(known)
    report.ms = round((time.perf_counter() - began) * 1000, 1)
    return Refreshed(
        report, catalog.header, catalog, extractions, lambda: scan.files, started_ns, helpers, pass_.stamps
    )


class _Pass:
    """One pass over a folder in which something changed."""

    def __init__(
        self,
        corpus: CorpusFolder,
        call: Call,
        scan: Scan,
        basis: str,
        started_ns: int,
        extractions: Extractions,
        synced: Synced,
        approvals: EditorialLog,
        last: Catalog | None,
        seen: Stamps,
    ) -> None:
        self.corpus, self.call, self.scan, self.basis, self.synced = corpus, call, scan, basis, synced
        self.approvals = approvals
        self.standing: dict[str, Standing] = {}
        self.started_ns = started_ns
        self.extractions = extractions
        fits = last is not None and seen.basis == basis and seen.corpus_digest == last.header.corpus_digest
        self.last = seen.seen if fits else {}
        self.held: dict[str, list[str]] = {}
        for path in filter(is_member, self.last):
            self.held.setdefault(file_of(path), []).append(path)
        self.are_rules_new = seen.ignored != scan.rules_digest()
        self.limits = limits_of(extractions)
        self.retry_failed = extractions.retry_failed or seen.limits != self.limits
        self.transcripts = self._paired()
        self.header = last.header if last else None
        self.old: Mapping[str, Entry] = last.entries if last else {}
        self.old_items = Items(self.old)
        self.seen: dict[str, Seen] = {}
        self.described: dict[str, Description] = {}
        self.raws: dict[str, Raw] = {}
        self.kept: dict[str, Entry] = {}

    def run(self, strayed: dict[str, str], helpers: Executor | None, is_last: bool) -> tuple[Report, Catalog]:
        """`strayed`: as the last report had it. `is_last`: see `refresh`; what fits a changed catalog is kept anyway,
        since what is kept fits one alone."""
        self._look(helpers)
        report = Report(strayed=strayed)
        entries = dict(sorted({**self._identify(report), **self.kept}.items()))
        corpus_id = self.corpus.config.corpus_id
        latest = self.header.latest if self.header and self.header.corpus_id == corpus_id else {}
        header = Header(
            schema_version=SCHEMA_VERSION,
            corpus_id=corpus_id,
            latest=latest,
            corpus_digest=catalogs.corpus_digest(entry.line for entry in entries.values()),
        )
        catalog = Catalog(header, entries)
        self._write(catalog, report)
        report.note(self.scan, self.seen, self.synced.broken, entries)
        self.stamps = Stamps(self.basis, header.corpus_digest, self.seen, self.limits, self.scan.rules_digest())
        if is_last or header != self.header:
            self._keep(header.corpus_digest, report)
        return report, catalog

    def _write(self, catalog: Catalog, report: Report) -> None:
        """Write the catalog where it changed, and log what its items came to."""
        before = self.header.corpus_digest if self.header else catalogs.corpus_digest(())
        after = catalog.header.corpus_digest
        if self.header == catalog.header:
            return
        if before == after:
            catalogs.write(self.corpus, catalog)
            return
        recording = recording_items(self.corpus, report, self.old, catalog.entries, (before, after), self.call)
        with telemetry.span("write"), recording:
            catalogs.write(self.corpus, catalog)

    def _look(self, helpers: Executor | None) -> None:
        """Examine every file whose stamp, or its sidecar's or transcript's, is not the one last seen."""
        wanted: list[Wanted] = []
        spoken = set(self.transcripts.values())
        for path, stamp in self.scan.files.items():
            if path in spoken:
                continue
            last = self.last.get(path)
            same = last is not None and last.stamp == stamp and last.sidecar == self._beside(path) and path in self.old
            if same and last and not self._is_tried_again(path, last) and self._is_said(path, last.synced):
                self.seen[path], self.kept[path] = last, self.old[path]
                for member in self.held.get(path, ()):
                    self.seen[member] = self.last[member]
                    if member in self.old:
                        self.kept[member] = self.old[member]
            else:
                has_sidecar, transcript = path + SIDECAR in self.scan.sidecars, self.transcripts.get(path, "")
                if path in self.approvals.standing and (approved := standing_of(self.corpus, path, transcript)):
                    self.standing[path] = approved
                standing = self.standing.get(path)
                wanted.append(Wanted(path, stamp.size, has_sidecar, self._synced(path), transcript, standing))
        waiting: dict[str, Raw] = {}
        with telemetry.span("hash", {"biblicus.files": len(wanted)}):  # and decode, where it is text
            for examined in examine_all(self.corpus, self.extractions, wanted, self.call, helpers):
                if examined.error is not None:
                    self.seen[examined.path] = Seen(None, None, "", fail=examined.error, excluded=True)
                elif examined.outcome is None and examined.raw is not None:
                    waiting[examined.path] = examined.raw
                else:
                    self._take(examined)
        with telemetry.span("extract", {"biblicus.files": len(waiting)}):
            for raw, outcome in self.extractions.guarded(waiting.values()):
                has_sidecar = raw.path + SIDECAR in self.scan.sidecars
                standing = self.standing.get(raw.path)
                self._take(described(self.corpus, raw, outcome, has_sidecar, self._synced(raw.path), standing))
        self._look_inside()

    def _is_tried_again(self, path: str, last: Seen) -> bool:
        """Whether a file, or what it holds, is looked at though it is as it was."""
        held = [self.last[member] for member in self.held.get(path, ())]
        if self.retry_failed and (last.fail or any(seen.fail for seen in held)):
            return True
        return bool(held) and (self.are_rules_new or any(seen.stamp is None for seen in held))

    def _look_inside(self) -> None:
        """Examine what the files hold that were described just now."""
        members = Members(self.extractions, self.scan.ignored, self._is_kept)
        holders: dict[str, tuple[Raw, Item]] = {}
        for path, raw in self.raws.items():
            if self.seen[path].fail is None and members.may_hold(raw):
                holders[path] = raw, catalogs.parse_line(self.described[path].entry.line)
        for raw, outcome, description in members.of(holders):
            self._take(Examined(raw.path, raw, outcome, description))
        for path, reason, is_failure in members.left:
            skip, fail = (None, reason) if is_failure else (reason, None)
            self.seen[path] = Seen(self.seen[file_of(path)].stamp, None, "", skip, fail, excluded=True)

    def _is_kept(self, raw: Raw, holder: Item) -> bool:
        """Keep a member whose bytes are as they were, in what gives it the same tags and source."""
        file, last = file_of(raw.path), self.last.get(raw.path)
        before, was = self.last.get(file), self.old_items.get(file)
        if last is None or last.fail or last.sha256 != raw.sha256 or raw.path not in self.old:
            return False
        if before is None or was is None or before.sidecar != self._beside(file) or inherited(was) != inherited(holder):
            return False
        self.seen[raw.path] = replace(last, stamp=self.seen[file].stamp)
        self.kept[raw.path] = self.old[raw.path]
        return True

    def _synced(self, path: str) -> Provenance | None:
        """What a source's registry says of a file; where it is broken, what the catalog still has from it."""
        if self.synced.is_broken(path) and (old := self.old_items.get(path)) and old.source.kind in KINDS:
            row = Row(path, path, old.source.uri, old.sha256, old.source.ref, None, old.source.retrieved_at)
            kept = {key: value for key, value in old.metadata.items() if isinstance(value, str)}
            return Provenance(old.source.kind, row, kept, old.tags, old.doctype)
        return self.synced.of(path)

    def _take(self, examined: Examined) -> None:
        raw, outcome, description = examined.raw, examined.outcome, examined.description
        if raw is None or outcome is None or description is None:
            raise AssertionError(f"{examined.path} was examined by halves")
        skip = fail = None
        if isinstance(outcome, NoExtraction) and outcome != OPENED:
            skip, fail = (None, outcome.sentence) if outcome.is_failure else (outcome.sentence, None)
        elif isinstance(outcome, Elsewhere):
            self.extractions.elsewhere[raw.path] = outcome.helper
        elif isinstance(outcome, Extraction) and description.entry.media_type == raw.media_type:
            self.extractions.remember(raw, outcome)
        self.described[raw.path] = description
        if not is_member(raw.path):
            self.raws[raw.path] = raw
        stamp = self.scan.files[file_of(raw.path)]
        self.seen[raw.path] = Seen(
            None if self.extractions.may_pass(raw, outcome) else self._calm(stamp),
            self._beside(raw.path, calm=True),
            self._sha256_now(raw),
            skip,
            fail,
            description.warnings,
            synced=self.synced.mark(raw.path) + self._approval(raw.path),
        )

    def _sha256_now(self, raw: Raw) -> str:
        """Of the file as it lies there, which is not what is described while an edit is pending."""
        standing = self.standing.get(raw.path)
        return digest_at(self.corpus, raw.path) or "" if standing and standing.is_pending else raw.sha256

    def _approval(self, path: str) -> str:
        """What is kept of a path's approval, behind the mark of its source."""
        event = self.approvals.standing.get(path)
        return f"@{event.id}" if event else ""

    def _is_said(self, path: str, mark: str) -> bool:
        """Whether sources and the editorial log say of a path what they said of it when it was last seen."""
        source, at, approval = mark.partition("@")
        return self.synced.says(path, source) and at + approval == self._approval(path)

    def _calm(self, stamp: Stamp) -> Stamp | None:
        return stamp if is_calm(stamp, self.started_ns) else None

    def _paired(self) -> dict[str, str]:
        """The transcript of each recording. What comes from a source, as imports do, is an item of its own."""
        pairs = paired(self.scan.files)
        imported = {path for path in pairs.values() if path + SIDECAR in self.scan.sidecars}
        imported.update(path for pair in pairs.items() for path in pair if self.synced.of(path))
        return {path: words for path, words in pairs.items() if not imported & {path, words}}

    def _beside(self, path: str, *, calm: bool = False) -> tuple[int, ...] | None:
        """The stamps of what else decides an item, its sidecar and its transcript; None where there is neither.
        `calm`: those of nothing at all where one of them is not."""
        if not self.scan.sidecars and not self.transcripts:
            return None
        sidecar = self.scan.sidecars.get(path + SIDECAR)
        if (transcript := self.transcripts.get(path)) is None:
            return RACY if calm and sidecar and not self._calm(sidecar) else sidecar
        stamps = [stamp for stamp in (sidecar, self.scan.files[transcript]) if stamp]
        if calm and not all(map(self._calm, stamps)):
            return RACY
        return tuple(part for stamp in stamps for part in stamp)

    # --- identity ---

    def _identify(self, report: Report) -> dict[str, Entry]:
        """Entries of what was described. Ids: declared, else the catalog's, else a vanished twin's, else derived."""
        twins = self._twins(report)
        inherited = {path: old.item_id for path in self.described if (old := self.old.get(path) or twins.get(path))}
        undeclared = [path for path in sorted(self.described) if self.described[path].declared_id is None]
        chosen = {path: inherited[path] for path in undeclared if path in inherited}
        holders = {entry.item_id: path for path, entry in self.kept.items()}
        holders.update({item_id: path for path, item_id in chosen.items()})
        for path in sorted(self.described):
            if (item_id := self.described[path].declared_id) is None:
                continue
            if holders.setdefault(item_id, path) != path:
                self._refuse(path, f'its id "{item_id}" is already that of {holders[item_id]}')
            else:
                chosen[path] = item_id
        for path in undeclared:
            if path not in chosen:
                free = (item_id for n in count() if (item_id := derived_id(path, n)) not in holders)
                chosen[path] = next(free)
                holders[chosen[path]] = path
        entries = {}
        for path, item_id in chosen.items():
            entry = self.described.pop(path).entry
            entries[path] = entry if entry.item_id == item_id else catalogs.with_id(entry, item_id)
        self._compare(entries, twins, report)
        return entries

    def _refuse(self, path: str, reason: str) -> None:
        """The file is no item for now; it is looked at again by every refresh."""
        self.seen[path] = replace(self.seen[path], stamp=None, fail=reason, excluded=True)

    def _twins(self, report: Report) -> dict[str, Item]:
        """What new paths were called before. Ambiguous pairs are said so."""
        gone = [path for path in self.old if path not in self.seen]
        fresh = {path: self.seen[path].sha256 for path in sorted(self.described) if path not in self.old}
        twins, ambiguous = renamed(self.old_items, gone, fresh)
        reason = "ambiguous rename: several files with these bytes vanished or appeared; taken as new"
        report.warnings += [{"path": path, "reason": reason} for path in ambiguous]
        return twins

    def _compare(self, entries: dict[str, Entry], twins: dict[str, Item], report: Report) -> None:
        moved = {twin.path for path, twin in twins.items() if path in entries and entries[path].item_id == twin.item_id}
        vanished = {
            old.item_id: path for path, old in self.old.items() if path not in entries and path not in self.kept
        }
        for path, entry in sorted(entries.items()):
            named = {"item_id": entry.item_id, "path": path}
            old, twin = self.old.get(path), twins.get(path)
            if old is None and twin is not None and twin.path in moved:
                report.renamed.append({**named, "from": twin.path})
            elif old is None and self.synced.of(path) and (before := vanished.get(entry.item_id)) is not None:
                report.renamed.append({**named, "from": before})
                moved.add(before)
            elif old is None:
                report.added.append(named)
            elif old.line == entry.line:
                report.unchanged += 1
            else:
                report.changed.append(named)
        report.unchanged += len(self.kept)
        for path, old in self.old.items():
            if path not in entries and path not in self.kept and path not in moved:
                report.removed.append({"item_id": old.item_id, "path": path})

    # --- results ---

    def _keep(self, corpus_digest: str, report: Report) -> None:
        calm = all(seen.stamp is not None and seen.sidecar != RACY for seen in self.seen.values())
        again: dict[str, Any] = {
            "unchanged": report.unchanged + len(report.added) + len(report.changed) + len(report.renamed),
            "skipped": report.skipped,
            "failed": report.failed,
            "warnings": [note for note in report.warnings if not note["reason"].startswith("ambiguous")],
            "strayed": report.strayed,
        }
        stamps.store(
            self.corpus,
            self.stamps,
            self.scan.digest() if calm else None,
            again,
            self.synced.digest + self.approvals.digest,
        )
        known_folder.store(self.corpus, self.scan, corpus_digest, self.started_ns)
