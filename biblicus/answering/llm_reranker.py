"""The reranker `llm`: a language model of the user's reads the question with all candidates at once, and judges each.

One request for a question. The model sees nothing but the question and the passages behind their marks, and can do no
more than order them. Where it fails, takes too long or replies what is no judgement, the order stays as it was, and the
result says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from biblicus.answering.asking import Usage, ask
from biblicus.answering.prompts import PromptManager
from biblicus.contracts import Call, Given, LLMClient, NotReranked, Passage
from biblicus.errors import DeadlineExceeded, LLMError
from biblicus.guards.deadlines import bounded
from biblicus.guards.terminal import safe
from biblicus.models.digest import digest
from biblicus.models.question import Question

_QUESTION = 2_000
"""Characters of a question that are shown."""
_PER_PASSAGE, _BESIDE = 24, 128
"""Tokens of a reply: of each judgement, and of what stands around them."""
_INTEGER = {"type": "integer"}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "ranking": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"passage": _INTEGER, "relevance": _INTEGER},
                "required": ["passage", "relevance"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["ranking"],
    "additionalProperties": False,
}


class Options(BaseModel):
    """`model`: a name that the user's own configuration defines under `llms`. `candidates`: how many chunks are put in
    order; no others are returned. `characters`: how much of each the model is shown. `seconds`: how long it may take,
    at most half of what the question has left."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Annotated[str, Field(min_length=1)]
    candidates: Annotated[int, Field(ge=2, le=50)] = 20
    characters: Annotated[int, Field(ge=100, le=8_000)] = 1_200
    seconds: Annotated[float, Field(gt=0, le=600)] = 20.0


def build(options: Options, given: Given) -> LLMReranker:
    """The reranker for a recipe's options."""
    return LLMReranker(options, given)


class LLMReranker:
    """See `contracts.Reranker`."""

    def __init__(self, options: Options, given: Given, prompts: PromptManager | None = None) -> None:
        self.candidates = options.candidates
        self._options, self._given = options, given
        self._prompts = prompts or PromptManager()

    def rerank(self, question: Question, passages: Sequence[Passage], call: Call) -> list[float]:
        """Raises `NotReranked` where the model gave no order, and `UnknownModel` where there is none."""
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
        asked = " ".join(question[:_QUESTION].split())
        marker = digest([asked, *texts], 32)
        system, user = self._prompts.get("rank").fill(
            question=asked,
            passages="\n".join(_block(number, text, marker) for number, text in enumerate(texts, 1)),
            marker=marker,
        )
        most = _BESIDE + _PER_PASSAGE * len(passages)
        answered = ask(client, call, user, Usage(), system_prompt=system, json_schema=SCHEMA, max_tokens=most)
        return json.loads(answered.text)


def scores(reply: Any, count: int) -> list[float]:
    """What a reply says of each passage, 0 to 1; one that it does not name comes last. Raises `ValueError` where it
    names what was not shown, or less than half of what was."""
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
