"""A model behind the chat endpoint that OpenAI, vLLM, llama.cpp, LM Studio and others share.

https://platform.openai.com/docs/api-reference/chat, read as a stream of server-sent events.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from biblicus.contracts import LLMResult
from biblicus.errors import LLMError
from biblicus.guards import json as guarded_json
from biblicus.llm import wire
from biblicus.llm.options import Hear, ModelOptions, key_of, silent

if TYPE_CHECKING:
    import httpx

    from biblicus.contracts import LLMClient

_LARGEST_EVENT = 1 << 20


class Options(ModelOptions):
    """`url`: the base, mostly ending in `/v1`. `options`: fields of the request (`top_p`, `max_completion_tokens`, …).

    `structured`: how the server is asked for JSON. `auto` starts with the schema, and asks for less where the server
    refuses that.
    """

    structured: Literal["auto", "json_schema", "json_object", "none"] = "auto"


class OpenAICompatible:
    """See `contracts.LLMClient`. Asks once, or as often as it takes to learn how the server wants to be asked."""

    def __init__(self, options: Options, hear: Hear = silent) -> None:
        self._options = options
        self._hear = hear
        self._key = key_of(options)
        self._form: str | None = None

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
        """Raises `LLMError`."""
        messages = [{"role": "user", "content": user_prompt}]
        if system_prompt:
            messages.insert(0, {"role": "system", "content": system_prompt})
        body = {
            "model": self.name,
            "messages": messages,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        forms = self._forms() if json_schema is not None else ["none"]
        for form in forms:
            asked = {**body, **_response_format(form, json_schema), **self._options.options}
            try:
                reply = await self._ask({key: value for key, value in asked.items() if value is not None}, max_tokens)
            except LLMError as error:
                if error.status not in (400, 422) or form == forms[-1]:
                    raise
                continue
            if json_schema is not None:
                self._form = form
            return reply
        raise AssertionError("there is always a form")

    def _forms(self) -> list[str]:
        """How JSON may be asked for, best first."""
        told = self._options.structured
        if told != "auto":
            return [told]
        return [self._form] if self._form else ["json_schema", "json_object", "none"]

    async def _ask(self, body: Mapping[str, Any], max_tokens: int) -> LLMResult:
        url, seconds = self._options.url, self._options.seconds
        transport = wire.bounded_transport(url, max_tokens)
        import httpx  # after the transport, which says what to install

        headers = {"Accept": "text/event-stream"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        down = f"start the server at {url}, or name another url"
        async with (
            wire.told(self.name, url, seconds, down),
            httpx.AsyncClient(
                transport=transport, trust_env=False, timeout=wire.timeouts(seconds), headers=headers
            ) as client,
            client.stream("POST", f"{url}/chat/completions", json=body) as response,
        ):
            if response.status_code != 200:
                raise self._refusal(response.status_code, await response.aread(), response.headers)
            return await self._reply(response, wire.most_characters(max_tokens))

    async def _reply(self, response: httpx.Response, most: int) -> LLMResult:
        """Of a stream; or of one object, from servers that do not stream."""
        if "json" in response.headers.get("Content-Type", ""):
            whole = guarded_json.read(await response.aread(), max_bytes=most * 8)
            content = str(whole["choices"][0]["message"].get("content") or "")
            self._hear(content)
            return LLMResult(content, whole, _tokens(whole.get("usage")))
        text, written, last, usage = [], 0, {}, None
        async for event in _events(response):
            if event.get("error"):
                what = wire.said(json.dumps(event))
                raise LLMError(self.name, f"the server gives up{what}", "the same again", passing=True)
            usage = event.get("usage") or usage
            for choice in event.get("choices") or ():
                delta = choice.get("delta") or {}
                piece = str(delta.get("content") or "")
                written += len(piece) + len(str(delta.get("reasoning_content") or ""))
                if written > most:
                    raise wire.Endless
                if piece:
                    text.append(piece)
                    self._hear(piece)
                if choice.get("finish_reason"):
                    last = {key: value for key, value in event.items() if key != "choices"}
                    last["finish_reason"] = choice["finish_reason"]
        if not last:
            raise LLMError(self.name, "its reply breaks off", "the same again", passing=True)
        return LLMResult("".join(text), {**last, "usage": usage}, _tokens(usage))

    def _refusal(self, status: int, body: bytes, headers: Mapping[str, str]) -> LLMError:
        cause = f"the server answers {status}{wire.said(body)}"
        passing = status in wire.BUSY or status >= 500
        hint = "the same with another model or url in your configuration"
        if status in (401, 403):
            hint = f"export {self._options.key_env or 'YOUR_KEY'}=… (and name it as key_env in your configuration)"
        return LLMError(self.name, cause, hint, passing=passing, pause=wire.pause_of(headers), status=status)


async def _events(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    """The JSON objects of a stream of server-sent events, up to `[DONE]`."""
    async for line in response.aiter_lines():
        if not line.startswith("data:"):
            continue
        data = line[5:].strip()
        if data == "[DONE]":
            return
        event = guarded_json.read(data, max_bytes=_LARGEST_EVENT)
        if not isinstance(event, dict):
            raise TypeError("an event is an object")
        yield event


def _response_format(form: str, schema: Mapping[str, Any] | None) -> dict[str, Any]:
    if form == "json_schema":
        return {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": schema, "strict": True},
            }
        }
    return {"response_format": {"type": "json_object"}} if form == "json_object" else {}


def _tokens(usage: Any) -> dict[str, int]:
    counted = usage if isinstance(usage, Mapping) else {}
    found = {"input": counted.get("prompt_tokens"), "output": counted.get("completion_tokens")}
    return {key: value for key, value in found.items() if isinstance(value, int)}


def build(options: Options, hear: Hear = silent) -> LLMClient:
    """The client; nothing is asked of the server yet. Raises `LLMError` where its key is not in the environment."""
    return OpenAICompatible(options, hear)
