"""The part of the Python API that answers: in sentences that cite, plainly or as a persona."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biblicus.answers import personas
from biblicus.contracts import Call
from biblicus.models.question import Filters, Query

if TYPE_CHECKING:
    from biblicus.answers.answer_as import GraphHook
    from biblicus.answers.personas import PersonaCheck, PersonaEntry
    from biblicus.contracts import LLMClient
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.models.answer import Answer
    from biblicus.models.persona import Persona, PersonaAnswer
    from biblicus.search.searcher import LocalSearcher


class Answers:
    """What a `Corpus` can answer."""

    _searcher: LocalSearcher

    @property
    def _place(self) -> CorpusFolder:
        """The corpus's folder, as it is now."""
        raise NotImplementedError

    def answer(
        self,
        question: str,
        *,
        answerer: str | None = None,
        llm: str | LLMClient | None = None,
        filters: Filters = Filters(),  # noqa: B008 (frozen)
        limit: int | None = None,
        max_tokens: int | None = None,
        max_per_source: int | None = None,
        recipe: str | None = None,
        run: str | None = None,
        debug: bool = False,
        call: Call | None = None,
        **options: Any,
    ) -> Answer:
        """Statements that cite the evidence they stand on. `options`: the answerer's own, as `max_words=30`.

        `answerer`: `quote` where you have named no other in your settings. `llm`: a language model of your
        configuration by its name, or any client of your own.
        """
        from biblicus.answers import language_models as llms  # lazy: most users ask for evidence
        from biblicus.answers.answer import AnswerRequest, answer

        query = Query(question, filters, limit, max_tokens, None, max_per_source, recipe, run)
        who = llms.answerer_for(answerer, llm)
        model = llms.for_answerer(self._place, who, llm)
        return answer(self._searcher.search, AnswerRequest(query, who, options, debug), call or Call(), model)

    def answer_as(
        self,
        persona: str,
        question: str,
        *,
        answerer: str | None = None,
        llm: str | LLMClient | None = None,
        filters: Filters = Filters(),  # noqa: B008 (frozen)
        limit: int | None = None,
        max_tokens: int | None = None,
        max_per_source: int | None = None,
        recipe: str | None = None,
        run: str | None = None,
        ontology_context: Any = None,
        graph: GraphHook | None = None,
        debug: bool = False,
        call: Call | None = None,
        **options: Any,
    ) -> PersonaAnswer:
        """`answer` as a persona: with its plan, the manual's snippets, the queries, and what the evidence is worth.

        `ontology_context`: what you know of the domain; handed to a model that plans, and passed through. `graph`:
        asked with question and plan, it names what else to search for.
        """
        from biblicus.answers import language_models as llms  # lazy, as above
        from biblicus.answers.answer import AnswerRequest
        from biblicus.answers.answer_as import answer_as

        query = Query(question, filters, limit, max_tokens, None, max_per_source, recipe, run)
        who = llms.answerer_for(answerer, llm)
        return answer_as(
            self._place,
            persona,
            AnswerRequest(query, who, options, debug),
            self._searcher.search,
            call or Call(),
            llms.for_answerer(self._place, who, llm),
            ontology_context=ontology_context,
            graph=graph,
        )

    def personas(self) -> Sequence[PersonaEntry]:
        """The personas of the corpus; a broken one with what is wrong."""
        return personas.list_personas(self._place)

    def persona(self, name: str) -> Persona:
        """A persona by its id. Raises `PersonaNotFound`, `PersonaError`."""
        return personas.show(self._place, name)

    def new_persona(self, name: str, *, title: str | None = None) -> Path:
        """Write a commented persona to `.biblicus/personas/`, to be edited; returns its file."""
        return personas.new(self._place, name, title)

    def check_personas(self, name: str | None = None, *, call: Call | None = None) -> Sequence[PersonaCheck]:
        """Whether a persona (None: every one) can answer: its file, recipe, manual corpus and that corpus's index."""
        return personas.check_all(self._place, name, call or Call())
