"""A model of an Ollama server, with the client library `ollama` over our guarded connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from biblicus.contracts import Call
from biblicus.embedding.served import LARGEST_REPLY, ServedEmbedder, ServedOptions
from biblicus.guards.network.servers import Address, client
from biblicus.guards.network.transport import Failed
from biblicus.models.digest import digest

if TYPE_CHECKING:
    from ollama import Client, EmbedResponse

    from biblicus.contracts import Call, Embedder, Given

Told = TypeVar("Told")


class Options(ServedOptions):
    """`url`: the server's address."""

    url: Address = "http://127.0.0.1:11434"


class Ollama(ServedEmbedder):
    """Embedder of an Ollama server, which cuts texts to its model's context."""

    def _exchange(self, texts: Sequence[str], call: Call) -> EmbedResponse:
        with _of_the_protocol():
            return client(self._server, call, LARGEST_REPLY).embed(self._options.model, texts, truncate=True)

    def _reply(self, reply: EmbedResponse) -> tuple[Sequence[Any], int]:
        return reply.embeddings, reply.prompt_eval_count or 0

    @cached_property
    def fingerprint(self) -> str:
        """Return the fingerprint, with the digest of the model's weights from the server."""
        options = self._options
        model_name = options.model if ":" in options.model.rsplit("/", 1)[-1] else f"{options.model}:latest"
        for model in self._about(lambda server: server.list()).models:
            if model.model == model_name:
                prefixes = digest([options.text_prefix, options.question_prefix], 8)
                return f"ollama/1 {model_name} {str(model.digest)[:16]} {prefixes}"
        raise self._unavailable(Failed("refused", "the server does not have it", status=404))

    @cached_property
    def max_tokens(self) -> int:
        """Return the configured limit, or the server's context length, or 0."""
        if self._options.max_tokens:
            return self._options.max_tokens
        facts = self._about(lambda server: server.show(self._options.model)).modelinfo or {}
        lengths = [value for key, value in facts.items() if key.endswith(".context_length") and isinstance(value, int)]
        return max(lengths, default=0)

    def _about(self, ask: Callable[[Client], Told]) -> Told:

        def once() -> Told:
            with _of_the_protocol():
                return ask(client(self._server, call, LARGEST_REPLY))

        call = Call()
        try:
            return self._again(once, 2, call)
        except Failed as failure:
            raise self._unavailable(failure) from failure

    def _remedy(self, failure: Failed) -> str:
        if failure.status == 404:
            return f"ollama pull {self._options.model}"
        return "ollama serve" if failure.kind in ("unanswered", "late") else f"ollama show {self._options.model}"


@contextmanager
def _of_the_protocol() -> Iterator[None]:
    """Raise `Failed` for a reply of another shape."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise Failed("broken", "its answer holds no vectors") from error


def build(options: Options, given: Given) -> Embedder:
    """Create the embedder; sends no request yet."""
    return Ollama(options)
