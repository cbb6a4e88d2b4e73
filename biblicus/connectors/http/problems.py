"""Errors as RFC 9457 `application/problem+json`, for Biblicus's and the framework's errors."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Literal

from starlette.responses import Response

from biblicus import errors
from biblicus.errors import BiblicusError
from biblicus.guards.processes import without_folders
from biblicus.models.plain import LEFT_OUT, encoded
from biblicus.service.routes import status_of

log = logging.getLogger("biblicus.http")
MEDIA_TYPE = "application/problem+json"
Category = Literal["not_found", "bad_request", "unauthorized", "conflict", "partition", "unavailable", "internal"]
"""Error categories for clients of the capabilities."""
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
_HINTS: Mapping[str, str] = {
    "ambiguous_item": "a longer id",
    "blank_question": "a question in words",
    "corpus_unknown": "GET /corpora",
    "duplicate": "the item that is there",
    "place_down": "the same again in a moment",
    "unauthorized": "Authorization: Bearer TOKEN",
}
"""Hints by error code for HTTP clients, if no request replaces the command."""
_REQUESTS = tuple(
    (re.compile(command), request)
    for command, request in (
        (r"biblicus list$", "GET /items"),
        (r"biblicus show (\S+)$", r"GET /items/\1"),
        (r"biblicus (runs|recipes) list$", r"GET /\1"),
        (r"biblicus runs show (\S+)$", r"GET /runs/\1"),
        (r"the same without a run\b", "the same without a run (GET /runs shows which there are)"),
        (r"biblicus weight list$", "GET /weights"),
        (r"biblicus reindex --recipe (\S+)$", r'POST /reindex {"recipes": ["\1"]}'),
        (r"biblicus reindex --store \S+$", "POST /reindex"),  # for HTTP clients the service chooses the store
        (r"biblicus reindex --fresh$", 'POST /reindex {"fresh": true}'),
        (r"biblicus reindex\b", "POST /reindex"),
    )
)
"""Commands in hints, and the equivalent requests."""
_COMMAND = re.compile(r"^(biblicus|pip) |(^| )--[a-z]")


@dataclass(frozen=True)
class ErrorObject:
    """An error with its code and message. `hint`: the next request, or a short remedy."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True)
class First:
    """The item that already has the document."""

    item_id: str
    path: str


@dataclass(frozen=True)
class Problem:
    """An error (RFC 9457).

    `type`: urn:biblicus:error: and the code. `trace_id`: for finding it in the service's log. `cli_hint`: the command
    line's hint, if different. `duplicate_of`: for a duplicate document."""

    type: str
    title: str
    status: int
    detail: str
    category: Category
    error: ErrorObject
    trace_id: str
    cli_hint: str | None = field(default=None, metadata=LEFT_OUT)
    duplicate_of: First | None = field(default=None, metadata=LEFT_OUT)


class Duplicate(errors.DuplicateItem):
    """The document is already in the corpus."""

    def __init__(self, item_id: str, path: str) -> None:
        super().__init__("The document", path)
        self.first = First(item_id, path)


def described(error: BiblicusError, trace_id: str) -> Problem:
    """Return the error for clients, without local paths and traceback; `trace_id` finds both in the log.

    Code and message equal those of `--json`; the hint is adapted to HTTP."""
    status = status_of(error)
    typed = without_folders(error.hint)
    hint = _hint(error, typed)
    error_object = ErrorObject(error.code, without_folders(error.message), hint)
    first = error.first if isinstance(error, Duplicate) else None
    return Problem(
        type=f"urn:biblicus:error:{error_object.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=error_object.message,
        category=_CATEGORIES[error.category],
        error=error_object,
        trace_id=trace_id,
        cli_hint=typed if typed != hint else None,
        duplicate_of=first,
    )


def _hint(error: BiblicusError, typed: str) -> str:
    """Return the hint for HTTP: a request, a parameter, or who can help. `typed`: the command line's hint."""
    if error.code in _HINTS:
        return _HINTS[error.code]
    for command, request in _REQUESTS:
        if match := command.match(typed):
            return match.expand(request)
    if not _COMMAND.search(typed):
        return typed
    if error.category != "usage" or typed.startswith("biblicus serve "):
        return f"where the service runs: {typed}"
    option = re.fullmatch(r"--([a-z-]+) (\S.*)", typed)
    return f"{option[1].replace('-', '_')}={option[2]}" if option else "GET /openapi.json"


def problem(error: BiblicusError, trace_id: str) -> Response:
    """Return the response for an error."""
    body = described(error, trace_id)
    return Response(encoded(body), body.status, _headers(error), MEDIA_TYPE)


def refusal(error: BiblicusError, trace_id: str) -> Response:
    """Return the response to a request that failed, and log what is not the client's fault."""
    if status_of(error) >= 500:
        log.warning("%s: %s, trace %s", error.code, error.message, trace_id)
    return problem(error, trace_id)


def _headers(error: BiblicusError) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if isinstance(error, errors.Unavailable):
        headers["Retry-After"] = "1"
    if isinstance(error, errors.Unauthorized):
        headers["WWW-Authenticate"] = 'Bearer realm="biblicus"'
    elif error.code == "scope_missing":
        headers["WWW-Authenticate"] = 'Bearer realm="biblicus", error="insufficient_scope"'
    return headers


def of_framework(status: int, detail: str, methods: Sequence[str]) -> BiblicusError:
    """Convert an error of the framework."""
    if status in (404, 405):
        return errors.RouteNotFound() if status == 404 else errors.MethodRefused(methods)
    return (errors.UsageError if status < 500 else BiblicusError)(detail or HTTPStatus(status).phrase)
