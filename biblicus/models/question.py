"""A query as legs and budgets receive it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from biblicus.models.frozen import dataclass
from biblicus.models.requests.query import Filters


@dataclass(frozen=True)
class Budget:
    """Limits of a result: pieces of evidence, tokens (estimate), characters, pieces per source (the item)."""

    items: int = 10
    tokens: int | None = 4000
    characters: int | None = None
    per_source: int | None = 3


@dataclass(frozen=True)
class Question:
    """A query's text for legs.

    `languages`: of the run's chunks, most frequent first, with their share. `toolkits`: of the run, if named in the
    text."""

    text: str
    languages: Mapping[str, float] = field(default_factory=dict)
    toolkits: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Allow:
    """A filter resolved for one run, for legs.

    Legs with native fields use `filters` for tags, types, doctypes, languages and paths, and `item_rows` for other
    filters (`Filters.by_item`): the rows of matching items. `item_rows` is None if the native fields suffice."""

    filters: Filters
    item_rows: frozenset[int] | None = None
