"""Errors as RFC 9457 `application/problem+json`: one form for ours and for the framework's own."""

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
from biblicus.guards.folders import without_folders
from biblicus.models.plain import LEFT_OUT, encoded
from biblicus.service.routes import status_of

log = logging.getLogger("biblicus.http")
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
_HINTS: Mapping[str, str] = {
    "ambiguous_item": "a longer id",
    "blank_question": "a question in words",
    "corpus_unknown": "GET /corpora",
    "duplicate": "the item that is there",
    "place_down": "the same in a moment",
    "unauthorized": "Authorization: Bearer TOKEN",
}
"""What to do about an error here, by its code, where that is no request in the place of a command."""
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
        (r"biblicus reindex --store \S+$", "POST /reindex"),  # here it is the service's
        (r"biblicus reindex --fresh$", 'POST /reindex {"fresh": true}'),
        (r"biblicus reindex\b", "POST /reindex"),
    )
)
"""Commands of hints, and the requests that do the same."""
_COMMAND = re.compile(r"^(biblicus|pip) |(^| )--[a-z]")


@dataclass(frozen=True)
class ErrorObject:
    """What went wrong, with the code and sentence of every surface. `hint`: the next request, or a short remedy."""

    code: str
    message: str
    hint: str


@dataclass(frozen=True)
class First:
    """The item that holds the same document already."""

    item_id: str
    path: str


@dataclass(frozen=True)
class Problem:
    """An error (RFC 9457). `type`: urn:biblicus:error: and the code. `trace_id`: what the service's log has on this.
    `cli_hint`: the hint of the command line, where it is another. `duplicate_of`: where a document was a duplicate."""

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
    """A document is in the corpus already."""

    def __init__(self, item_id: str, path: str) -> None:
        super().__init__("The document", path)
        self.first = First(item_id, path)


def described(error: BiblicusError, trace_id: str) -> Problem:
    """The error as clients see it. No path of this machine and no traceback is in it; `trace_id` finds both in the log.

    Code and sentence are those that `--json` prints for the same failure; the hint is put in words of HTTP.
    """
    status = status_of(error)
    typed = without_folders(error.hint)
    hint = _hint(error, typed)
    shown = ErrorObject(error.code, without_folders(error.message), hint)
    first = error.first if isinstance(error, Duplicate) else None
    return Problem(
        type=f"urn:biblicus:error:{shown.code}",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=shown.message,
        category=_CATEGORIES[error.category],
        error=shown,
        trace_id=trace_id,
        cli_hint=typed if typed != hint else None,
        duplicate_of=first,
    )


def _hint(error: BiblicusError, typed: str) -> str:
    """The hint in words of this surface, which has no commands and no options: a request, a parameter, or who can help.
    `typed`: that of the command line."""
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
    """The response."""
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
    """The framework's own refusals in our words."""
    if status in (404, 405):
        return errors.RouteNotFound() if status == 404 else errors.MethodRefused(methods)
    return (errors.UsageError if status < 500 else BiblicusError)(detail or HTTPStatus(status).phrase)
