"""What a command that answers is told, and what it replies: JSON on standard input and output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureQuestion:
    """What a command reads from standard input, one JSON object.

    `question`: in words. `corpus`: the folder. `recipe`, `run`: with which it is to search; the other one is null.
    `seconds`: how long it may take. What it must do is not said.
    """

    schema_version: Literal[1] = 1
    question: str
    corpus: str
    recipe: str | None
    run: str | None
    seconds: float


Count = Annotated[int, Field(ge=0)]


class ProcedureUsage(BaseModel):
    """What a language model took. `requests`: to it. `input_tokens`, `output_tokens`: that it read and wrote."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    requests: Count = 0
    input_tokens: Count = 0
    output_tokens: Count = 0


class ProcedureReply(BaseModel):
    """What a command writes to standard output, one JSON object, before it leaves with exit code 0.

    `answer`: what it says. `citations`: what it stands on: pieces of evidence as `query`, `context`, `answer` or a tool
    of `mcp` gave them, which are proved, or names of items (id, path, a `ref` of `mcp`), which are not. `refused`:
    whether it refuses; an empty answer does. `usage`: of a language model, where it tells.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    answer: str
    citations: list[str | dict[str, Any]] = []
    refused: bool = False
    usage: ProcedureUsage | None = None
    schema_version: Literal[1] = 1
