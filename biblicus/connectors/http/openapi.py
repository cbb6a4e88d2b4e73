"""The OpenAPI document as 3.1, and the same as 3.0.3 for clients that need it."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from fastapi import FastAPI

from biblicus.connectors.http.gate import OPEN, writes
from biblicus.connectors.http.problems import MEDIA_TYPE
from biblicus.models.replies import Problem

_PROBLEM = {"schema": {"$ref": "#/components/schemas/Problem"}}
_SAID = {
    400: "The request's own words are off.",
    401: "No valid token.",
    403: "The token does not reach that far, or the corpus may not be changed.",
    404: "What was named does not exist.",
    408: "The body took too long to come.",
    409: "The corpus already holds it, or a check did not pass.",
    410: "The event log does not go on from that cursor.",
    413: "The body is too large.",
    415: "The body is of a type that is not read here.",
    421: "Not a host name of this service.",
    422: "The document is not what it should be.",
    429: "Too many wait already; nothing was done.",
    500: "Something unexpected; the trace id finds it in the log.",
    503: "Something needed is not there for now, or the deadline passed.",
}
_HEADERS = {
    401: {"WWW-Authenticate": {"schema": {"type": "string"}}},
    429: {"Retry-After": {"schema": {"type": "integer"}}},
    503: {"Retry-After": {"schema": {"type": "integer"}}},
}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": said, "content": {MEDIA_TYPE: _PROBLEM}, "headers": _HEADERS.get(status, {})}
    for status, said in _SAID.items()
}
"""What every route may answer where it fails."""

_INDEX_VERSION = {
    "Index-Version": {
        "description": "What a bare query would be answered from; of a query: what it was answered from.",
        "schema": {"type": "string"},
    }
}


def documented(status: int, model: Any, description: str = "") -> dict[int | str, dict[str, Any]]:
    """A route's own answer."""
    said = description or " ".join((getattr(model, "__doc__", None) or "The answer.").split())
    return {status: {"model": model, "description": said, "headers": _INDEX_VERSION}}


def document(app: FastAPI) -> dict[str, Any]:
    """OpenAPI 3.1: the framework's, with our problems for its own, and the scopes."""
    from fastapi.openapi.utils import get_openapi  # the framework's function, without its cache

    found: dict[str, Any] = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes, openapi_version="3.1.0"
    )
    components = found.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schemas["Problem"].pop("$defs", {}))
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "From `biblicus token new`."}
    }
    for path, operations in found["paths"].items():
        for operation in operations.values():
            operation["security"] = [] if path in OPEN else [{"token": []}]
            if path not in OPEN:
                operation["x-scope"] = "ingest" if writes(path) else "read"
    return found


def as_3_0(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same document as OpenAPI 3.0.3: what 3.1 says by JSON Schema's newer words, in the older ones."""
    made: dict[str, Any] = _older(deepcopy(dict(found)))
    made["openapi"] = "3.0.3"
    return made


def _older(value: Any) -> Any:
    if isinstance(value, list):
        return [_older(part) for part in value]
    if not isinstance(value, dict):
        return value
    made = {key: _older(part) for key, part in value.items()}
    return _older_schema(made) if _is_schema(made) else made


def _is_schema(value: Mapping[str, Any]) -> bool:
    """Whether an object is a schema, as far as the words that changed are concerned."""
    kind = value.get("type")
    of_schema = isinstance(kind, str | list) and not {"in", "scheme"} & value.keys()
    return of_schema or any(isinstance(value.get(key), list) for key in ("anyOf", "oneOf", "allOf")) or "const" in value


def _older_schema(made: dict[str, Any]) -> dict[str, Any]:
    kinds = made.get("type")
    if kinds == "null":  # 3.0 has no such type: a value that is nothing else
        return {**{key: part for key, part in made.items() if key != "type"}, "nullable": True, "enum": [None]}
    if isinstance(kinds, list):
        rest = [kind for kind in kinds if kind != "null"]
        made.pop("type")
        made |= {"type": rest[0]} if len(rest) == 1 else {"anyOf": [{"type": kind} for kind in rest]}
        if len(rest) < len(kinds):
            made["nullable"] = True
    if "const" in made:
        made["enum"] = [made.pop("const")]
    for key in ("anyOf", "oneOf"):
        options: list[dict[str, Any]] = made.get(key) or []
        nulls = [part for part in options if part.get("enum") == [None]]
        if nulls:
            rest = [part for part in options if part not in nulls]
            made.pop(key)
            made |= {"nullable": True}
            if len(rest) == 1 and "$ref" not in rest[0]:
                made = {**rest[0], **made}
            else:
                made["anyOf"] = rest
    if "prefixItems" in made:
        first = made.pop("prefixItems")
        made["items"] = first[0] if all(part == first[0] for part in first) else {"anyOf": first}
    for bound in ("Minimum", "Maximum"):
        exclusive = made.get(f"exclusive{bound}")
        if isinstance(exclusive, int | float) and not isinstance(exclusive, bool):
            made[bound.lower()], made[f"exclusive{bound}"] = exclusive, True
    if made.get("type") == "array" and "items" not in made:
        made["items"] = {}
    for key in ("propertyNames", "contentMediaType", "contentEncoding", "patternProperties", "$schema"):
        made.pop(key, None)
    if "examples" in made and isinstance(made["examples"], list):
        made["example"] = made.pop("examples")[0]
    return made
