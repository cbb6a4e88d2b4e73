"""Replies about the desk itself, as they cross a wire (see `models.replies`): weights, and what answers."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel


class VersionReply(BaseModel):
    """What a bare query is answered from, and the software. `built_at`: UTC, ISO 8601. `build_id`: the digest of what
    the run was built by. `current`: the catalog is still what it was built from."""

    corpus_id: str
    name: str
    corpus_digest: str
    index_version: str
    run_id: str
    current: bool
    recipe: str
    build_id: str
    built_at: str
    software: str


class WeightReply(BaseModel):
    """What became of a weight, and what it is, or was: of an `item` by id or of a `pattern`. `expires`: UTC."""

    outcome: Literal["set", "changed", "unchanged", "cleared"]
    item: str | None
    pattern: str | None
    multiplier: float
    namespace: str
    expires: str | None


class ListedWeight(BaseModel):
    """A weight. `path`: of its item, where that is there."""

    item: str | None
    pattern: str | None
    multiplier: float
    namespace: str
    expires: str | None
    path: str | None
    expired: bool


class WeightsReply(BaseModel):
    """All weights, by namespace and target."""

    weights: list[ListedWeight]
