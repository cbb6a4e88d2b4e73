"""A query: text, filters, limit and budget. A question is the same after its words were understood."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Filters:
    """Which items may be ranked. Empty means no restriction.

    `tags` and `where` must all hold; of `types`, `doctypes`, `languages` and `paths` one each is enough.
    `types`: a media type, `text/*`, or the bare last word (`pdf`, `markdown`). `paths`: globs over the relative path,
    `*` within a folder, `**` across folders. `where`: metadata key to text.
    """

    tags: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    doctypes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.tags or self.types or self.doctypes or self.languages or self.paths or self.where)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a result may hold: evidence pieces, tokens (estimate), characters, pieces per source (the item)."""

    items: int = 10
    tokens: int | None = 4000
    characters: int | None = None
    per_source: int | None = 3


@dataclass(frozen=True, slots=True)
class Query:
    """What a searcher is asked. Fields left at None take the recipe's value."""

    text: str
    filters: Filters = Filters()
    items: int | None = None
    tokens: int | None = None
    characters: int | None = None
    per_source: int | None = None
    recipe: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A query's text as legs get it. `languages`: those of the run's chunks, most frequent first, with their share."""

    text: str
    languages: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Allow:
    """A filter resolved for one run, for legs.

    Legs with native fields use `filters` for tags, types, doctypes, languages and paths, and `item_rows` for the rest
    (`where`): the row numbers of items that hold. `item_rows` is None where the native fields say it all.
    """

    filters: Filters
    item_rows: frozenset[int] | None = None
