"""A model of an Ollama server, through Ollama's own client (https://github.com/ollama/ollama-python)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from biblicus.contracts import LLMResult
from biblicus.errors import ExtraMissing, LLMError
from biblicus.llm import wire
from biblicus.llm.options import Hear, ModelOptions, key_of, silent
from biblicus.text.tokens import estimate

if TYPE_CHECKING:
    import ollama

    from biblicus.contracts import LLMClient

_SMALLEST_CONTEXT = 8192
_LARGEST_CONTEXT = 131_072
_TOKENS_PER_ESTIMATE = 1.4
"""The estimate is of common vocabularies; some models need more tokens for the same text."""


class Options(ModelOptions):
    """`keep_alive`: how long the server keeps the model loaded (`10m`, `0`, `-1`). `think`: of models that think first.

    `options`: of the model, as in a Modelfile (`num_ctx`, `top_k`, `seed`, …). Without `num_ctx` the context is as
    large as prompt and reply need: the server would otherwise cut a long prompt and say nothing.
    """

    url: str = "http://127.0.0.1:11434"
    keep_alive: str | None = None
    think: Literal["true", "false", "low", "medium", "high"] | bool | None = None


class Ollama:
    """See `contracts.LLMClient`. Asks once."""

    def __init__(self, options: Options, hear: Hear = silent) -> None:
        self._options = options
        self._hear = hear
        self._key = key_of(options)

    @property
    def name(self) -> str:
        return self._options.model

    async def generate(
        self,
        user_prompt: str,
        *,
        system_prompt: str | None = None,
        json_schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
    ) -> LLMResult:
        """Raises `LLMError`: `ollama serve`, `ollama pull MODEL` are its hints."""
        messages = [{"role": "user", "content": user_prompt}]
        if system_prompt:
            messages.insert(0, {"role": "system", "content": system_prompt})
        request = {
            "model": self.name,
            "messages": messages,
            "format": json_schema,
            "options": self._model_options(estimate(user_prompt + (system_prompt or "")), max_tokens, temperature),
            "keep_alive": self._keep_alive(),
            "think": self._think(),
        }
        client = self._client(max_tokens)
        try:
            async with wire.told(self.name, self._options.url, self._options.seconds, "ollama serve"):
                return await self._reply(client, request, wire.most_characters(max_tokens))
        finally:
            await client.close()  # type: ignore[no-untyped-call]  # theirs

    async def _reply(self, client: ollama.AsyncClient, request: Mapping[str, Any], most: int) -> LLMResult:
        import ollama

        text, last, written = [], {}, 0
        try:
            async for part in await client.chat(**request, stream=True):
                piece = part.message.content or ""
                written += len(piece) + len(part.message.thinking or "")
                if written > most:
                    raise wire.Endless
                if piece:
                    text.append(piece)
                    self._hear(piece)
                if part.done:
                    last = part.model_dump(exclude={"message"}, exclude_none=True)
        except ollama.ResponseError as error:
            raise self._refusal(error) from error
        if not last:
            raise LLMError(self.name, "its reply breaks off", "the same again", passing=True)
        counted = {"input": last.get("prompt_eval_count"), "output": last.get("eval_count")}
        return LLMResult("".join(text), last, {key: int(value) for key, value in counted.items() if value is not None})

    def _refusal(self, error: ollama.ResponseError) -> LLMError:
        status = error.status_code if isinstance(error.status_code, int) and error.status_code > 0 else 0
        what = wire.said(json.dumps({"error": error.error}))
        if status == 404:
            return LLMError(self.name, "the server does not have it", f"ollama pull {self.name}", status=status)
        cause = f"the server answers {status}{what}" if status else f"the server gives up{what}"
        # An error within a stream has no status: the model ran out of memory, or its process ended.
        passing = not status or status in wire.BUSY or status >= 500
        return LLMError(self.name, cause, f"ollama show {self.name}", passing=passing, status=status)

    def _client(self, max_tokens: int) -> ollama.AsyncClient:
        url, seconds = self._options.url, self._options.seconds
        try:
            import ollama
        except ImportError as error:
            raise ExtraMissing("A language model", "llm") from error
        client = ollama.AsyncClient(
            url,
            follow_redirects=False,
            trust_env=False,
            timeout=wire.timeouts(seconds),
            transport=wire.bounded_transport(url, max_tokens),
        )
        # Ollama's client sends OLLAMA_API_KEY of the environment to whatever server it is pointed at.
        client._client.headers.pop("Authorization", None)
        if self._key:
            client._client.headers["Authorization"] = f"Bearer {self._key}"
        return client

    def _model_options(self, prompt: int, max_tokens: int, temperature: float) -> dict[str, Any]:
        needed = int(prompt * _TOKENS_PER_ESTIMATE) + max_tokens
        context = _SMALLEST_CONTEXT
        while context < needed and context < _LARGEST_CONTEXT:
            context *= 2  # in steps: another size makes the server load the model anew
        ours = {"num_ctx": context, "num_predict": max_tokens, "temperature": temperature, "seed": 0}
        return {key: value for key, value in {**ours, **self._options.options}.items() if value is not None}

    def _keep_alive(self) -> str | float | None:
        told = self._options.keep_alive
        return float(told) if told is not None and told.lstrip("-").isdigit() else told

    def _think(self) -> Any:
        told = self._options.think
        return {"true": True, "false": False}.get(told, told) if isinstance(told, str) else told


def build(options: Options, hear: Hear = silent) -> LLMClient:
    """The client; nothing is asked of the server yet. Raises `LLMError` where its key is not in the environment."""
    return Ollama(options, hear)
