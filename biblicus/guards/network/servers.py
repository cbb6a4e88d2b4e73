"""A server in the user's configuration: its address, the environment variable that contains its key.

A client of the library `ollama` uses a guarded connection: `transport.Server` controls address, key, time, size,
retries and redirects; `OLLAMA_HOST`, `OLLAMA_API_KEY` and proxies of the environment are ignored."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field

from biblicus.errors import BiblicusError, ExtraMissing
from biblicus.guards import json as guarded_json
from biblicus.guards.network.transport import Failed, Response, Server, reason_of
from biblicus.guards.network.urls import server_address

if TYPE_CHECKING:
    from ollama import Client

    from biblicus.contracts import Call

Address = Annotated[str, AfterValidator(server_address)]
KeyName = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
"""Name of the environment variable."""
_LARGEST_LINE = 1 << 20
_STREAMED = "/api/chat"
"""Path of the only request with a streamed reply."""
_PLACEHOLDER = "http://server"
"""Host name in the library's requests; the connection goes to the address of the `Server`."""


def headers_of(model: str, key_env: str | None, failure: Callable[[str, str, str], BiblicusError]) -> dict[str, str]:
    """Return the request headers with the key from the variable `key_env`, if one is named.
    If that variable is empty, raise `failure(model, cause, remedy)`."""
    if key_env is None:
        return {}
    key = os.environ.get(key_env, "")
    if not key or not key.isprintable() or not key.isascii():
        raise failure(model, f"the environment variable {key_env} holds no key", f"export {key_env}=…")
    return {"Authorization": f"Bearer {key}"}


def remedy(key_env: str | None) -> str:
    """Return the command to type if a server refuses the key."""
    return f"export {key_env or 'YOUR_KEY'}=… (and name it as key_env in your configuration)"


def client(server: Server, call: Call, most: int) -> Client:
    """Return a client for one exchange. `most`: bytes of its reply.

    Its methods raise `Failed`, the errors of `call.check`, and `ValueError` or `TypeError` for a reply outside the
    protocol. Raises `ExtraMissing`."""
    try:
        import httpx
        import ollama
    except ImportError as error:
        raise ExtraMissing("A model of an Ollama server", "ollama") from error

    class Stream(httpx.SyncByteStream):
        """The checked lines of a reply."""

        def __init__(self, response: Response, lines: Iterator[bytes]) -> None:
            self._response, self._lines = response, lines

        def __iter__(self) -> Iterator[bytes]:
            return self._lines

        def close(self) -> None:
            self._response.__exit__(None, None, None)

    class Transport(httpx.BaseTransport):
        """Sends the library's requests with `Server`, without the library's own headers."""

        def handle_request(self, request: httpx.Request) -> httpx.Response:
            body = request.read() or None
            path = request.url.raw_path.decode()
            response = server.open(request.method, path, call, body, most=most)
            if response.status != 200:
                with response:
                    raise response.failure()
            lines = _lines(response) if path == _STREAMED else iter((_sent(response.json()),))
            return httpx.Response(200, stream=Stream(response, lines))

    return ollama.Client(_PLACEHOLDER, follow_redirects=False, trust_env=False, transport=Transport())


def _lines(response: Response) -> Iterator[bytes]:
    """Yield the JSON parts of a stream, one a line for any line reader. Raises `Failed`, `BadData`."""
    for line in response.lines():
        part = guarded_json.read(line, max_bytes=_LARGEST_LINE)
        if "error" in part:  # the model ran out of memory, or its process ended
            raise Failed("broken", f"the server gives up{reason_of(line)}")
        yield _sent(part) + b"\n"


def _sent(value: Any) -> bytes:
    """Return JSON in ASCII, because the library also splits lines at U+0085 and U+2028."""
    return json.dumps(value).encode()
