"""HTTP client of `biblicus serve`, on another machine or on this one.

Read requests are retried with growing pauses within the caller's deadline, if the service is starting, busy or briefly
unreachable. Redirects and proxies of the environment are ignored, so a token is sent only to the configured address."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from biblicus.contracts import Call
from biblicus.disk.seals import from_keyring
from biblicus.errors import BadData, DeadlineExceeded, PlaceDown, Refused, UsageError, from_object
from biblicus.guards import json
from biblicus.guards.network.addresses import is_loopback
from biblicus.guards.network.transport import BUSY, Failed, Response, Retry, Server, as_body, retry_after
from biblicus.guards.network.urls import server_address
from biblicus.models.fields import compact
from biblicus.models.plain import plain, revived
from biblicus.service.routes import ROUTES, THROUGH, category_of
from biblicus.service.verbs import Q, R, Verb

ATTEMPTS = 4
PATIENCE = 30.0
"""Total seconds if the caller has no deadline."""
CONNECTING = 5.0
"""Seconds to establish a connection."""
_LONGEST = 86_400.0
"""Maximum seconds of an exchange; the deadline is usually much shorter."""
LIMIT = 64 << 20
"""Maximum bytes of a reply."""
TOKEN = "BIBLICUS_TOKEN"
_FIELD = re.compile(r"\{(\w+)\}")
_RETRY = Retry(ATTEMPTS, unanswered=ATTEMPTS, first=0.1, longest=5.0)
_SAID, _SHOWN = 4_000, 200
"""For messages of a foreign server: bytes to read, characters to show."""
_PASSING = ("busy", "stopping", "unavailable")
"""Error codes of a service that may succeed in a moment."""


class Service:
    """Client of one corpus of a service (None: its only one). Thread-safe."""

    def __init__(self, address: str, corpus: str | None = None, token: str | None = None) -> None:
        try:
            parts = urlsplit(server_address(address))
        except ValueError:
            hint = "biblicus query --at https://host:8765"
            raise UsageError(f"{address} is no address of a service.", hint) from None
        self._address, self._corpus = address, corpus
        self._name = f"{parts.scheme}://{parts.netloc}"
        self._token = token if token is not None else os.environ.get(TOKEN) or from_keyring(self._name)
        if self._token and parts.scheme == "http" and not is_loopback(parts.hostname or ""):
            raise Refused(f"A token is not sent to {self._name} without encryption.", f"https://{parts.netloc}")

    def ask(self, verb: Verb[Q, R], request: Q, call: Call) -> R:
        """Return the service's reply to a read request. Raises its errors, and `PlaceDown`."""
        return revived(verb.reply, self.told(verb, compact(request), call))

    def told(self, verb: Verb[Any, Any], request: Mapping[str, Any], call: Call) -> Any:
        """Like `ask`, with JSON values."""
        until = call.deadline if call.deadline is not None else time.monotonic() + PATIENCE
        try:
            bounded = replace(call, deadline=until)
            return _RETRY.ask(lambda: self._once(verb, request, bounded), bounded)
        except Failed as failure:
            raise PlaceDown(self._name, failure.cause) from failure
        except DeadlineExceeded as error:
            if isinstance(error.__cause__, Failed):
                raise PlaceDown(self._name, error.__cause__.cause) from error
            if call.deadline is not None:
                raise
            raise PlaceDown(self._name, f"nothing came for {PATIENCE:.0f} s") from error

    def _once(self, verb: Verb[Any, Any], request: Mapping[str, Any], call: Call) -> Any:
        method, path, body = self._request(verb, request)
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        if call.through:
            headers[THROUGH] = " ".join(call.through)
        server = Server(self._address, headers, _LONGEST, CONNECTING)
        with server.open(method, path, call, body, most=LIMIT) as response:
            return self._value(response)

    def _request(self, verb: Verb[Any, Any], request: Mapping[str, Any]) -> tuple[str, str, bytes | None]:
        of_corpus = [("corpus", self._corpus)] if self._corpus else []
        route = ROUTES[verb.name]
        if route.method == "POST":
            query = f"?{urlencode(of_corpus)}" if of_corpus else ""
            return "POST", f"{route.path}{query}", as_body(plain(request))
        words = dict(request)
        path = _FIELD.sub(lambda field: quote(words.pop(field[1]), safe=""), route.path)
        query = urlencode([*of_corpus, *_flat(words)], errors="surrogatepass")
        return "GET", f"{path}{'?' if query else ''}{query}", None

    def _value(self, response: Response) -> Any:
        kind = response.headers.get("content-type", "").partition(";")[0].lower()
        body = response.read()
        ours = bool(body) and kind.endswith("json")
        document: Any = _read(body) if ours else None
        if response.status == 200 and ours:
            return self._one_corpus(document)
        error = document.get("error") if isinstance(document, dict) else None
        if isinstance(error, dict) and error.get("code") not in _PASSING:
            hint = document.get("cli_hint") or error.get("hint")
            raise from_object({**error, "hint": hint}, category_of(response.status))
        if response.status in BUSY:
            words = "" if isinstance(error, dict) else _words(body, document)
            cause = f"it is busy or starting ({response.status}{words})"
            raise Failed("busy", cause, status=response.status, pause=retry_after(response.headers))
        words = _words(body, document)
        raise PlaceDown(self._name, f"it does not answer as biblicus serve does ({response.status}{words})")

    def _one_corpus(self, reply: Any) -> Any:
        """Return the reply; raise `UsageError` if it covers several corpora, of which one must be named."""
        lists = [reply.get(name) for name in ("corpora", "failed")] if isinstance(reply, dict) else [None]
        if all(isinstance(entries, list) for entries in lists):
            entries = [entry for entries in lists for entry in entries or () if isinstance(entry, dict)]
            names = ", ".join(str(entry.get("corpus")) for entry in entries)
            raise UsageError(f"{self._name} serves several corpora: {names}.", f"--at {self._name}#NAME")
        return reply


def _read(data: bytes) -> Any:
    try:
        return json.read(data, max_bytes=LIMIT)
    except json.JsonRefused as error:
        raise BadData(f"The service's answer is not JSON: {error.message}") from error


def _words(body: bytes, document: Any) -> str:
    """Return the message of a foreign server: title and detail of a problem document, or the start of its text."""
    sentences: list[Any] = []
    if isinstance(document, dict):
        error = document.get("error")
        named = error if isinstance(error, dict) else document
        sentences = [named.get(name) for name in ("title", "detail", "message")] + [error]
    elif document is None:
        sentences = [re.sub(r"<[^>]*>", " ", body[:_SAID].decode("utf-8", "replace"))]
    words = " ".join(
        ": ".join(dict.fromkeys(part for part in sentences if isinstance(part, str) and part.strip())).split()
    )
    return f': "{words[:_SHOWN]}{"…" if len(words) > _SHOWN else ""}"' if words else ""


def _flat(words: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return query parameters: lists are repeated, metadata become `key=value`."""
    parameters: list[tuple[str, str]] = []
    for key, value in words.items():
        if isinstance(value, Mapping):
            parameters += [(key, f"{name}={text}") for name, text in value.items()]
        elif isinstance(value, list | tuple):
            parameters += [(key, str(part)) for part in value]
        else:
            parameters.append((key, str(value)))
    return parameters
