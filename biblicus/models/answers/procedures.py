"""Input and output of an answering command: JSON on standard input and output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureQuestion:
    """Input of a command on standard input, one JSON object.

    `question`: in words. `corpus`: the folder. `recipe`, `run`: for the search; one of them is null. `seconds`: time
    limit. The requirements on the answer are not included."""

    schema_version: Literal[1] = 1
    question: str
    corpus: str
    recipe: str | None
    run: str | None
    seconds: float


Count = Annotated[int, Field(ge=0)]


class ProcedureUsage(BaseModel):
    """Usage of a language model: number of requests, tokens read and tokens written."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    requests: Count = 0
    input_tokens: Count = 0
    output_tokens: Count = 0


class ProcedureReply(BaseModel):
    """Output of a command on standard output, one JSON object, before it exits with code 0.

    `answer`: its text. `citations`: its evidence: pieces from `query`, `context`, `answer` or a tool of `mcp`, which
    are verified, or names of items (id, path, a `ref` of `mcp`), which are not. `refused`: it refuses to answer; an
    empty answer counts as refused. `usage`: of a language model, if known."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    answer: str
    citations: list[str | dict[str, Any]] = []
    refused: bool = False
    usage: ProcedureUsage | None = None
    schema_version: Literal[1] = 1
