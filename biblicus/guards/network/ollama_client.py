"""Client of the library `ollama` over a guarded connection.

The library implements the protocol. `transport.Server` controls address, key, time, size, retries and redirects:
`OLLAMA_HOST`, `OLLAMA_API_KEY` and proxies of the environment are ignored."""

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
"""Path of the only request with a streamed reply."""
_PLACEHOLDER = "http://server"
"""Host name in the library's requests; the connection goes to the address of the `Server`."""


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
