"""Queries, and the filters that they share with lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, fields
from typing import Any

from biblicus.errors import UsageError
from biblicus.models.fields import DAY, MANY, Request, Share, compact, doc, option, term, terms
from biblicus.models.item import DOCTYPES

LIMIT = 1_000
"""Maximum pieces of evidence, or items in a page (`k_max`)."""
QUESTION = 100_000
"""Maximum characters of a question."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_NAMED_RECIPE = {"pattern": r"^[a-z0-9][a-z0-9_-]{0,39}$"}


class Filters(Request):
    """Filters of items for lists and queries. Empty means no restriction.

    `tag` and `where` must match completely; of each other filter one entry suffices. Paths are globs, `*` within a
    folder, `**` across folders. A source is given by its name, its kind (`git`, `url`), or the beginning of an address,
    up to a `/`, `#`, `?`, `@` or `:`. `since` and `until` limit an item's day (`models.item.DATES`), both included; an
    undated item does not match."""

    tag: tuple[str, ...] = option((), terms("Only items with all of these tags."))
    type: tuple[str, ...] = option((), terms("Only these types (any): pdf, docx, text/markdown, text/*."))
    doctype: tuple[str, ...] = option((), terms(f"Only these doctypes (any): {', '.join(DOCTYPES)}.", choices=DOCTYPES))
    language: tuple[str, ...] = option((), terms("Only these languages (any): en, de, …."))
    path: tuple[str, ...] = option((), terms("Only paths that match one of these globs: notes, notes/*.pdf, **/*.pdf."))
    where: Mapping[str, str] = option({}, "Only items with all of this metadata.")
    toolkit: tuple[str, ...] = option((), terms("Only items of these toolkits (any)."))
    category: tuple[str, ...] = option((), terms("Only items of these categories (any)."))
    source: tuple[str, ...] = option(
        (), terms("Only items of these sources (any): a name, a kind (git, url), an address's beginning.")
    )
    layer: tuple[str, ...] = option((), terms("Only items approved for one of these layers."))
    since: str | None = option(None, "Only items from this day, month or year on: 2026-05-01, 2026.", pattern=DAY)
    until: str | None = option(None, "Only items up to this day, month or year.", pattern=DAY)

    hash: tuple[str, ...] = option(
        (),
        "Only items whose bytes, or normalised text, have one of these digests: sha256:….",
        max_length=MANY,
        schema={"items": {"type": "string", "pattern": "^(sha256:)?[0-9A-Fa-f]{64}$"}},
    )

    def __post_init__(self) -> None:
        for name in ("since", "until"):
            if (day := getattr(self, name)) is not None and not re.fullmatch(DAY, day):
                raise UsageError(f"{name} takes a day (2026-05-01), a month or a year, not {day}.", f"--{name} 2026-05")
        self._take_lists()
        for name in self.doctype:
            if name not in DOCTYPES:
                raise UsageError(f"There is no doctype {name}; known: {', '.join(DOCTYPES)}.")
        super().__post_init__()
        object.__setattr__(self, "language", tuple(code.lower() for code in self.language))
        object.__setattr__(self, "hash", tuple(_digest(text) for text in self.hash))

    @property
    def filters(self) -> Filters:
        """Return only the filters."""
        if type(self) is Filters:
            return self
        return Filters(**{name: getattr(self, name) for name in FILTERS}) if self.restricts else NO_FILTERS

    @property
    def restricts(self) -> bool:
        """Return true if any filter is set."""
        return any(getattr(self, name) for name in FILTERS)

    @property
    def by_item(self) -> bool:
        """Return true if a filter without an index field is set; it is resolved to rows of items."""
        return any(getattr(self, name) for name in FILTERS if name not in INDEXED)


def _digest(text: str) -> str:
    """Return a digest in its normal form. Raises `UsageError`."""
    digits = text.lower().removeprefix("sha256:")
    if not _SHA256.fullmatch(digits):
        raise UsageError(f"hash takes sha256: and 64 hex digits, not {text[:100]}.", "biblicus show ITEM")
    return f"sha256:{digits}"


FILTERS = tuple(entry.name for entry in fields(Filters))
NO_FILTERS = Filters()
"""Filters that restrict nothing; the most common value."""
INDEXED = frozenset({"tag", "type", "doctype", "language", "path"})
"""Filters with an index field."""


def filters_of(request: Filters) -> dict[str, Any]:
    """Return the filters that are set, as a JSON object."""
    return compact(request.filters)


class QueryRequest(Filters):
    """Ask a question and get evidence: exact text with its source, line or page, and score."""

    query: str = field(
        kw_only=False,
        metadata=doc(
            'The question, in natural words or keywords; "quoted words" must stand together.',
            max_length=QUESTION,
            schema={"pattern": r"\S"},
        ),
    )
    limit: int | None = option(None, "Maximum number of results. Default: the recipe's, usually 10.", ge=1, le=LIMIT)
    max_tokens: int | None = option(
        None, "Maximum tokens of all texts together (estimate). Default: the recipe's, usually 4000.", ge=1
    )
    max_characters: int | None = option(None, "Maximum characters of all texts together.", ge=1)
    max_per_source: int | None = option(
        None, "Maximum number of results from one item. Default: the recipe's, usually 3.", ge=1
    )
    threshold: float | None = option(
        None, "Share of the question (0 to 1) that the best result must cover. Default: the recipe's.", ge=0, le=1
    )
    recipe: str | None = option(
        None, term("The recipe to rank with, by name. Default: the corpus's.", schema=_NAMED_RECIPE)
    )
    run: str | None = option(None, term("A run, by id. Not together with a recipe."))
    publication: str | None = option(
        None, term("A publication, by name: search what was approved when it was sealed.", schema=_NAMED_RECIPE)
    )
    leg_weights: Mapping[str, Share] = option(
        {}, "The weight of a leg of the recipe in this query, 0 to 1: lexical=0.7. The other legs share the rest."
    )

    @property
    def question(self) -> QueryRequest:
        """Return the query without parameters for using its evidence."""
        if type(self) is QueryRequest:
            return self
        return QueryRequest(**{entry.name: getattr(self, entry.name) for entry in fields(QueryRequest)})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recipe is not None and self.run is not None:
            raise UsageError("Give a recipe or a run, not both.", "biblicus query TEXT --run ID")
        if self.publication is not None and (self.recipe is not None or self.run is not None):
            raise UsageError("A publication has its run and its recipe.", "biblicus query TEXT --publication NAME")
        for leg, weight in self.leg_weights.items():
            if not 0 <= weight <= 1:
                raise UsageError(f"A leg's weight is between 0 and 1, not {weight:g} for {leg}.", f"--weight {leg}=0.7")
