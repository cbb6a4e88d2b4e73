"""Check items with `derived_from` in front matter or sidecar against their current sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from biblicus.corpus.catalog import Catalog
from biblicus.corpus.editorial.approvals import digest_at
from biblicus.corpus.folder import CorpusFolder
from biblicus.models.item import Item

KEY = "derived_from"


@dataclass(frozen=True, slots=True)
class Orphan:
    """An item whose source has changed or is missing."""

    item_id: str
    path: str
    source: str
    reason: str


def orphaned(corpus: CorpusFolder, catalog: Catalog, items: Iterable[Item]) -> Iterator[Orphan]:
    """Yield the items derived from something that has changed or is missing."""
    for item in items:
        said = item.metadata.get(KEY)
        entries = said if isinstance(said, list) else [] if said is None else [said]
        for entry in entries:
            source, reason = _stands(corpus, catalog, entry)
            if reason:
                yield Orphan(item.item_id, item.path, source, reason)


def _stands(corpus: CorpusFolder, catalog: Catalog, entry: object) -> tuple[str, str]:
    """Return the source that an entry names, and the problem with it; empty if there is none."""
    if not isinstance(entry, dict) or not isinstance(entry.get("item"), str):
        return "?", f"{KEY} is a list of: item, sha256 and, where it is a part, span"
    name: str = entry["item"]
    path = catalog.paths.get(name, name)
    known = catalog.items.get(path)
    if known is None:
        return name, f"{name} is not in the corpus, from which it was derived"
    now = known.sha256 if known.approval else digest_at(corpus, path)
    if now != entry.get("sha256"):
        return path, f"{path} changed since it was derived from it"
    return path, ""
