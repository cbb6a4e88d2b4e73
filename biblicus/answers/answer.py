"""Answers a question: retrieves evidence as a query does and passes it to an answerer."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from biblicus import plugins, telemetry
from biblicus.answers.conversations import Ask, from_sources
from biblicus.contracts import Answerer, Call, Given, LLMClient
from biblicus.errors import ConfigInvalid, UsageError
from biblicus.models.answers.answer import NEAREST, Answer, Drafted
from biblicus.models.evidence import Result
from biblicus.models.plain import made_of
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.query import QueryRequest, filters_of

DEFAULT = "quote"
_UNKNOWN_NAME = 0.25
"""Factor on the confidence if the question has a name that no document has. In TyDi QA (English), 34 of 98 such
questions are answered nevertheless."""
_UNSUPPORTED = Drafted((), 0.0, True, "Nothing quoted: no word of the question is in the corpus, nor anything like it.")


def answer(
    ask: Ask,
    request: AnswerRequest,
    call: Call,
    llm: LLMClient | None = None,
    options: Mapping[str, Any] | None = None,
) -> Answer:
    """Retrieve evidence and answer from it.

    `options`: the answerer's further options. Raises errors of `query`, `UnknownName`, `UsageError`, `LLMError`.
    """
    made = answerer(request, llm, options)
    began = time.perf_counter()
    result = from_sources(ask)(request.question, call)
    queried = time.perf_counter()
    return answer_from(result, made, request, call, queried_ms=round((queried - began) * 1000, 3))


def answerer(
    request: AnswerRequest, llm: LLMClient | None = None, options: Mapping[str, Any] | None = None
) -> Answerer:
    """Return the answerer that a request names, with its options."""
    name = request.answerer or DEFAULT
    defaults = {} if request.max_words is None else {"max_words": request.max_words}
    try:
        chosen = plugins.checked("answering", name, {**defaults, **(options or {})}, name)
    except ConfigInvalid as error:
        raise UsageError(error.message, "biblicus answer --help") from error
    chosen_answerer: Answerer = plugins.make("answering", name, chosen, Given(llm=llm))
    return chosen_answerer


def answer_from(
    result: Result, made: Answerer, request: AnswerRequest, call: Call, *, queried_ms: float = 0.0
) -> Answer:
    """Return an answer from existing evidence."""
    began = time.perf_counter()
    with telemetry.span(f"answer.{request.answerer or DEFAULT}"):
        drafted = _UNSUPPORTED if is_unsupported(result) else made.answer(request.query, result, call)
    if result.calibration is not None and result.calibration.answerer == (request.answerer or DEFAULT):
        drafted = replace(drafted, confidence=result.calibration.applied(drafted.confidence))
    if result.unknown_names:
        doubted = round(drafted.confidence * _UNKNOWN_NAME, 4)
        drafted = replace(drafted, insufficient=True, confidence=doubted, nearest=bool(drafted.statements))
    took = round((time.perf_counter() - began) * 1000, 3)
    return made_of(
        Answer,
        drafted,
        question=request.query,
        answer=" ".join(
            (*([NEAREST] if drafted.nearest else []), *(statement.text for statement in drafted.statements))
        ),
        evidence_strength=strength(result),
        answerer=request.answerer or DEFAULT,
        result=result,
        usage=dict(drafted.usage or {}),
        timings={"query": queried_ms, "answer": took, "total": round(queried_ms + took, 3)},
        debug=_debug(result, drafted) if request.debug else None,
        searched=searched(result, request),
        pending=result.pending,
    )


def is_unsupported(result: Result) -> bool:
    """Return True if all support measures are 0 and no word of the question is in the corpus. Measures of 0 alone are
    weaker evidence: one found word among several counts as nothing."""
    is_known = result.rarity is None or bool(result.rarity.weights)
    return bool(result.support) and not strength(result) and not is_known


def strength(result: Result) -> float:
    """Return how much of the question the evidence covers (0-1): the mean of the legs' support."""
    if not result.evidence or not result.support:
        return 0.0
    return round(sum(result.support.values()) / len(result.support), 4)


def searched(result: Result, request: QueryRequest) -> dict[str, Any]:
    """Return the corpus, run, filters and number of pieces that an answer is based on."""
    return {
        "corpus_id": result.corpus_id,
        "recipe_id": result.recipe_id,
        "run_id": result.run_id,
        "index_version": result.index_version,
        "as_of": result.as_of,
        "filters": filters_of(request),
        "pieces": len(result.evidence),
        "support": dict(result.support),
        **({"leg_weights": dict(result.leg_weights)} if result.leg_weights else {}),
        **({"notes": list(result.notes)} if result.notes else {}),
    }


def _debug(result: Result, drafted: Drafted) -> dict[str, Any]:
    return {"evidence": [piece.as_object() for piece in result.evidence]}
