"""Parameters of the tools: fields of the verb's request, and parameters specific to MCP.

Parameters are flat, and null counts as absent. Schemas are short, since every conversation pays for their tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cache
from typing import Any, Literal

from biblicus.connectors.mcp.paging import MOST_TOKENS, OUTPUT_TOKENS
from biblicus.errors import UsageError
from biblicus.models.fields import Request, option, term, terms
from biblicus.models.requests.items import BATCH
from biblicus.models.requests.query import FILTERS
from biblicus.models.weights import GLOBAL
from biblicus.service.verbs import adapter

_SHARE = "lexical=0.7"


class Own(Request):
    """Parameters that no request has, or that have another form here.

    `corpus` selects the corpus; `detail`, `output_tokens` and `cursor` control the output. `toolkit` is one text;
    `where`, `metadata` and `leg_weights` are texts `name=value`. `where` also accepts the filters without a parameter,
    by name."""

    corpus: str | None = option(None, term(""))
    toolkit: str | None = option(None, term(""))
    where: tuple[str, ...] = option((), terms(""))
    metadata: tuple[str, ...] = option((), terms(""))
    leg_weights: tuple[str, ...] = option((), terms(""))
    detail: Literal["brief", "full"] = "brief"
    output_tokens: int = option(OUTPUT_TOKENS, "", ge=200, le=MOST_TOKENS)
    cursor: str | None = option(None, term(""))


class References(Own):
    """Texts to read. `image`: with images of their pages."""

    items: tuple[str, ...] = field(metadata={**terms(""), "min_length": 1, "max_length": BATCH})
    image: bool = option(False, "")


class Walk(Own):
    """Size of the tree."""

    limit: int = option(200, "", ge=1, le=10_000)


def names_of(kind: Any) -> frozenset[str]:
    """Return the field names of a request class."""
    return frozenset(entry.name for entry in fields(kind))


def completed(request: Any, own: Own) -> Any:
    """Return the request completed with the parameters specific to MCP. Raises `UsageError`."""
    named: dict[str, list[str]] = {}
    rest: list[str] = []
    for text in own.where if own.toolkit is None else (f"toolkit={own.toolkit}", *own.where):
        name, equals, value = text.partition("=")
        if equals and name.strip() in FILTERS and name.strip() != "where":
            named.setdefault(name.strip(), []).append(value)
        else:
            rest.append(text)
    changed: dict[str, Any] = {"where": pairs(rest, "where"), "metadata": pairs(own.metadata, "metadata")}
    if own.leg_weights:
        changed["leg_weights"] = _shares(own.leg_weights)
    for name, values in named.items():
        before = getattr(request, name)
        changed[name] = (*before, *values) if isinstance(before, tuple) else values[-1]
    changed = {name: value for name, value in changed.items() if value}
    return replace(request, **changed) if changed else request


def pairs(texts: Sequence[str], name: str, example: str = "author=Ada") -> dict[str, str]:
    """Parse `name=value` texts. Raises `UsageError`, with `example` as a hint."""
    values = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageError(f'{name} takes "name=value", not "{text[:100]}".', f'{name}: ["{example}"]')
        values[key.strip()] = value
    return values


def _shares(texts: Sequence[str]) -> dict[str, float]:
    """Parse leg weights from `leg=number` texts."""
    try:
        return {leg: float(number) for leg, number in pairs(texts, "leg_weights", _SHARE).items()}
    except ValueError:
        raise UsageError("leg_weights takes numbers.", f'leg_weights: ["{_SHARE}"]') from None


def schema(kinds: Sequence[Any], shown: Mapping[str, str], defaults: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of the parameters `shown` of these classes, with these descriptions.

    Titles, bounds and null types are omitted, as agents do not need them."""
    property_schemas: dict[str, Any] = {}
    required: list[str] = []
    for kind in kinds:
        kind_schema = _whole(kind)
        property_schemas |= kind_schema.get("properties", {})
        required += kind_schema.get("required", ())
    properties = {}
    for name, words in shown.items():
        default = defaults.get(name, property_schemas[name].get("default"))
        properties[name] = _brief({**property_schemas[name], "description": words, "default": default})
    needed = [name for name in shown if name in required and name not in defaults]
    return {"type": "object", "properties": properties, **({"required": needed} if needed else {})}


@cache
def _whole(kind: Any) -> Mapping[str, Any]:
    """Return the full schema of a class. Cached, since every conversation lists the tools."""
    return adapter(kind).json_schema()


_KEPT = ("default", "description", "enum", "items", "type")
_UNSAID: tuple[Any, ...] = (None, [], "", False, GLOBAL)
"""Defaults and descriptions without information."""


def _brief(entry: dict[str, Any]) -> dict[str, Any]:
    kind: dict[str, Any] = next((option for option in entry.get("anyOf", ()) if option != {"type": "null"}), {})
    schema = {key: value for key, value in {**kind, **entry}.items() if key in _KEPT and value not in _UNSAID}
    if "enum" in schema:
        schema.pop("type", None)
    if "items" in schema:
        schema["items"] = {"type": schema["items"]["type"]}
    return schema
