"""The parameters of routes: what of a request stands in an address, and the request of the desk that it comes to."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query
from pydantic import Field, StringConstraints

from biblicus.errors import UsageError
from biblicus.models import requests

CorpusName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,64}$")]
OneCorpus = Annotated[
    CorpusName | None, Query(description="The corpus, by the name it is served under. Default: the only one.")
]
SeveralCorpora = Annotated[
    tuple[CorpusName, ...],
    Query(max_length=20, description="The corpora to ask; several are fused by rank. Default: all of them."),
]
Pair = Annotated[str, StringConstraints(pattern=r"^[^=]*\S[^=]*=", max_length=2_000)]


class Filtered(requests.Request):
    corpus: CorpusName | None = Field(
        None, description="The corpus, by the name it is served under. Default: the only one."
    )
    tag: requests.Texts = Field((), description="Only items with all of these tags.")
    type: requests.Texts = Field((), description="Only these media types (any): text/markdown, text/*, pdf.")
    doctype: requests.Doctypes = Field((), description="Only these doctypes (any).")
    language: requests.Texts = Field((), description="Only these languages (any): en, de, ….")
    path: requests.Texts = Field((), description="Only paths that fit one of these globs: notes/**, *.pdf.")
    where: Annotated[tuple[Pair, ...], Field(max_length=100)] = Field(
        (), description="Only items with all of this metadata: name=text."
    )
    toolkit: requests.Texts = Field((), description="Only items of these toolkits (any).")
    category: requests.Texts = Field((), description="Only items of these categories (any).")
    source: requests.Texts = Field(
        (), description="Only items of these sources (any): a name, a kind (git, url), an address's beginning."
    )
    since: requests.Day | None = Field(None, description="Only items of this day, month or year, or later.")
    until: requests.Day | None = Field(None, description="Only items of this day, month or year, or earlier.")

    def shared(self) -> dict[str, Any]:
        """The filters as requests have them."""
        pairs = dict(pair.split("=", 1) for pair in self.where)
        found = {name: getattr(self, name) for name in requests.Filtered.model_fields if name != "where"}
        return {**found, "where": {key.strip(): value for key, value in pairs.items()}}


class Asked(Filtered):
    q: requests.Question = Field(
        description='The question, in natural words or keywords; "quoted words" must stand together.'
    )
    max_tokens: int | None = Field(None, ge=1, description="Budget of all texts together in tokens (estimate).")
    max_characters: int | None = Field(None, ge=1, description="The same budget in characters.")
    max_per_source: int | None = Field(None, ge=1, description="At most this much evidence from one item.")
    recipe: requests.RecipeName | None = Field(None, description="The recipe to rank with. Default: the corpus's.")
    eval: bool = Field(False, description="Measure this question: whether `gold` was found, and how it scored.")
    gold: requests.ItemName | None = Field(None, description="With `eval`: the item that answers, by id or path.")

    def asked(self) -> dict[str, Any]:
        """What queries and answers are asked with alike."""
        if self.eval != (self.gold is not None):
            raise UsageError("A question is measured by eval=true together with the item in gold.")
        names = ("max_tokens", "max_characters", "max_per_source", "recipe")
        return {"query": self.q, "run": None, **{name: getattr(self, name) for name in names}, **self.shared()}


class SearchParameters(Asked):
    """`GET /search`."""

    corpus: tuple[CorpusName, ...] = Field(  # type: ignore[assignment]  # several, where the others take one
        (), max_length=20, description="The corpora to ask; several are fused by rank. Default: all of them."
    )
    limit: int | None = Field(
        None, ge=1, le=requests.LIMIT, description="At most this much evidence. Default: the recipe's, usually 10."
    )

    def request(self) -> requests.QueryRequest:
        return requests.QueryRequest.model_construct(limit=self.limit, **self.asked())


class AnswerParameters(Asked):
    """`GET /answer`."""

    k: int | None = Field(
        None, ge=1, le=requests.LIMIT, description="From at most this much evidence. Default: the recipe's, usually 10."
    )
    answerer: requests.Text | None = Field(
        None, description="Who answers: quote needs no model. Default: the service's usual one."
    )
    persona: requests.Text | None = Field(None, description="A persona of the corpus, by id.")
    max_words: int | None = Field(None, ge=5, le=2_000, description="At most this many words. Default: 60; llm: 150.")
    debug: bool = Field(False, description="With the evidence that the answerer was given, and what it said.")

    def request(self) -> requests.AnswerRequest:
        own = {name: getattr(self, name) for name in ("answerer", "persona", "max_words", "debug")}
        return requests.AnswerRequest.model_construct(limit=self.k, **own, **self.asked())


class ListParameters(Filtered):
    """`GET /items`."""

    cursor: requests.Text | None = Field(
        None, description="Where to go on: the `next_cursor` of the page before, with the same filters."
    )
    limit: int = Field(100, ge=1, le=requests.LIMIT, description="At most this many items a page.")


class TreeParameters(requests.TreeRequest):
    """`GET /tree`."""

    corpus: CorpusName | None = Field(
        None, description="The corpus, by the name it is served under. Default: the only one."
    )


class EventsParameters(requests.EventsRequest):
    """`GET /events/page`."""

    corpus: CorpusName | None = Field(
        None, description="The corpus, by the name it is served under. Default: the only one."
    )


class CorpusParameters(requests.Request):
    """Of routes that need no more."""

    corpus: CorpusName | None = Field(
        None, description="The corpus, by the name it is served under. Default: the only one."
    )


def at_once(model: type[requests.Request]) -> None:
    """Build the validators of all requests now: where they are deferred, the first request of each would pay."""
    for below in model.__subclasses__():
        below.model_config["defer_build"] = False
        below.model_rebuild(force=True)
        at_once(below)


at_once(requests.Request)
