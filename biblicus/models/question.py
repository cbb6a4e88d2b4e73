"""A question as legs and budgets get it, after a request was understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from biblicus.models.frozen import dataclass
from biblicus.models.requests.query import Filters


@dataclass(frozen=True)
class Budget:
    """What a result may hold: evidence pieces, tokens (estimate), characters, pieces per source (the item)."""

    items: int = 10
    tokens: int | None = 4000
    characters: int | None = None
    per_source: int | None = 3


@dataclass(frozen=True)
class Question:
    """A query's text as legs get it. `languages`: those of the run's chunks, most frequent first, with their share.
    `toolkits`: those of the run that the text names."""

    text: str
    languages: Mapping[str, float] = field(default_factory=dict)
    toolkits: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Allow:
    """A filter resolved for one run, for legs.

    Legs with native fields use `filters` for tags, types, doctypes, languages and paths, and `item_rows` for the rest
    (`Filters.by_item`): the row numbers of items that hold. `item_rows` is None where the native fields say it all.
    """

    filters: Filters
    item_rows: frozenset[int] | None = None
