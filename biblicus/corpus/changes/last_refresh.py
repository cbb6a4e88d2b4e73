"""Facts of each file at the last refresh: stored rows, completed from folder and catalog."""

from __future__ import annotations

from collections.abc import Mapping

from biblicus.corpus import catalog as catalogs
from biblicus.corpus.changes import file_stats
from biblicus.corpus.changes.file_stats import FileFacts
from biblicus.corpus.changes.known_folder import KnownFolder
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry
from biblicus.disk.files import Stamp
from biblicus.errors import BiblicusError
from biblicus.models.frozen import dataclass
from biblicus.sources.folder import SIDECAR
from biblicus.text.paths import file_of


@dataclass(frozen=True)
class LastRefresh:
    """Files and members by path. `rows`: those with facts beyond stamp and digest."""

    files: Mapping[str, Stamp]
    sidecars: Mapping[str, Stamp]
    entries: Mapping[str, Entry]
    rows: Mapping[str, FileFacts]

    def get(self, path: str) -> FileFacts | None:
        """Return the facts of a path; None if it was not seen."""
        if (row := self.rows.get(path)) is not None:
            return row
        entry, stamp = self.entries.get(path), self.files.get(file_of(path))
        if entry is None or stamp is None:
            return None
        return FileFacts(stamp, self.sidecars.get(path + SIDECAR), catalogs.content_of(entry.line).sha256)

    def __contains__(self, path: object) -> bool:
        return path in self.rows or path in self.entries

    def is_told(self, path: str, seen: FileFacts) -> bool:
        """Return true if folder and catalog imply these facts, so that no row needs to be stored."""
        entry = self.entries.get(path)
        return (
            not seen.is_noted
            and seen.stamp is not None
            and entry is not None
            and seen.stamp == self.files.get(file_of(path))
            and seen.sidecar == self.sidecars.get(path + SIDECAR)
            and seen.sha256 == catalogs.content_of(entry.line).sha256
        )


NOTHING = LastRefresh({}, {}, {}, {})


def last_refresh(corpus: CorpusFolder, known: KnownFolder) -> LastRefresh:
    """Return the facts of the last refresh; nothing if a part is missing or newer."""
    rows = file_stats.load_rows(corpus, known.mark)
    try:
        catalog = catalogs.known(corpus) if rows is not None else None
    except BiblicusError:
        return NOTHING
    if rows is None or catalog is None or catalog.header.corpus_digest != known.corpus_digest:
        return NOTHING
    return LastRefresh(known.files(), known.sidecars(), catalog.entries, rows)
