"""Cursors of lists: where the next page starts, for the filters of this one."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json

from biblicus.errors import UsageError
from biblicus.models.requests.query import Filters, filters_of


def cursor(path: str, filters: Filters) -> str:
    """The cursor after a path."""
    return base64.urlsafe_b64encode(json.dumps([_mark(filters), path]).encode()).decode().rstrip("=")


def after(cursor: str | None, filters: Filters) -> str | None:
    """The path after which a page starts. Raises `UsageError` for what is no cursor of ours, or of other filters."""
    if cursor is None:
        return None
    try:
        mark, path = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, TypeError) as error:
        raise UsageError("The cursor is none of this service's.", "the same without a cursor") from error
    if not isinstance(path, str) or mark != _mark(filters):
        raise UsageError("The cursor belongs to other filters.", "the same without a cursor")
    return path


def _mark(filters: Filters) -> str:
    """A short digest of the filters."""
    return hashlib.sha256(json.dumps(filters_of(filters), sort_keys=True).encode()).hexdigest()[:8]
