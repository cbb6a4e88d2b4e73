"""A model at a node with the capability `embed.text`. Needs no extra.

The request is `POST URL/embed.text` with `{model, texts}`; the reply is `{embeddings}`, a vector for each text in
order, and optionally `tokens`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from biblicus.embedding.served import ServedEmbedder, ServedOptions
from biblicus.errors import EmbedderUnavailable
from biblicus.guards.network.servers import KeyName, headers_of
from biblicus.models.digest import digest

if TYPE_CHECKING:
    from biblicus.contracts import Embedder, Given
    from biblicus.guards.network.transport import Failed


class Options(ServedOptions):
    """`url`: the node's address. `key_env`: the environment variable with its token."""

    key_env: KeyName | None = None


class EmbedText(ServedEmbedder):
    """Embedder whose fingerprint assumes that a model's name identifies its weights."""

    def __init__(self, options: Options, headers: Mapping[str, str]) -> None:
        super().__init__(options, headers)
        self.max_tokens = options.max_tokens

    def _request(self, texts: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        return "/embed.text", {"model": self._options.model, "texts": list(texts)}

    def _reply(self, reply: Any) -> tuple[Sequence[Any], int]:
        return reply["embeddings"], int(reply.get("tokens") or 0)

    @cached_property
    def fingerprint(self) -> str:
        options = self._options
        return f"embed-text/1 {options.model} {digest([options.text_prefix, options.question_prefix], 8)}"

    def _remedy(self, failure: Failed) -> str:
        return "the same later, or another url or model in your configuration"


def build(options: Options, given: Given) -> Embedder:
    """Create the embedder. Raises `EmbedderUnavailable` if its token is not in the environment."""
    return EmbedText(options, headers_of(options.model, options.key_env, EmbedderUnavailable))
