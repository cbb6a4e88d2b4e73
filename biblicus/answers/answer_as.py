"""Answers as a persona: its manual and a plan determine the search queries, the corpus gives the evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from biblicus import answering, plugins, telemetry
from biblicus.answering import planner
from biblicus.answering.planner import Brief
from biblicus.answers import persona_files as personas
from biblicus.answers.answer import DEFAULT, answer_from, answerer
from biblicus.answers.answer import answer as plain_answer
from biblicus.answers.conversations import Ask, from_sources
from biblicus.answers.personas import manual_of, without_model
from biblicus.answers.planned_search import Origin, Rerank, search
from biblicus.contracts import Call, LLMClient
from biblicus.corpus import recipes
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import LayerPinned
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.persona import Assessment, Persona, PersonaAnswer, Plan
from biblicus.models.evidence import Evidence, Result
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.search import language_models
from biblicus.search.query import query
from biblicus.text.languages import detect

if TYPE_CHECKING:
    from biblicus.answering.asking import BoundedLLMClient

GraphHook = Callable[[str, Plan, Call], Sequence[str]]
"""A caller's knowledge graph: returns further search queries for a question and plan."""

MANUAL_TOKENS = 1_500
"""Maximum tokens of the manual's snippets."""
_NEAR = 0.5
"""Minimum score of a manual snippet relative to the best."""
_MOST_GRAPH = 4
_LONGEST = 400
_STRONG, _FAIR = 0.75, 0.45
"""Minimum evidence strength for `strong` and for `fair`."""


def answer(corpus: CorpusFolder, request: AnswerRequest, call: Call) -> Answer | PersonaAnswer:
    """Answer a request with the user's configured models and default answerer."""
    request = replace(request, answerer=language_models.answerer_for(request.answerer))
    model = language_models.for_answerer(corpus, request.answerer or DEFAULT, hear=call.hear)

    def ask(question: QueryRequest, call: Call) -> Result:
        return query(corpus, question, call)

    if request.persona is None:
        return plain_answer(ask, request, call, model)
    return answer_as(corpus, request, ask, call, model)


def answer_as(
    corpus: CorpusFolder,
    request: AnswerRequest,
    ask: Ask,
    call: Call,
    llm: LLMClient | None = None,
    options: Mapping[str, Any] | None = None,
    *,
    ontology_context: Any = None,
    graph: GraphHook | None = None,
) -> PersonaAnswer:
    """Answer as a persona of this corpus.

    `ask`: queries the corpus. `options`: the answerer's own. `ontology_context`: the caller's domain description,
    passed to the planning model and into the result. Raises `PersonaNotFound`, `PersonaError`, and errors of `answer`.
    """
    persona = personas.read(corpus, request.persona or "")
    call = _within(call, persona)
    bounded = None if llm is None else _bounded(llm, persona)
    chosen_answerer = answerer(request, bounded, _spoken(request.answerer or DEFAULT, options or {}, persona))
    query = tightened(request.question, persona)
    rerank = _reranker(corpus, query) if persona.limits.queries > 1 else None
    began = time.perf_counter()
    with telemetry.span("manual"):
        read_manual = _manual(corpus, persona, query.query, call)
        manual = tuple(read_manual.evidence) if read_manual else ()
    read = time.perf_counter()
    with telemetry.span("plan"):
        brief = _brief(persona, query.query, manual, ontology_context)
        plan, used = planned_by(brief, read_manual, bounded, call)
        named = tuple(graph(query.query, plan, call)) if graph is not None else ()
    planned = time.perf_counter()
    more = _further(persona, plan, named)
    result, queries = search(from_sources(ask), query, more, call, rerank)
    searched = time.perf_counter()
    answer = answer_from(result, chosen_answerer, request, call, queried_ms=_ms(planned, searched))
    timings = {"manual": _ms(began, read), "plan": _ms(read, planned), **answer.timings}
    timings["total"] = round(timings["manual"] + timings["plan"] + answer.timings["total"], 3)
    return PersonaAnswer.of(
        replace(answer, timings=timings, usage=_together(used, answer.usage)),
        persona,
        plan=plan,
        manual=manual,
        queries=queries,
        assessment=assessment(answer, result, brief.terms),
        unused=_unused(persona, request.answerer or DEFAULT, llm),
        ontology_context=ontology_context,
        graph_context=named if graph is not None else None,
    )


def tightened(query: QueryRequest, persona: Persona) -> QueryRequest:
    """Return the query with the persona's layer, its recipe if none is given, and the smaller of both budgets. Raises
    `LayerPinned` if the query names another layer."""
    budget = persona.budget
    if persona.layer and query.layer and persona.layer not in query.layer:
        raise LayerPinned(f"The layer {persona.layer} of {persona.id}", query.layer)
    recipe = query.recipe if query.recipe or query.run else persona.recipe
    return replace(
        query,
        recipe=recipe,
        layer=(persona.layer,) if persona.layer else query.layer,
        limit=_least(query.limit, budget.items),
        max_tokens=_least(query.max_tokens, budget.tokens),
        max_characters=_least(query.max_characters, budget.characters),
        max_per_source=_least(query.max_per_source, budget.per_source),
    )


def _least(one: int | None, other: int | None) -> int | None:
    limits = [value for value in (one, other) if value is not None]
    return min(limits) if limits else None


def _within(call: Call, persona: Persona) -> Call:
    """Return the call with the persona's time limit if that is shorter."""
    if persona.limits.seconds is None:
        return call
    persona_deadline = time.monotonic() + persona.limits.seconds
    return replace(call, deadline=persona_deadline if call.deadline is None else min(persona_deadline, call.deadline))


def _bounded(llm: LLMClient, persona: Persona) -> BoundedLLMClient:
    return answering.asking.BoundedLLMClient(llm, persona.limits.requests, persona.limits.output_tokens)


def _spoken(answerer: str, options: Mapping[str, Any], persona: Persona) -> Mapping[str, Any]:
    """Return the answerer's options with the persona's style and instructions as defaults, if it supports them."""
    option_fields = plugins.find("answering", answerer).Options.model_fields
    texts = {"style": persona.style, "system": persona.system}
    return {**{name: text for name, text in texts.items() if text and name in option_fields}, **options}


def _unused(persona: Persona, answerer: str, llm: LLMClient | None) -> tuple[str, ...]:
    """Return the persona's keys without effect: those for a language model if there is none."""
    if llm is None:
        return without_model(persona)
    writes = "style" in plugins.find("answering", answerer).Options.model_fields
    return ("style",) if persona.style and not writes else ()


def _manual(corpus: CorpusFolder, persona: Persona, question: str, call: Call) -> Result | None:
    """Return the best snippets of the manual for a question, or None without a manual."""
    manual = manual_of(corpus, persona, guest=call.guest)
    if manual is None:
        return None
    result = manual(QueryRequest(question, limit=persona.budget.manual, max_tokens=MANUAL_TOKENS), call)
    near = [piece for piece in result.evidence if piece.score >= _NEAR * result.evidence[0].score]
    return replace(result, evidence=near)


def _brief(persona: Persona, question: str, manual: Sequence[Evidence], ontology_context: Any) -> Brief:
    language = _language(question, manual)
    terms = planner.terms_of(question, language)
    return Brief(question, terms, persona, manual, language, persona.limits.queries - 1, ontology_context)


def planned_by(
    brief: Brief, manual: Result | None, llm: BoundedLLMClient | None, call: Call
) -> tuple[Plan, Mapping[str, int]]:
    """Return the plan by the model if there is one, else by the manual, and the model's usage."""
    if llm is None:
        return planner.plan(brief), {}

    with llm.keeping_back(1):  # reserved for the answer
        return answering.model_planner.plan(brief, manual, llm, call)


def _language(question: str, manual: Sequence[Evidence]) -> str | None:
    """Return the question's language if detected, else the manual's."""

    return detect(question) or next((piece.language for piece in manual if piece.language), None)


def _further(persona: Persona, plan: Plan, named: Sequence[str]) -> list[tuple[str, Origin]]:
    """Return the further queries: names from the graph, then the plan's hints, up to the persona's limit."""
    graph = [(" ".join(name.split())[:_LONGEST], "graph") for name in named[:_MOST_GRAPH] if name.strip()]
    queries: list[tuple[str, Origin]] = [(text, "graph") for text, _ in graph]
    queries += [(hint, "plan") for hint in plan.search_hints]
    return queries[: persona.limits.queries - 1]


def _reranker(corpus: CorpusFolder, query: QueryRequest) -> Rerank | None:
    """Return the recipe's cross-encoder for the fused pieces, which are from lists in different orders."""
    if query.run is not None:
        return None
    choice = recipes.find(corpus, query.recipe).query.rerank
    if choice is None or choice["by"] != "cross-encoder":
        return None
    from biblicus.search.rerankers import Rerankers

    model = Rerankers(corpus).model(choice["model"])

    def rerank(question: str, pieces: Sequence[Evidence], call: Call) -> Sequence[float]:
        return model.scores(
            question, [f"{piece.title or ''}\n{piece.first_heading}\n{piece.text}" for piece in pieces], call
        )

    return rerank


def assessment(answer: Answer, result: Result, terms: Sequence[str]) -> Assessment:
    """Return an assessment of the evidence for the question."""
    texts = [f"{piece.title or ''} {piece.first_heading} {piece.text}" for piece in result.evidence]
    evidence_stems = [
        (planner.stems_of(text, piece.language), piece.language)
        for text, piece in zip(texts, result.evidence, strict=True)
    ]
    missing = tuple(
        term for term in terms if not any(planner.holds(stems, term, language) for stems, language in evidence_stems)
    )
    return Assessment(
        strength=_word(answer, result),
        pieces=len(result.evidence),
        sources=len({piece.item_id for piece in result.evidence}),
        cited_sources=len(
            {citation.piece.item_id for statement in answer.statements for citation in statement.citations}
        ),
        stale=sum(bool(piece.stale) for piece in result.evidence),
        terms=tuple(terms),
        missing=missing,
    )


def _word(answer: Answer, result: Result) -> Literal["none", "weak", "fair", "strong"]:
    """Return the strength of the evidence as a word; `weak` if nothing could be stated from it."""
    measure = answer.evidence_strength
    if not result.evidence or not measure:
        return "none"
    if result.insufficient or not answer.statements or measure < _FAIR:
        return "weak"
    return "fair" if measure < _STRONG else "strong"


def _ms(began: float, ended: float) -> float:
    return round((ended - began) * 1000, 3)


def _together(*parts: Mapping[str, int]) -> dict[str, int]:
    """Return the sum of both usages."""
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: sum(part.get(name, 0) for part in parts) for name in names}
