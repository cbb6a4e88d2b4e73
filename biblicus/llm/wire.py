"""One reply over HTTP, within bounds: of bytes, of time, and of where it may come from.

A client connects to the address of the user's configuration and to no other: no redirect is followed, no proxy of the
environment is used, and a compressed body is refused, since it may be any size when it is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from biblicus.errors import BadData, ExtraMissing, LLMError
from biblicus.guards import json as guarded_json

if TYPE_CHECKING:
    import httpx

_CONNECT_SECONDS = 10.0
_OVERHEAD = 1 << 20
_PER_TOKEN = 2048
"""Bytes of a reply: a token comes in an object of its own, with names and times."""
_CHARACTERS_PER_TOKEN = 64

BUSY = (408, 409, 425, 429, 502, 503, 504)
"""HTTP statuses of servers that may answer later."""


class Endless(Exception):
    """A reply that is larger than what was asked for can be."""


def most_characters(max_tokens: int) -> int:
    """Of a reply's text."""
    return 4096 + _CHARACTERS_PER_TOKEN * max_tokens


def bounded_transport(url: str, max_tokens: int) -> httpx.AsyncBaseTransport:
    """A transport whose responses end with `Endless` where they are too large, and may not be compressed."""
    try:
        import httpx
    except ImportError as error:
        raise ExtraMissing("A language model", "llm") from error

    class Bounded(httpx.AsyncByteStream):
        def __init__(self, stream: httpx.AsyncByteStream) -> None:
            self._stream = stream
            self._left = _OVERHEAD + _PER_TOKEN * max_tokens

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for part in self._stream:
                self._left -= len(part)
                if self._left < 0:
                    raise Endless
                yield part

        async def aclose(self) -> None:
            await self._stream.aclose()

    class Transport(httpx.AsyncHTTPTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            request.headers["Accept-Encoding"] = "identity"
            response = await super().handle_async_request(request)
            if response.headers.get("Content-Encoding", "identity").lower() != "identity":
                await response.aclose()
                raise httpx.RemoteProtocolError("its reply is compressed")
            assert isinstance(response.stream, httpx.AsyncByteStream)
            response.stream = Bounded(response.stream)
            return response

    # Certificates are read only where they are needed: it takes 20 ms, and nothing here leads from http to https.
    return Transport(verify=url.startswith("https:"))


def timeouts(seconds: float) -> httpx.Timeout:
    """Until there is a connection, and between two pieces of a reply: a model may have to be loaded first."""
    import httpx

    return httpx.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))


@asynccontextmanager
async def told(model: str, url: str, seconds: float, down: str = "") -> AsyncIterator[None]:
    """Turns what goes wrong with one reply into `LLMError`. `down`: the next command where there is no server."""
    import httpx

    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise LLMError(model, f"no whole reply within {seconds:g} s", "the same with more `seconds`") from error
    except Endless as error:
        raise LLMError(model, "its reply does not end", "the same with another model", passing=True) from error
    except (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError) as error:
        raise LLMError(model, f"there is no connection to {url}", down, unanswered=True) from error
    except httpx.TimeoutException as error:
        raise LLMError(model, f"no whole reply within {seconds:g} s", "the same with more `seconds`") from error
    except httpx.HTTPError as error:
        cause = f"its reply breaks off or is no HTTP ({type(error).__name__})"
        raise LLMError(model, cause, "the same again", passing=True) from error
    except (BadData, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        cause = f"its reply is not of the protocol ({type(error).__name__})"
        raise LLMError(model, cause, f"is {url} the right address?", passing=True) from error


def said(raw: bytes | str) -> str:
    """What an error's body says, in brackets and shortened: servers say it in several ways."""
    try:
        value = guarded_json.read(raw, max_bytes=1 << 20)
    except BadData:
        return ""
    while isinstance(value, Mapping):
        value = value.get("error") or value.get("message") or value.get("detail")
    line = str(value or "").split("\n", 1)[0]
    shown = "".join(character for character in line if character.isprintable())[:200].strip().rstrip(".")
    return f" ({shown})" if shown else ""


def pause_of(headers: Mapping[str, Any]) -> float:
    """Seconds that a busy server asks for; 0 where it asks for none."""
    asked = str(headers.get("Retry-After") or "")
    return float(asked) if asked.isdigit() and len(asked) < 6 else 0.0
