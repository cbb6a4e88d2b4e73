"""The generated part of docs/recipes.md: every key of a recipe and every option of every plug-in, with defaults."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, get_type_hints

from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from biblicus import plugins
from biblicus.models import recipe, weights
from biblicus.models.records import Record
from tools import doctext

BEGIN = "<!-- From here on written by `make docs`, from the models. -->"
END = "<!-- Down to here. -->"
KINDS = {
    "extraction": ("build.extraction", "Extractors, under `build.extraction`"),
    "ocr": ("engine", "Engines of OCR, named by `engine` under `build.extraction.ocr`"),
    "chunking": ("by", "Chunkers, named by `by` under `build.chunking`"),
    "retrieval": ("engine", "Engines, named by `engine` under `build.legs`"),
    "rerank": ("by", "Rerankers, named by `by` under `query.rerank`"),
}
_Model = type[BaseModel] | type[Record]

_SECTIONS: tuple[tuple[str, _Model], ...] = (
    ("", recipe.Recipe),
    ("build.", recipe.Build),
    ("query.", recipe.QuerySection),
    ("query.retrieve.", recipe.Retrieve),
    ("query.retrieve.fusion.", recipe.Fusion),
    ("query.weights.", weights.WeightRules),
    ("query.filter.", recipe.FilterSection),
    ("query.budget.", recipe.BudgetSection),
)


def page(written: str) -> str:
    """The page with its generated part as it is now; what a person wrote around it stays."""
    return doctext.between(written, "docs/recipes.md", BEGIN, END, options())


def options() -> str:
    """Recipe keys, then by kind the plug-ins, each with its purpose, and one table of their options."""
    parts = ["## Every key", "", *_table(list(_recipe_rows())), ""]
    for kind, (_, title) in KINDS.items():
        modules = list(built_in(kind))
        named = [(name, module) for name, module in modules if _fields(plugins.options_class(module))]
        plain = [f"`{name}`" for name, module in modules if (name, module) not in named]
        parts += [f"## {title}", "", *(f"* `{name}`: {_purpose(module)}" for name, module in named), ""]
        parts += ["| of | key | values | default | meaning |", "|---|---|---|---|---|", *_shared_rows(named)]
        parts += [f"| {', '.join(plain)} | no options | | | |", ""] if plain else [""]
    return "\n".join(parts)


def _shared_rows(named: list[tuple[str, ModuleType]]) -> list[str]:
    """One row for each option; plug-ins whose option is the same share it."""
    owners: dict[str, list[str]] = {}
    for name, module in named:
        model = plugins.options_class(module)
        for key in _fields(model):
            owners.setdefault(_row(f"`{key}`", model, key), []).append(f"`{name}`")
    every = len(named)
    return [f"| {'all' if len(names) == every > 1 else ', '.join(names)} {row}" for row, names in owners.items()]


def built_in(kind: str) -> Iterator[tuple[str, ModuleType]]:
    """Our own plug-ins of a kind; those of other distributions are on no page of ours."""
    for name in plugins.names(kind):
        module = plugins.find(kind, name)
        if module.__name__.startswith("biblicus."):
            yield name, module


def keys() -> list[str]:
    """Every key of a recipe, in full."""
    return [f"{prefix}{key}" for prefix, model in _SECTIONS for key in _fields(model)]


def _recipe_rows() -> Iterator[str]:
    for prefix, model in _SECTIONS:
        for key, field in _fields(model).items():
            if not (isinstance(field.annotation, type) and issubclass(field.annotation, Record)):
                yield _row(f"`{prefix}{key}`", model, key)


def _fields(model: Any) -> Mapping[str, FieldInfo]:
    """The fields of a record, or of options that are a model of pydantic's, as pydantic sees them."""
    if not dataclasses.is_dataclass(model):
        known: Mapping[str, FieldInfo] = model.model_fields
        return known
    hints = get_type_hints(model, include_extras=True)
    return {
        field.name: FieldInfo.from_annotated_attribute(hints[field.name], field) for field in dataclasses.fields(model)
    }


def _table(rows: list[str]) -> list[str]:
    return ["| key | values | default | meaning |", "|---|---|---|---|", *rows]


def _row(shown: str, model: _Model, key: str) -> str:
    schema = TypeAdapter(model).json_schema()["properties"][key]
    meaning = doctext.fields(model).get(key, "")
    return f"| {shown} | {_values(schema)} | {_default(model, key)} | {meaning} |"


def _default(model: _Model, key: str) -> str:
    field = _fields(model)[key]
    if field.default_factory is not None:
        return "empty"
    if field.default is PydanticUndefined:
        return "required"
    return f"`{json.dumps(field.default)}`".replace('`"', "`").replace('"`', "`") if field.default != "" else "empty"


def _values(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join("`null`" if part.get("type") == "null" else _values(part) for part in schema["anyOf"])
    if schema.get("type") in ("integer", "number"):
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is not None and high is not None:
            return f"{low} to {high:,}"
        return f"from {low}" if low is not None else "a number"
    if "pattern" in schema:
        return f"`{schema['pattern']}`"
    if schema.get("type") == "array":
        return "a list"
    return {"boolean": "`true`, `false`", "string": "text", "object": "keys and values"}[schema["type"]]


def _purpose(module: ModuleType) -> str:
    """The first sentence of a module's docstring."""
    text = " ".join((module.__doc__ or "").split())
    return re.split(r"(?<=[.])\s", text)[0]
