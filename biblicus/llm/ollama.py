"""A model of an Ollama server, by its own protocol (https://docs.ollama.com/api/chat), read as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from biblicus.contracts import Call, Given, LLMResult
from biblicus.guards import json as guarded_json
from biblicus.guards.servers import Address
from biblicus.guards.transport import Failed, Response, reason_of
from biblicus.llm.options import ModelOptions
from biblicus.llm.served import ServedLLM, Written
from biblicus.text.tokens import estimate

if TYPE_CHECKING:
    from biblicus.contracts import LLMClient

_LARGEST_LINE = 1 << 20
_SMALLEST_CONTEXT = 8192
_LARGEST_CONTEXT = 131_072
_TOKENS_PER_ESTIMATE = 1.4
"""The estimate is of common vocabularies; some models need more tokens for the same text."""


class Options(ModelOptions):
    """`keep_alive`: how long the server keeps the model loaded (`10m`, `0`, `-1`). `think`: of models that think first.

    `options`: of the model, as in a Modelfile (`num_ctx`, `top_k`, `seed`, …). Without `num_ctx` the context is as
    large as prompt and reply need: the server would otherwise cut a long prompt and say nothing.
    """

    url: Address = "http://127.0.0.1:11434"
    keep_alive: str | None = None
    think: Literal["true", "false", "low", "medium", "high"] | bool | None = None


class Ollama(ServedLLM):
    """Asks once."""

    _options: Options

    def _reply(
        self,
        messages: list[dict[str, str]],
        json_schema: Mapping[str, Any] | None,
        max_tokens: int,
        temperature: float,
        call: Call,
    ) -> LLMResult:
        prompt = estimate("".join(message["content"] for message in messages))
        body = {
            "model": self.name,
            "messages": messages,
            "stream": True,
            "format": json_schema,
            "options": self._model_options(prompt, max_tokens, temperature),
            "keep_alive": self._keep_alive(),
            "think": self._think(),
        }
        return self._ask("/api/chat", body, max_tokens, call)

    def _read(self, response: Response, written: Written) -> LLMResult:
        for line in response.lines():
            part = guarded_json.read(line, max_bytes=_LARGEST_LINE)
            if "error" in part:  # the model ran out of memory, or its process ended
                raise Failed("broken", f"the server gives up{reason_of(json.dumps(part))}")
            message = part["message"]
            written.add(message.get("content") or "", message.get("thinking") or "")
            if part.get("done"):
                last = {key: value for key, value in part.items() if key != "message" and value is not None}
                counts = {"input": last.get("prompt_eval_count"), "output": last.get("eval_count")}
                return LLMResult(written.text(), last, {key: int(n) for key, n in counts.items() if n is not None})
        raise Failed("broken", "its reply breaks off")

    def _remedy(self, failure: Failed) -> str:
        if failure.status == 404:
            return f"ollama pull {self.name}"
        return "ollama serve" if failure.kind == "unanswered" else f"ollama show {self.name}"

    def _model_options(self, prompt: int, max_tokens: int, temperature: float) -> dict[str, Any]:
        needed = int(prompt * _TOKENS_PER_ESTIMATE) + max_tokens
        context = _SMALLEST_CONTEXT
        while context < needed and context < _LARGEST_CONTEXT:
            context *= 2  # in steps: another size makes the server load the model anew
        ours = {"num_ctx": context, "num_predict": max_tokens, "temperature": temperature, "seed": 0}
        return {key: value for key, value in {**ours, **self._options.options}.items() if value is not None}

    def _keep_alive(self) -> str | float | None:
        duration = self._options.keep_alive
        return float(duration) if duration is not None and duration.lstrip("-").isdigit() else duration

    def _think(self) -> Any:
        think = self._options.think
        return {"true": True, "false": False}.get(think, think) if isinstance(think, str) else think


def build(options: Options, given: Given) -> LLMClient:
    """The client; nothing is asked of the server yet. Raises `LLMError` where its key is not in the environment."""
    return Ollama(options, given.hear)
