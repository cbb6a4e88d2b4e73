"""Requests for context packs, answers and personas."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from biblicus.models.fields import Request, doc, option, term
from biblicus.models.requests.query import QueryRequest

ESTIMATE = "estimate"
"""Tokenizer without a model: an estimate from characters (`biblicus.text.counting`)."""

Format = Literal["markdown", "xml", "json", "plain"]
Order = Literal["rank", "source", "document"]


class PackPolicy(Request):
    """Policy for making a pack.

    `order`: by rank; by source (items by best rank, each in its own order); by document (path, then position)."""

    max_tokens: int = option(4_000, "Maximum tokens of the whole text, including its headings.", ge=1, le=10_000_000)
    format: Format = option(
        "markdown", "The format of the text; verify reads json.", choices=("markdown", "xml", "json", "plain")
    )
    order: Order = option(
        "rank",
        "The order: by rank, by source (best first), or by document (path and position).",
        choices=("rank", "source", "document"),
    )
    neighbours: int = option(
        1, "Paragraphs to add before and after each passage, as far as the budget allows.", ge=0, le=20
    )
    share: float = option(1.0, "Maximum share of the budget for one item.", gt=0, le=1)
    tokenizer: str = option(
        ESTIMATE, "The token counter: estimate, or an embedder named in the configuration.", max_length=200
    )


class ContextRequest(PackPolicy, QueryRequest):
    """Ask a question and get a pack for a prompt: numbered evidence as one text, within a budget of tokens."""


class AnswerRequest(QueryRequest):
    """Ask a question and get statements, each with exact supporting words from the corpus."""

    answerer: str | None = option(
        None, term("The answerer; quote needs no language model. Default: the configured one.")
    )
    persona: str | None = option(None, term("A persona of the corpus, by id."))
    max_words: int | None = option(
        None, "Maximum number of words. Default: 60, for instructions 120; llm: 150.", ge=5, le=2_000
    )
    debug: bool = option(False, "Include the evidence that the answerer received, and its raw answer.")


class PersonaRequest(Request):
    """Show a persona with all defaults filled in."""

    name: str = field(kw_only=False, metadata=doc("A persona's id: its file's name without .yml."))


class NewPersonaRequest(Request):
    """Write a commented persona to .biblicus/personas/ for editing."""

    name: str = field(kw_only=False, metadata=doc("The new persona's id: a-z, 0-9, - and _."))
    title: str | None = option(None, "Its display name.")


class CheckPersonasRequest(Request):
    """Check if personas can answer: their files, recipes, manual corpora and those corpora's indexes."""

    name: str | None = field(default=None, kw_only=False, metadata=doc("A persona's id. Default: all personas."))
