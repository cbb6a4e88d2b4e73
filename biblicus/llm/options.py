"""Options shared by all providers, from the user's configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from biblicus.guards.network.servers import Address, KeyName

_LITERALS = ("true", "false")


class ModelOptions(BaseModel):
    """`model`: its name on the server. `url`: the server's address. `seconds`: for one reply, from the request to its
    end.

    `attempts`: for one reply, if the server is busy or the connection breaks. `repairs`: maximum number of times that a
    reply that does not match its schema is sent back. `key_env`: the environment variable with the key. `cache`: store
    the replies of temperature 0. `options`: passed to the server unchanged; null removes one that is sent by
    default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, Field(min_length=1, max_length=300)]
    url: Address
    seconds: Annotated[float, Field(gt=0, le=86_400)] = 300.0
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    repairs: Annotated[int, Field(ge=0, le=5)] = 2
    key_env: KeyName | None = None
    cache: bool = True
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
