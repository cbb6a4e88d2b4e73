"""Visitors of the page: their sessions, cookies and form tokens, and the page's policy.

The middleware converts the cookie to a token before the gate. The cookie works only for addresses of the page; others
accept tokens in headers only, so that no page of another origin can use a visitor's rights there. A session refers to a
token of the service, which the gate checks on every request, so that a revoked token ends it. Nothing is stored on
disk."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import quote

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from biblicus.service.tokens import OWNER_ID, Shown, Tokens
from biblicus.service.verbs import Scope as TokenScope

OPEN = ("/open", "/sign-in")
"""Addresses that start a session, and need none."""
STATIC = "/static/"
_PAGES = ("/ask", "/chat", "/suggest", "/corpus", "/picture", "/sign-out", *OPEN)
_BELOW = ("/c/", "/corpus/", "/picture/", "/file/", STATIC)
WAY_IN = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={0}">
<title>Biblicus</title></head><body><p><a href="{0}">To the page</a></p></body></html>
"""
"""A page that leads on: a `SameSite` cookie is not sent with a redirect from another site."""
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


# --- sessions, and one-time tokens valid for half a minute ---

ONCE = 30.0
"""Seconds during which a one-time token is valid."""
_MOST = 1_000
"""Maximum number of sessions; the oldest is removed first."""
_BYTES = 32


class Sessions:
    """Sessions of one service. Thread-safe. `clock`: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._key = secrets.token_bytes(_BYTES)
        self._lock = threading.Lock()
        self._held: OrderedDict[str, str] = OrderedDict()
        self._once: dict[str, tuple[str, float]] = {}

    def begin(self, token: str) -> str:
        """Create a session for a token of the service; return its id."""
        session = secrets.token_urlsafe(_BYTES)
        with self._lock:
            self._held[session] = token
            while len(self._held) > _MOST:
                self._held.popitem(last=False)
        return session

    def token(self, session: str) -> str | None:
        """Return the service token of a session."""
        with self._lock:
            return self._held.get(session)

    def end(self, session: str) -> None:
        with self._lock:
            self._held.pop(session, None)

    def once(self, token: str) -> str:
        """Return a one-time token that starts a session for this token."""
        words = secrets.token_urlsafe(_BYTES)
        with self._lock:
            self._once[words] = token, self._clock() + ONCE
        return words

    def redeem(self, words: str) -> str | None:
        """Return the id of a new session for a one-time token; None if it is used, expired or unknown."""
        with self._lock:
            token, until = self._once.pop(words, ("", 0.0))
            fresh = self._clock() <= until
        return self.begin(token) if token and fresh else None

    def form_token(self, visitor: str) -> str:
        """Return the form token of this visitor."""
        return hmac.new(self._key, visitor.encode("utf-8", "replace"), hashlib.sha256).hexdigest()

    def is_form_of(self, visitor: str, form_token: str) -> bool:
        """Check if a form was shown to this visitor."""
        return bool(visitor) and hmac.compare_digest(self.form_token(visitor), form_token)


class PageTokens(Tokens):
    """The user's tokens, and a token for the page opened by this process. A token is always required."""

    def __init__(self, scope: TokenScope, path: Path | None = None) -> None:
        super().__init__(path)
        self.own = secrets.token_urlsafe(_BYTES)
        self._scope: TokenScope = scope

    def known(self, secret: str) -> Shown | None:
        """Return the token with this secret; None if there is none."""
        if hmac.compare_digest(secret.encode("utf-8", "replace"), self.own.encode()):
            return Shown(OWNER_ID, "the page", self._scope, "")
        return super().known(secret)

    @property
    def demanded(self) -> bool:
        return True

    def __bool__(self) -> bool:
        return True
