"""Replies that must be JSON of a schema: read as data, checked, and sent back with what is wrong where they are not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from biblicus.contracts import LLMClient, LLMResult
from biblicus.errors import BadData, ExtraMissing, LLMError
from biblicus.guards import json as guarded_json
from biblicus.llm.options import Hear, silent
from biblicus.llm.wire import most_characters

_SHOWN = 6000
"""Characters of a reply that is sent back."""
_LARGER = 2
"""How many times as long a reply may be, after one that was cut."""

_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_FENCED = re.compile(r"\A\s*```[a-zA-Z]*[ \t]*\n(.*?)\n?[ \t]*```\s*\Z", re.DOTALL)

_AGAIN = """{prompt}

Your last reply to this was not accepted: {problem}.
It was:
{reply}

Reply again, to the request above, with nothing but one JSON object that fits this JSON schema:
{schema}"""


class CheckedLLMClient:
    """See `contracts.LLMClient`. `repairs`: how often a reply that does not fit is sent back."""

    def __init__(self, client: LLMClient, repairs: int, hear: Hear = silent) -> None:
        self._client = client
        self._repairs = repairs
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
        """With a schema the text is canonical JSON. Its `LLMError` names what is wrong, and holds the `reply`."""
        prompt, spent, most = user_prompt, dict[str, int](), max_tokens
        left = self._repairs
        self._hear("")  # what was heard of an earlier request is another reply
        while True:
            found = await self._client.generate(
                prompt,
                system_prompt=system_prompt,
                json_schema=json_schema,
                max_tokens=most,
                temperature=temperature,
            )
            if len(found.text) > most_characters(most):
                raise LLMError(self.name, "its reply does not end", reply=found.text[:_SHOWN])
            spent = _sum(spent, found.tokens)
            if json_schema is None:
                return found._replace(tokens=spent)
            value, problem = checked(found.text, json_schema)
            if not problem:
                return found._replace(text=json.dumps(value, ensure_ascii=False), tokens=spent)
            if was_cut(found.raw):
                problem = f"it was cut after {most} tokens"
                most = max_tokens * _LARGER
            if not left:
                times = f" ({self._repairs + 1} attempts)" if self._repairs else ""
                cause = f"its reply was not accepted{times}: {problem}"
                raise LLMError(self.name, cause, "the same with another model", reply=found.text)
            left -= 1
            self._hear("")
            prompt = _AGAIN.format(
                prompt=user_prompt, problem=problem, reply=found.text[:_SHOWN], schema=json.dumps(json_schema)
            )


def checked(text: str, schema: Mapping[str, Any]) -> tuple[Any, str]:
    """The JSON of a reply, and what is wrong with it, empty where nothing is.

    A thought before it and a fence around it are taken off: servers that cannot be told a schema let models add them.
    """
    bare = _THOUGHT.sub("", text)
    fenced = _FENCED.match(bare)
    try:
        value = guarded_json.read(fenced[1] if fenced else bare.strip(), max_bytes=1 << 24)
    except BadData as error:
        return None, f"it is no JSON ({error.message.rstrip('.').lower()})"
    return value, _misfit(value, schema)


def _misfit(value: Any, schema: Mapping[str, Any]) -> str:
    """Where a value does not fit, without repeating what it holds there: that may be anything."""
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match
    except ImportError as error:
        raise ExtraMissing("A language model", "llm") from error
    try:
        found = best_match(Draft202012Validator(schema).iter_errors(value))
    except RecursionError:
        return "it is nested too deep"
    if found is None:
        return ""
    wanted = json.dumps(found.validator_value, ensure_ascii=False)[:200]
    return f"{found.json_path} does not fit {found.validator} {wanted}"


def was_cut(raw: Mapping[str, Any]) -> bool:
    """Whether a reply ended for want of room, by what the servers call it."""
    choices = raw.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
    return "length" in (raw.get("done_reason"), raw.get("finish_reason"), first.get("finish_reason"))


def _sum(spent: Mapping[str, int], tokens: Mapping[str, int]) -> dict[str, int]:
    """Tokens of all attempts, and how many requests they were."""
    keys = dict.fromkeys([*spent, *tokens])
    total = {key: spent.get(key, 0) + tokens.get(key, 0) for key in keys}
    return {**total, "requests": spent.get("requests", 0) + tokens.get("requests", 1)}
