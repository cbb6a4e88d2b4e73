"""One pass over the changed files of a folder: they are examined and become entries of a new catalog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count

from biblicus import telemetry
from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import Catalog, Header, Items
from biblicus.corpus.changes.file_stats import RACY, FileFacts, is_calm
from biblicus.corpus.changes.folder_scan import FolderScan
from biblicus.corpus.changes.pending import LastRefresh
from biblicus.corpus.changes.synced import Synced
from biblicus.corpus.described.describe import Description, derived_id
from biblicus.corpus.editorial.approvals import Standing, digest_at, standing_of
from biblicus.corpus.editorial.log import EditorialLog
from biblicus.corpus.examine import Examined, Members, Wanted, described, examine_all, inherited
from biblicus.corpus.extracted.extractions import Extractions, Raw
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry, Lines
from biblicus.corpus.report import Report, recording_items
from biblicus.disk.files import Stamp
from biblicus.extraction.members import OPENED
from biblicus.guards.side_by_side import Executor
from biblicus.models.extraction import Elsewhere, Extraction, NoExtraction
from biblicus.models.item import Item
from biblicus.models.manifest import SCHEMA_VERSION
from biblicus.models.sources.syncing import UNSYNCED, Provenance, Row
from biblicus.sources import ignoring
from biblicus.sources.folder import SIDECAR
from biblicus.text.paths import MEMBER, file_of, is_member


@dataclass
class Pass:
    """One pass.

    `catalog`: the previous one; `last`: its facts of each file, empty if they are no longer valid. `tries_failed`:
    examine failed files again. `are_rules_new`: ignore rules changed. `had_alike`: some paths differ only in case or
    Unicode form.

    Entries stay valid unless their path is in `left`. `examined`: facts of this pass's files. `unchanged`: paths in
    `left` of members that are as before. Afterwards `rows` contains the facts to store."""

    corpus: CorpusFolder
    call: Call
    present: FolderScan
    started_ns: int
    extractions: Extractions
    synced: Synced
    approvals: EditorialLog
    catalog: Catalog | None
    last: LastRefresh
    tries_failed: bool
    are_rules_new: bool
    had_alike: bool
    standing: dict[str, Standing] = field(default_factory=dict)
    noted: dict[str, list[str]] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    examined: dict[str, FileFacts] = field(default_factory=dict)
    described: dict[str, Description] = field(default_factory=dict)
    raws: dict[str, Raw] = field(default_factory=dict)
    unchanged: set[str] = field(default_factory=set)
    rows: dict[str, FileFacts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.transcripts = self._paired()
        self.has_beside = self.present.touched is not None or bool(self.transcripts or self.present.sidecars)
        self.header = self.catalog.header if self.catalog else None
        self.old = self.catalog.of_all if self.catalog else Lines()
        self.old_items = Items(self.old)
        self.spoken = {*self.transcripts.values()}
        for path in filter(is_member, self.last.rows):
            self.noted.setdefault(file_of(path), []).append(path)

    def run(self, strayed: dict[str, str], helpers: Executor | None) -> tuple[Report, Catalog]:
        """Run the pass. `strayed`: of the last report."""
        self._look(helpers)
        report = Report(strayed=strayed)
        entries = self._identify(report)
        changes: dict[str, Entry | None] = {path: None for path in self.left - self.unchanged if path in self.old}
        changes.update(entries)
        for path, entry in entries.items():
            if self.old.get(path) == entry:
                del changes[path]
        corpus_id = self.corpus.config.corpus_id
        now = self.old.changed(changes) if changes else self.old
        header = Header(
            schema_version=SCHEMA_VERSION,
            corpus_id=corpus_id,
            latest=self.header.latest if self.header and self.header.corpus_id == corpus_id else {},
            corpus_digest=now.digest() if changes or not self.header else self.header.corpus_digest,
            folder_rules=ignoring.VERSION,
        )
        catalog = Catalog(header, now)
        self._write(catalog, report)
        plain = LastRefresh(self.present.files, self.present.sidecars, now, {})
        self.rows = {path: row for path, row in self.last.rows.items() if path not in self.left}
        self.rows.update({path: facts for path, facts in self.examined.items() if not plain.is_told(path, facts)})
        report.note(self.present, self.rows, self.synced.broken, now if self._may_collide(changes) else ())
        return report, catalog

    def _may_collide(self, changes: Mapping[str, Entry | None]) -> bool:
        """Return true if some paths may differ only in case or Unicode form."""
        new = [path for path, entry in changes.items() if entry is not None and path not in self.old]
        return self.present.touched is None or self.had_alike or self.present.folder.may_collide(new)

    def _write(self, catalog: Catalog, report: Report) -> None:
        """Write the catalog if it changed, and log the events."""
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
        """Examine every file with a changed stamp, also of its sidecar or transcript."""
        changed_files: list[Wanted] = []
        for path, stamp in self._looked_at():
            if stamp is None or path in self.spoken:
                self._leave(path)
                continue
            last = self.last.get(path)
            same = last is not None and last.stamp == stamp and last.sidecar == self._beside(path) and path in self.old
            if same and last and not self._is_tried_again(path, last) and self._is_said(path, last.synced):
                continue
            self._leave(path)
            has_sidecar, transcript = path + SIDECAR in self.present.sidecars, self.transcripts.get(path, "")
            if path in self.approvals.standing and (approved := standing_of(self.corpus, path, transcript)):
                self.standing[path] = approved
            approval = self.standing.get(path)
            changed_files.append(Wanted(path, stamp.size, has_sidecar, self._synced(path), transcript, approval))
        waiting: dict[str, Raw] = {}
        with telemetry.span("hash", {"biblicus.files": len(changed_files)}):  # and decode, if it is text
            for examined in examine_all(self.corpus, self.extractions, changed_files, self.call, helpers):
                if examined.error is not None:
                    self.examined[examined.path] = FileFacts(None, None, "", fail=examined.error, excluded=True)
                elif examined.outcome is None and examined.raw is not None:
                    waiting[examined.path] = examined.raw
                else:
                    self._take(examined)
        with telemetry.span("extract", {"biblicus.files": len(waiting)}):
            for raw, outcome in self.extractions.guarded(waiting.values()):
                has_sidecar = raw.path + SIDECAR in self.present.sidecars
                approval = self.standing.get(raw.path)
                self._take(described(self.corpus, raw, outcome, has_sidecar, self._synced(raw.path), approval))
        self._look_inside()

    def _looked_at(self) -> Iterator[tuple[str, Stamp | None]]:
        """Yield the possibly changed files with their stamps; None for a missing one."""
        if (touched := self.present.touched) is not None:
            yield from ((path, self.present.files.get(path)) for path in sorted(touched))
            return
        yield from self.present.files.items()
        gone = {file_of(path) for path in chain(self.old, self.last.rows)} - self.present.files.keys()
        yield from ((path, None) for path in gone)

    def _leave(self, path: str) -> None:
        """Invalidate the entries of a file and its members."""
        self.left.update((path, *self._held(path)))

    def _held(self, path: str) -> list[str]:
        """Return the previously known members of a file."""
        if path not in self.last and path not in self.old:
            return []
        return [*dict.fromkeys((*self.old.below(path + MEMBER), *self.noted.get(path, ())))]

    def _is_tried_again(self, path: str, last: FileFacts) -> bool:
        """Return true if an unchanged file, or its members, must be examined again."""
        member_facts = [facts for member in self._held(path) if (facts := self.last.get(member))]
        if self.tries_failed and (last.fail or any(facts.fail for facts in member_facts)):
            return True
        return bool(member_facts) and (self.are_rules_new or any(facts.stamp is None for facts in member_facts))

    def _look_inside(self) -> None:
        """Examine the members of the files that were just described."""
        members = Members(self.extractions, self.present.ignored, self._is_kept)
        holders: dict[str, tuple[Raw, Item]] = {}
        for path, raw in self.raws.items():
            if self.examined[path].fail is None and members.may_hold(raw):
                holders[path] = raw, catalogs.parse_line(self.described[path].entry.line)
        for raw, outcome, description in members.of(holders):
            self._take(Examined(raw.path, raw, outcome, description))
        for path, reason, is_failure in members.left:
            skip, fail = (None, reason) if is_failure else (reason, None)
            self.examined[path] = FileFacts(self.examined[file_of(path)].stamp, None, "", skip, fail, excluded=True)

    def _is_kept(self, raw: Raw, holder: Item) -> bool:
        """Keep a member with unchanged bytes and unchanged inherited metadata. Return true if kept."""
        file, last = file_of(raw.path), self.last.get(raw.path)
        before, was = self.last.get(file), self.old_items.get(file)
        if last is None or last.fail or last.sha256 != raw.sha256 or raw.path not in self.old:
            return False
        if before is None or was is None or before.sidecar != self._beside(file) or inherited(was) != inherited(holder):
            return False
        self.examined[raw.path] = replace(last, stamp=self.examined[file].stamp)
        self.unchanged.add(raw.path)
        return True

    def _synced(self, path: str) -> Provenance | None:
        """Return a file's registry row; if the registry is broken, one rebuilt from the catalog."""
        if self.synced.is_broken(path) and (old := self.old_items.get(path)) and old.source.kind not in UNSYNCED:
            row = Row(path, path, old.source.uri, old.sha256, old.source.ref, None, old.source.retrieved_at)
            metadata = {key: value for key, value in old.metadata.items() if isinstance(value, str) or key == "readers"}
            return Provenance(old.source.kind, row, metadata, old.tags, old.doctype)
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
        stamp = self.present.files[file_of(raw.path)]
        self.examined[raw.path] = FileFacts(
            None if self.extractions.may_pass(raw, outcome) else self._calm(stamp),
            self._beside(raw.path, calm=True),
            self._sha256_now(raw),
            skip,
            fail,
            description.warnings,
            synced=self.synced.mark(raw.path) + self._approval(raw.path),
        )

    def _sha256_now(self, raw: Raw) -> str:
        """Return the digest of the current file, which differs from the described one while an edit is pending."""
        approval = self.standing.get(raw.path)
        return digest_at(self.corpus, raw.path) or "" if approval and approval.is_pending else raw.sha256

    def _approval(self, path: str) -> str:
        """Return the approval mark of a path, which is stored after its source's mark."""
        event = self.approvals.standing.get(path)
        return f"@{event.id}" if event else ""

    def _is_said(self, path: str, mark: str) -> bool:
        """Return true if registry and editorial log have not changed for a path."""
        source, at, approval = mark.partition("@")
        return self.synced.says(path, source) and at + approval == self._approval(path)

    def _calm(self, stamp: Stamp) -> Stamp | None:
        return stamp if is_calm(stamp, self.started_ns) else None

    def _paired(self) -> dict[str, str]:
        """Return the transcript of each recording. Files from a source or an import remain separate items."""
        pairs = self.present.pairs
        imported = {path for path in pairs.values() if path + SIDECAR in self.present.sidecars}
        imported.update(path for pair in pairs.items() for path in pair if self.synced.of(path))
        return {path: words for path, words in pairs.items() if not imported & {path, words}}

    def _beside(self, path: str, *, calm: bool = False) -> tuple[int, ...] | None:
        """Return the stamps of a path's sidecar and transcript, or None.
        `calm`: return `RACY` if one of them was changed too recently."""
        if not self.has_beside:
            return None
        sidecar = self.present.sidecars.get(path + SIDECAR)
        if (transcript := self.transcripts.get(path)) is None:
            return RACY if calm and sidecar and not self._calm(sidecar) else sidecar
        stamps = [stamp for stamp in (sidecar, self.present.files[transcript]) if stamp]
        if calm and not all(map(self._calm, stamps)):
            return RACY
        return tuple(part for stamp in stamps for part in stamp)

    # --- identity ---

    def _identify(self, report: Report) -> dict[str, Entry]:
        """Return entries with ids: declared, else from the catalog, from a renamed file, or derived."""
        twins = self._twins(report)
        inherited = {path: old.item_id for path in self.described if (old := self.old.get(path) or twins.get(path))}
        undeclared = [path for path in sorted(self.described) if self.described[path].declared_id is None]
        chosen = {path: inherited[path] for path in undeclared if path in inherited}
        holders = {item_id: path for path, item_id in chosen.items()}
        for path in sorted(self.described):
            if (item_id := self.described[path].declared_id) is None:
                continue
            holder = holders.get(item_id) or self._keeper_of(item_id) or path
            if holder != path:
                self._refuse(path, f'its id "{item_id}" is already that of {holder}')
            else:
                chosen[path] = item_id
                holders[item_id] = path
        for path in undeclared:
            if path not in chosen:
                variants = (derived_id(path, number) for number in count())
                chosen[path] = next(id_ for id_ in variants if id_ not in holders and not self._keeper_of(id_))
                holders[chosen[path]] = path
        entries = {}
        for path, item_id in chosen.items():
            entry = self.described.pop(path).entry
            entries[path] = entry if entry.item_id == item_id else catalogs.with_id(entry, item_id)
        self._compare(entries, twins, report)
        return entries

    def _keeper_of(self, item_id: str) -> str | None:
        """Return the path of the item that keeps this id."""
        path = self.old.path_of(item_id)
        if path is None or path not in self.left or path in self.unchanged:
            return path
        described = self.described.get(path)
        return path if described is not None and described.declared_id == item_id else None

    def _refuse(self, path: str, reason: str) -> None:
        """Exclude a file from the items; every refresh examines it again."""
        self.examined[path] = replace(self.examined[path], stamp=None, fail=reason, excluded=True)

    def _twins(self, report: Report) -> dict[str, Item]:
        """Return the previous items of renamed paths. Ambiguous renames are reported."""
        gone = sorted(path for path in self.left if path in self.old and path not in self.examined)
        fresh = {path: self.examined[path].sha256 for path in sorted(self.described) if path not in self.old}
        twins, ambiguous = renamed(self.old_items, gone, fresh)
        reason = "ambiguous rename: several files with these bytes vanished or appeared; taken as new"
        report.warnings += [{"path": path, "reason": reason} for path in ambiguous]
        return twins

    def _compare(self, entries: dict[str, Entry], twins: dict[str, Item], report: Report) -> None:
        moved = {twin.path for path, twin in twins.items() if path in entries and entries[path].item_id == twin.item_id}
        gone = sorted(path for path in self.left - self.unchanged - entries.keys() if path in self.old)
        vanished = {self.old[path].item_id: path for path in gone}
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
        report.unchanged += len(self.old) - sum(path in self.old for path in self.left - self.unchanged)
        report.removed += [{"item_id": self.old[path].item_id, "path": path} for path in gone if path not in moved]


def renamed(old: Items, gone: Sequence[str], fresh: Mapping[str, str]) -> tuple[dict[str, Item], list[str]]:
    """Return the previous item of each renamed path, and the new paths that are ambiguous.

    `old`: previous items. `gone`: vanished paths. `fresh`: new paths with the digests of their bytes."""
    files = {path: sha256 for path, sha256 in fresh.items() if not is_member(path)}
    members = {path: sha256 for path, sha256 in fresh.items() if is_member(path)}
    twins, ambiguous = _same_bytes(old, [path for path in gone if not is_member(path)], files)
    for path in members:
        file = file_of(path)
        if file in twins and (was := old.get(twins[file].path + path[len(file) :])) is not None:
            twins[path] = was
    followed = {twin.path for twin in twins.values()}
    rest = [path for path in gone if is_member(path) and path not in followed]
    moved, _ = _same_bytes(old, rest, {path: sha256 for path, sha256 in members.items() if path not in twins})
    return twins | moved, ambiguous


def _same_bytes(old: Items, gone: Sequence[str], fresh: Mapping[str, str]) -> tuple[dict[str, Item], list[str]]:
    """Match vanished and new paths by digest; return unique pairs, and the ambiguous new paths."""
    items = [item for path in gone if (item := old[path]).bytes]
    vanished = {item.sha256: item for item in items}
    gone_by = Counter(item.sha256 for item in items)
    new = {path: sha256 for path, sha256 in fresh.items() if sha256 in vanished}
    new_by = Counter(new.values())
    twins = {path: vanished[sha256] for path, sha256 in new.items() if gone_by[sha256] == new_by[sha256] == 1}
    return twins, sorted(new.keys() - twins.keys())
