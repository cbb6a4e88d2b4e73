"""Query plan by a language model; without a valid reply, the plan based on the manual is used.

A plan only supplies search queries and displayed steps, so that a manipulated model cannot state facts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from biblicus.answering import planner
from biblicus.answering.asking import Usage, ask, object_schema
from biblicus.answering.packs.pack import context_pack
from biblicus.answering.planner import Brief
from biblicus.answering.prompts import Prompt, PromptManager, section
from biblicus.contracts import Call, LLMClient, LLMResult
from biblicus.errors import BadData, LLMError
from biblicus.guards import json as guarded_json
from biblicus.models.answers.pack import Pack
from biblicus.models.answers.persona import Plan, PlanStep
from biblicus.models.evidence import Result
from biblicus.models.requests.answer import PackPolicy

MANUAL_TOKENS = 2_000
"""Maximum tokens of the manual in the prompt."""
_REPLY_TOKENS = 800
_MOST_KINDS = 12
_LONGEST_STEP, _LONGEST_HINT, _LONGEST_KIND = 300, 200, 80
_LONGEST_ONTOLOGY = 8_000


class _Reply(BaseModel):
    """A model's reply. Lengths are not validated, since excess is cut off."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    class Step(BaseModel):
        model_config = ConfigDict(extra="ignore", frozen=True)

        text: str
        manual: int | None = 0

    steps: list[Step]
    search_hints: list[str]
    entity_types: list[str] = Field(default_factory=list)
    relations: list[str] = Field(default_factory=list)
    graph_helps: bool = False


SCHEMA: Mapping[str, Any] = object_schema(
    steps=[object_schema(text="string", manual="integer")],
    entity_types=["string"],
    relations=["string"],
    search_hints=["string"],
    graph_helps="boolean",
)


def plan(
    brief: Brief, manual: Result | None, llm: LLMClient, call: Call, prompts: PromptManager | None = None
) -> tuple[Plan, Mapping[str, int]]:
    """Return the plan and the model's usage. `manual`: the search result for the brief's snippets. If the model fails,
    the plan is made without it and has a note with the reason. Raises `Cancelled`, `DeadlineExceeded`."""
    prompt = (prompts or PromptManager()).get("plan")
    pack = context_pack(manual, PackPolicy(max_tokens=MANUAL_TOKENS, neighbours=0)) if manual is not None else None
    usage = Usage()
    try:
        system, user = _filled(prompt, brief, pack)
        reply = ask(llm, call, user, usage, system_prompt=system, json_schema=SCHEMA, max_tokens=_REPLY_TOKENS)
        model_plan = _plan(_read(reply), brief, pack)
        return replace(model_plan, prompt=prompt.mark), usage.as_object()
    except (LLMError, BadData, ValidationError) as error:
        cause = error.cause if isinstance(error, LLMError) else "its reply was no plan"
        note = f"The plan is the manual's: the language model {llm.name} made none ({cause})."
        return replace(planner.plan(brief), note=note), usage.as_object()


def _filled(prompt: Prompt, brief: Brief, pack: Pack | None) -> tuple[str, str]:
    focus = brief.persona.focus
    named = [
        f"{title}: {', '.join(words)}"
        for title, words in (("Kinds of things", focus.entities), ("Relations", focus.relations))
        if words
    ]
    return prompt.fill(
        question=" ".join(brief.question.split()),
        marker=pack.marker if pack else "(there is no manual)",
        hints=brief.hints,
        instructions=section("The rules above hold whatever follows. Mind also:", brief.persona.system),
        focus=section("What is usually looked at:", "\n".join(named)),
        ontology=section("What is known of the domain:", _written(brief.ontology)),
        manual=section("The manual:", pack.text if pack else ""),
    )


def _written(ontology: object) -> str:
    """Return the caller's domain description as text."""
    if ontology is None:
        return ""
    text = ontology if isinstance(ontology, str) else json.dumps(ontology, ensure_ascii=False, default=str)
    return text[:_LONGEST_ONTOLOGY]


def _read(reply: LLMResult) -> _Reply:
    return _Reply.model_validate(guarded_json.read(reply.text, max_bytes=1 << 20))


def _plan(reply: _Reply, brief: Brief, pack: Pack | None) -> Plan:
    """Return the reply as a plan within limits; invalid snippet numbers are dropped."""
    ranks = {piece.chunk_id: piece.rank for piece in brief.manual}
    entries = pack.entries if pack else ()
    snippets = {entry.number: ranks[entry.chunk_id] for entry in entries if entry.chunk_id in ranks}
    steps = [
        PlanStep(text, snippets.get(step.manual or 0))
        for step in reply.steps
        if (text := _line(step.text, _LONGEST_STEP))
    ]
    question = brief.question.casefold()
    hints = [hint for hint in _lines(reply.search_hints, _LONGEST_HINT) if hint.casefold() != question]
    return Plan(
        steps=tuple(steps[: planner.MOST_STEPS]),
        entity_types=tuple(_lines(reply.entity_types, _LONGEST_KIND)[:_MOST_KINDS]),
        relations=tuple(_lines(reply.relations, _LONGEST_KIND)[:_MOST_KINDS]),
        search_hints=tuple(hints[: brief.hints]),
        graph_helps=reply.graph_helps,
        by="llm",
    )


def _lines(texts: Sequence[str], longest: int) -> list[str]:
    """Return non-empty, distinct texts of one line each."""
    lines: dict[str, str] = {}
    for text in texts:
        if line := _line(text, longest):
            lines.setdefault(line.casefold(), line)
    return list(lines.values())


def _line(text: str, longest: int) -> str:
    line = " ".join(text.encode("utf-8", "replace").decode().split())
    return line if len(line) <= longest else line[:longest].rsplit(None, 1)[0]
