"""Search space of `tune`: values of recipe keys as typed on the command line, and their combinations.

retrieve.candidates=20,50,100             the given values
retrieve.fusion.weights.vector=0..1:0.1   from 0 to 1 in steps of 0.1
retrieve.legs=[lexical],[lexical, vector] values may be lists, mappings, null
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple

from biblicus.errors import BadData, UsageError
from biblicus.guards import yaml

Settings = Mapping[str, Any]
"""Values by dotted recipe key, as in YAML: texts, None, lists and mappings."""

LIMIT = 200
"""Maximum number of combinations."""
_NUMBER = r"-?\d{1,9}(?:\.\d{1,9})?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER}):({_NUMBER})")
HINT = "biblicus tune DATASET --recipe NAME --over retrieve.candidates=20,50,100"


class Axis(NamedTuple):
    """A key with its values."""

    key: str
    values: tuple[Any, ...]


def parse(text: str) -> Axis:
    """Parse `KEY=V1,V2,…` or `KEY=LOW..HIGH:STEP`. Raises `UsageError`."""
    key, equals, values_text = text.partition("=")
    key, values_text = key.strip(), values_text.strip()
    if not equals or not values_text or not re.fullmatch(r"[\w-]+(\.[\w-]+)*", key):
        raise UsageError(f'"{text[:80]}" is not KEY=V1,V2,… or KEY=LOW..HIGH:STEP.', HINT)
    match = _RANGE.fullmatch(values_text)
    if match:
        return _range(key, *map(Decimal, match.groups()))
    try:
        values = yaml.read(f"[{values_text}]")
    except BadData as error:
        raise UsageError(f"The values of {key} cannot be read: {error.message}", HINT) from error
    if not isinstance(values, list) or not values:
        raise UsageError(f"{key} has no values.", HINT)
    distinct = [value for n, value in enumerate(values) if value not in values[:n]]
    return Axis(key, tuple(distinct))


def _range(key: str, low: Decimal, high: Decimal, step: Decimal) -> Axis:
    if high <= low or step <= 0 or (high - low) / step >= LIMIT:
        problem = f"The range of {key} goes from the lower to the higher number, in less than {LIMIT} steps above 0."
        raise UsageError(problem, HINT)
    values = [low + step * n for n in range(int((high - low) / step) + 1)]
    return Axis(key, tuple(f"{value.normalize():f}" for value in values))


def grid(axes: Sequence[Axis]) -> list[Settings]:
    """Return every combination; the last axis varies fastest."""
    keys = [axis.key for axis in axes]
    return [dict(zip(keys, values, strict=True)) for values in product(*(axis.values for axis in axes))]


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
