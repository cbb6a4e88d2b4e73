"""Description and bounds of request fields, declared once and used by every interface.

A field's `metadata` are the arguments of pydantic's `Field`, from which schemas and validation follow. For Python
callers and the command line, `check` applies the same bounds without pydantic."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar, cast, dataclass_transform

from biblicus.errors import UsageError
from biblicus.models.frozen import dataclass

if TYPE_CHECKING:
    Share = float
else:

    class Share(float):
        """A number from 0 to 1. From JSON, neither strings nor booleans are accepted."""

        @classmethod
        def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
            from pydantic import Field  # lazy: a local request needs no validator

            return handler.generate_schema(Annotated[float, Field(strict=True, ge=0, le=1)])


Default = TypeVar("Default")
JsonObject = dict
"""Reply type without a class of its own."""
TEXT = 2_000
"""Maximum characters of a name, a path or a pattern."""
MANY = 100
"""Maximum entries of a list of texts."""
_LEAP = "([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)"
_MONTHS = "(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8])"
_DATE = f"([0-9]{{4}}-({_MONTHS})|{_LEAP}-02-29)"
_CLOCK = "([01][0-9]|2[0-3])(:[0-5][0-9](:[0-5][0-9]([.][0-9]+)?)?)?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?"
DAY = f"^([0-9]{{4}}(-(0[1-9]|1[0-2]))?|{_DATE})$"
"""Pattern of an existing day, a month or a year."""
MOMENT = f"^{_DATE}(T{_CLOCK})?$"
"""Pattern of an existing day, or a time on it."""
EVERY = "^[1-9][0-9]{0,3}[mhd]$"
"""Pattern of an interval: minutes, hours or days."""
EXECUTOR = r"^(local|ray(://[^\s]+)?)$"
"""Pattern of an executor for builds."""

_FORMS: Mapping[str, str] = {
    r"^[a-z0-9][a-z0-9_-]{0,39}$": "a name of a-z, 0-9, _ and -, at most 40 characters",
    r"^[a-z0-9][a-z0-9_-]{0,63}$": "a name of a-z, 0-9, _ and -, at most 64 characters",
    r"^[a-z0-9-]{1,64}$": "a name of a-z, 0-9 and -, at most 64 characters",
    DAY: "a day (2026-05-01), a month or a year",
    EVERY: "minutes, hours or days (30m, 1h, 7d)",
    EXECUTOR: "local, ray or ray://HOST:PORT",
    MOMENT: "a day or a time (2026-05-01T08:30:00Z)",
    r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$": "a time in UTC (2026-05-01T08:30:00Z)",
    r"^[^/\\\x00-\x1f]+$": "a file's name, without folders",
    r"^[^\x00-\x1f]+$": "text without control characters",
    r"^[^\x00-\x1f\x7f]+$": "text without control characters",
    r"^\.?[A-Za-z0-9][A-Za-z0-9._+-]{0,19}$": "a file's extension",
}
_ONE_OF = re.compile(r"\^\(([\w|]+)\)\$")
_HEX = re.compile(r"\^\[0-9a-f\]\{(\d+)\}\$")


def form(pattern: str) -> str:
    """Describe in words which texts a pattern matches."""
    if listed := _ONE_OF.fullmatch(pattern):
        return f"one of {listed[1].replace('|', ', ')}"
    if digits := _HEX.fullmatch(pattern):
        return f"{digits[1]} digits of 0-9 and a-f"
    return _FORMS.get(pattern, f"text that fits {pattern}")


def worded(problem: Mapping[str, Any]) -> str:
    """Return a validator's message as the rest of a sentence that begins with the field."""
    if problem["type"] == "string_pattern_mismatch":
        return f"it takes {form(problem['ctx']['pattern'])}"
    if problem["type"] in ("dataclass_type", "model_type"):
        return "input should be a mapping"
    message: str = problem["msg"].removeprefix("Value error, ")
    # in the terms of JSON and YAML
    message = message.replace("a valid tuple", "a valid list").replace(" after validation", "")
    if message.startswith("Tuple should"):
        message = f"list{message.removeprefix('Tuple')}"
    return message[:1].lower() + message[1:]


def doc(
    description: str,
    *,
    each: int | None = None,
    choices: Sequence[str] | None = None,
    schema: Mapping[str, Any] | None = None,
    **bounds: Any,
) -> dict[str, Any]:
    """Return a field's metadata.

    `bounds`: `ge`, `gt`, `le`, `lt`, `min_length`, `max_length`, `pattern`, as in pydantic. `each`: maximum characters
    of each text in a list. `choices`: allowed texts. `schema`: additions to its JSON Schema."""
    extra: dict[str, Any] = dict(schema or {})
    if each is not None:
        extra["items"] = {"type": "string", "maxLength": each, **extra.get("items", {})}
        bounds.setdefault("max_length", MANY)
    if choices is not None:
        extra["enum"] = list(choices)
    return {"description": description, **bounds, **({"json_schema_extra": extra} if extra else {})}


def terms(description: str, *, choices: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the metadata of a list of short texts."""
    return doc(description, each=TEXT, schema={"items": {"enum": list(choices)}} if choices else None)


def term(description: str, **bounds: Any) -> dict[str, Any]:
    """Return the metadata of a short text."""
    return doc(description, **{"max_length": TEXT, **bounds})


def option(default: Default, about: str | Mapping[str, Any], **bounds: Any) -> Default:
    """Return a field with a default. `about`: its description, to which `bounds` are added as in `doc`, or metadata."""
    metadata = doc(about, **bounds) if isinstance(about, str) else about
    if default == {}:
        return cast("Default", field(default_factory=dict, metadata=metadata))
    return field(default=default, metadata=metadata)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(field,))
class Request:
    """Base of all requests: unknown fields are refused, a single text becomes a list, bounds are checked.

    A class derived from it is a frozen dataclass; its fields are given by keyword unless they say `kw_only=False`."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid", "defer_build": True}

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    def __post_init__(self) -> None:
        """Check the bounds. Raises `UsageError` that names the field."""
        self._take_lists()
        kind: Any = type(self)
        for entry in _bounded(kind):
            value = getattr(self, entry.name)
            if value is not entry.default and value is not None and (problem := _problem(entry, value)):
                raise UsageError(f"{entry.name} {problem}.")

    def _take_lists(self) -> None:
        kind: Any = type(self)
        for entry in _listed(kind):
            value = getattr(self, entry.name)
            if isinstance(value, str | list):
                object.__setattr__(self, entry.name, (value,) if isinstance(value, str) else tuple(value))


@cache
def _listed(kind: Any) -> list[Field[Any]]:
    return [field for field in fields(kind) if str(field.type).startswith("tuple[str")]


@cache
def _bounded(kind: Any) -> list[Field[Any]]:
    return [field for field in fields(kind) if field.metadata.keys() - {"description"}]


BOUNDS: Mapping[str, tuple[Callable[[float, float], bool], str]] = {
    "ge": (operator.ge, "is at least {}"),
    "gt": (operator.gt, "is above {}"),
    "le": (operator.le, "is at most {}"),
    "lt": (operator.lt, "is below {}"),
}


def _problem(field: Field[Any], value: Any) -> str | None:
    """Return the problem with a value as the end of a sentence, or None."""
    metadata = field.metadata
    least, most = metadata.get("ge"), metadata.get("le")
    if least is not None and most is not None and not least <= value <= most:
        return f"is between {_number(least)} and {_number(most)}, not {_number(value)}"
    for name, (holds, sentence) in BOUNDS.items():
        if (limit := metadata.get(name)) is not None and not holds(value, limit):
            return f"{sentence.format(_number(limit))}, not {_number(value)}"
    if isinstance(value, str | tuple):
        unit = "characters" if isinstance(value, str) else "entries"
        if len(value) > metadata.get("max_length", len(value)):
            return f"has at most {metadata['max_length']} {unit}, not {len(value)}"
        if len(value) < metadata.get("min_length", 0):
            return f"has at least {metadata['min_length']} {unit}" if value else "is empty"
    schema = metadata.get("json_schema_extra", {})
    if isinstance(value, str):
        if (pattern := metadata.get("pattern")) is not None and not re.fullmatch(pattern, value):
            return f"takes {form(pattern)}, not {value[:100]}"
        return _unknown(value, schema)
    if isinstance(value, tuple) and (each := schema.get("items")):
        for entry in value:
            if isinstance(entry, str) and len(entry) > each.get("maxLength", len(entry)):
                return f"holds a text of more than {each['maxLength']} characters"
            if (problem := _unknown(entry, each)) is not None:
                return problem
    return None


def _number(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _unknown(value: Any, schema: Mapping[str, Any]) -> str | None:
    choices = schema.get("enum")
    return None if choices is None or value in choices else f"is one of {', '.join(choices)}, not {value}"


def compact(request: Any) -> dict[str, Any]:
    """Return a request's fields as a JSON object, without defaults."""
    return {field.name: value for field in fields(request) if (value := getattr(request, field.name)) != _usual(field)}


def _usual(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def at_most_one(*names: str) -> dict[str, Any]:
    """Return a schema in which at most one of these fields is given."""
    return {"anyOf": [{"type": "object", **_none_of(key for key in names if key != name)} for name in names]}


def just_one(*names: str) -> dict[str, Any]:
    """Return a schema in which exactly one of these texts is given."""
    schemas = []
    for name in names:
        properties = {name: {"type": "string"}, **_none_of(key for key in names if key != name)["properties"]}
        schemas.append({"type": "object", "required": [name], "properties": properties})
    return {"anyOf": schemas}


def _none_of(names: Iterable[str]) -> dict[str, Any]:
    return {"properties": {name: {"type": "null"} for name in names}}


class NoRequest(Request):
    """Request of a verb without arguments."""


ITEM = term("An item by id, unambiguous id prefix, or path.", min_length=1)
LAYERS = terms("Only items of these layers (any).")
LOCAL_EXCLUDES = doc("Include files that only this machine's git settings exclude (`.git/info/exclude`).")
