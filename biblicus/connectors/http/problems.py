"""Errors as RFC 9457 `application/problem+json`: one form for ours and for the framework's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

from starlette.responses import Response

from biblicus import errors
from biblicus.errors import BiblicusError
from biblicus.guards.folders import without_folders
from biblicus.models.plain import LEFT_OUT, encoded

MEDIA_TYPE = "application/problem+json"
Category = Literal["not_found", "bad_request", "unauthorized", "conflict", "partition", "unavailable", "internal"]


@dataclass(frozen=True)
class ErrorObject:
    """What went wrong, as `--json` prints it. `hint`: the next command to type, or a short remedy."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True)
class First:
    """The item that already holds the same bytes."""

    item_id: str
    path: str


@dataclass(frozen=True)
class Problem:
    """An error (RFC 9457). `type`: urn:biblicus:error: and the code. `trace_id`: what the service's log has on this.
    `duplicate_of`: where a document was a duplicate."""

    type: str
    title: str
    status: int
    detail: str
    category: Category
    error: ErrorObject
    trace_id: str
    duplicate_of: First | None = field(default=None, metadata=LEFT_OUT)


class Duplicate(errors.DuplicateItem):
    """A document's bytes are those of an item."""

    def __init__(self, item_id: str, path: str) -> None:
        super().__init__("The document", path)
        self.first = First(item_id, path)


_CATEGORIES: dict[int, Category] = {
    401: "unauthorized",
    403: "unauthorized",
    404: "not_found",
    408: "unavailable",
    409: "conflict",
    410: "not_found",
    429: "unavailable",
    503: "unavailable",
}


_OUT_OF_REACH = (errors.EmbedderUnavailable, errors.PlaceDown)
"""A model or a place that cannot be reached."""


def category(status: int) -> Category:
    """What clients of the capabilities switch on."""
    return _CATEGORIES.get(status) or ("bad_request" if status < 500 else "internal")


def problem(error: BiblicusError, trace_id: str) -> Response:
    """The response. No path of this machine and no traceback is in it; `trace_id` finds both in the log.

    `error` holds what `--json` prints for the same failure.
    """
    status = error.http_status
    shown = ErrorObject(error.code, without_folders(error.message), without_folders(error.hint))
    first = error.first if isinstance(error, Duplicate) else None
    title, urn = HTTPStatus(status).phrase, f"urn:biblicus:error:{shown.code}"
    kind: Category = "partition" if isinstance(error, _OUT_OF_REACH) else category(status)
    body = Problem(urn, title, status, shown.message, kind, shown, trace_id, first)
    return Response(encoded(body), status, _headers(error), MEDIA_TYPE)


def _headers(error: BiblicusError) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if isinstance(error, errors.Unavailable):
        headers["Retry-After"] = "1"
    if isinstance(error, errors.Unauthorized):
        headers["WWW-Authenticate"] = 'Bearer realm="biblicus"'
    elif error.code == "scope_missing":
        headers["WWW-Authenticate"] = 'Bearer realm="biblicus", error="insufficient_scope"'
    return headers


def of_framework(status: int, detail: str) -> BiblicusError:
    """The framework's own refusals in our words."""
    if status in (404, 405):
        return errors.RouteNotFound() if status == 404 else errors.MethodRefused()
    error = BiblicusError(detail or HTTPStatus(status).phrase)
    error.code, error.http_status = "bad_request" if status < 500 else "internal", status
    return error
