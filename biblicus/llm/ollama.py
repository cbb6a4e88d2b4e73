"""A model of an Ollama server, with the client library `ollama` over our guarded connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from biblicus.contracts import Call, Given, LLMClient, LLMResult
from biblicus.guards.network.servers import Address, client
from biblicus.guards.network.transport import Failed
from biblicus.llm.served import ModelOptions, ServedLLM, Written, most_bytes
from biblicus.text.counting import estimate

if TYPE_CHECKING:
    from ollama import ChatResponse


_SMALLEST_CONTEXT = 8192
_LARGEST_CONTEXT = 131_072
_TOKENS_PER_ESTIMATE = 1.4
"""Factor for models that need more tokens for a text than the estimate."""


class Options(ModelOptions):
    """`keep_alive`: time that the server keeps the model loaded (`10m`, `0`, `-1`). `think`: for models with reasoning.

    `options`: model options as in a Modelfile (`num_ctx`, `top_k`, `seed`, …). Without `num_ctx` the context fits
    prompt and reply: otherwise the server would silently truncate a long prompt."""

    url: Address = "http://127.0.0.1:11434"
    keep_alive: str | None = None
    think: Literal["true", "false", "low", "medium", "high"] | bool | None = None


class Ollama(ServedLLM):
    """Client that sends one request."""

    _options: Options

    def _reply(
        self,
        messages: list[dict[str, str]],
        json_schema: Mapping[str, Any] | None,
        max_tokens: int,
        temperature: float,
        call: Call,
    ) -> LLMResult:
        sent = [{**message, "content": _encodable(message["content"])} for message in messages]
        prompt = estimate("".join(message["content"] for message in sent))
        with self._failing():
            parts = client(self._server, call, most_bytes(max_tokens)).chat(
                self.name,
                sent,
                stream=True,
                think=self._think(),
                format=None if json_schema is None else dict(json_schema),
                options=self._model_options(prompt, max_tokens, temperature),
                keep_alive=self._keep_alive(),
            )
            return _read(parts, Written(max_tokens, self._hear))

    def _remedy(self, failure: Failed) -> str:
        if failure.status == 404:
            return f"ollama pull {self.name}"
        return "ollama serve" if failure.kind == "unanswered" else f"ollama show {self.name}"

    def _model_options(self, prompt: int, max_tokens: int, temperature: float) -> dict[str, Any]:
        needed = int(prompt * _TOKENS_PER_ESTIMATE) + max_tokens
        context = _SMALLEST_CONTEXT
        while context < needed and context < _LARGEST_CONTEXT:
            context *= 2  # in steps: for another size the server loads the model again
        ours = {"num_ctx": context, "num_predict": max_tokens, "temperature": temperature, "seed": 0}
        return {key: value for key, value in {**ours, **self._options.options}.items() if value is not None}

    def _keep_alive(self) -> str | float | None:
        duration = self._options.keep_alive
        return float(duration) if duration is not None and duration.lstrip("-").isdigit() else duration

    def _think(self) -> Any:
        think = self._options.think
        return {"true": True, "false": False}.get(think, think) if isinstance(think, str) else think


def _read(parts: Iterator[ChatResponse], written: Written) -> LLMResult:
    """Return the reply from these parts. Raises `Failed` if it breaks off or does not end."""
    for part in parts:
        written.add(part.message.content or "", part.message.thinking or "")
        if part.done:
            last = part.model_dump(exclude={"message"}, exclude_none=True)
            counts = {"input": part.prompt_eval_count, "output": part.eval_count}
            return LLMResult(written.text(), last, {key: n for key, n in counts.items() if n is not None})
    raise Failed("broken", "its reply breaks off")


def _encodable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode()


def build(options: Options, given: Given) -> LLMClient:
    """Create the client; sends no request yet. Raises `LLMError` if its key is not in the environment."""
    return Ollama(options, given.hear)
