"""Reranker `llm`: a language model judges the relevance of all candidates in one request.

The model only sees the question and marked passages, and its reply only orders them. If it fails, takes too long or its
reply is invalid, the order stays unchanged and the result reports it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from biblicus.answering.asking import Usage, ask, object_schema
from biblicus.answering.prompts import PromptManager
from biblicus.contracts import Call, Given, LLMClient, NotReranked, Passage
from biblicus.errors import DeadlineExceeded, LLMError
from biblicus.guards.deadlines import bounded
from biblicus.guards.terminal import safe
from biblicus.models.digest import digest
from biblicus.models.question import Question

_QUESTION = 2_000
"""Maximum characters of the question in the prompt."""
_PER_PASSAGE, _BESIDE = 24, 128
"""Reply tokens for each judgement and for the rest of the reply."""
SCHEMA: Mapping[str, Any] = object_schema(ranking=[object_schema(passage="integer", relevance="integer")])


class Options(BaseModel):
    """Options of the reranker.

    `model`: name of a model in the user's configuration under `llms`. `candidates`: number of chunks to order; no
    others are returned. `characters`: maximum of each passage. `seconds`: timeout, at most half of the question's
    remaining time.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, Field(min_length=1)]
    candidates: Annotated[int, Field(ge=2, le=50)] = 20
    characters: Annotated[int, Field(ge=100, le=8_000)] = 1_200
    seconds: Annotated[float, Field(gt=0, le=600)] = 20.0


def build(options: Options, given: Given) -> LLMReranker:
    return LLMReranker(options, given)


class LLMReranker:
    def __init__(self, options: Options, given: Given, prompts: PromptManager | None = None) -> None:
        self.candidates = options.candidates
        self._options, self._given = options, given
        self._prompts = prompts or PromptManager()

    def rerank(self, question: Question, passages: Sequence[Passage], call: Call) -> list[float]:
        """Return the passages' scores. Raises `NotReranked` if the model gave no order, `UnknownModel` if it is not
        configured."""
        client = self._given.named_llm(self._options.model)
        if len(passages) < 2:
            return [passage.score for passage in passages]
        in_time = bounded(call, self._options.seconds)
        try:
            reply = self._judged(client, question.text, passages, in_time)
            return scores(reply, len(passages))
        except LLMError as error:
            raise NotReranked(error.message, error) from error
        except ValueError as error:
            cause = LLMError(client.name, f"its reply is no ranking: {error}", "the same with another model")
            raise NotReranked(cause.message, cause) from error
        except DeadlineExceeded as error:
            call.check()
            cause = LLMError(client.name, "it did not judge in time", "the same with more `seconds`")
            raise NotReranked(cause.message, cause) from error

    def _judged(self, client: LLMClient, question: str, passages: Sequence[Passage], call: Call) -> Any:
        texts = [safe(passage.text[: self._options.characters], keep_newlines=True) for passage in passages]
        question_text = " ".join(question[:_QUESTION].split())
        marker = digest([question_text, *texts], 32)
        system, user = self._prompts.get("rank").fill(
            question=question_text,
            passages="\n".join(_block(number, text, marker) for number, text in enumerate(texts, 1)),
            marker=marker,
        )
        most = _BESIDE + _PER_PASSAGE * len(passages)
        answered = ask(client, call, user, Usage(), system_prompt=system, json_schema=SCHEMA, max_tokens=most)
        return json.loads(answered.text)


def scores(reply: Any, count: int) -> list[float]:
    """Return the relevance of each passage (0-1) in a reply; unmentioned passages come last. Raises `ValueError` for
    unknown passages or if less than half of them are judged."""
    judged: dict[int, float] = {}
    for entry in _ranking(reply):
        number: Any = entry.get("passage")
        relevance: Any = entry.get("relevance")
        if type(number) is not int or not 1 <= number <= count:
            raise ValueError("it names a passage that it was not shown")
        if type(relevance) not in (int, float) or not 0 <= relevance <= 100:
            raise ValueError("a relevance is not from 0 to 100")
        judged.setdefault(number, relevance / 100)
    if 2 * len(judged) < count:
        raise ValueError(f"it judges {len(judged)} of {count} passages")
    return [judged.get(number, -1.0) for number in range(1, count + 1)]


def _ranking(reply: Any) -> Sequence[Mapping[str, Any]]:
    ranking = reply.get("ranking") if isinstance(reply, dict) else None
    if not isinstance(ranking, list) or not all(isinstance(entry, dict) for entry in ranking):
        raise ValueError("there is no list of judgements")
    return ranking


def _block(number: int, text: str, marker: str) -> str:
    return f"[{number}] {marker}\n{text}\n{marker}\n"
