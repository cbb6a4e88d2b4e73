"""Values as JSON shows them, one form on every surface, and back again; and how many of something, in words."""

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
"""The metadata of a reply's field that stands in its JSON only where it says something."""
EXCLUDED: Mapping[str, Any] = {"exclude": True}
"""The metadata of a reply's field that never stands in its JSON."""


def plain(value: Any) -> Any:
    """Dataclasses, models, tuples and whatever has an `as_object` as JSON values."""
    if hasattr(value, "as_object") or hasattr(value, "model_dump") or is_dataclass(value):
        return plain(jsonable(value))
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value


def encoded(value: Any) -> bytes:
    """The bytes of `--json`: what `plain` gives, as one line of UTF-8, without making it first."""
    return (json.dumps(value, ensure_ascii=False, default=jsonable) + "\n").encode("utf-8", "backslashreplace")


def jsonable(value: Any) -> Any:
    """What JSON does not know as something that it does: the `default` of `json.dumps`, to the bytes of `plain`."""
    if hasattr(value, "as_object"):
        return value.as_object()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if is_dataclass(value) and not isinstance(value, type):
        left_out = _left_out(type(value))
        shown = {name: getattr(value, name) for name in _shown(type(value))}
        return {name: part for name, part in shown.items() if part or name not in left_out}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no value of ours")


@cache
def _shown(kind: Any) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(kind) if entry.metadata != EXCLUDED)


@cache
def _left_out(kind: Any) -> frozenset[str]:
    return frozenset(entry.name for entry in fields(kind) if entry.metadata == LEFT_OUT)


def revived(kind: type[Kind], value: Any) -> Kind:
    """A reply from its JSON value; fields that a newer service adds are let pass. Raises `BadData`.

    What a kind's own `as_object` changes, its class method `from_object` turns back.
    """
    reader: Reader = _reader(kind)  # type: ignore[arg-type]  # a class is hashable
    try:
        made: Kind = reader(value)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadData(f"The answer is no {getattr(kind, '__name__', kind)}.") from error
    return made


@cache
def _reader(kind: Any) -> Reader:
    """What makes a value of a kind from its JSON."""
    if hasattr(kind, "from_object"):
        own: Reader = kind.from_object
        return own
    if hasattr(kind, "model_validate"):
        known = _keys(kind)
        return lambda value: kind.model_validate({key: value[key] for key in value if key in known})
    if is_dataclass(kind):
        return of_record(kind)  # type: ignore[arg-type]  # a class is hashable
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        options = [option for option in inner if option is not NoneType]
        if not any(is_dataclass(option) for option in options):
            return _as_it_is
        return lambda value: None if value is None else _first(options, value)
    if origin is tuple or (isinstance(origin, type) and issubclass(origin, Sequence)):
        read = _reader(inner[0])
        return tuple if read is _as_it_is else lambda value: tuple(map(read, value))
    if isinstance(origin, type) and issubclass(origin, Mapping) and (read := _reader(inner[1])) is not _as_it_is:
        return lambda value: {key: read(part) for key, part in value.items()}
    return _as_it_is


def _keys(kind: Any) -> set[str]:
    """Those of a record or a model of pydantic's."""
    if is_dataclass(kind):
        return {entry.name for entry in fields(kind)}
    return {key for name, entry in kind.model_fields.items() for key in (name, entry.alias)}


@cache
def of_record(kind: Any) -> Reader:
    """What makes a dataclass from its fields as JSON values, whatever its own `from_object` does besides."""
    hints = get_type_hints(kind)
    readers = {entry.name: _reader(hints[entry.name]) for entry in fields(kind)}
    plainly = {name for name, read in readers.items() if read is _as_it_is}

    def read(value: Any) -> Any:
        known = {key: part for key, part in value.items() if key in readers}
        return kind(**{key: part if key in plainly else readers[key](part) for key, part in known.items()})

    return read


def _first(options: Sequence[Any], value: Any) -> Any:
    """The value as the first of several kinds that it fits."""
    for option in options[:-1]:
        try:
            return _reader(option)(value)
        except (KeyError, TypeError, AttributeError):
            continue
    return _reader(options[-1])(value)


def fits(kind: Any, value: Any) -> bool:
    """Whether a revived reply holds what its kind says, down to its texts and numbers: for one from a stranger."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return any(fits(option, value) for option in inner)
    if is_dataclass(kind):
        return isinstance(value, kind) and all(fits(hint, getattr(value, name)) for name, hint in _hints(kind))  # type: ignore[arg-type]  # a class is hashable
    if origin is Literal:  # a newer service may know more words
        return isinstance(value, str)
    if origin is tuple or (isinstance(origin, type) and issubclass(origin, Sequence)):
        return isinstance(value, list | tuple) and all(fits(inner[0], part) for part in value)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(fits(inner[1], part) for part in value.values())
    accepted = _PLAIN.get(kind)
    return accepted is None or (isinstance(value, accepted) and (kind is bool or not isinstance(value, bool)))


_PLAIN: Mapping[Any, tuple[type, ...]] = {
    str: (str,),
    bool: (bool,),
    int: (int,),
    float: (float, int),
    NoneType: (NoneType,),
}


@cache
def _hints(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The fields of a dataclass that its JSON has, with their types."""
    hints = get_type_hints(kind)
    return tuple((entry.name, hints[entry.name]) for entry in fields(kind) if entry.metadata != EXCLUDED)


def _as_it_is(value: Any) -> Any:
    return value


def count(number: int, things: str) -> str:
    """A number of things, named in the plural: `1 run`, `2,000 runs`, `1 entry`."""
    return f"{number:,} {noun(number, things)}"


def noun(number: int, things: str) -> str:
    """The name of so many things, of which the plural is given."""
    if number == 1:
        return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")
    return things
