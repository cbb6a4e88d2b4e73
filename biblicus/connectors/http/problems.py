"""Errors as RFC 9457 `application/problem+json`: one form for ours and for the framework's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

from starlette.responses import Response

from biblicus import errors
from biblicus.errors import BiblicusError
from biblicus.guards.folders import without_folders
from biblicus.models.plain import LEFT_OUT, encoded
from biblicus.service.routes import status_of

MEDIA_TYPE = "application/problem+json"
Category = Literal["not_found", "bad_request", "unauthorized", "conflict", "partition", "unavailable", "internal"]
"""What clients of the capabilities switch on."""
_CATEGORIES: Mapping[errors.Category, Category] = {
    "internal": "internal",
    "usage": "bad_request",
    "not_found": "not_found",
    "check_failed": "conflict",
    "bad_data": "bad_request",
    "partition": "partition",
    "unavailable": "unavailable",
    "refused": "unauthorized",
}


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


def described(error: BiblicusError, trace_id: str) -> Problem:
    """The error as clients see it. No path of this machine and no traceback is in it; `trace_id` finds both in the log.

    `error` holds what `--json` prints for the same failure.
    """
    status = status_of(error)
    shown = ErrorObject(error.code, without_folders(error.message), without_folders(_hint(error)))
    first = error.first if isinstance(error, Duplicate) else None
    title, urn = HTTPStatus(status).phrase, f"urn:biblicus:error:{shown.code}"
    return Problem(urn, title, status, shown.message, _CATEGORIES[error.category], shown, trace_id, first)


def _hint(error: BiblicusError) -> str:
    """The hint; of what is off in the request, in words of this surface: it has no options of a command line."""
    if error.category != "usage" or "--" not in error.hint or error.hint.startswith("biblicus serve "):
        return error.hint
    option = re.fullmatch(r"--([a-z-]+) (\S.*)", error.hint)
    return f"{option[1].replace('-', '_')}={option[2]}" if option else "GET /openapi.json"


def problem(error: BiblicusError, trace_id: str) -> Response:
    """The response."""
    body = described(error, trace_id)
    return Response(encoded(body), body.status, _headers(error), MEDIA_TYPE)


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
    return (errors.UsageError if status < 500 else BiblicusError)(detail or HTTPStatus(status).phrase)
