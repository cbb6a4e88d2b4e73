"""What is told of evidence, runs, recipes and events, as it crosses a wire (see `models.replies`)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from biblicus.models.event import Event
from biblicus.models.reading import Status


class VerdictReply(BaseModel):
    """One piece's status. `span_start`: where its text is now."""

    rank: int
    item_id: str
    path: str
    status: Status
    reason: str
    span_start: int | None


class VerdictsReply(BaseModel):
    """Whether all pieces hold (`ok` or `moved`), how many there are of each status, and the verdicts."""

    ok: bool
    counts: dict[str, int]
    evidence: list[VerdictReply]


class RunEntry(BaseModel):
    """A run. `indexed`: it has an index; `materialized`: it can be searched on this machine."""

    run_id: str
    recipe_id: str
    build_id: str
    index_version: str
    built: str
    counts: dict[str, int]
    parent_run_id: str | None
    indexed: bool
    latest_of: list[str]
    materialized: bool


class RunsReply(BaseModel):
    """The runs, oldest first."""

    runs: list[RunEntry]


class RunReply(BaseModel):
    """A run's manifest: these fields and what else it was built from."""

    model_config = ConfigDict(extra="allow")

    run_id: str
    corpus_id: str
    corpus_digest: str
    chunks_digest: str
    index_version: str
    recipe: dict[str, Any]
    counts: dict[str, int]


class RecipeEntry(BaseModel):
    """A recipe that can be named, and where it comes from."""

    name: str
    description: str
    origin: str
    build_id: str
    recipe_id: str


class RecipesReply(BaseModel):
    """The recipes, and the corpus's default."""

    recipes: list[RecipeEntry]
    default: str


class EventsReply(BaseModel):
    """Events in order; `cursor`: where to go on."""

    events: list[Event]
    cursor: str | None
    more: bool
