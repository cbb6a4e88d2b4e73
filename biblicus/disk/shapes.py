"""Shapes of JSON values: what a file that Biblicus keeps for itself holds. What another version wrote, in another
shape, is told from it by this."""

from __future__ import annotations

import json
from types import UnionType
from typing import Any

Shape = Any
"""A type, or a union of some; `[shape]`: a list of such; a tuple of shapes: a list of just these; `{str: shape}`: an
object of such, by any name; `{"name": shape}`: an object with just these names, of which those that end with `?` may
lack."""

VERSION = "version"
"""Of an object's form, in the object: absent for the first."""


def fits(value: Any, shape: Shape) -> bool:
    """Whether a value is of a shape."""
    if isinstance(shape, type | UnionType):
        return isinstance(value, shape)
    if isinstance(shape, tuple):
        return isinstance(value, list) and len(value) == len(shape) and all(map(fits, value, shape))
    if isinstance(shape, list):
        return isinstance(value, list) and _all_fit(value, shape[0])
    if not isinstance(value, dict):
        return False
    if (every := shape.get(str)) is not None:
        return _all_fit(list(value.values()), every)
    named = {name.removesuffix("?"): part for name, part in shape.items()}
    needed = {name for name in shape if not name.endswith("?")}
    return needed <= value.keys() <= named.keys() and all(fits(part, named[name]) for name, part in value.items())


def _all_fit(values: list[Any], shape: Shape) -> bool:
    if isinstance(shape, type):  # of many values at once
        return all(issubclass(kind, shape) for kind in set(map(type, values)))
    return all(fits(value, shape) for value in values)


def read(body: bytes | None, shape: Shape, version: int | None = 1) -> Any:
    """The object of this version (None: of any, which it still says) and shape; None where it is another, or none."""
    if body is None:
        return None
    try:
        value = json.loads(body.decode())
    except (ValueError, RecursionError):
        return None
    if version is not None and isinstance(value, dict) and value.pop(VERSION, 1) != version:
        return None
    return value if fits(value, shape) else None
