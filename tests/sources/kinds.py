"""Syncs a kind of source as the frame does, in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biblicus.contracts import Call
from biblicus.models.sources.syncing import Change, Known, Reach, Row, State

Kind = Callable[..., Generator[Change, None, State]]


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
    kind: Kind, entry: object, cache: Path, before: Synced | None = None, call: Call | None = None, **more: Any
) -> Synced:
    """One sync after another. `more`: of the kind; `absent`: origins whose copies are missing."""
    before = before or Synced()
    now = Synced(dict(before.rows))
    reach = more.pop("reach", None) or Reach(cache, private=True, seconds=30.0)
    changes = kind(entry, before.known(more.pop("absent", frozenset())), reach, call or Call(), **more)
    told: set[str] = set()
    while True:
        try:
            change = next(changes)
        except StopIteration as end:
            now.state = end.value
            return now
        assert change.origin not in told, f"{change.origin} twice"
        told.add(change.origin)
        if change.what == "found":
            assert change.document is not None
            document = change.document
            now.found[change.origin] = document
            if change.was:
                del now.rows[change.was]
            now.rows[change.origin] = Row(
                document.path,
                change.origin,
                document.uri,
                hashlib.sha256(document.data).hexdigest(),
                document.ref,
                document.version,
                title=document.title,
                metadata=document.metadata,
            )
        elif change.what == "gone":
            now.gone.append(change.origin)
            now.rows.pop(change.origin, None)
        else:
            (now.skipped if change.what == "skipped" else now.failed)[change.origin] = change.reason
