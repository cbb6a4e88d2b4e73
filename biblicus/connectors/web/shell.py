"""Middleware of the page: converts the cookie to a token before the gate, and adds the page's policy to responses.

The cookie works only for addresses of the page. Other addresses of the service accept tokens in headers only, so that
no page of another origin can use a visitor's rights there."""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biblicus.connectors.web.sessions import Sessions

OPEN = ("/open", "/sign-in")
"""Addresses that start a session, and need none."""
STATIC = "/static/"
_PAGES = ("/ask", "/chat", "/suggest", "/corpus", "/picture", "/sign-out", *OPEN)
_BELOW = ("/c/", "/corpus/", "/picture/", "/file/", STATIC)
VISITOR = "biblicus.visitor"
"""Key of the visitor's id in the ASGI scope: the session's id, if there is one."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"referrer-policy", b"same-origin"),  # without a referrer a form has no origin, and the gate refuses it
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
_REPLACED = frozenset(name for name, _ in _HEADERS)


def is_open(path: str) -> bool:
    """Check if an address of the page needs no token; it reveals nothing of any corpus."""
    return path in OPEN or path.startswith(STATIC)


def is_page(path: str) -> bool:
    """Check if an address belongs to the page."""
    return path == "/" or path in _PAGES or path.startswith(_BELOW)


class Shell:
    """Wrapper around the service with its gate."""

    def __init__(self, app: ASGIApp, sessions: Sessions) -> None:
        self._app, self._sessions = app, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not (is_page(scope["path"]) or _is_visit(scope)):
            await self._app(scope, receive, send)
            return
        if not is_page(scope["path"]):
            if await _is_refused(self._app, scope, receive, send):
                await _led(scope, receive, send, "/")
            return
        name = cookie_name(scope)
        visitor = _cookie(scope, name)
        is_new = not visitor
        visitor = visitor or secrets.token_urlsafe(32)
        token = self._sessions.token(visitor)
        headers = [(key, value) for key, value in scope["headers"] if key != b"authorization"]
        if token is not None:
            headers.append((b"authorization", f"Bearer {token}".encode("latin-1", "replace")))
        inner = {**scope, "headers": headers, VISITOR: visitor}

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [(key, value) for key, value in message.get("headers", ()) if key.lower() not in _REPLACED]
                if is_new and not any(key.lower() == b"set-cookie" for key, _ in headers):
                    headers.append((b"set-cookie", set_cookie(scope, visitor).encode()))
                message = {**message, "headers": [*headers, *_HEADERS]}
            await send(message)

        if await _is_refused(self._app, inner, receive, dressed):
            await _to_sign_in(scope, receive, send)


def _is_visit(scope: Scope) -> bool:
    """Check if a person probably entered an address outside the page in the browser."""
    headers = dict(scope["headers"])
    return scope["method"] == "GET" and b"text/html" in headers.get(b"accept", b"") and b"authorization" not in headers


async def _is_refused(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> bool:
    """Forward the request; return True if access is refused, and send nothing then."""
    refused = False

    async def unless_refused(message: Message) -> None:
        nonlocal refused
        if message["type"] == "http.response.start":
            refused = message["status"] == 401
        if not refused:
            await send(message)

    await app(scope, receive, unless_refused)
    return refused


async def _to_sign_in(scope: Scope, receive: Receive, send: Send) -> None:
    target = scope["path"] + (f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else "")
    where = f"/sign-in?next={quote(target, safe='')}" if scope["method"] == "GET" else "/sign-in"
    await _led(scope, receive, send, where)


async def _led(scope: Scope, receive: Receive, send: Send, where: str) -> None:
    response = RedirectResponse(where, 303, {key.decode(): value.decode() for key, value in _HEADERS})
    await response(scope, receive, send)


def cookie_name(scope: Scope) -> str:
    """Return the cookie name, one for each port: browsers share cookies between all services of a host."""
    server = scope.get("server")
    return f"biblicus_{server[1] if server else 0}"


def set_cookie(scope: Scope, visitor: str) -> str:
    """Return the header that sets the cookie."""
    secure = "; Secure" if scope["scheme"] == "https" else ""
    return f"{cookie_name(scope)}={visitor}; Path=/; HttpOnly; SameSite=Strict{secure}"


def _cookie(scope: Scope, name: str) -> str:
    for key, value in scope["headers"]:
        if key == b"cookie":
            try:
                morsel = SimpleCookie(value.decode("latin-1")).get(name)
            except CookieError:
                continue
            if morsel is not None and len(morsel.value) < 100:
                return morsel.value
    return ""
