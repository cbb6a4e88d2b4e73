"""Salvage: recover a catalog that is missing or damaged from the remaining data, as a base for a refresh.

Ids come from the newest intact item table and the catalog's readable lines, the latest runs from the manifests;
everything else is described again from the files."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import Catalog, Header, Latest
from biblicus.corpus.events import log as events
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, system
from biblicus.errors import BiblicusError, CatalogUnreadable, UnsafeInput
from biblicus.models.item import Item
from biblicus.runs import manifests as runs
from biblicus.text.paths import file_of

_CONFLICT = re.compile(rb"^<{7}(?: |$)", re.MULTILINE)
"""Conflict marker of an unfinished merge."""


def restore(corpus: CorpusFolder, known: dict[str, Item]) -> dict[str, Latest]:
    """Replace a missing or damaged catalog with one of `known` items; return its latest runs. Call under the lock.
    Raises `NewerSchema`."""
    catalogs.refuse_newer(corpus)
    events.settle(corpus)
    corpus_id = corpus.config.corpus_id
    latest = _latest(corpus, corpus_id)
    _write(corpus, corpus_id, latest, known)
    return latest


def is_needed(corpus: CorpusFolder) -> bool:
    """Return true if the catalog is damaged or missing."""
    if catalogs.is_sound(corpus):
        return False
    with suppress(CatalogUnreadable):
        return catalogs.read_header(corpus) is not None  # None: there is none yet
    return True


def items(corpus: CorpusFolder) -> dict[str, Item]:
    """Return items by path from an intact catalog, else from the newest intact item table and the readable lines."""
    with suppress(BiblicusError):
        if catalog := catalogs.read(corpus):
            return dict(catalog.items.items())
    if (merged := _merged_lines(corpus)) is not None:
        return merged
    items: dict[str, Item] = {}
    for run_id in reversed(corpus.store.runs()):
        try:
            corpus.store.check(run_id, deep=True)
            reader = corpus.store.tables(run_id)
            items = {row.path: row.item for row in reader.all_items()}
            reader.close()
            break
        except BiblicusError:
            continue
    for item in _readable_lines(corpus):
        items.setdefault(item.path, item)
    return items


def _merged_lines(corpus: CorpusFolder) -> dict[str, Item] | None:
    """Return the items of both branches of a merge conflict, the same for either merge direction; None without a
    conflict."""
    data = b""
    with suppress(OSError, UnsafeInput):
        data = files.read(corpus.catalog, limit=files.LARGE)
    if not _CONFLICT.search(data):
        return None
    items_by_path: dict[str, Item] = {}
    taken: dict[str, str] = {}
    lines = sorted(_readable_lines(corpus), key=lambda item: (not _is_there(corpus, item), item.path, item.item_id))
    for item in lines:  # for an id at several paths, the existing file wins
        if item.path not in items_by_path and taken.setdefault(item.item_id, item.path) == item.path:
            items_by_path[item.path] = item
    return items_by_path


def _is_there(corpus: CorpusFolder, item: Item) -> bool:
    return os.path.lexists(corpus.absolute(file_of(item.path)))


def _readable_lines(corpus: CorpusFolder) -> list[Item]:
    entries = []
    with suppress(OSError, UnsafeInput):
        for line in files.read(corpus.catalog, limit=files.LARGE).split(b"\n")[1:]:
            with suppress(BiblicusError):
                entries.append(catalogs.parse_line(line.removesuffix(b",")))
    return entries


def _latest(corpus: CorpusFolder, corpus_id: str) -> dict[str, Latest]:
    """Return the header's latest runs if it is readable and valid, else the newest run of each recipe."""
    newest: dict[str, Latest] = {}
    for run_id in runs.ids(corpus):
        with suppress(BiblicusError):
            manifest = runs.read(corpus, run_id)
            if manifest.corpus_id == corpus_id:
                newest[manifest.recipe["name"]] = Latest(run_id=run_id, build_id=manifest.build_id)
    header = None
    with suppress(BiblicusError):
        header = catalogs.read_header(corpus)
    for name, entry in header.latest.items() if header else ():
        with suppress(BiblicusError):
            if runs.read(corpus, entry.run_id).build_id == entry.build_id:
                newest[name] = entry
    return dict(sorted(newest.items()))


def _write(corpus: CorpusFolder, corpus_id: str, latest_runs: dict[str, Latest], known: dict[str, Item]) -> None:
    """Write a catalog that keeps the ids; the refresh describes everything else again."""
    by_id = {item.item_id: path for path, item in sorted(known.items(), reverse=True)}
    unique = {path: item for path, item in sorted(known.items()) if by_id[item.item_id] == path}
    entries = {path: catalogs.entry_of(item) for path, item in unique.items()}
    header = Header(
        schema_version=1,
        corpus_id=corpus_id,
        latest=latest_runs,
        corpus_digest=catalogs.corpus_digest(entry.line for entry in entries.values()),
    )
    catalog = Catalog(header, entries)
    if not catalogs.is_sound(corpus):
        keep_aside(corpus, corpus.catalog)
    elif catalogs.is_as_written(corpus, catalog):
        return
    catalogs.write(corpus, catalog)


def keep_aside(corpus: CorpusFolder, path: Path) -> None:
    """Keep a copy of a damaged file in `local/damaged/` before it is replaced. Anything but a file is moved there."""
    if not os.path.lexists(path):
        return
    files.make_folder(corpus.damaged)
    copy = corpus.damaged / f"{path.name}.{secrets.token_hex(4)}"
    with suppress(OSError):
        if path.is_symlink() or not path.is_file():
            files.move(path, copy)
            return
        try:
            system.link(path, copy)
        except OSError:
            import shutil  # lazy: few catalogs are damaged

            shutil.copyfile(path, copy)
