"""Check of sources: the copies match the last sync, none is missing, and each branch still exists.

Copies are read; trusted repositories are queried for their refs; nothing is fetched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from biblicus import sources
from biblicus.bring.sync import Syncing, allowances, turn
from biblicus.contracts import Call
from biblicus.corpus import registries as stored
from biblicus.corpus.changes.synced import IMPORTS, registered
from biblicus.corpus.described.describe import derived_id
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.registries import Registry, RegistryHeader
from biblicus.disk import files
from biblicus.errors import BiblicusError, Refused, Unavailable, UnsafeInput
from biblicus.models.item import Item
from biblicus.models.requests.bring import SyncRequest
from biblicus.models.sources.entries import Entry, GitEntry
from biblicus.models.sources.syncing import UNSYNCED, Row
from biblicus.text.paths import is_member
from biblicus.upkeep.kinds import CheckReport


def check_sources(corpus: CorpusFolder, report: CheckReport, call: Call) -> None:
    """Check the copies of every source, and the repositories. What cannot be read was reported before."""
    with turn(corpus, call):
        try:
            entries = {entry.name: entry for entry in stored.read_list(corpus).sources}
        except BiblicusError:
            return
        names = sorted({*entries, *registered(corpus)})
        reported = {problem["path"] for problem in report.problems}
        report.checked |= {"sources": len(names), "documents": 0}
        for name in names:
            try:
                registry = stored.read_registry(corpus, name)
            except BiblicusError:
                continue
            if registry is None:
                report.note(name, f"it was not synced yet (biblicus sources sync {name})")
            else:
                report.checked["documents"] += len(registry.rows)
                for path, reason in _copies(corpus, registry, report, call):
                    if path not in reported:
                        report.problem(path, reason)
            if entry := entries.get(name):
                _ask(corpus, entry, report, call)
            else:
                report.note(name, "it is not listed any more; its documents were kept")


def rebuilt(name: str, items: Iterable[Item]) -> Registry | None:
    """Rebuild a registry from a source's items; None if it has none. The next sync completes it."""
    top = f"{IMPORTS}/{name}/"
    files_of_it = (item for item in items if item.path.startswith(top) and not is_member(item.path))
    ours = [item for item in files_of_it if item.source.kind not in UNSYNCED]
    if not ours:
        return None
    rows, uris = {}, Counter(item.source.uri for item in ours)
    for item in ours:
        path, source = item.path.removeprefix(top), item.source
        metadata = {key: value for key, value in item.metadata.items() if isinstance(value, str)}
        own_id = item.item_id if item.item_id != derived_id(item.path) else None
        rows[path] = Row(
            path=path,
            origin=path if source.kind in ("git", "folder") or uris[source.uri] > 1 else source.uri,
            uri=source.uri,
            sha256=item.sha256,
            ref=source.ref,
            retrieved_at=source.retrieved_at,
            item_id=own_id,
            readers=tuple(readers) if isinstance(readers := item.metadata.get("readers"), list) else None,
            metadata=metadata,
        )
    return Registry(RegistryHeader(name=name, kind=ours[0].source.kind, entry=""), rows)


def _copies(corpus: CorpusFolder, registry: Registry, report: CheckReport, call: Call) -> Iterator[tuple[str, str]]:
    """Yield missing copies with reasons. Changed copies are only noted, since users may edit them."""
    name = registry.header.name
    for done, row in enumerate(registry.rows.values()):
        call.check()
        call.progress("copies", done, len(registry.rows))
        shown_path = f"{IMPORTS}/{name}/{row.path}"
        try:
            if files.sha256(stored.copy_of(corpus, name, row.path)) != row.sha256:
                report.note(shown_path, "it was edited here since it was synced, and is left as it is")
        except (OSError, UnsafeInput):
            yield shown_path, f"it is missing (biblicus sources sync {name})"
        if row.ref and registry.header.kind == "git" and row.ref not in row.uri:
            yield shown_path, "its address is not of the commit that it was read at"


def _ask(corpus: CorpusFolder, entry: Entry, report: CheckReport, call: Call) -> None:
    """Check a repository for its branch."""
    if not isinstance(entry, GitEntry):
        return

    syncing = Syncing(corpus, entry, allowances(corpus.config.corpus_id).get(entry.digest), SyncRequest(), call)
    try:
        outcome = sources.git.look(entry, syncing.context()[0])
    except Refused as error:
        report.note(entry.name, f"it was not asked: {error.message} {error.hint}")
    except Unavailable as error:
        report.note(entry.name, f"it could not be asked: {error.message}")
    else:
        if outcome.problem:
            report.problem(entry.name, outcome.problem)
        if outcome.note:
            report.note(entry.name, outcome.note)
