"""Weights: stored in `.biblicus/weights.yml`, possibly of an untrusted clone; set, listed and cleared.

`search.weighting` applies them to results."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from biblicus import guards
from biblicus.config import options_of
from biblicus.contracts import Call
from biblicus.corpus.catalog import catalog_of, named
from biblicus.corpus.folder import FOLDER, CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, UnsafeInput, UsageError, WeightNotFound
from biblicus.models.weights import GLOB, GLOBAL, Weight, Weights

if TYPE_CHECKING:
    from biblicus.models.fields import NoRequest
    from biblicus.models.requests.bring import ClearWeightsRequest, WeightRequest

_DAY = 86_400
_MOST_WEIGHTS = 500
WHERE = f"{FOLDER}/weights.yml"
NONE = Weights()
LIMIT = 64 << 10
"""Maximum size in bytes."""
_HEAD = "# What counts more, or less, than its score: biblicus weight --help\n"


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
    if request.multiplier is None:
        (gone, *_) = _cleared(corpus, call, request.target, request.namespace)
        return WeightOutcome("cleared", **gone.model_dump(mode="json"))
    expires = None
    if request.ttl_days is not None:
        end = datetime.fromtimestamp(int(call.clock() + request.ttl_days * _DAY), UTC)
        expires = end.strftime("%Y-%m-%dT%H:%M:%SZ")
    new_weight = _weight(corpus, request.target, request.multiplier, request.namespace, expires)
    with corpus.writing(call):
        by_target = {entry.target: entry for entry in read(corpus).weights}
        before = by_target.get(new_weight.target)
        if before == new_weight:
            return WeightOutcome("unchanged", **new_weight.model_dump())
        by_target[new_weight.target] = new_weight
        if len(by_target) > _MOST_WEIGHTS:
            raise UsageError(
                f"There are {_MOST_WEIGHTS} weights, and no more are kept.",
                "weights by kind, in a recipe: biblicus recipes new",
            )
        write(corpus, Weights(weights=tuple(by_target.values())))
    return WeightOutcome("set" if before is None else "changed", **new_weight.model_dump())


def weights(corpus: CorpusFolder, request: NoRequest, call: Call) -> WeightList:
    """Return all weights, by namespace and target."""
    paths, now = catalog_of(corpus).paths, call.clock()
    return WeightList(
        tuple(
            ListedWeight(
                **entry.model_dump(), path=paths.get(entry.item) if entry.item else None, expired=not entry.holds(now)
            )
            for entry in sorted(read(corpus).weights, key=lambda weight: weight.target)
        )
    )


def clear(corpus: CorpusFolder, request: ClearWeightsRequest, call: Call) -> ClearedWeights:
    """Clear the weights of one target, of a namespace, or expired ones; without these, all. Return the cleared weights.
    Raises `WeightNotFound` if a target has none."""
    return ClearedWeights(_cleared(corpus, call, request.target, request.namespace, expired=request.expired))


def _cleared(
    corpus: CorpusFolder, call: Call, target: str | None, namespace: str | None, *, expired: bool = False
) -> tuple[Weight, ...]:
    with corpus.writing(call):
        stored_weights = read(corpus).weights
        names = {target}
        if target is not None and (item := catalog_of(corpus).items.get(target.removeprefix("./"))) is not None:
            names.add(item.item_id)  # a weight can be cleared by path, too
        gone = tuple(
            weight
            for weight in stored_weights
            if (target is None or weight.item in names or weight.pattern == target)
            and (namespace is None or weight.namespace == namespace)
            and (not expired or not weight.holds(call.clock()))
        )
        if target is not None and not gone:
            raise WeightNotFound(target)
        if gone:
            write(corpus, Weights(weights=tuple(weight for weight in stored_weights if weight not in gone)))
    return gone


def _weight(corpus: CorpusFolder, target: str, multiplier: float, namespace: str, expires: str | None) -> Weight:
    selector = {"pattern": target} if GLOB.search(target) else {"item": named(catalog_of(corpus), target).item_id}
    try:
        return Weight.model_validate({**selector, "multiplier": multiplier, "namespace": namespace, "expires": expires})
    except ValueError as error:
        problem = "A namespace is global or a toolkit's name; a pattern is a glob of paths."
        raise UsageError(problem, "biblicus weight set docs/intro.md 2") from error


class WeightFile:
    """The weights of one corpus, read again if the file changed. Thread-safe."""

    def __init__(self, corpus: CorpusFolder) -> None:
        self._corpus, self._path = corpus, str(corpus.home / "weights.yml")
        self._known: tuple[object, Weights] = (None, NONE)

    def read(self) -> Weights:
        """Return the current weights. Raises `ConfigInvalid`."""
        stamp = files.stamp(self._path, follow=False)
        if stamp != self._known[0]:
            self._known = stamp, read(self._corpus)
        return self._known[1]


def read(corpus: CorpusFolder) -> Weights:
    """Read the weights; none if there is no file. Raises `ConfigInvalid`."""

    path = corpus.home / "weights.yml"
    if not os.path.lexists(path):
        return NONE
    try:
        corpus.refuse_links()
        data = guards.yaml.read(files.read(path, limit=LIMIT).decode())
    except (BadData, UnsafeInput) as error:
        raise ConfigInvalid(WHERE, error.message, f"edit {WHERE}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigInvalid(WHERE, "It cannot be read.", f"ls -l {WHERE}") from error
    values: Any = {} if data is None else data
    return options_of(Weights, values, WHERE, f"edit {WHERE}")


def write(corpus: CorpusFolder, weights: Weights) -> None:
    """Replace the file durably; without weights, delete it. The caller holds the corpus's lock."""

    corpus.refuse_links()
    path = corpus.home / "weights.yml"
    if not weights.weights:
        if os.path.lexists(path):
            files.remove(path, then="biblicus weight list")
        return
    ordered = sorted(weights.weights, key=lambda weight: weight.target)
    files.write(path, (_HEAD + guards.yaml.write({"weights": [_as_data(weight) for weight in ordered]})).encode())


def _as_data(weight: Weight) -> dict[str, object]:
    fields = {name: value for name, value in weight.model_dump().items() if value is not None}
    if weight.namespace == GLOBAL:
        del fields["namespace"]
    return {**fields, "multiplier": f"{weight.multiplier:g}"}
