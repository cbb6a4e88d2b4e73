"""Calls a language model from synchronous code, within the limits of the caller's `Call` and of a persona."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import copy_context
from typing import Any

from biblicus.contracts import Call, LLMClient, LLMResult
from biblicus.errors import LLMError

_LISTENING = 0.05
"""Seconds between two checks of deadline and cancellation."""


def object_schema(**properties: Any) -> dict[str, Any]:
    """Return the JSON schema of an object with exactly these properties. A list stands for an array, its only element
    for the schema of its items; a text for a simple type."""
    schemas = {name: _schema(value) for name, value in properties.items()}
    return {"type": "object", "properties": schemas, "required": list(schemas), "additionalProperties": False}


def _schema(value: Any) -> Mapping[str, Any]:
    if isinstance(value, list):
        return {"type": "array", "items": _schema(value[0])}
    return {"type": value} if isinstance(value, str) else value


def ask(
    client: LLMClient,
    call: Call,
    user_prompt: str,
    usage: Usage,
    *,
    system_prompt: str | None = None,
    json_schema: Mapping[str, Any] | None = None,
    max_tokens: int = 1024,
    temperature: float = 0.0,
) -> LLMResult:
    """Return one reply; its tokens, and those of a failed request, are added to `usage`. Raises `LLMError`,
    `Cancelled`, `DeadlineExceeded`; no request continues in the background."""
    call.check()
    reply = client.generate(
        user_prompt,
        system_prompt=system_prompt,
        json_schema=json_schema,
        max_tokens=max_tokens,
        temperature=temperature,
    )
    try:
        answered = LLMResult.of(_finished(_watched(reply, call)))
    except LLMError as error:
        usage.add({"requests": 0, **error.tokens})
        raise
    usage.add(answered.tokens)
    return answered


def _finished(watched: Coroutine[Any, Any, LLMResult]) -> LLMResult:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(watched)
    with ThreadPoolExecutor(1) as pool:  # a running event loop (of a notebook or server) cannot run another
        return pool.submit(copy_context().run, asyncio.run, watched).result()


async def _watched(reply: Coroutine[Any, Any, LLMResult], call: Call) -> LLMResult:
    task = asyncio.ensure_future(reply)
    try:
        while True:
            done, _ = await asyncio.wait({task}, timeout=_LISTENING)
            if done:
                return task.result()
            call.check()
    finally:
        if not task.done():
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task


class Usage:
    """Total usage of all replies of one answer."""

    def __init__(self) -> None:
        self._sums: dict[str, int] = {}

    def add(self, tokens: Mapping[str, int]) -> None:
        """Add a reply's tokens; `requests` is 1 unless given."""
        counts = {"requests": 1, **tokens}
        for key, value in counts.items():
            name = f"{key}_tokens" if key in ("input", "output") else key
            self._sums[name] = self._sums.get(name, 0) + value

    def as_object(self) -> dict[str, int]:
        """Return `requests`, `input_tokens` and `output_tokens`, as far as known."""
        return dict(self._sums)


class BoundedLLMClient:
    """Client for one answer (see `contracts.LLMClient`); a limit of None is unlimited.

    `requests`: maximum to the model including retries and repairs; a further one is refused. (For a client without
    `within` that makes requests of its own, the excess is only noticed afterwards.) `output_tokens`: maximum of each
    reply.
    """

    def __init__(self, client: LLMClient, requests: int | None, output_tokens: int | None) -> None:
        within = getattr(client, "within", None)
        self._is_asked_first = within is not None
        self._client: LLMClient = within(self._take) if within is not None else client
        self._most, self._output_tokens = requests, output_tokens
        self._made = self._kept_back = 0

    @property
    def name(self) -> str:
        return self._client.name

    @contextmanager
    def keeping_back(self, requests: int) -> Iterator[None]:
        """Reserve a number of requests for later while the block runs."""
        self._kept_back = requests
        try:
            yield
        finally:
            self._kept_back = 0

    async def generate(
        self,
        user_prompt: str,
        *,
        system_prompt: str | None = None,
        json_schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
    ) -> LLMResult:
        """Return a reply. Raises `LLMError` if the persona's requests are used up."""
        if not self._is_asked_first:
            self._take()
        reply = await self._client.generate(
            user_prompt,
            system_prompt=system_prompt,
            json_schema=json_schema,
            max_tokens=max_tokens if self._output_tokens is None else min(max_tokens, self._output_tokens),
            temperature=temperature,
        )
        reply = LLMResult.of(reply)
        if not self._is_asked_first:
            self._made += max(0, reply.tokens.get("requests", 1) - 1)
        return reply

    def _take(self) -> None:
        """Count a request before it is sent."""
        if self._most is not None and self._made + self._kept_back >= self._most:
            cause = f"the persona allows {self._most} requests"
            raise LLMError(self.name, cause, "raise limits.requests in the persona's file")
        self._made += 1
