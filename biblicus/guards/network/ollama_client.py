"""A client of the library `ollama` whose every exchange goes over a guarded connection.

The library knows the protocol. Address, key, time, size, retries and redirects stay with `transport.Server`: nothing
that `OLLAMA_HOST`, `OLLAMA_API_KEY` or a proxy of the environment says is used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from biblicus.errors import ExtraMissing
from biblicus.guards import json as guarded_json
from biblicus.guards.network.transport import Failed, Response, Server, reason_of

if TYPE_CHECKING:
    from ollama import Client

    from biblicus.contracts import Call

_LARGEST_LINE = 1 << 20
_STREAMED = "/api/chat"
"""Path of the one request whose reply comes in parts."""
_PLACEHOLDER = "http://server"
"""Host in the requests of the library; the connection is made to the address of the `Server`."""


def client(server: Server, call: Call, most: int) -> Client:
    """Return a client for one exchange. `most`: bytes of its reply.

    Its methods raise `Failed`, what `call.check` raises, and `ValueError` or `TypeError` for a reply that is not of
    the protocol. Raises `ExtraMissing`.
    """
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
        """Sends a request of the library by `Server`, without the library's own headers."""

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
    """The parts of a stream, each a line that any reader of lines takes for one. Raises `Failed`, `BadData`."""
    for line in response.lines():
        part = guarded_json.read(line, max_bytes=_LARGEST_LINE)
        if "error" in part:  # the model ran out of memory, or its process ended
            raise Failed("broken", f"the server gives up{reason_of(line)}")
        yield _sent(part) + b"\n"


def _sent(value: Any) -> bytes:
    """JSON in ASCII, since the library also ends a line at U+0085 and U+2028."""
    return json.dumps(value).encode()
