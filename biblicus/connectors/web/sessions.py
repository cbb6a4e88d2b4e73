"""Sessions of the page: cookies, form tokens, and one-time tokens valid for half a minute.

A session refers to a token of the service, which the gate checks on every request, so that a revoked token ends it.
Nothing is stored on disk."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from biblicus.service.tokens import OWNER_ID, Shown, Tokens
from biblicus.service.verbs import Scope

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

    def __init__(self, scope: Scope, path: Path | None = None) -> None:
        super().__init__(path)
        self.own = secrets.token_urlsafe(_BYTES)
        self._scope: Scope = scope

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
