"""Cursors for paging through lists: the position of the next page, bound to filters and order."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json

from biblicus.errors import UsageError
from biblicus.models.requests.query import Filters, filters_of

Place = tuple[str, ...]
"""Position in an order: its sort keys, and the path last."""


def cursor(place: Place, filters: Filters, order: str = "path") -> str:
    """Return the cursor for the page after a position."""
    document = json.dumps([_mark(filters, order), *place])
    return base64.urlsafe_b64encode(document.encode()).decode().rstrip("=")


def after(cursor: str | None, filters: Filters, order: str = "path") -> Place | None:
    """Return the position after which a page starts. Raises `UsageError` for an invalid cursor or one of another
    list."""
    if cursor is None:
        return None
    try:
        mark, *place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, TypeError) as error:
        raise UsageError("The cursor is none of this service's.", "the same without a cursor") from error
    if mark != _mark(filters, order) or not place or not all(isinstance(part, str) for part in place):
        raise UsageError("The cursor belongs to other filters or another order.", "the same without a cursor")
    return tuple(place)


def _mark(filters: Filters, order: str) -> str:
    """Return a short digest of the filters and the order."""
    listed = filters_of(filters) if order == "path" else {**filters_of(filters), "sort": order}
    return hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()[:8]
