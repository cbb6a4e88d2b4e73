"""Records: frozen dataclasses read from files and validated by their own declaration.

Values that are plainly right are accepted directly. Anything else is left to pydantic with the same declaration, which
converts values or describes the problem. So a query over valid files imports no validator."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin, get_type_hints

from biblicus.models.fields import BOUNDS
from biblicus.models.frozen import dataclass

_UNDERSTOOD = {*BOUNDS, "min_length", "max_length", "pattern", "alias", "description", "json_schema_extra"}
Read = Callable[[Any], Any]
"""Accepts a value from JSON or YAML; raises `ValueError` if it is not plainly right."""


class Bounds:
    """Bounds of a part of a field's type: `dict[str, Annotated[int, Bounds(ge=1)]]`.
    `bounds` are named as in `fields.doc`; `check` returns the value or raises `ValueError`."""

    __is_annotated_types_grouped_metadata__ = True  # pydantic expands it because of this attribute

    def __init__(self, check: Read | None = None, **bounds: Any) -> None:
        self.check, self.bounds = check, bounds

    def __iter__(self) -> Iterator[Any]:
        from pydantic import AfterValidator, Field  # lazy: valid data needs no validator

        yield from Field(**self.bounds).metadata
        if self.check is not None:
            yield AfterValidator(self.check)


class Record:
    """Base of all records; its methods are named as on pydantic models, which plug-in options may be too."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid", "defer_build": True}

    @classmethod
    def model_validate(cls, data: Any) -> Self:
        """Create a record from its JSON or YAML value. Raises pydantic's `ValidationError`."""
        kind: Any = cls
        try:
            record: Self = plainly(kind)(data)
        except (ValueError, OverflowError):
            record = _judge(kind)(data)
        return record

    def model_dump(self, *, mode: Literal["python", "json"] = "python") -> dict[str, Any]:
        """Return its fields as JSON values, in either mode."""
        kind: Any = type(self)
        return {name: _dumped(getattr(self, name)) for name in _names(kind)}


@dataclass(frozen=True, kw_only=True, eq=False)
class Chosen(Record):
    """A user's setting that names a plug-in. `options`: its other keys, checked by the plug-in.
    They may be secret and are never shown."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {**Record.__pydantic_config__, "extra": "allow"}

    by: str

    @property
    def options(self) -> dict[str, Any]:
        kind: Any = type(self)
        return {name: value for name, value in vars(self).items() if name not in _names(kind)}


@cache
def _judge(kind: Any) -> Read:
    """Return pydantic's reader, whose messages do not contain the input, since it may be secret."""
    from pydantic import ConfigDict, RootModel  # lazy, as above

    class Judged(RootModel[kind]):
        model_config = ConfigDict(hide_input_in_errors=True)

    return lambda data: Judged.model_validate(data).root


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _dumped(value: Any) -> Any:
    if isinstance(value, Record):
        return value.model_dump()
    if isinstance(value, dict):
        return {key: _dumped(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_dumped(part) for part in value]
    return value


@cache
def plainly(kind: Any) -> Read:
    """Return a fast reader of a dataclass from JSON. Classes with arbitrary keys are left to pydantic."""
    hints = get_type_hints(kind, include_extras=True)
    readers: dict[str, tuple[str, Read]] = {}
    required = set()
    for field in fields(kind):
        key = field.metadata.get("alias", field.name)
        readers[key] = field.name, _bounded(_reader(hints[field.name]), field.metadata)
        if field.default is MISSING and field.default_factory is MISSING:
            required.add(key)
    is_open = issubclass(kind, Record) and kind.__pydantic_config__["extra"] == "allow"

    def read(data: Any) -> Any:
        if is_open or type(data) is not dict or not data.keys() >= required:
            raise ValueError
        values = {}
        for key, value in data.items():
            if key not in readers:
                raise ValueError
            name, read_value = readers[key]
            values[name] = read_value(value)
        return kind(**values)

    return read


def _reader(hint: Any) -> Read:
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return _as_it_is
    if hint in _PLAIN:
        return _PLAIN[hint]
    if origin is Annotated:
        read = _reader(inner[0])
        for bounds in inner[1:]:
            read = _bounded(read, bounds.bounds, bounds.check)
        return read
    if origin is Literal:
        return _one_of(inner)
    if origin in (Union, UnionType):
        return _either([_reader(part) for part in inner])
    if origin in (dict, Mapping):
        return _mapping(_reader(inner[0]), _reader(inner[1]))
    if origin is list or (origin is tuple and inner[1:] == (...,)):
        return _sequence(origin, _reader(inner[0]))
    if is_dataclass(hint):
        kind: Any = hint
        return plainly(kind)
    return _refused


def _bounded(read: Read, bounds: Mapping[str, Any], check: Read | None = None) -> Read:
    if bounds.keys() - _UNDERSTOOD:
        return _refused
    tests = [(holds, bounds[name]) for name, (holds, _) in BOUNDS.items() if name in bounds]
    least, most, pattern = bounds.get("min_length", 0), bounds.get("max_length"), bounds.get("pattern")
    if not tests and not least and most is None and pattern is None and check is None:
        return read

    def within(value: Any) -> Any:
        value = read(value)
        if value is None:
            return value
        if not all(holds(value, limit) for holds, limit in tests):
            raise ValueError
        if (least and len(value) < least) or (most is not None and len(value) > most):
            raise ValueError
        if pattern is not None and not re.fullmatch(pattern, value):
            raise ValueError
        return value if check is None else check(value)

    return within


def _refused(value: Any) -> Any:
    raise ValueError


def _as_it_is(value: Any) -> Any:
    return value


def _exactly(kind: type) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError
        return value

    return read


def _text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError
    value.encode()  # a lone surrogate is no valid text
    return value


def _number(value: Any) -> float:
    if type(value) is float or type(value) is int:
        return float(value)
    raise ValueError


_PLAIN: Mapping[Any, Read] = {**{kind: _exactly(kind) for kind in (int, bool, NoneType)}, float: _number, str: _text}


def _one_of(known: Sequence[Any]) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not str or value not in known:
            raise ValueError
        return value

    return read


def _either(options: Sequence[Read]) -> Read:
    def read(value: Any) -> Any:
        for option in options:
            try:
                return option(value)
            except ValueError:
                continue
        raise ValueError

    return read


def _mapping(read_key: Read, read_value: Read) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise ValueError
        return {read_key(key): read_value(part) for key, part in value.items()}

    return read


def _sequence(kind: Callable[[list[Any]], Any], read_one: Read) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not list and type(value) is not kind:
            raise ValueError
        return kind([read_one(part) for part in value])

    return read


@dataclass(frozen=True, kw_only=True)
class NoOptions(Record):
    """Options of a plug-in without options."""
