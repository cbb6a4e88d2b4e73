"""Searches on another machine, or in another process on this one: a client of `biblicus serve` over HTTP.

What is read may be asked again: a service that is starting, busy or briefly away is retried with growing pauses, within
the caller's deadline. Redirects are not followed and proxies of the environment not used, so that a token goes to the
address that the user named and nowhere else.
"""

from __future__ import annotations

import http.client
import ipaddress
import os
import random
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from biblicus.contracts import Call
from biblicus.errors import BadData, BiblicusError, DeadlineExceeded, PlaceDown, Refused, UsageError, from_object
from biblicus.guards import json
from biblicus.models.evidence import Result
from biblicus.models.question import Query
from biblicus.models.wire import request_of, result_of

ATTEMPTS = 4
PAUSE = 0.1
"""Seconds before the second attempt; doubled each time, plus up to half at random."""
LONGEST_PAUSE = 5.0
"""Seconds; a service that asks for a longer one is down."""
PATIENCE = 30.0
"""Seconds for the whole where the caller has no deadline."""
CONNECTING = 5.0
"""Seconds that a connection may take."""
LIMIT = 64 << 20
"""Bytes of an answer."""
TOKEN = "BIBLICUS_TOKEN"
_AGAIN = frozenset([429, 502, 503, 504])
_PASSING = ("busy", "stopping", "unavailable")
"""Codes of a service that may well answer in a moment."""
_POSTED = {
    "query": "/query",
    "context": "/context",
    "verify": "/verify",
    "retrieve": "/retrieve",
    "retrieve_batch": "/retrieve/batch",
}
_GOT = {
    "items": "/items",
    "tree": "/tree",
    "stats": "/stats",
    "version": "/version",
    "runs": "/runs",
    "recipes": "/recipes",
    "events": "/events/page",
}
_NAMED = {"item": "/items/", "run": "/runs/"}


def _from_keyring(name: str) -> str | None:
    """The token that the user's keyring holds for a service, where there is one: `keyring set biblicus ADDRESS`."""
    try:
        import keyring  # the extra [keyring]
    except ImportError:
        return None
    try:
        found: str | None = keyring.get_password("biblicus", name)
    except Exception:  # a locked or broken keyring: the service says what is missing
        return None
    return found


class RemoteSearcher:
    """Asks a service at `address` about one of its corpora (None: its only one). Safe for several threads."""

    def __init__(self, address: str, corpus: str | None = None, token: str | None = None) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.username:
            raise UsageError(f"{address} is no address of a service.", "biblicus query --at https://host:8765")
        self._parts, self._corpus = parts, corpus
        self._name = f"{parts.scheme}://{parts.netloc}"
        self._token = token if token is not None else os.environ.get(TOKEN) or _from_keyring(self._name)
        if self._token and parts.scheme == "http" and not _is_here(parts.hostname):
            raise Refused(f"A token is not sent to {self._name} without encryption.", f"https://{parts.netloc}")

    def search(self, query: Query, call: Call) -> Result:
        """Evidence, as the service's searcher gave it. Raises what it raised, and `PlaceDown`."""
        return result_of(self.ask("query", request_of(query), call))

    def ask(self, verb: str, request: Mapping[str, Any], call: Call) -> Any:
        """The answer to any verb that reads, as JSON values."""
        until = call.deadline if call.deadline is not None else time.monotonic() + PATIENCE
        pause = PAUSE
        for attempt in range(1, ATTEMPTS + 1):
            call.check()
            try:
                return self._once(verb, request, until)
            except _Again as again:
                wait = max(again.wait, pause * (1 + random.random() / 2))
                if attempt == ATTEMPTS or wait > LONGEST_PAUSE or time.monotonic() + wait >= until:
                    raise again.error from again.__cause__
                call.cancel.wait(wait)
                pause *= 2
            except TimeoutError as error:
                if call.deadline is not None:
                    raise DeadlineExceeded from error
                raise PlaceDown(self._name, f"nothing came for {PATIENCE:.0f} s") from error
        raise AssertionError  # the last attempt returns or raises

    def _once(self, verb: str, request: Mapping[str, Any], until: float) -> Any:
        method, target, body = self._request(verb, request)
        connection = self._connection(until)
        # An answer that comes a byte at a time keeps every single wait short: only this ends it.
        guard = threading.Timer(max(until - time.monotonic(), 0.001), _break_off, (connection.sock,))
        guard.daemon = True
        guard.start()
        try:
            connection.request(method, target, body, self._headers())
            answer = connection.getresponse()
            data = answer.read(LIMIT + 1)
            if answer.length and len(data) <= LIMIT:  # less came than was announced
                raise http.client.IncompleteRead(data)
        except (OSError, http.client.HTTPException) as error:
            if time.monotonic() >= until:
                raise TimeoutError from error
            cause = (error.strerror or str(error)).lower() if isinstance(error, OSError) else "it broke off its answer"
            raise _Again(PlaceDown(self._name, cause or "the connection broke")) from error
        finally:
            guard.cancel()
            connection.close()
        if time.monotonic() >= until:
            raise TimeoutError
        return self._value(answer, data)

    def _request(self, verb: str, request: Mapping[str, Any]) -> tuple[str, str, bytes | None]:
        base = self._parts.path.rstrip("/")
        of_corpus = [("corpus", self._corpus)] if self._corpus else []
        if verb in _POSTED:
            query = f"?{urlencode(of_corpus)}" if of_corpus else ""
            return "POST", f"{base}{_POSTED[verb]}{query}", _encoded(request)
        words = dict(request)
        path = f"{_NAMED[verb]}{quote(words.pop(verb), safe='')}" if verb in _NAMED else _GOT[verb]
        query = urlencode([*of_corpus, *_flat(words)], errors="surrogatepass")
        return "GET", f"{base}{path}{'?' if query else ''}{query}", None

    def _connection(self, until: float) -> http.client.HTTPConnection:
        left = max(until - time.monotonic(), 0.001)
        kind = http.client.HTTPSConnection if self._parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._parts.hostname or "", self._parts.port, timeout=min(left, CONNECTING))
        try:
            connection.connect()
        except TimeoutError:
            connection.close()
            if time.monotonic() < until:
                raise _Again(PlaceDown(self._name, "it cannot be reached")) from None
            raise
        except OSError as error:
            connection.close()
            raise _Again(PlaceDown(self._name, (error.strerror or str(error)).lower())) from error
        connection.sock.settimeout(max(until - time.monotonic(), 0.001))
        return connection

    def _headers(self) -> dict[str, str]:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        return headers

    def _value(self, answer: http.client.HTTPResponse, data: bytes) -> Any:
        kind = answer.headers.get_content_type()
        ours = 0 < len(data) <= LIMIT and kind.endswith("json")
        found = _read(data) if ours else None
        if answer.status == 200 and ours:
            return self._one_corpus(found)
        said = found.get("error") if isinstance(found, dict) else None
        if isinstance(said, dict) and said.get("code") not in _PASSING:
            raise from_object(said, answer.status)
        if answer.status in _AGAIN:
            raise _Again(PlaceDown(self._name, f"it is busy or starting ({answer.status})"), _retry_after(answer))
        raise PlaceDown(self._name, f"it does not answer as biblicus serve does ({answer.status})")

    def _one_corpus(self, found: Any) -> Any:
        """The answer, unless it is of several corpora: then one has to be named."""
        if isinstance(found, dict) and "failed" in found and "corpora" in found:
            names = ", ".join(str(entry.get("corpus")) for entry in [*found["corpora"], *found["failed"]])
            raise UsageError(f"{self._name} serves several corpora: {names}.", f"--at {self._name}#NAME")
        return found


def _break_off(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


class _Again(Exception):
    """It may be asked once more. `wait`: seconds that the service asks for; `error`: what to raise otherwise."""

    def __init__(self, error: BiblicusError, wait: float = 0.0) -> None:
        super().__init__(error.message)
        self.error, self.wait = error, wait


def _is_here(host: str) -> bool:
    """Whether what is sent there stays on this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _encoded(request: Mapping[str, Any]) -> bytes:
    import json as plain_json

    return plain_json.dumps(request, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _read(data: bytes) -> Any:
    try:
        return json.read(data, max_bytes=LIMIT)
    except json.JsonRefused as error:
        raise BadData(f"The service's answer is not JSON: {error.message}") from error


def _flat(words: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Query parameters: lists repeated, metadata as `key=value`."""
    found: list[tuple[str, str]] = []
    for key, value in words.items():
        if isinstance(value, Mapping):
            found += [(key, f"{name}={text}") for name, text in value.items()]
        elif isinstance(value, list | tuple):
            found += [(key, str(part)) for part in value]
        else:
            found.append((key, str(value)))
    return found


def _retry_after(answer: http.client.HTTPResponse) -> float:
    try:
        return max(0.0, float(answer.headers.get("Retry-After", "0")))
    except ValueError:
        return 0.0
