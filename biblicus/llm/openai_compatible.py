"""A model with the chat endpoint shared by OpenAI, vLLM, llama.cpp, LM Studio and others.

https://platform.openai.com/docs/api-reference/chat, read as a stream of server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from biblicus.contracts import Call, Given, LLMClient, LLMResult
from biblicus.errors import LLMError
from biblicus.guards import json as guarded_json
from biblicus.guards.network.servers import remedy
from biblicus.guards.network.transport import Failed, Response, as_body, reason_of
from biblicus.llm.served import ModelOptions, ServedLLM, Written, most_bytes

_LARGEST_EVENT = 1 << 20


class Options(ModelOptions):
    """`url`: the base, mostly ending in `/v1`. `options`: fields of the request (`top_p`, `max_completion_tokens`, …).

    `structured`: method to request JSON. `auto` starts with the schema, and falls back if the server refuses it."""

    structured: Literal["auto", "json_schema", "json_object", "none"] = "auto"


class OpenAICompatible(ServedLLM):
    """Client that sends one request, or more until it finds a form that the server accepts."""

    _options: Options
    _form: str | None = None

    def _reply(
        self,
        messages: list[dict[str, str]],
        json_schema: Mapping[str, Any] | None,
        max_tokens: int,
        temperature: float,
        call: Call,
    ) -> LLMResult:
        body = {
            "model": self.name,
            "messages": messages,
            "max_tokens": max_tokens,
            "temperature": temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        forms = self._forms() if json_schema is not None else ["none"]
        for number, form in enumerate(forms, 1):
            request = {**body, **_response_format(form, json_schema), **self._options.options}
            try:
                reply = self._ask(request, max_tokens, call)
            except LLMError as error:
                if error.status not in (400, 422) or form == forms[-1]:
                    raise
                continue
            if json_schema is not None:
                self._form = form
            return reply._replace(tokens={**reply.tokens, "requests": number})
        raise AssertionError("there is always a form")

    def _ask(self, body: Mapping[str, Any], max_tokens: int, call: Call) -> LLMResult:
        sent = as_body({key: value for key, value in body.items() if value is not None})
        with (
            self._failing(),
            self._server.open("POST", "/chat/completions", call, sent, most=most_bytes(max_tokens)) as response,
        ):
            if response.status != 200:
                raise response.failure()
            return self._read(response, Written(max_tokens, self._hear))

    def _forms(self) -> list[str]:
        """Return the forms of JSON requests to try, best first."""
        if self._options.structured != "auto":
            return [self._options.structured]
        return [self._form] if self._form else ["json_schema", "json_object", "none"]

    def _read(self, response: Response, written: Written) -> LLMResult:
        """Read a stream, or one object from servers without streaming."""
        if "json" in response.headers.get("content-type", ""):
            whole = response.json()
            written.add(str(whole["choices"][0]["message"].get("content") or ""))
            return LLMResult(written.text(), whole, _tokens(whole.get("usage")))
        last: dict[str, Any] = {}
        usage = None
        for event in _events(response):
            if event.get("error"):
                raise Failed("broken", f"the server gives up{reason_of(json.dumps(event))}")
            usage = event.get("usage") or usage
            for choice in event.get("choices") or ():
                delta = choice.get("delta") or {}
                written.add(str(delta.get("content") or ""), str(delta.get("reasoning_content") or ""))
                if choice.get("finish_reason"):
                    last = {key: value for key, value in event.items() if key != "choices"}
                    last["finish_reason"] = choice["finish_reason"]
        if not last:
            raise Failed("broken", "its reply breaks off")
        return LLMResult(written.text(), {**last, "usage": usage}, _tokens(usage))

    def _remedy(self, failure: Failed) -> str:
        if failure.kind == "unanswered":
            return f"start the server at {self._options.url}, or name another url"
        if failure.status in (401, 403):
            return remedy(self._options.key_env)
        return "the same with another model or url in your configuration"


def _events(response: Response) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects of a stream of server-sent events, up to `[DONE]`."""
    for line in response.lines():
        if not line.startswith(b"data:"):
            continue
        data = line[5:].strip()
        if data == b"[DONE]":
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
    tokens = {"input": counted.get("prompt_tokens"), "output": counted.get("completion_tokens")}
    return {key: value for key, value in tokens.items() if isinstance(value, int)}


def build(options: Options, given: Given) -> LLMClient:
    """Create the client; sends no request yet. Raises `LLMError` if its key is not in the environment."""
    return OpenAICompatible(options, given.hear)
