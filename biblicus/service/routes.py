"""Under which address a service answers each verb: what the HTTP connector serves, and a client of it asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple


class Route(NamedTuple):
    """A method and a path. `{name}` in a path is the request's field of that name; the rest of a request stands in the
    query of a GET, or is the body of a POST."""

    method: Literal["GET", "POST"]
    path: str


ROUTES: Mapping[str, Route] = {
    "query": Route("POST", "/query"),
    "context": Route("POST", "/context"),
    "answer": Route("POST", "/answer"),
    "get": Route("POST", "/retrieve"),
    "get_batch": Route("POST", "/retrieve/batch"),
    "list": Route("GET", "/items"),
    "show": Route("GET", "/items/{item}"),
    "tree": Route("GET", "/tree"),
    "stats": Route("GET", "/stats"),
    "version": Route("GET", "/version"),
    "verify": Route("POST", "/verify"),
    "runs": Route("GET", "/runs"),
    "run": Route("GET", "/runs/{run}"),
    "recipes": Route("GET", "/recipes"),
    "events": Route("GET", "/events/page"),
    "weights": Route("GET", "/weights"),
    "weight": Route("POST", "/weight"),
    "receive": Route("POST", "/ingest"),
    "reindex": Route("POST", "/reindex"),
}
