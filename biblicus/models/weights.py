"""Weights: multipliers of chunk scores by item, path or kind. Immutable.

All weights that match a chunk's item are multiplied. The product is limited to `LEAST` and `MOST`, so no weight can
hide an item or put it above everything."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from functools import cached_property
from typing import Annotated

from biblicus.models.digest import digest
from biblicus.models.frozen import dataclass
from biblicus.models.item import DOCTYPES
from biblicus.models.records import Bounds, Record

LEAST, MOST = 0.1, 10.0
NAMED = 3.0
"""Multiplier for items of a toolkit that the question names."""
GLOBAL = "global"
"""Namespace for every query; any other is a toolkit's, for queries about this toolkit alone."""

Multiplier = Annotated[float, Bounds(ge=LEAST, le=MOST)]
Glob = Annotated[str, Bounds(min_length=1, max_length=1_000)]
Namespace = Annotated[str, Bounds(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$")]
Moment = Annotated[str, Bounds(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")]


@dataclass(frozen=True, kw_only=True)
class Weight(Record):
    """One weight: of an item by its id, or of paths that match a glob. `expires`: UTC."""

    item: Annotated[str, Bounds(min_length=1, max_length=200)] | None = None
    pattern: Glob | None = None
    multiplier: Multiplier
    namespace: Namespace = GLOBAL
    expires: Moment | None = None

    def __post_init__(self) -> None:
        """Check the fields. Raises `ValueError`."""
        if (self.item is None) == (self.pattern is None):
            raise ValueError("a weight is of one item or of one pattern")
        if self.expires is not None:
            datetime.fromisoformat(self.expires)  # it must be an existing date

    @property
    def target(self) -> tuple[str, str, str]:
        """Return its namespace and target, which have at most one weight."""
        return self.namespace, self.item or "", self.pattern or ""

    def holds(self, now: float) -> bool:
        """Return true if it has not expired at `now`, in seconds since the epoch."""
        return self.expires is None or now < datetime.fromisoformat(self.expires).timestamp()


@dataclass(frozen=True, kw_only=True)
class Weights(Record):
    """Content of `.biblicus/weights.yml`."""

    weights: Annotated[tuple[Weight, ...], Bounds(max_length=500)] = ()

    def in_force(self, now: float, toolkits: Sequence[str]) -> tuple[Weight, ...]:
        """Return the valid weights for a query: global ones, and those of its toolkit if it names exactly one."""
        namespaces = {GLOBAL, *(toolkits if len(set(toolkits)) == 1 else ())}
        return tuple(weight for weight in self.weights if weight.namespace in namespaces and weight.holds(now))


Extension = Annotated[str, Bounds(pattern=r"^\.?[A-Za-z0-9][A-Za-z0-9._+-]{0,19}$")]


@dataclass(frozen=True, kw_only=True)
class WeightRules(Record):
    """Weights by kind, in a recipe, each from 0.1 to 10.

    `extensions`: of the file name, with or without the dot, in any case. `doctypes`: by name (paper, readme, code).
    `paths`: globs as in filters.
    """

    extensions: dict[Extension, Multiplier] = field(default_factory=dict)
    doctypes: dict[str, Multiplier] = field(default_factory=dict)
    paths: dict[Glob, Multiplier] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the doctypes. Raises `ValueError`."""
        if unknown := sorted(set(self.doctypes) - set(DOCTYPES)):
            raise ValueError(f"there is no doctype {unknown[0]}; known: {', '.join(DOCTYPES)}")

    def __bool__(self) -> bool:
        return bool(self.extensions or self.doctypes or self.paths)


@dataclass(frozen=True)
class Weighing:
    """All multipliers for one query: a recipe's rules, the valid weights, and the toolkits it names."""

    rules: WeightRules = field(default_factory=WeightRules)
    weights: tuple[Weight, ...] = ()
    toolkits: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.rules or self.weights or self.toolkits)

    @cached_property
    def digest(self) -> str | None:
        """Return a digest of the valid weights, without the recipe's rules; None without any."""
        dumped = sorted(
            json.dumps(weight.model_dump(), ensure_ascii=False, separators=(",", ":")) for weight in self.weights
        )
        return digest(dumped, 12) if dumped else None

    @cached_property
    def key(self) -> str:
        """Return a key of everything that determines a multiplier."""
        return f"{digest(self.rules.model_dump(), 12)}:{self.digest}:{sorted(self.toolkits)}"

    @cached_property
    def by_item(self) -> Mapping[str, float]:
        """Return the product of each item's own weights, by item id."""
        products: dict[str, float] = {}
        for weight in self.weights:
            if weight.item is not None:
                products[weight.item] = products.get(weight.item, 1.0) * weight.multiplier
        return products

    @cached_property
    def by_path(self) -> Sequence[tuple[str, float]]:
        """Return globs with their multipliers."""
        patterns = [(weight.pattern, weight.multiplier) for weight in self.weights if weight.pattern is not None]
        return [*self.rules.paths.items(), *patterns]

    @cached_property
    def by_extension(self) -> Mapping[str, float]:
        return {extension.lower().removeprefix("."): number for extension, number in self.rules.extensions.items()}


def bounded(multiplier: float) -> float:
    """Return a product of weights within the limits."""
    return round(min(MOST, max(LEAST, multiplier)), 6)


GLOB = re.compile(r"[*?\[]|/$")
"""Recognises a pattern as opposed to an item's name."""
