"""Search space of `tune`: axes of values as typed on the command line, and settings drawn from them.

retrieve.candidates=20,50,100             the given values
retrieve.fusion.weights.vector=0..1:0.1   from 0 to 1 in steps of 0.1
retrieve.legs=[lexical],[lexical, vector] values may be lists, mappings, null
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from math import prod
from typing import Any

from biblicus.errors import BadData, UsageError
from biblicus.guards import yaml

Settings = Mapping[str, Any]
"""Values by dotted recipe key, as in YAML: texts, None, lists and mappings."""

STEPS = 5
"""Number of grid values for a range without a step."""
_EVERY = 10
"""Maximum length of an integer range without a step that is enumerated."""
_MOST = 10_000
_NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?::({_NUMBER}))?")
HINT = "biblicus tune DATASET --recipe NAME --over retrieve.candidates=20,50,100"


@dataclass(frozen=True)
class Axis:
    """A key with its values. `bounds`: of a range without a step, for random search."""

    key: str
    values: tuple[Any, ...]
    bounds: tuple[Decimal, Decimal] | None = None

    def draw(self, draws: random.Random) -> Any:
        """Return a random value: uniform over the range, or one of the values."""
        if self.bounds is None:
            return draws.choice(self.values)
        low, high = self.bounds
        if _is_whole(low, high):
            return str(draws.randint(int(low), int(high)))
        return f"{draws.uniform(float(low), float(high)):.4g}"


def parse(text: str) -> Axis:
    """Parse `KEY=V1,V2,…` or `KEY=LOW..HIGH[:STEP]`. Raises `UsageError`."""
    key, equals, values_text = text.partition("=")
    key, values_text = key.strip(), values_text.strip()
    if not equals or not values_text or not re.fullmatch(r"[\w-]+(\.[\w-]+)*", key):
        raise UsageError(f'"{text[:80]}" is not KEY=V1,V2,… or KEY=LOW..HIGH:STEP.', HINT)
    match = _RANGE.fullmatch(values_text)
    if match:
        return _range(key, Decimal(match[1]), Decimal(match[2]), Decimal(match[3]) if match[3] else None)
    try:
        values = yaml.read(f"[{values_text}]")
    except BadData as error:
        raise UsageError(f"The values of {key} cannot be read: {error.message}", HINT) from error
    if not isinstance(values, list) or not values:
        raise UsageError(f"{key} has no values.", HINT)
    distinct = [value for n, value in enumerate(values) if value not in values[:n]]
    return Axis(key, tuple(distinct))


def _range(key: str, low: Decimal, high: Decimal, step: Decimal | None) -> Axis:
    if high <= low or (step is not None and step <= 0):
        raise UsageError(f"The range of {key} goes from the lower to the higher number, by a step above 0.", HINT)
    bounds = (low, high) if step is None else None
    if step is None:
        step = Decimal(1) if _is_whole(low, high) and high - low <= _EVERY else (high - low) / (STEPS - 1)
    count = int((high - low) / step) + 1
    if count > _MOST:
        raise UsageError(f"The range of {key} has {count:,} values.", HINT)
    values = [low + step * n for n in range(count)]
    if bounds and _is_whole(low, high):
        values = [value.to_integral_value() for value in values]
    return Axis(key, tuple(dict.fromkeys(f"{value.normalize():f}" for value in values)), bounds)


def _is_whole(*numbers: Decimal) -> bool:
    return all(number == number.to_integral_value() and "." not in str(number) for number in numbers)


def size(axes: Sequence[Axis]) -> int:
    """Return the number of settings in the grid."""
    return prod(len(axis.values) for axis in axes)


def grid(axes: Sequence[Axis]) -> list[Settings]:
    """Return every combination; the last axis varies fastest."""
    return [
        dict(zip([axis.key for axis in axes], values, strict=True)) for values in product(*(a.values for a in axes))
    ]


def sample(axes: Sequence[Axis], count: int, seed: int) -> list[Settings]:
    """Return at most `count` distinct random combinations."""
    draws = random.Random(seed)
    chosen: list[Settings] = []
    for _ in range(count * 20):
        if len(chosen) == count:
            break
        drawn = {axis.key: axis.draw(draws) for axis in axes}
        if drawn not in chosen:
            chosen.append(drawn)
    return chosen


def words(settings: Settings) -> str:
    """Return settings as typed on the command line."""
    return ", ".join(f"{key}={_value(value)}" for key, value in settings.items()) or "(as it stands)"


def _value(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_value(part)}" for key, part in value.items()) + "}"
    return str(value)
