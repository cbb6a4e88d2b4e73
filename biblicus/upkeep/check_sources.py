"""Check of sources: the copies match the last sync, none is missing, and each branch still exists.

Copies are read; trusted repositories are queried for their refs; nothing is fetched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from biblicus.bring.allowances import allowances
from biblicus.bring.sync import Syncing, turn
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

Notes = list[tuple[str, str]]
"""Paths with reasons."""


def check_sources(corpus: CorpusFolder, call: Call) -> tuple[Notes, Notes, dict[str, int]]:
    """Return problems, notes, and the number of objects checked."""
    with turn(corpus, call):
        return _checked(corpus, call)


def _checked(corpus: CorpusFolder, call: Call) -> tuple[Notes, Notes, dict[str, int]]:
    problems: Notes = []
    notes: Notes = []
    try:
        entries = {entry.name: entry for entry in stored.read_list(corpus).sources}
    except BiblicusError as error:
        return [(".biblicus/sources.yml", error.message)], [], {}
    names = sorted({*entries, *registered(corpus)})
    documents = 0
    for name in names:
        try:
            registry = stored.read_registry(corpus, name)
        except BiblicusError as error:
            problems.append((f".biblicus/sources/{name}.json", error.message))
            continue
        if registry is None:
            notes.append((name, f"it was not synced yet (biblicus sources sync {name})"))
        else:
            documents += len(registry.rows)
            problems += _copies(corpus, registry, notes, call)
        if entry := entries.get(name):
            _ask(corpus, entry, problems, notes, call)
        else:
            notes.append((name, "it is not listed any more; its documents were kept"))
    return problems, notes, {"sources": len(names), "documents": documents}


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


def _copies(corpus: CorpusFolder, registry: Registry, notes: Notes, call: Call) -> Notes:
    """Return missing copies. Changed copies are only noted, since users may edit them."""
    problems: Notes = []
    name = registry.header.name
    for done, row in enumerate(registry.rows.values()):
        call.check()
        call.progress("copies", done, len(registry.rows))
        shown_path = f"{IMPORTS}/{name}/{row.path}"
        try:
            if files.sha256(stored.copy_of(corpus, name, row.path)) != row.sha256:
                notes.append((shown_path, "it was edited here since it was synced, and is left as it is"))
        except (OSError, UnsafeInput):
            problems.append((shown_path, f"it is missing (biblicus sources sync {name})"))
        if row.ref and registry.header.kind == "git" and row.ref not in row.uri:
            problems.append((shown_path, "its address is not of the commit that it was read at"))
    return problems


def _ask(corpus: CorpusFolder, entry: Entry, problems: Notes, notes: Notes, call: Call) -> None:
    """Check a repository for its branch."""
    if not isinstance(entry, GitEntry):
        return
    from biblicus.sources.git import look

    syncing = Syncing(corpus, entry, allowances(corpus.config.corpus_id).get(entry.digest), SyncRequest(), call)
    try:
        outcome = look(entry, syncing.context()[0])
    except Refused as error:
        notes.append((entry.name, f"it was not asked: {error.message} {error.hint}"))
    except Unavailable as error:
        notes.append((entry.name, f"it could not be asked: {error.message}"))
    else:
        problems += [(entry.name, outcome.problem)] if outcome.problem else []
        notes += [(entry.name, outcome.note)] if outcome.note else []
