"""One page or file of the web, updated as it changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from biblicus.contracts import Given
from biblicus.guards.network.urls import parse
from biblicus.models.sources.entries import UrlEntry as Options
from biblicus.models.sources.syncing import Listed, Page, State
from biblicus.sources.door import sync_of
from biblicus.sources.naming import Paths
from biblicus.sources.web import GONE, WebSource, got, plain

_LONGEST = 500
"""Maximum characters of the saved final address."""


def build(options: Options, given: Given) -> WebPage:
    """Return the page."""
    return WebPage(options, sync_of(given))


class WebPage(WebSource[Options]):
    """The one document of an address. Its id is the address as listed; its URI is its canonical address."""

    def list(self, since: State) -> Iterator[Page]:
        previous_sync, url = self.sync.known, plain(parse(self.entry.url))
        origin = str(url)
        for former in previous_sync.rows.keys() - {origin}:  # the entry's address was edited
            yield Page([Listed(former, what="gone")])
        row = previous_sync.rows.get(origin)
        ask = (
            replace(row, origin=since.get("at", origin)) if row and not row.gone and not previous_sync.absent else None
        )
        reply = self.visitor().get(url, ask)
        if reply.status == 304 and ask is not None:
            yield Page()
        elif reply.status in GONE and row is not None:
            yield Page([Listed(origin, what="gone")], {})
        else:
            page = got(reply)
            uri = page.canonical or plain(page.url if reply.moved else url)
            document = page.document(str(uri), Paths(previous_sync.rows.values()).of(origin, page.path))
            state = {"at": str(page.url)} if len(str(page.url)) <= _LONGEST else {}
            yield Page([Listed(origin, document=document)], state)
