"""Answer: evidence for a question, then what an answerer makes of it. Retrieval stays as it is for a query."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from biblicus import plugins, telemetry
from biblicus.contracts import Answerer, Call
from biblicus.errors import UsageError
from biblicus.models.answer import Answer, Drafted
from biblicus.models.evidence import Result
from biblicus.models.question import Query
from biblicus.models.wire import filters_of

if TYPE_CHECKING:
    from biblicus.contracts import LLMClient

DEFAULT = "quote"

Ask = Callable[[Query, Call], Result]
"""Gets the evidence, wherever the corpus is: a reader's `query`, a searcher's `search`."""


@dataclass(frozen=True)
class AnswerRequest:
    """What is asked. `answerer`: a plug-in's name; `options`: its own, those left out have their defaults. `debug`:
    with what the answerer saw and said."""

    query: Query
    answerer: str = DEFAULT
    options: Mapping[str, Any] = field(default_factory=dict)
    debug: bool = False


def answer(ask: Ask, request: AnswerRequest, call: Call, llm: LLMClient | None = None) -> Answer:
    """Ask for evidence and answer from it. Raises what `query` raises, `UnknownName`, `UsageError`, `LLMError`."""
    made = answerer(request, llm)
    began = time.perf_counter()
    result = ask(request.query, call)
    queried = time.perf_counter()
    return answer_from(result, made, request, call, queried_ms=round((queried - began) * 1000, 3))


def answerer(request: AnswerRequest, llm: LLMClient | None = None) -> Answerer:
    """The answerer that a request names, with its options."""
    module = plugins.find("answering", request.answerer)
    try:
        options = module.Options(**request.options)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = ".".join(map(str, problem["loc"]))
        raise UsageError(f"{request.answerer}: {name}: {problem['msg'].lower()}.", "biblicus answer --help") from error
    made: Answerer = module.build(options, llm)
    return made


def answer_from(
    result: Result, made: Answerer, request: AnswerRequest, call: Call, *, queried_ms: float = 0.0
) -> Answer:
    """An answer from evidence that is already there."""
    began = time.perf_counter()
    with telemetry.span("answer"):
        drafted = made.answer(request.query.text, result, call)
    took = round((time.perf_counter() - began) * 1000, 3)
    return Answer(
        question=request.query.text,
        answer=" ".join(statement.text for statement in drafted.statements),
        statements=drafted.statements,
        insufficient=drafted.insufficient,
        confidence=drafted.confidence,
        evidence_strength=strength(result),
        reasoning_summary=drafted.reasoning_summary,
        answerer=request.answerer,
        result=result,
        usage=dict(drafted.usage or {}),
        timings={"query": queried_ms, "answer": took, "total": round(queried_ms + took, 3)},
        model=drafted.model,
        prompt=drafted.prompt,
        left_out=drafted.left_out,
        debug=_debug(result, drafted) if request.debug else None,
        searched=searched(result, request.query),
    )


def strength(result: Result) -> float:
    """How much of the question the evidence holds: the mean of the legs' measures, 0 where nothing was found."""
    if not result.evidence or not result.support:
        return 0.0
    return round(sum(result.support.values()) / len(result.support), 4)


def searched(result: Result, query: Query) -> dict[str, Any]:
    """Where the evidence of an answer is from, so that an empty one says what it was made of."""
    return {
        "corpus_id": result.corpus_id,
        "recipe_id": result.recipe_id,
        "run_id": result.run_id,
        "index_version": result.index_version,
        "as_of": result.as_of,
        "filters": filters_of(query.filters),
        "pieces": len(result.evidence),
        "support": dict(result.support),
    }


def _debug(result: Result, drafted: Drafted) -> dict[str, Any]:
    """The evidence that the answerer was given."""
    return {"evidence": [piece.as_object() for piece in result.evidence]}
