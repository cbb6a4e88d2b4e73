"""Errors as RFC 9457 `application/problem+json`: one form for ours and for the framework's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from biblicus.errors import BiblicusError, Busy, HostRefused, MethodRefused, RouteNotFound, Unauthorized, Unavailable
from biblicus.guards.places import without_places

MEDIA_TYPE = "application/problem+json"


def category(status: int) -> str:
    """The five words that clients of the capabilities switch on, and `internal`."""
    named = {
        401: "unauthorized",
        403: "unauthorized",
        404: "not_found",
        410: "not_found",
        409: "conflict",
        408: "unavailable",
    }
    if status in named:
        return named[status]
    if status in (429, 503):
        return "unavailable"
    return "bad_request" if status < 500 else "internal"


def problem(error: BiblicusError, trace_id: str, more: Mapping[str, Any] | None = None) -> Response:
    """The response. No path of this machine and no traceback is in it; `trace_id` finds both in the log.

    `error` holds what `--json` prints for the same failure.
    """
    told = {**error.as_object(), "message": without_places(error.message), "hint": without_places(error.hint)}
    status = error.http_status
    body: dict[str, Any] = {
        "type": f"urn:biblicus:error:{told['code']}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": told["message"],
        "category": category(status),
        "error": told,
        **(more or {}),
        "trace_id": trace_id,
    }
    raw = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
    return Response(raw, status, _headers(error), MEDIA_TYPE)


def _headers(error: BiblicusError) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if isinstance(error, Unavailable):
        headers["Retry-After"] = "1"
    if isinstance(error, Unauthorized):
        headers["WWW-Authenticate"] = 'Bearer realm="biblicus"'
    elif error.code == "scope_missing":
        headers["WWW-Authenticate"] = 'Bearer realm="biblicus", error="insufficient_scope"'
    return headers


def of_framework(status: int, detail: str) -> BiblicusError:
    """The framework's own refusals in our words."""
    known: dict[int, type[BiblicusError]] = {404: RouteNotFound, 405: MethodRefused, 421: HostRefused, 429: Busy}
    if status in known:
        return known[status]()  # type: ignore[call-arg]  # each of these builds its own sentence
    error = BiblicusError(detail or HTTPStatus(status).phrase)
    error.code, error.http_status = "bad_request" if status < 500 else "internal", status
    return error
