"""Makes a single-request provider reliable: retries, and validates replies with their schema."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from biblicus import telemetry
from biblicus.contracts import Hear, LLMClient, LLMResult, silent
from biblicus.errors import BadData, ExtraMissing, LLMError
from biblicus.guards import json as guarded_json
from biblicus.guards.network.transport import Retry
from biblicus.llm.served import most_characters

_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"\A\s*```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```\s*\Z", re.DOTALL)


def checked(text: str, schema: Mapping[str, Any]) -> tuple[Any, str]:
    """Return the JSON of a reply, and its problem, or an empty text.

    A `<think>` part before it and a code fence around it are removed: models add them if the server does not enforce a
    schema."""
    bare = _THOUGHT.sub("", text)
    fenced = _FENCED.match(bare)
    try:
        value = guarded_json.read(fenced[1] if fenced else bare.strip(), max_bytes=1 << 24)
    except BadData as error:
        return None, f"it is no JSON ({error.message.rstrip('.').lower()})"
    return value, _misfit(value, schema)


def _misfit(value: Any, schema: Mapping[str, Any]) -> str:
    """Describe a value that does not match, without its content, which may be anything."""
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match
    except ImportError as error:
        raise ExtraMissing("A language model", "llm") from error
    try:
        misfit = best_match(Draft202012Validator(schema).iter_errors(value))
    except RecursionError:
        return "it is nested too deep"
    if misfit is None:
        return ""
    wanted = json.dumps(misfit.validator_value, ensure_ascii=False)[:200]
    return f"{misfit.json_path} does not fit {misfit.validator} {wanted}"


def was_cut(raw: Mapping[str, Any]) -> bool:
    """Check if a reply was truncated at its maximum length."""
    choices = raw.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
    return "length" in (raw.get("done_reason"), raw.get("finish_reason"), first.get("finish_reason"))


_SHOWN = 6000
"""Maximum characters of a reply that is sent back."""
_LARGER = 2
"""Factor for the maximum length of a reply after a truncated one."""

_AGAIN = """{prompt}

Your last reply to this was not accepted: {problem}.
It was:
{reply}

Reply again, to the request above, with nothing but one JSON object that fits this JSON schema:
{schema}"""


def _allowed() -> None:
    """Allow any number of requests."""


class DependableLLMClient:
    """See `contracts.LLMClient`. The tokens of a result or an error include all of its requests.

    `attempts`: for one reply, if the server is busy or the connection breaks. `repairs`: maximum number of times that a
    reply that does not match its schema is sent back. `allow`: called before each request; raises if no more are
    allowed. `provider`: name of the protocol for telemetry, where each request is a span with its tokens."""

    def __init__(
        self,
        client: LLMClient,
        attempts: int,
        repairs: int,
        hear: Hear = silent,
        allow: Callable[[], None] = _allowed,
        provider: str = "",
    ) -> None:
        self._client, self._attempts, self._repairs, self._hear, self._allow = client, attempts, repairs, hear, allow
        self._provider = provider

    @property
    def name(self) -> str:
        return self._client.name

    def within(self, allow: Callable[[], None]) -> DependableLLMClient:
        """Return a client that counts requests with `allow`."""
        return DependableLLMClient(self._client, self._attempts, self._repairs, self._hear, allow, self._provider)

    async def generate(
        self,
        user_prompt: str,
        *,
        system_prompt: str | None = None,
        json_schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        temperature: float = 0.0,
    ) -> LLMResult:
        """Return a reply; with a schema, its text is canonical JSON. `LLMError` gives the problem, and the `reply`."""
        spent: Counter[str] = Counter(requests=0)
        rest = {"system_prompt": system_prompt, "json_schema": json_schema, "temperature": temperature}
        prompt, most, left = user_prompt, max_tokens, self._repairs
        self._hear("")  # parts of an earlier request belong to another reply
        try:
            while True:
                reply = await self._persistently(prompt, {**rest, "max_tokens": most}, spent)
                if len(reply.text) > most_characters(most):
                    raise LLMError(self.name, "its reply does not end", reply=reply.text[:_SHOWN])
                if json_schema is None:
                    return reply._replace(tokens=dict(spent))
                value, problem = checked(reply.text, json_schema)
                if not problem:
                    return reply._replace(text=json.dumps(value, ensure_ascii=False), tokens=dict(spent))
                if was_cut(reply.raw):
                    problem = f"it was cut after {most} tokens"
                    most = max_tokens * _LARGER
                if not left:
                    times = f" ({self._repairs + 1} attempts)" if self._repairs else ""
                    cause = f"its reply was not accepted{times}: {problem}"
                    raise LLMError(self.name, cause, "the same with another model", reply=reply.text)
                left -= 1
                self._hear("")
                shown, schema = reply.text[:_SHOWN], json.dumps(json_schema)
                prompt = _AGAIN.format(prompt=user_prompt, problem=problem, reply=shown, schema=schema)
        except LLMError as error:
            error.tokens = dict(spent)
            raise

    async def _persistently(self, prompt: str, rest: Mapping[str, Any], spent: Counter[str]) -> LLMResult:
        """Return one reply after as many attempts as needed. A caller's deadline or cancellation also ends a pause."""
        retry, attempt = Retry(self._attempts), 0
        while True:
            self._allow()
            try:
                reply = await self._told(prompt, rest)
            except LLMError as error:
                attempt += 1
                spent["requests"] += not error.unanswered
                pause = retry.pause(attempt, passing=error.passing, unanswered=error.unanswered, asked=error.pause)
                if pause is None:
                    raise
                self._hear("")
                await asyncio.sleep(pause)
            else:
                spent.update({"requests": 1, **reply.tokens})
                return reply

    async def _told(self, prompt: str, rest: Mapping[str, Any]) -> LLMResult:
        """Send one request, as a span: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/."""
        labels = {"gen_ai.operation.name": "chat", "gen_ai.request.model": self.name}
        if self._provider:
            labels["gen_ai.provider.name"] = self._provider
        bounds = {"max_tokens": rest["max_tokens"], "temperature": rest["temperature"]}
        asked = {**labels, **{f"gen_ai.request.{name}": value for name, value in bounds.items()}}
        began = time.perf_counter()
        with telemetry.span(f"chat {self.name}", asked, calls=True) as span:
            reply = LLMResult.of(await self._client.generate(prompt, **rest))
            tokens = {kind: reply.tokens[kind] for kind in ("input", "output") if kind in reply.tokens}
            span.set({f"gen_ai.usage.{kind}_tokens": count for kind, count in tokens.items()})
            if isinstance(model := reply.raw.get("model"), str):
                span.set({"gen_ai.response.model": model})
        for kind, count in tokens.items():
            telemetry.record("gen_ai.client.token.usage", count, {**labels, "gen_ai.token.type": kind})
        telemetry.record("gen_ai.client.operation.duration", time.perf_counter() - began, labels)
        return reply
