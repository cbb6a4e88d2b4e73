"""Syncs a kind of source as the frame does, in memory."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biblicus.bring.pages import Listing
from biblicus.contracts import Call
from biblicus.models.sources.entries import where_of
from biblicus.models.sources.syncing import Known, Reach, Row, State
from biblicus.sources.door import Sync

Kind = Callable[..., Any]


@dataclass
class Synced:
    """What the last sync left, and its changes by what they are: origin to document or reason."""

    rows: dict[str, Row] = field(default_factory=dict)
    state: State = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def known(self, absent: frozenset[str] = frozenset()) -> Known:
        return Known(self.rows, self.state, absent)


def sync(
    kind: Kind, entry: Any, cache: Path, before: Synced | None = None, call: Call | None = None, **more: Any
) -> Synced:
    """One sync after another. `kind`: the connector's class. `absent`: origins whose copies are missing."""
    before = before or Synced()
    now = Synced(dict(before.rows))
    reach = more.pop("reach", None) or Reach(cache, private=True, seconds=30.0)
    known = before.known(more.pop("absent", frozenset()))
    context = Sync(url=where_of(entry), known=known, reach=reach, call=call or Call())
    listing = Listing(kind(entry, context, **more), entry, context)
    told: set[str] = set()
    for change in listing.changes():
        assert change.id not in told, f"{change.id} twice"
        told.add(change.id)
        document = change.document
        if document is not None:
            now.found[change.id] = document
            if change.was:
                del now.rows[change.was]
            now.rows[change.id] = Row(
                document.path,
                change.id,
                document.uri,
                hashlib.sha256(document.data).hexdigest(),
                document.ref,
                document.version,
                title=document.title,
                metadata=document.metadata,
            )
        elif change.what == "gone":
            now.gone.append(change.id)
            now.rows.pop(change.id, None)
        else:
            (now.skipped if change.what == "skipped" else now.failed)[change.id] = change.reason
    now.state = listing.state
    return now
