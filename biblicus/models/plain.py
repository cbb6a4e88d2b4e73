"""Convert values to JSON and back, alike for every interface; and format counts in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from biblicus.errors import BadData

Kind = TypeVar("Kind")
Reader = Callable[[Any], Any]

LEFT_OUT: Mapping[str, Any] = {"json_schema_extra": {"x-left-out": True}}
"""Metadata of a reply field that is in the JSON only if it has a value."""
EXCLUDED: Mapping[str, Any] = {"exclude": True}
"""Metadata of a reply field that is never in the JSON."""


def plain(value: Any) -> Any:
    """Convert dataclasses, models, tuples and objects with `as_object` to JSON values."""
    if hasattr(value, "as_object") or hasattr(value, "model_dump") or is_dataclass(value):
        return plain(jsonable(value))
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def encoded(value: Any) -> bytes:
    """Return the bytes of `--json`, equal to those of `plain`, as one line of UTF-8."""
    return (json.dumps(value, ensure_ascii=False, default=jsonable) + "\n").encode("utf-8", "backslashreplace")


def jsonable(value: Any) -> Any:
    """Convert a value that JSON does not support: the `default` function of `json.dumps`."""
    if hasattr(value, "as_object"):
        return value.as_object()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        return shown_fields(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no value of ours")


def shown_fields(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass that are in its JSON, as they are."""
    kind: Any = type(value)
    left_out = _left_out(kind)
    values = {name: getattr(value, name) for name in _shown(kind)}
    return {name: part for name, part in values.items() if part or name not in left_out}


@cache
def _shown(kind: Any) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(kind) if entry.metadata != EXCLUDED)


@cache
def _left_out(kind: Any) -> frozenset[str]:
    return frozenset(entry.name for entry in fields(kind) if entry.metadata == LEFT_OUT)


def made_of(kind: type[Kind], *sources: object, **values: Any) -> Kind:
    """Create a dataclass from `values`, and its other fields from the first source with an attribute of that name."""
    for entry in fields(kind):  # type: ignore[arg-type]  # `type[Kind]` cannot say that it is a dataclass
        if entry.name not in values and (source := next((s for s in sources if hasattr(s, entry.name)), None)):
            values[entry.name] = getattr(source, entry.name)
    return kind(**values)


def revived(kind: type[Kind], value: Any) -> Kind:
    """Create a reply from its JSON value, ignoring fields of a newer service. Raises `BadData`.

    A class with its own `as_object` has a class method `from_object`."""
    reader: Reader = _reader(kind)  # type: ignore[arg-type]  # a class is hashable
    try:
        reply: Kind = reader(value)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadData(f"The answer is no {getattr(kind, '__name__', kind)}.") from error
    return reply


@cache
def _reader(kind: Any) -> Reader:
    """Return a function that creates a value of a type from JSON. It raises `TypeError` for a value of another type."""
    if hasattr(kind, "from_object"):
        reader: Reader = kind.from_object
        return reader
    if hasattr(kind, "model_validate"):
        keys = _keys(kind)
        return lambda value: kind.model_validate({key: value[key] for key in value if key in keys})
    if is_dataclass(kind):
        return of_record(kind)
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        options = [_reader(option) for option in inner]
        return lambda value: _first(options, value)
    if origin is tuple or (isinstance(origin, type) and issubclass(origin, Sequence)):
        read_part = _reader(inner[0])
        return lambda value: tuple(map(read_part, _of(value, list, tuple)))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        read_value = _reader(inner[1])
        return lambda value: {key: read_value(part) for key, part in _of(value, Mapping).items()}
    accepted = (str,) if origin is Literal else _PLAIN.get(kind)  # a newer service may have further words
    return (lambda value: _of(value, *accepted)) if accepted else lambda value: value


_PLAIN: Mapping[Any, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    float: (float, int),
    NoneType: (NoneType,),
}


def _of(value: Any, *kinds: type) -> Any:
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise TypeError(f"{type(value).__name__} is no {kinds[0].__name__}")
    return value


def _keys(kind: Any) -> set[str]:
    if is_dataclass(kind):
        return {entry.name for entry in fields(kind)}
    return {key for name, entry in kind.model_fields.items() for key in (name, entry.alias)}


def _of_record(kind: Any) -> Reader:
    """Return a function that creates a dataclass from its fields as JSON, without its own `from_object`."""
    hints = get_type_hints(kind)
    readers = {entry.name: _reader(hints[entry.name]) for entry in fields(kind)}
    return lambda value: kind(**{key: readers[key](part) for key, part in value.items() if key in readers})


of_record: Callable[[Any], Reader] = cache(_of_record)


def _first(options: Sequence[Reader], value: Any) -> Any:
    """Return the value as the first type that it fits."""
    for read in options[:-1]:
        try:
            return read(value)
        except (KeyError, TypeError, AttributeError):
            continue
    return options[-1](value)


def count(number: int, things: str) -> str:
    """Return a number with its noun, given in the plural: `1 run`, `2,000 runs`, `1 entry`."""
    return f"{number:,} {noun(number, things)}"


def noun(number: int, things: str) -> str:
    """Return the noun for a number of things; the plural is given."""
    if number == 1:
        return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")
    return things
