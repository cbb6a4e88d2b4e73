"""Caches replies: the same request to the same model with temperature 0 has the same reply.

The key includes everything that affects a reply except the model's weights, which the protocols do not expose: after a
model is replaced under the same name, use `cache: false` or empty the cache folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

from biblicus.contracts import LLMClient, LLMResult
from biblicus.models.digest import digest

_VERSION = 1
_LARGEST = 1 << 16
"""Maximum characters of a cached reply."""


class Memory(Protocol):
    """Storage for replies; it returns only values stored by this machine."""

    def get(self, key: str) -> Mapping[str, Any] | None: ...

    def put(self, key: str, value: Mapping[str, Any]) -> None: ...

    def drop(self, key: str) -> None: ...


class CachingLLMClient:
    """See `contracts.LLMClient`. A cached reply has no tokens except `cached`, which counts it.

    `identity`: provider, address and options: everything besides the request that affects a reply."""

    def __init__(self, client: LLMClient, identity: Mapping[str, Any], memory: Memory) -> None:
        self._client = client
        self._identity = dict(identity)
        self._memory = memory

    @property
    def name(self) -> str:
        return self._client.name

    def within(self, allow: Callable[[], None]) -> CachingLLMClient:
        """Return a client that counts requests with `allow`; cached replies do not count."""
        within = getattr(self._client, "within", None)
        return CachingLLMClient(within(allow) if within else self._client, self._identity, self._memory)

    async def generate(
        self,
        user_prompt: str,
        *,
        system_prompt: str | None = None,
        json_schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
    ) -> LLMResult:
        request = {
            "version": _VERSION,
            "model": self.name,
            "options": self._identity,
            "system": system_prompt,
            "user": user_prompt,
            "schema": json_schema,
            "max_tokens": max_tokens,
        }
        key = digest(request) if temperature == 0 else ""
        kept = self._memory.get(key) if key else None
        if kept is not None:
            tokens = {"requests": 0, "cached": 1}
            return LLMResult(str(kept["text"]), dict(kept["raw"]), tokens, partial(self._memory.drop, key))
        reply = await self._client.generate(
            user_prompt,
            system_prompt=system_prompt,
            json_schema=json_schema,
            max_tokens=max_tokens,
            temperature=temperature,
        )
        reply = LLMResult.of(reply)
        if not key or len(reply.text) > _LARGEST:
            return reply
        self._memory.put(key, {"text": reply.text, "raw": _small(reply.raw)})
        return reply._replace(forget=partial(self._memory.drop, key))


def _small(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a provider's own reply, if it is JSON and short."""
    try:
        return raw if len(json.dumps(raw)) <= _LARGEST else {}
    except (TypeError, ValueError):
        return {}
