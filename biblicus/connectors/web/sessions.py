"""Who looks at the page: sessions by a cookie, tokens of forms, and a token that is good once and for half a minute.

A session stands for a token of the service, which the gate checks anew with every request: one that is revoked opens
nothing from then on. Nothing of it is kept on disk.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from biblicus.service.tokens import Shown, Tokens
from biblicus.service.verbs import Scope

ONCE = 30.0
"""Seconds in which a token that is good once must be used."""
_MOST = 1_000
"""Sessions that are held; the oldest goes first."""
_BYTES = 32


class Sessions:
    """Sessions of one service. Safe for several threads. `clock`: seconds that never go back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._key = secrets.token_bytes(_BYTES)
        self._lock = threading.Lock()
        self._held: OrderedDict[str, str] = OrderedDict()
        self._once: dict[str, tuple[str, float]] = {}

    def begin(self, token: str) -> str:
        """A new session that stands for a token of the service: its id."""
        session = secrets.token_urlsafe(_BYTES)
        with self._lock:
            self._held[session] = token
            while len(self._held) > _MOST:
                self._held.popitem(last=False)
        return session

    def token(self, session: str) -> str | None:
        """The token of the service that a session stands for."""
        with self._lock:
            return self._held.get(session)

    def end(self, session: str) -> None:
        """It stands for nothing any more."""
        with self._lock:
            self._held.pop(session, None)

    def once(self, token: str) -> str:
        """A text that begins a session for this token, once and soon."""
        words = secrets.token_urlsafe(_BYTES)
        with self._lock:
            self._once[words] = token, self._clock() + ONCE
        return words

    def redeem(self, words: str) -> str | None:
        """The id of the session that a text of `once` begins; None where it was used, is too old or never was one."""
        with self._lock:
            token, until = self._once.pop(words, ("", 0.0))
            fresh = self._clock() <= until
        return self.begin(token) if token and fresh else None

    def form_token(self, visitor: str) -> str:
        """What a form carries that this visitor was shown."""
        return hmac.new(self._key, visitor.encode("utf-8", "replace"), hashlib.sha256).hexdigest()

    def is_form_of(self, visitor: str, form_token: str) -> bool:
        """Whether a form was shown to this visitor."""
        return bool(visitor) and hmac.compare_digest(self.form_token(visitor), form_token)


class PageTokens(Tokens):
    """The user's tokens and one more, of the page that this process opens: without any of them nobody is let in."""

    def __init__(self, scope: Scope, path: Path | None = None) -> None:
        super().__init__(path)
        self.own = secrets.token_urlsafe(_BYTES)
        self._scope: Scope = scope

    def known(self, secret: str) -> Shown | None:
        """The token of this text; None where there is none."""
        if hmac.compare_digest(secret.encode("utf-8", "replace"), self.own.encode()):
            return Shown("page", "the page", self._scope, "")
        return super().known(secret)

    @property
    def demanded(self) -> bool:
        return True

    def __bool__(self) -> bool:
        return True
