"""The page as a plug-in of the HTTP service: its routes, its middleware, and the first sign-in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path

from starlette.applications import Starlette
from starlette.types import ASGIApp

from biblicus.config import user_folder
from biblicus.connectors.http.service import Service
from biblicus.connectors.web import pages, shell
from biblicus.connectors.web.shell import PageTokens, Sessions
from biblicus.disk import files
from biblicus.service.tokens import Tokens


class Page:
    """The page of one service.

    `tokens`: valid tokens; None: those of this user, and one of its own. `is_followed`: changes in the folders are
    indexed automatically."""

    def __init__(self, tokens: Tokens | None = None, *, is_followed: bool = False) -> None:
        self.tokens = PageTokens("ingest") if tokens is None else tokens
        self._is_followed = is_followed
        self._sessions = Sessions()

    def mount(self, app: Starlette, service: Service) -> None:
        """Add the page's routes before the service's."""
        page_routes = pages.Pages(service, self._sessions, self.tokens, is_followed=self._is_followed)
        app.router.routes[:0] = page_routes.routes()

    def around(self, app: ASGIApp) -> ASGIApp:
        """Wrap the service with the page's cookie and policy."""
        return shell.Shell(app, self._sessions)

    @staticmethod
    def is_open(path: str) -> bool:
        """Check if an address of the page needs no token."""
        return shell.is_open(path)

    @contextmanager
    def way_in(self, address: str) -> Iterator[Path]:
        """Yield a temporary file that opens the page in this user's browser, once and only for a short time."""
        assert isinstance(self.tokens, PageTokens)
        folder = user_folder("state")
        files.make_folder(folder, 0o700)
        file = folder / f"open-{os.getpid()}.html"
        once = self._sessions.once(self.tokens.own)
        files.write(file, shell.WAY_IN.format(escape(f"{address}/open?token={once}")).encode(), mode=0o600)
        try:
            yield file
        finally:
            with suppress(OSError):
                file.unlink()
