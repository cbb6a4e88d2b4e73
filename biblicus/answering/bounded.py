"""A language model client with a persona's limits on requests and reply tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from biblicus.contracts import LLMClient, LLMResult
from biblicus.errors import LLMError


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
