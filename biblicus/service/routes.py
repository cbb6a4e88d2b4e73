"""HTTP route of each verb and HTTP status of each error, for server and client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from biblicus.errors import BiblicusError, Category

THROUGH = "Biblicus-Through"
"""Header with the names of services that forwarded a request, in order; each is a random word."""
MOST_THROUGH = 5


class Route(NamedTuple):
    """A method and a path. `{name}` in the path is a request field; other fields are in the query (GET) or body
    (POST)."""

    method: Literal["GET", "POST"]
    path: str


ROUTES: Mapping[str, Route] = {
    "query": Route("POST", "/query"),
    "context": Route("POST", "/context"),
    "answer": Route("POST", "/answer"),
    "get": Route("POST", "/retrieve"),
    "get_batch": Route("POST", "/retrieve/batch"),
    "page_image": Route("POST", "/page-image"),
    "file_part": Route("POST", "/file-part"),
    "list": Route("GET", "/items"),
    "show": Route("GET", "/items/{item}"),
    "facets": Route("GET", "/facets"),
    "tree": Route("GET", "/tree"),
    "stats": Route("GET", "/stats"),
    "version": Route("GET", "/version"),
    "verify": Route("POST", "/verify"),
    "runs": Route("GET", "/runs"),
    "run": Route("GET", "/runs/{run}"),
    "recipes": Route("GET", "/recipes"),
    "context_of": Route("GET", "/context-of"),
    "publications": Route("GET", "/publications"),
    "editorial_status": Route("GET", "/editorial/status"),
    "editorial_log": Route("GET", "/editorial/log"),
    "editorial_diff": Route("GET", "/editorial/diff/{item}"),
    "events": Route("GET", "/events/page"),
    "weights": Route("GET", "/weights"),
    "weight": Route("POST", "/weight"),
    "alerts": Route("GET", "/alerts"),
    "alert_feed": Route("GET", "/alerts/{name}/feed"),
    "add_alert": Route("POST", "/alerts"),
    "remove_alert": Route("POST", "/alerts/remove"),
    "notes": Route("GET", "/notes"),
    "export_notes": Route("GET", "/notes/export"),
    "add_note": Route("POST", "/notes"),
    "remove_note": Route("POST", "/notes/remove"),
    "receive": Route("POST", "/ingest"),
    "reindex": Route("POST", "/reindex"),
}

STATUSES: Mapping[str, int] = {
    # by category
    "internal": 500,
    "usage": 400,
    "not_found": 404,
    "check_failed": 409,
    "bad_data": 422,
    "partition": 503,
    "unavailable": 503,
    "refused": 403,
    # by code, for errors with their own HTTP status
    "unauthorized": 401,
    "method_not_allowed": 405,
    "slow_body": 408,
    "slow_head": 408,
    "events_gone": 410,
    "too_large": 413,
    "content_type": 415,
    "host_refused": 421,
    "busy": 429,
    "head_too_large": 431,
    "handed_round": 508,
}
"""HTTP status of an error, by its code if listed, else by its category."""


def status_of(error: BiblicusError) -> int:
    """Return the HTTP status for an error."""
    return STATUSES.get(error.code) or STATUSES[error.category]


_CATEGORIES: Mapping[int, Category] = {
    401: "refused",
    408: "unavailable",
    410: "not_found",
    413: "bad_data",
    429: "unavailable",
    431: "bad_data",
    508: "refused",
}
"""Error category of statuses that differ from other 4xx."""


def category_of(status: int) -> Category:
    """Return the error category of a status, for an unknown error code."""
    of_families: dict[int, Category] = {STATUSES[category]: category for category in get_args(Category)}
    categories = {**_CATEGORIES, **of_families}
    return categories.get(status, "usage" if 400 <= status < 500 else "internal")
