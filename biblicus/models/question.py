"""A query: text, filters, limit and budget. A question is the same after its words were understood."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from biblicus.errors import UsageError

DAY = re.compile(r"[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?")
"""A year, a month or a day, as `since` and `until` take it."""


@dataclass(frozen=True, slots=True)
class Filters:
    """Which items may be ranked. Empty means no restriction.

    `tags` and `where` must all hold; of `types`, `doctypes`, `languages` and `paths` one each is enough.
    `types`: a media type, `text/*`, or the bare last word (`pdf`, `markdown`). `paths`: globs over the relative path,
    `*` within a folder, `**` across folders. `where`: metadata key to text.

    `toolkits`, `categories`: the metadata of these names; one each is enough. `sources`: the name of a source, its kind
    (`git`, `url`), or the beginning of an address, up to a `/`, `#`, `?`, `@` or `:`. `since`, `until`: bounds, both
    included, of an item's day (see `models.item.DATES`); an item without one does not fit.
    """

    tags: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    doctypes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    where: Mapping[str, str] = field(default_factory=dict)
    toolkits: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None

    def __post_init__(self) -> None:
        for name in ("since", "until"):
            if (day := getattr(self, name)) is not None and not DAY.fullmatch(day):
                raise UsageError(f"{name} takes a day (2026-05-01), a month or a year, not {day}.", f"--{name} 2026-05")

    def __bool__(self) -> bool:
        native = self.tags or self.types or self.doctypes or self.languages or self.paths
        return bool(native or self.go_by_item)

    @property
    def go_by_item(self) -> bool:
        """Whether something is asked that no index has a field for: it is resolved to rows of items."""
        return bool(self.where or self.toolkits or self.categories or self.sources or self.since or self.until)


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
    (`Filters.go_by_item`): the row numbers of items that hold. `item_rows` is None where the native fields say it all.
    """

    filters: Filters
    item_rows: frozenset[int] | None = None
