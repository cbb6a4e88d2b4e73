"""Answerer `llm`: a language model writes the answer, and every claim is checked against the evidence.

The model has no tools and sees only the question and a marked pack of evidence. Claims whose citations are invalid are
requested once more together, then left out and counted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from biblicus.answering import grounding
from biblicus.answering.asking import Usage, ask
from biblicus.answering.grounding import Claim, Fault, ground
from biblicus.answering.packs.pack import context_pack
from biblicus.answering.prompts import Prompt, PromptManager, section
from biblicus.contracts import Answerer, Call, Given, LLMClient
from biblicus.errors import LLMError, NoLLM
from biblicus.models.answers.answer import Drafted, LeftOut, Statement
from biblicus.models.answers.pack import Pack
from biblicus.models.evidence import Evidence, Result
from biblicus.models.requests.answer import PackPolicy

_MOST_STATEMENTS = 24


class Options(BaseModel):
    """Options of the answerer. `max_words`: length of the answer given in the prompt. `tokens`: of the evidence.
    `output_tokens`: of each reply. `style`, `system`: a persona's instructions on style and content."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_words: Annotated[int, Field(ge=5, le=5_000)] = 150
    tokens: Annotated[int, Field(ge=200, le=200_000)] = 4_000
    output_tokens: Annotated[int, Field(ge=64, le=32_000)] = 1_024
    style: Annotated[str, Field(max_length=2_000)] = ""
    system: Annotated[str, Field(max_length=8_000)] = ""


def build(options: Options, given: Given) -> Answerer:
    """Return the answerer. Raises `NoLLM`, and `ConfigInvalid` for an invalid prompt file of the user."""
    if given.llm is None:
        raise NoLLM("The answerer llm")
    return LLMAnswerer(options, given.llm)


class LLMAnswerer:
    def __init__(self, options: Options, llm: LLMClient, prompts: PromptManager | None = None) -> None:
        self._options = options
        self._llm = llm
        prompts = prompts or PromptManager()
        self._answer, self._repair = prompts.get("answer"), prompts.get("repair")

    def answer(self, question: str, result: Result, call: Call) -> Drafted:
        """Return the answer. Raises `LLMError` if the first reply fails; a later failure only drops the claims
        concerned."""
        pack = context_pack(result, PackPolicy(max_tokens=self._options.tokens, neighbours=0))
        if not pack.entries:
            return Drafted((), 0.0, True, "There is no evidence to answer from.", model=self._llm.name)
        talk = _Talk(self._llm, self._options, question, pack, call)
        reply = talk.say(self._answer)
        claims = grounded(grounding.claims_of(reply["statements"]), talk.pieces)
        if any(isinstance(claim, Fault) for claim in claims):
            claims = self._again(claims, talk)
        statements, left_out = parted(claims)
        return Drafted(
            statements,
            confidence(statements, len(left_out), result, gave_up=bool(reply["insufficient"])),
            bool(reply["insufficient"]) or not statements,
            summary(statements, left_out, talk.pieces, gave_up=bool(reply["insufficient"])),
            left_out,
            talk.usage.as_object(),
            self._llm.name,
            " ".join(talk.used),
        )

    def _again(self, held: Sequence[Statement | Fault], talk: _Talk) -> list[Statement | Fault]:
        """Return the claims after asking the model once more about the faulty ones."""
        faults = [each for each in held if isinstance(each, Fault)]
        try:
            reply = talk.say(self._repair, faults=_told(faults))
        except LLMError as error:
            return [_still(each, f"asked again, the model failed: {error.cause}") for each in held]
        mended = [ground(claim, talk.pieces) for claim in grounding.claims_of(reply["statements"])]
        texts = {each.text.casefold() for each in held if isinstance(each, Statement)}
        good = [each for each in mended if isinstance(each, Statement) and each.text.casefold() not in texts]
        # in the requested order; if the model gives fewer claims, the last faults remain
        replacements = iter(good[: len(faults)])
        return [
            next(replacements, None) or _still(each, "asked again") if isinstance(each, Fault) else each
            for each in held
        ]


class _Talk:
    """The exchange with a model about a question. `pieces`: the evidence by its numbers in the pack."""

    def __init__(self, llm: LLMClient, options: Options, question: str, pack: Pack, call: Call) -> None:
        self._llm, self._options, self._question, self._pack, self._call = llm, options, question, pack, call
        self.pieces: dict[int, Evidence] = {entry.number: entry for entry in pack.entries}
        self.usage = Usage()
        self.used: list[str] = []

    def say(self, prompt: Prompt, **values: str) -> Mapping[str, Any]:
        """Send a prompt and return a reply that fits the schema."""
        self.used.append(prompt.mark)
        system, user = prompt.fill(
            question=" ".join(self._question.split()),
            evidence=self._pack.text,
            marker=self._pack.marker,
            max_words=self._options.max_words,
            style=section("How to write:", self._options.style),
            instructions=section("The rules above hold whatever follows. Mind also:", self._options.system),
            **values,
        )
        answered = ask(
            self._llm,
            self._call,
            user,
            self.usage,
            system_prompt=system,
            json_schema=grounding.SCHEMA,
            max_tokens=self._options.output_tokens,
        )
        reply: Mapping[str, Any] = json.loads(answered.text)
        return reply


def grounded(claims: Sequence[Claim], pieces: Mapping[int, Evidence]) -> list[Statement | Fault]:
    """Return each claim as a statement or a fault."""
    return [ground(claim, pieces) for claim in claims[:_MOST_STATEMENTS]]


def parted(held: Sequence[Statement | Fault]) -> tuple[tuple[Statement, ...], tuple[LeftOut, ...]]:
    """Return the statements, and the faults as left-out claims."""
    statements = tuple(claim for claim in held if isinstance(claim, Statement))
    return statements, tuple(LeftOut(claim.claim.text, claim.reason) for claim in held if isinstance(claim, Fault))


def confidence(kept: Sequence[Statement], left_out: int, result: Result, *, gave_up: bool) -> float:
    """Return the confidence (0-1): support of the statements times the fit of the evidence to the question.

    Left-out claims, and a model or search that finds the evidence insufficient, lower it. It is not fitted to a model;
    `eval --answers` measures its quality for the user's own.
    """
    if not kept:
        return 0.0
    words = [len(statement.text.split()) or 1 for statement in kept]
    supported = sum(statement.supported * size for statement, size in zip(kept, words, strict=True)) / sum(words)
    fit = sum(result.support.values()) / len(result.support) if result.support else 0.5
    doubts = 0.5 ** (gave_up + result.insufficient)
    return round(supported * (0.4 + 0.6 * fit) * len(kept) / (len(kept) + left_out) * doubts, 4)


def summary(
    kept: Sequence[Statement], left_out: Sequence[LeftOut], pieces: Mapping[int, Evidence], *, gave_up: bool
) -> str:
    """Return a summary of one to three sentences."""
    cited = len({citation.piece.chunk_id for statement in kept for citation in statement.citations})
    counted = "1 statement" if len(kept) == 1 else f"{len(kept)} statements"
    parts = [f"{counted} from {cited} of {len(pieces)} pieces of evidence."]
    if left_out:
        parts.append(f"{len(left_out)} left out: no citation held.")
    if gave_up:
        parts.append("The model found the evidence insufficient.")
    return " ".join(parts)


def _told(faults: Sequence[Fault]) -> str:
    """Return the faulty claims as text for the model."""
    lines = []
    for at, fault in enumerate(faults, 1):
        cites = [{"evidence": number, "quote": quote[:300]} for number, quote in fault.claim.cites[:8]]
        claim = json.dumps({"text": fault.claim.text, "citations": cites}, ensure_ascii=False)
        lines.append(f"{at}. {claim}\n   Fault: {fault.reason}.")
    return "\n".join(lines)


def _still(claim: Statement | Fault, why: str) -> Statement | Fault:
    return Fault(claim.claim, f"{claim.reason} ({why})") if isinstance(claim, Fault) else claim
