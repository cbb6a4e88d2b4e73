"""A model with the embeddings endpoint shared by OpenAI, vLLM, llama.cpp, LM Studio and others. Needs no extra.

https://platform.openai.com/docs/api-reference/embeddings"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from biblicus.embedding.served import ServedEmbedder, ServedOptions
from biblicus.errors import EmbedderUnavailable
from biblicus.guards.network.servers import KeyName, headers_of, remedy
from biblicus.guards.network.transport import Failed
from biblicus.models.digest import digest

if TYPE_CHECKING:
    from biblicus.contracts import Embedder, Given


class Options(ServedOptions):
    """`url`: the base, mostly ending in `/v1`. `key_env`: the environment variable with the key.

    `dimensions`: for models that can shorten their vectors."""

    key_env: KeyName | None = None
    dimensions: Annotated[int, Field(ge=1, le=65_536)] | None = None


class OpenAICompatible(ServedEmbedder):
    """Embedder whose fingerprint assumes that a model's name identifies its weights: the protocol has no digest."""

    _options: Options

    def __init__(self, options: Options, headers: Mapping[str, str]) -> None:
        super().__init__(options, headers)
        self.max_tokens = options.max_tokens

    def _request(self, texts: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        body: dict[str, Any] = {"model": self._options.model, "input": list(texts), "encoding_format": "float"}
        if self._options.dimensions:
            body["dimensions"] = self._options.dimensions
        return "/embeddings", body

    def _reply(self, reply: Any) -> tuple[Sequence[Any], int]:
        rows = {entry["index"]: entry["embedding"] for entry in reply["data"]}
        usage = reply.get("usage") or {}
        return [rows[index] for index in range(len(rows))], int(usage.get("total_tokens") or 0)

    @cached_property
    def fingerprint(self) -> str:
        options = self._options
        prefixes = digest([options.text_prefix, options.question_prefix], 8)
        return f"openai-compatible/1 {options.model} {options.dimensions or 'full'} {prefixes}"

    def _remedy(self, failure: Failed) -> str:
        if failure.status in (401, 403):
            return remedy(self._options.key_env)
        return "the same later, or another url or model in your configuration"


def build(options: Options, given: Given) -> Embedder:
    """Create the embedder. Raises `EmbedderUnavailable` if its key is not in the environment."""
    return OpenAICompatible(options, headers_of(options.model, options.key_env, EmbedderUnavailable))
