"""Read events page by page; `corpus.report` creates them."""

from __future__ import annotations

from itertools import islice

from pydantic import ValidationError

from biblicus.contracts import Call
from biblicus.corpus.events import log
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import EventsDamaged
from biblicus.models.event import Event, EventPage
from biblicus.models.requests.runs import EventsRequest

NOW = "now"
"""Cursor after all events so far."""
PAGE = 1_000
"""Maximum number of events in a page."""


def events(corpus: CorpusFolder, request: EventsRequest, call: Call) -> EventPage:
    """Return a page of events."""
    return read(corpus, request.after, request.limit)


def read(corpus: CorpusFolder, after: str | None = None, limit: int = PAGE) -> EventPage:
    """Return at most `limit` events after a cursor, or from the oldest kept. `now` is the cursor after the newest
    event.

    Raises `EventsGone` if the log does not continue from the cursor, `EventsDamaged`, `UsageError` for an invalid
    cursor."""
    if after == NOW:
        return EventPage((), position(corpus))
    start = log.parse_cursor(after) if after else None
    rows = list(islice(log.read(corpus, start), limit + 1))
    events = tuple(_event(cursor, data) for cursor, data in rows[:limit])
    return EventPage(events, events[-1].cursor if events else after, len(rows) > limit)


def position(corpus: CorpusFolder) -> str | None:
    """Return the cursor after the newest event; None if there are no events."""
    cursor = log.last(corpus)
    return str(cursor) if cursor else None


def of_item(corpus: CorpusFolder, item_id: str, after: str | None) -> Event | None:
    """Return the newest event of an item after a cursor, or in a log begun since."""
    start = log.parse_cursor(after) if after else None
    newest = log.last(corpus)
    if start and newest and newest.log != start.log:
        start = None
    rows = [row for row in log.read(corpus, start) if row[1].get("item_id") == item_id]
    return _event(*rows[-1]) if rows else None


def _event(cursor: log.Cursor, data: dict[str, object]) -> Event:
    try:
        return Event.model_validate({**data, "cursor": str(cursor)})
    except ValidationError as error:
        raise EventsDamaged(f"event {cursor}") from error
