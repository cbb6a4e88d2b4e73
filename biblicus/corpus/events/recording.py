"""Events: what a change to the catalog, or a new run, adds to the log; reading it page by page, and following it.

In one log the events lead from one state of the catalog to the next without a gap: an item ingested, changed or
removed, in the order of paths. A reader that keeps the last cursor misses none and sees none twice.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from typing import TYPE_CHECKING

from pydantic import ValidationError

from biblicus.contracts import Call
from biblicus.corpus.events import log
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.lines import Entry
from biblicus.errors import EventsDamaged
from biblicus.models.event import Event, EventPage
from biblicus.models.manifest import Manifest
from biblicus.models.requests.runs import EventsRequest

if TYPE_CHECKING:
    from biblicus.corpus.report import Report  # which records by this module

NOW = "now"
"""The cursor after whatever happened so far."""
PAGE = 1_000
"""The most events that are read at once."""
_POLL = 0.2
_FIELDS = re.compile(
    rb'\{("item_id":"[^"]*","path":"(?:[^"\\]|\\.)*"),"media_type":"[^"]*","bytes":\d+,("sha256":"\w*")'
)


# --- recording, under the lock ---------------------------------------------------------------------------------------


def recording_items(
    corpus: CorpusFolder,
    report: Report,
    old: Mapping[str, Entry],
    new: Mapping[str, Entry],
    states: tuple[str, str],
    call: Call,
) -> AbstractContextManager[None]:
    """Log the change from the entries `old` to `new`, which is made within. `states`: the catalog's digests."""
    return log.recording(corpus, _of_items(report, old, new, _at(call)), before=states[0], state=states[1])


def recording_run(corpus: CorpusFolder, manifest: Manifest, call: Call) -> AbstractContextManager[None]:
    """Log that a run is sealed, by the manifest that is written within."""
    fields = {
        "run_id": manifest.run_id,
        "recipe_id": manifest.recipe_id,
        "index_version": manifest.index_version,
        "corpus_digest": manifest.corpus_digest,
    }
    line = b'"event":"run.sealed","at":"%b",%b' % (_at(call), json.dumps(fields, separators=(",", ":"))[1:].encode())
    state = manifest.corpus_digest
    return log.recording(corpus, [line], before=state, state=state, run_id=manifest.run_id)


def _at(call: Call) -> bytes:
    now = call.clock()
    return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now * 1000) % 1000:03d}Z".encode()


def _of_items(report: Report, old: Mapping[str, Entry], new: Mapping[str, Entry], at: bytes) -> Iterator[bytes]:
    for entry in report.added:
        yield _line(b"item.ingested", at, new[entry["path"]])
    for entry in report.changed:
        yield _line(b"item.changed", at, new[entry["path"]])
    for entry in report.renamed:
        moved = json.dumps(entry["from"], ensure_ascii=False).encode()
        yield _line(b"item.changed", at, new[entry["path"]])[:-1] + b',"from":%b}' % moved
    for entry in report.removed:
        yield _line(b"item.removed", at, old[entry["path"]])


def _line(kind: bytes, at: bytes, entry: Entry) -> bytes:
    """An event of an item: id, path and digest are taken off the catalog's line as they stand there."""
    match = _FIELDS.match(entry.line)
    if match is None:
        raise AssertionError("a catalog line without its first fields")
    return b'"event":"%b","at":"%b",%b,%b}' % (kind, at, *match.groups())


# --- reading ---------------------------------------------------------------------------------------------------------


def events(corpus: CorpusFolder, request: EventsRequest, call: Call) -> EventPage:
    """A page of what happened."""
    return read(corpus, request.after, request.limit)


def read(corpus: CorpusFolder, after: str | None = None, limit: int = PAGE) -> EventPage:
    """The events after a cursor (`now`: none so far), or all that are kept; at most `limit`.

    Raises `EventsGone` where the log does not go on from the cursor, `EventsDamaged`, `UsageError` for what is none.
    """
    if after == NOW:
        return EventPage((), position(corpus))
    start = log.parse_cursor(after) if after else None
    rows = list(islice(log.read(corpus, start), limit + 1))
    events = tuple(_event(cursor, data) for cursor, data in rows[:limit])
    return EventPage(events, events[-1].cursor if events else after, len(rows) > limit)


def position(corpus: CorpusFolder) -> str | None:
    """The cursor after the newest event; None where nothing ever happened."""
    cursor = log.last(corpus)
    return str(cursor) if cursor else None


def of_item(corpus: CorpusFolder, item_id: str, after: str | None) -> Event | None:
    """The newest event of an item after a cursor, or in a log that was begun since."""
    start = log.parse_cursor(after) if after else None
    newest = log.last(corpus)
    if start and newest and newest.log != start.log:
        start = None
    rows = [row for row in log.read(corpus, start) if row[1].get("item_id") == item_id]
    return _event(*rows[-1]) if rows else None


def follow(corpus: CorpusFolder, call: Call, after: str | None = None) -> Iterator[Event]:
    """The events after a cursor, then each as it comes, until the call is cancelled or its deadline passes.

    Raises what `read` and `Call.check` raise.
    """
    if after == NOW:
        after = position(corpus)
    start = log.parse_cursor(after) if after else None
    while True:
        seen = log.stamp(corpus)
        for cursor, data in log.read(corpus, start):
            yield _event(cursor, data)
            start = cursor
            call.check()
        while log.stamp(corpus) == seen:
            call.check()
            call.cancel.wait(_POLL)


def _event(cursor: log.Cursor, data: dict[str, object]) -> Event:
    try:
        return Event.model_validate({**data, "cursor": str(cursor)})
    except ValidationError as error:
        raise EventsDamaged(f"event {cursor}") from error
