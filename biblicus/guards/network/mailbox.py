"""IMAP over the guarded transport: the host is resolved once and checked, time and bytes are limited."""

from __future__ import annotations

import imaplib
import io
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from biblicus.contracts import Call
from biblicus.errors import IngestionError
from biblicus.guards.network import transport
from biblicus.guards.network.addresses import reach as reach_of
from biblicus.guards.network.urls import Url, UrlRefused
from biblicus.models.sources.syncing import Reach


class Mailbox(imaplib.IMAP4):
    """A connection of the account to the server of an address. Raises `IngestionError`, `UrlRefused`.

    Without TLS (`imap://`) it connects to private addresses alone."""

    def __init__(self, address: str, reach: Reach, call: Call) -> None:
        self._address = address
        parts, watch = urlsplit(address), transport.Watch(call, reach.seconds)
        is_safe = parts.scheme == "imaps"
        if reach.account is None:
            raise IngestionError(address, "it needs an account", "biblicus sources add … --account NAME")
        secret = reach.account.secret_for(parts.hostname or "")
        url = Url("https" if is_safe else "http", parts.hostname or "", parts.port or (993 if is_safe else 143), "")
        try:
            addresses = transport.resolved(url, watch)
            reaches = {reach_of(ip) for ip in addresses}
            if "never" in reaches or ("private" in reaches and not reach.private):
                raise UrlRefused(address, "its host is on a private network", "the same with --allow-private")
            if not is_safe and reaches != {"private"}:
                raise UrlRefused(address, "its connection is not encrypted", f"imaps://{parts.netloc}")
            self._pinned = transport.connected(url, addresses, watch)
            self._pinned.allowed = 2 * reach.total_bytes
            super().__init__(url.host, url.port)
        except transport.Failed as failure:
            raise IngestionError(address, failure.cause) from None
        except (imaplib.IMAP4.error, OSError) as error:
            raise IngestionError(address, f"it is no IMAP server ({type(error).__name__})") from None
        try:
            self.login(reach.account.user, secret)
        except imaplib.IMAP4.error:
            self.shutdown()
            raise IngestionError(address, "it refuses the account", status=401) from None

    def open(self, host: str = "", port: int = 143, timeout: float | None = None) -> None:
        """Use the connection that was checked."""
        self.host, self.port = host, port
        self.file: Any = io.BufferedReader(self._pinned, 64 << 10)

    def send(self, data: Any) -> None:
        self._pinned.send(data)

    def shutdown(self) -> None:
        """Close the connection."""
        self._pinned.close()

    def _command(self, name: str, *words: Any) -> Any:
        return self._bounded(super()._command, name, *words)  # type: ignore[misc]  # imaplib's own step, which typeshed leaves out

    def _command_complete(self, name: str, tag: Any) -> Any:
        return self._bounded(super()._command_complete, name, tag)  # type: ignore[misc]  # as above

    def _bounded(self, step: Callable[..., Any], *words: Any) -> Any:
        """Turn the failures of the connection into `IngestionError`, after which nothing else is requested."""
        try:
            return step(*words)
        except (transport.TooLate, transport.TooMuch, imaplib.IMAP4.abort, OSError) as error:
            raise IngestionError(self._address, f"the connection breaks ({type(error).__name__})", status=503) from None
