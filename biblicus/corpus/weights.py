"""Weights: set one, list them, clear them. What they do to a result is the searchers' (`search.weighting`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus import weights_file as stored
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.items import catalog_of
from biblicus.corpus.selection import named
from biblicus.errors import UsageError, WeightNotFound
from biblicus.models.weights import GLOB, GLOBAL, LEAST, MOST, Weight, Weights

_DAY = 86_400
_FURTHEST = 36_500
"""Days."""


@dataclass(frozen=True)
class Listed:
    """A weight with the path of its item, where it is of an item that is there, and whether it has expired."""

    weight: Weight
    path: str | None
    expired: bool

    def as_object(self) -> dict[str, Any]:
        return {**self.weight.model_dump(mode="json"), "path": self.path, "expired": self.expired}


@dataclass(frozen=True)
class Weighted:
    """What became of it: `set`, `changed` or `unchanged`."""

    outcome: str
    weight: Weight

    def as_object(self) -> dict[str, Any]:
        return {"outcome": self.outcome, **self.weight.model_dump(mode="json")}


def set_weight(
    place: CorpusFolder,
    target: str,
    multiplier: float,
    call: Call,
    *,
    namespace: str = GLOBAL,
    ttl_days: float | None = None,
) -> Weighted:
    """Weigh an item (id, unambiguous prefix or path) or the paths that fit a pattern. The last word counts.

    `ttl_days`: it holds for so long, by the call's clock. Raises `UsageError`, `ItemNotFound`.
    """
    if not LEAST <= multiplier <= MOST:
        raise UsageError(f"A multiplier is between {LEAST:g} and {MOST:g}, not {multiplier:g}.", _EXAMPLE)
    if ttl_days is not None and not 0 < ttl_days <= _FURTHEST:
        raise UsageError(f"A weight lives for more than 0 days and at most {_FURTHEST}.", f"{_EXAMPLE} --ttl 30")
    expires = None if ttl_days is None else _moment(call.clock() + ttl_days * _DAY)
    weight = _weight(place, target, multiplier, namespace, expires)
    with place.writing(call):
        known = {one.target: one for one in stored.read(place).weights}
        before = known.get(weight.target)
        if before == weight:
            return Weighted("unchanged", weight)
        known[weight.target] = weight
        stored.write(place, _all(known.values()))
    return Weighted("set" if before is None else "changed", weight)


def list_weights(place: CorpusFolder, call: Call) -> list[Listed]:
    """All weights, by namespace and target."""
    catalog, now = catalog_of(place), call.clock()
    weights = sorted(stored.read(place).weights, key=lambda weight: weight.target)
    return [
        Listed(weight, catalog.paths.get(weight.item) if weight.item else None, not weight.holds(now))
        for weight in weights
    ]


def clear_weights(
    place: CorpusFolder, target: str | None, call: Call, *, namespace: str | None = None, expired: bool = False
) -> list[Weight]:
    """Clear one target's weights, or those of a namespace, or what has expired; without any of these, all. What was
    cleared. Raises `WeightNotFound` where a target has none."""
    with place.writing(call):
        known = stored.read(place).weights
        names = {target, *_ids(place, target)} if target is not None else set()
        gone = [
            weight
            for weight in known
            if (target is None or weight.item in names or weight.pattern == target)
            and (namespace is None or weight.namespace == namespace)
            and (not expired or not weight.holds(call.clock()))
        ]
        if target is not None and not gone:
            raise WeightNotFound(target)
        if gone:
            stored.write(place, Weights(weights=tuple(weight for weight in known if weight not in gone)))
    return gone


_EXAMPLE = "biblicus weight set docs/intro.md 2"


def _weight(place: CorpusFolder, target: str, multiplier: float, namespace: str, expires: str | None) -> Weight:
    own: dict[str, str] = {"pattern": target}
    if not GLOB.search(target):
        own = {"item": named(catalog_of(place), target).item_id}
    try:
        return Weight.model_validate({**own, "multiplier": multiplier, "namespace": namespace, "expires": expires})
    except ValueError as error:
        raise UsageError(
            "A namespace is global or a toolkit's name; a pattern is a glob of paths.", _EXAMPLE
        ) from error


def _all(weights: Sequence[Weight] | Any) -> Weights:
    found = tuple(weights)
    if len(found) > _MOST_WEIGHTS:
        raise UsageError(
            f"There are {_MOST_WEIGHTS} weights, and no more are kept.",
            "weights by kind, in a recipe: biblicus recipes new",
        )
    return Weights(weights=found)


_MOST_WEIGHTS = 500


def _ids(place: CorpusFolder, target: str) -> list[str]:
    """The id of an item that is there; its weight can be cleared by path too."""
    catalog = catalog_of(place)
    path = target.removeprefix("./")
    return [catalog.items[path].item_id] if path in catalog.items else []


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
