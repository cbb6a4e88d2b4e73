"""A language model on a server: one reply, read as a stream, with limits for bytes and time."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from biblicus.contracts import Call, Hear, LLMResult, silent
from biblicus.errors import BadData, LLMError
from biblicus.guards.network.servers import Address, KeyName, headers_of
from biblicus.guards.network.transport import Failed, Server

_LITERALS = ("true", "false")


class ModelOptions(BaseModel):
    """`model`: its name on the server. `url`: the server's address. `seconds`: for one reply, from the request to its
    end.

    `attempts`: for one reply, if the server is busy or the connection breaks. `repairs`: maximum number of times that a
    reply that does not match its schema is sent back. `key_env`: the environment variable with the key. `options`:
    passed to the server unchanged; null removes one that is sent by default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, Field(min_length=1, max_length=300)]
    url: Address
    seconds: Annotated[float, Field(gt=0, le=86_400)] = 300.0
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    repairs: Annotated[int, Field(ge=0, le=5)] = 2
    key_env: KeyName | None = None
    options: dict[str, Any] = Field(default_factory=dict)

    @field_validator("options")
    @classmethod
    def _with_numbers(cls, options: dict[str, Any]) -> dict[str, Any]:
        return {key: plain(value) for key, value in options.items()}


def plain(value: Any) -> Any:
    """Convert a YAML value, whose scalars are texts, to JSON: numbers, true and false."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if not isinstance(value, str) or not (value in _LITERALS or value[:1].isdigit() or value[:1] == "-"):
        return value
    try:
        number = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return (
        number if isinstance(number, bool | int | float) and number == number and abs(number) != float("inf") else value
    )


T = TypeVar("T")

_OVERHEAD = 1 << 20
_PER_TOKEN = 2048
"""Bytes of a reply for each token, which comes in an object with names and times."""
_CHARACTERS_PER_TOKEN = 64


def most_bytes(max_tokens: int) -> int:
    """Return the maximum bytes of a reply as sent."""
    return _OVERHEAD + _PER_TOKEN * max_tokens


def most_characters(max_tokens: int) -> int:
    """Return the maximum characters of a reply's text."""
    return 4096 + _CHARACTERS_PER_TOKEN * max_tokens


class Written:
    """Text of a reply as it arrives, passed on to the listener. Raises if it is longer than requested."""

    def __init__(self, max_tokens: int, hear: Hear) -> None:
        self._pieces: list[str] = []
        self._left, self._hear = most_characters(max_tokens), hear

    def add(self, piece: str, thought: str = "") -> None:
        """Add a piece. `thought`: reasoning, which counts but is not part of the text."""
        self._left -= len(piece) + len(thought)
        if self._left < 0:
            raise Failed("broken", "its reply does not end")
        if piece:
            self._pieces.append(piece)
            self._hear(piece)

    def text(self) -> str:
        return "".join(self._pieces)


class ServedLLM(ABC):
    """Shared code of both protocols. See `contracts.LLMClient`."""

    def __init__(self, options: ModelOptions, hear: Hear = silent) -> None:
        self._hear = hear
        self._options = options
        self._server = Server(options.url, headers_of(options.model, options.key_env, LLMError), options.seconds)

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
        """Return a reply. Raises `LLMError`, with the command to run if the server or the model is missing."""
        messages = [{"role": "user", "content": user_prompt}]
        if system_prompt:
            messages.insert(0, {"role": "system", "content": system_prompt})
        return await _in_thread(lambda call: self._reply(messages, json_schema, max_tokens, temperature, call))

    # --- implemented by each protocol ---

    @abstractmethod
    def _reply(
        self,
        messages: list[dict[str, str]],
        json_schema: Mapping[str, Any] | None,
        max_tokens: int,
        temperature: float,
        call: Call,
    ) -> LLMResult: ...

    @abstractmethod
    def _remedy(self, failure: Failed) -> str:
        """Return the command that fixes a failure."""

    # --- one exchange ---

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Raise `LLMError` for any failure of an exchange."""
        try:
            yield
        except Failed as failure:
            self._fail(failure)
        except (BadData, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            cause = f"its reply is not of the protocol ({type(error).__name__})"
            raise LLMError(self.name, cause, f"is {self._options.url} the right address?", passing=True) from error

    def _fail(self, failure: Failed) -> NoReturn:
        cause, unanswered = failure.cause, failure.kind == "unanswered"
        if unanswered:
            cause = f"there is no connection to {self._options.url} ({cause})"
        hint = self._remedy(failure)
        if failure.kind == "late":
            cause = f"no whole reply within {self._options.seconds:g} s"
            hint = "the same with more `seconds`"
        raise LLMError(
            self.name,
            cause,
            hint,
            passing=failure.passing,
            unanswered=unanswered,
            pause=failure.pause,
            status=failure.status,
        ) from failure


async def _in_thread(work: Callable[[Call], T]) -> T:
    """Run blocking work in a thread. On cancellation, return at once and cancel its call."""
    call = Call()
    try:
        return await asyncio.to_thread(work, call)
    finally:
        call.cancel.set()
