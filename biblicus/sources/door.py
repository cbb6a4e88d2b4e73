"""The interface of a connector, and its context: a plug-in of the group `biblicus.sources` (docs/plugins.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from biblicus.contracts import Call, Given
from biblicus.models.frozen import dataclass
from biblicus.models.sources.syncing import Document, Known, Listed, Page, Reach, State


@dataclass(frozen=True, kw_only=True)
class Sync:
    """Context of a connector. `url`: the address or path as listed. `known`: the documents as last synced.

    `reach`: permissions and limits; the only folder to write to is `reach.cache`, which may vanish between syncs."""

    url: str
    known: Known
    reach: Reach
    call: Call


class Source(Protocol):
    """Lists the documents of another system, and fetches them one by one.

    A failure of the whole source is raised as a `BiblicusError`; it deletes nothing. Every loop calls
    `sync.call.check()`."""

    def list(self, since: State) -> Iterator[Page]:
        """Yield the entries in pages. `since`: state that the last page had; empty at first.

        What is not mentioned stays as it is, unless the last page is `complete`. The next page is requested after the
        documents of this one were fetched."""

    def fetch(self, entry: Listed) -> Document | str:
        """Return the document, or the reason why the entry has none. An error costs this entry alone."""


def sync_of(given: Given) -> Sync:
    """Return the context that a connector is built with."""
    if not isinstance(given.sync, Sync):
        raise AssertionError("a connector is built to be synced")
    return given.sync
