"""A model of an Ollama server, by its own protocol (https://docs.ollama.com/api/embed). Plain HTTP, no extra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from biblicus.embedding.served import ServedEmbedder, ServedOptions
from biblicus.guards.servers import Address
from biblicus.guards.transport import Failed
from biblicus.models.digest import digest

if TYPE_CHECKING:
    from biblicus.contracts import Embedder, Given


class Options(ServedOptions):
    """`url`: of the server."""

    url: Address = "http://127.0.0.1:11434"


class Ollama(ServedEmbedder):
    """The server cuts what is longer than its model's context."""

    def _request(self, texts: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        return "/api/embed", {"model": self._options.model, "input": list(texts), "truncate": True}

    def _reply(self, reply: Any) -> tuple[Sequence[Any], int]:
        return reply["embeddings"], int(reply.get("prompt_eval_count") or 0)

    @cached_property
    def fingerprint(self) -> str:
        """Holds the digest of the model's weights, as the server tells it."""
        options = self._options
        wanted = options.model if ":" in options.model.rsplit("/", 1)[-1] else f"{options.model}:latest"
        for model in self._about("/api/tags", None).get("models", ()):
            if wanted in (model.get("name"), model.get("model")):
                prefixes = digest([options.text_prefix, options.question_prefix], 8)
                return f"ollama/1 {wanted} {str(model.get('digest'))[:16]} {prefixes}"
        raise self._unavailable(Failed("refused", "the server does not have it", status=404))

    @cached_property
    def max_tokens(self) -> int:
        """The option, else the context length that the server tells; 0 where it tells none."""
        if self._options.max_tokens:
            return self._options.max_tokens
        known = self._about("/api/show", {"model": self._options.model}).get("model_info") or {}
        stated = [value for key, value in known.items() if key.endswith(".context_length") and isinstance(value, int)]
        return max(stated, default=0)

    def _about(self, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        from biblicus.contracts import Call

        try:
            reply: Any = self._told(path, body, Call(), attempts=2)
        except Failed as failure:
            raise self._unavailable(failure) from failure
        return reply if isinstance(reply, dict) else {}

    def _remedy(self, failure: Failed) -> str:
        if failure.status == 404:
            return f"ollama pull {self._options.model}"
        return "ollama serve" if failure.kind in ("unanswered", "late") else f"ollama show {self._options.model}"


def build(options: Options, given: Given) -> Embedder:
    """The embedder; nothing is asked of the server yet."""
    return Ollama(options)
