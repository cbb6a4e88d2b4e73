"""A language model within a persona's limits: so many requests, so many tokens of a reply, and no more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from biblicus.contracts import LLMClient, LLMResult
from biblicus.errors import LLMError


class BoundedLLMClient:
    """See `contracts.LLMClient`. Made for one answer. None: no bound of its own.

    `requests`: to the model, its retries included where it tells of them; the one that goes beyond is not made.
    `output_tokens`: of each reply, where the caller allows more.
    """

    def __init__(self, client: LLMClient, requests: int | None, output_tokens: int | None) -> None:
        self._client, self._most, self._output_tokens = client, requests, output_tokens
        self._made = 0

    @property
    def name(self) -> str:
        return self._client.name

    async def generate(
        self,
        user_prompt: str,
        *,
        system_prompt: str | None = None,
        json_schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
    ) -> LLMResult:
        """Raises `LLMError` where the persona's requests are used up."""
        if self._most is not None and self._made >= self._most:
            cause = f"the persona allows {self._most} requests"
            raise LLMError(self.name, cause, "raise limits.requests in the persona's file")
        self._made += 1
        found = await self._client.generate(
            user_prompt,
            system_prompt=system_prompt,
            json_schema=json_schema,
            max_tokens=max_tokens if self._output_tokens is None else min(max_tokens, self._output_tokens),
            temperature=temperature,
        )
        self._made += max(0, found.tokens.get("requests", 1) - 1)
        return found
