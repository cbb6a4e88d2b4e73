"""Weights: set, list and clear them. `search.weighting` applies them to results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from biblicus.contracts import Call
from biblicus.corpus import weights_file as stored
from biblicus.corpus.catalog import catalog_of, named
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UsageError, WeightNotFound
from biblicus.models.fields import NoRequest
from biblicus.models.requests.bring import ClearWeightsRequest, WeightRequest
from biblicus.models.weights import GLOB, Weight, Weights

_DAY = 86_400


@dataclass(frozen=True, kw_only=True)
class ListedWeight:
    """A weight of an `item` (by id) or a `pattern`. `path`: of the item, if it exists. `expires`: UTC."""

    item: str | None
    pattern: str | None
    multiplier: float
    namespace: str
    expires: str | None
    path: str | None
    expired: bool


@dataclass(frozen=True)
class WeightList:
    """All weights, by namespace and target."""

    weights: tuple[ListedWeight, ...]


@dataclass(frozen=True)
class WeightOutcome:
    """Result of a change: the weight as it is, or was before clearing. `expires`: UTC."""

    outcome: Literal["set", "changed", "unchanged", "cleared"]
    item: str | None
    pattern: str | None
    multiplier: float
    namespace: str
    expires: str | None


@dataclass(frozen=True)
class ClearedWeights:
    """The cleared weights."""

    cleared: tuple[Weight, ...]


def weight(corpus: CorpusFolder, request: WeightRequest, call: Call) -> WeightOutcome:
    """Set the weight of an item (id, unambiguous prefix or path) or of paths that match a pattern.

    A later weight replaces an earlier one; without a multiplier the weight is cleared. `ttl_days`: lifetime by the
    call's clock. Raises `UsageError`, `ItemNotFound`, `WeightNotFound`."""
    target, multiplier, namespace, ttl_days = request.target, request.multiplier, request.namespace, request.ttl_days
    if multiplier is None:
        gone = clear(corpus, ClearWeightsRequest(target, namespace=namespace), call).cleared
        return WeightOutcome("cleared", **gone[0].model_dump(mode="json"))
    expires = None if ttl_days is None else _moment(call.clock() + ttl_days * _DAY)
    new_weight = _weight(corpus, target, multiplier, namespace, expires)
    with corpus.writing(call):
        by_target = {entry.target: entry for entry in stored.read(corpus).weights}
        before = by_target.get(new_weight.target)
        if before == new_weight:
            return WeightOutcome("unchanged", **new_weight.model_dump())
        by_target[new_weight.target] = new_weight
        stored.write(corpus, _all(by_target.values()))
    return WeightOutcome("set" if before is None else "changed", **new_weight.model_dump())


def weights(corpus: CorpusFolder, request: NoRequest, call: Call) -> WeightList:
    """Return all weights, by namespace and target."""
    catalog, now = catalog_of(corpus), call.clock()
    sorted_weights = sorted(stored.read(corpus).weights, key=lambda weight: weight.target)
    return WeightList(
        tuple(
            ListedWeight(
                **weight.model_dump(),
                path=catalog.paths.get(weight.item) if weight.item else None,
                expired=not weight.holds(now),
            )
            for weight in sorted_weights
        )
    )


def clear(corpus: CorpusFolder, request: ClearWeightsRequest, call: Call) -> ClearedWeights:
    """Clear the weights of one target, of a namespace, or expired ones; without these, all. Return the cleared weights.
    Raises `WeightNotFound` if a target has none."""
    target, namespace, expired = request.target, request.namespace, request.expired
    with corpus.writing(call):
        stored_weights = stored.read(corpus).weights
        names = {target, *_ids(corpus, target)} if target is not None else set()
        gone = [
            weight
            for weight in stored_weights
            if (target is None or weight.item in names or weight.pattern == target)
            and (namespace is None or weight.namespace == namespace)
            and (not expired or not weight.holds(call.clock()))
        ]
        if target is not None and not gone:
            raise WeightNotFound(target)
        if gone:
            stored.write(corpus, Weights(weights=tuple(weight for weight in stored_weights if weight not in gone)))
    return ClearedWeights(tuple(gone))


_EXAMPLE = "biblicus weight set docs/intro.md 2"


def _weight(corpus: CorpusFolder, target: str, multiplier: float, namespace: str, expires: str | None) -> Weight:
    selector: dict[str, str] = {"pattern": target}
    if not GLOB.search(target):
        selector = {"item": named(catalog_of(corpus), target).item_id}
    try:
        return Weight.model_validate({**selector, "multiplier": multiplier, "namespace": namespace, "expires": expires})
    except ValueError as error:
        raise UsageError(
            "A namespace is global or a toolkit's name; a pattern is a glob of paths.", _EXAMPLE
        ) from error


def _all(weights: Sequence[Weight] | Any) -> Weights:
    entries = tuple(weights)
    if len(entries) > _MOST_WEIGHTS:
        raise UsageError(
            f"There are {_MOST_WEIGHTS} weights, and no more are kept.",
            "weights by kind, in a recipe: biblicus recipes new",
        )
    return Weights(weights=entries)


_MOST_WEIGHTS = 500


def _ids(corpus: CorpusFolder, target: str) -> list[str]:
    """Return the id of an existing item; its weight can be cleared by path too."""
    catalog = catalog_of(corpus)
    path = target.removeprefix("./")
    return [catalog.items[path].item_id] if path in catalog.items else []


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
