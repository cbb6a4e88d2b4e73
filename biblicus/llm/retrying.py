"""Asks again what may go better later: a busy server, a reply that broke off. Pauses double, and follow the server."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any

from biblicus.contracts import LLMClient, LLMResult
from biblicus.errors import LLMError
from biblicus.llm.options import Hear, silent

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 30.0
_UNANSWERED = 2
"""Attempts where nothing answers at all: a server that is starting is worth one more, one that is not there none."""


class RetryingLLMClient:
    """See `contracts.LLMClient`. `attempts`: in all. A caller's deadline or cancellation ends a pause, too."""

    def __init__(self, client: LLMClient, attempts: int, hear: Hear = silent) -> None:
        self._client = client
        self._attempts = attempts
        self._hear = hear

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
        attempt = 0
        while True:
            try:
                return await self._client.generate(
                    user_prompt,
                    system_prompt=system_prompt,
                    json_schema=json_schema,
                    max_tokens=max_tokens,
                    temperature=temperature,
                )
            except LLMError as error:
                attempt += 1
                most = min(self._attempts, _UNANSWERED) if error.unanswered else self._attempts
                if not error.passing or attempt >= most:
                    raise
                self._hear("")
                pause = _FIRST_PAUSE * 2 ** (attempt - 1) * random.uniform(0.75, 1.25)
                await asyncio.sleep(min(max(error.pause, pause), _LONGEST_PAUSE))
