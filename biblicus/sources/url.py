"""One page or file of the web, updated as it changes."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from biblicus.contracts import Call
from biblicus.guards.network.fetch import Fetcher
from biblicus.guards.network.urls import parse
from biblicus.models.sources.entries import UrlEntry
from biblicus.models.sources.syncing import Change, Known, Reach, State
from biblicus.sources.naming import Paths
from biblicus.sources.web import GONE, Visitor, got, plain

_LONGEST = 500
"""Maximum characters of the saved final address."""


def sync(
    entry: UrlEntry, known: Known, reach: Reach, call: Call, fetcher: Fetcher | None = None
) -> Generator[Change, None, State]:
    """Yield the one document. Its origin is its address as listed; its URI is its canonical address.

    Raises `IngestionError`, `UrlRefused`."""
    url = plain(parse(entry.url))
    origin = str(url)
    for other in known.rows.keys() - {origin}:  # the entry's address was edited
        yield Change("gone", other)
    row = known.rows.get(origin)
    ask = replace(row, origin=known.state.get("at", origin)) if row and not row.gone and not known.absent else None
    reply = Visitor(reach, call, fetcher=fetcher).get(url, ask)
    if reply.status == 304 and ask is not None:
        return known.state
    if reply.status in GONE and row is not None:
        yield Change("gone", origin)
        return {}
    page = got(reply)
    uri = page.canonical or plain(page.url if reply.moved else url)
    yield Change("found", origin, page.document(str(uri), Paths(known.rows.values()).of(origin, page.path)))
    return {"at": str(page.url)} if len(str(page.url)) <= _LONGEST else {}
