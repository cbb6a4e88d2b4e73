"""The OpenAPI 3.1 document, derived from the endpoints, and its conversion to 3.0.3 for older clients."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from biblicus.connectors.http.endpoints import INDEX_VERSION, Endpoint, properties
from biblicus.connectors.http.problems import MEDIA_TYPE, Problem
from biblicus.connectors.http.surface import ENDPOINTS, OPEN
from biblicus.service.verbs import adapter

_ABOUT = "Questions to corpora, answered with evidence: exact text with its source, line or page, and score."
_REFERENCE = "#/components/schemas/{model}"
_SAID = {
    400: "The request's own words are off.",
    401: "No valid token.",
    403: "The token does not reach that far, or the corpus may not be changed.",
    404: "What was named does not exist.",
    408: "The body took too long to come.",
    409: "The corpus already holds it, or a check did not pass.",
    410: "The event log does not go on from that cursor.",
    413: "The body is too large.",
    431: "The head of the request is too large.",
    415: "The body is of a type that is not read here.",
    421: "Not a host name of this service.",
    422: "The document is not what it should be.",
    429: "Too many wait already; nothing was done.",
    500: "Something unexpected; the trace id finds it in the log.",
    503: "Something needed is not there for now, or the deadline passed.",
}
_WITHOUT_TOKEN = (403, 421, 431)
"""Statuses of errors that even an address without a token may return."""
_HEADERS = {401: ("WWW-Authenticate", "string"), 429: ("Retry-After", "integer"), 503: ("Retry-After", "integer")}
_VERSION = "What a bare query would be answered from; of a query: what it was answered from."
_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
_HERE = {"url": "/", "description": "The address that was asked. To tell another: biblicus serve --public-url URL."}
"""The server entry if the user gave no address."""


@cache
def document(public_url: str | None = None) -> Mapping[str, Any]:
    """Return the OpenAPI 3.1 document. `public_url`: external address; None: that of the request."""
    return document_of(ENDPOINTS, public_url)


def document_of(endpoints: Sequence[Endpoint], public_url: str | None) -> Mapping[str, Any]:
    """Return the OpenAPI 3.1 document of these endpoints."""
    bodies = [(endpoint.id, "validation", endpoint.kind) for endpoint in endpoints if endpoint.body == "json"]
    answers = [(endpoint.id, "serialization", endpoint.answer) for endpoint in endpoints]
    kinds: list[Any] = [*bodies, *answers, ("", "serialization", Problem)]
    inputs = [(key, mode, adapter(kind)) for key, mode, kind in kinds if not isinstance(kind, dict)]
    schemas, shared = TypeAdapter.json_schemas(inputs, ref_template=_REFERENCE)
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, schemas)
    token = {"type": "http", "scheme": "bearer", "description": "From `biblicus token new`."}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Biblicus", "version": "1.0", "description": _ABOUT},
        "servers": [{"url": public_url} if public_url else _HERE],
        "paths": paths,
        "components": {"schemas": shared["$defs"], "securitySchemes": {"token": token}},
    }


def _operation(endpoint: Endpoint, schemas: Mapping[Any, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": schemas.get((endpoint.id, "validation"))}}
    body = {"required": True, "content": _BYTES if endpoint.body == "bytes" else content}
    answer = schemas.get((endpoint.id, "serialization"), endpoint.answer)
    return {
        "operationId": endpoint.id,
        "summary": endpoint.summary,
        "description": _cleaned(endpoint.kind),
        "parameters": [*_parameters(endpoint)],
        **({"requestBody": body} if endpoint.body else {}),
        "responses": {str(status): response for status, response in _responses(endpoint, answer)},
        "security": [{"token": []}] if endpoint.scope else [],
        **({"x-scope": endpoint.scope} if endpoint.scope else {}),
    }


def _parameters(endpoint: Endpoint) -> Iterator[dict[str, Any]]:
    for where, kind, names in (
        ("path", endpoint.kind, {name: name for name in endpoint.in_path}),
        ("query", endpoint.words, {name: name for name in properties(endpoint.words)}),
        ("query", endpoint.kind, endpoint.in_query),
    ):
        required = adapter(kind).json_schema().get("required", ())
        for name, field in names.items():
            schema = _spoken(properties(kind)[field])
            if field in endpoint.defaults:
                schema["default"] = endpoint.defaults[field]
            also = [f"`{alias}`" for alias, meant in endpoint.aliases.items() if where == "query" and meant == field]
            described = schema.pop("description")
            summary = {"description": f"{described} Also as {', '.join(also)}." if also else described}
            must = where == "path" or field in required
            yield {"name": name, "in": where, "required": must, **summary, "schema": schema}
    for name, description in endpoint.headers.items():
        schema = {"type": "string", "maxLength": 200}
        yield {"name": name, "in": "header", "required": False, "description": description, "schema": schema}


def _spoken(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a field's schema as a query parameter: without null, and a mapping as a list of `name=text`."""
    spoken = {key: value for key, value in schema.items() if key != "title" and (key, value) != ("default", None)}
    for option in spoken.pop("anyOf", ()):
        spoken = spoken if option == {"type": "null"} else {**option, **spoken}
    if spoken.get("type") != "object":
        return spoken
    pair = {"type": "string", "pattern": r"^[^=]*\S[^=]*="}
    return {"type": "array", "items": pair, "description": f"{spoken['description']} Each as name=text."}


def _responses(endpoint: Endpoint, answer: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    version = {INDEX_VERSION: {"description": _VERSION, "schema": {"type": "string"}}}
    headers = {"headers": version} if endpoint.verb and endpoint.work else {}
    for status, description in endpoint.statuses.items():
        content = {endpoint.media_type: {"schema": answer}}
        yield status, {"description": description or endpoint.summary, "content": content, **headers}
    problem = {MEDIA_TYPE: {"schema": {"$ref": _REFERENCE.format(model="Problem")}}}
    for status in _SAID if endpoint.scope else _WITHOUT_TOKEN:
        name, kind = _HEADERS.get(status, ("", ""))
        headers = {"headers": {name: {"schema": {"type": kind}}}} if name else {}
        if status not in endpoint.statuses:
            yield status, {"description": _SAID[status], "content": problem, **headers}


def _cleaned(kind: Any) -> str:
    """Return the first paragraph of a class's docstring."""
    return " ".join((inspect.getdoc(kind) or "").partition("\n\n")[0].split())


def as_3_0(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the document to OpenAPI 3.0.3, replacing newer keywords of JSON Schema."""
    return {**_older(schema), "openapi": "3.0.3"}


def _older(value: Any) -> Any:
    if isinstance(value, list):
        return [_older(part) for part in value]
    if not isinstance(value, dict):
        return value
    return {key: _older(part) for key, part in (_older_schema(value) if _is_schema(value) else value).items()}


def _is_schema(value: Mapping[str, Any]) -> bool:
    """Return true if an object is a schema that may contain changed keywords."""
    of_schema = isinstance(value.get("type"), str | list) and not {"in", "scheme"} & value.keys()
    return of_schema or any(isinstance(value.get(key), list) for key in ("anyOf", "oneOf", "allOf")) or "const" in value


_NEWER = ("propertyNames", "contentMediaType", "contentEncoding", "patternProperties", "examples", "$schema")


def _older_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    older_schema = {key: value for key, value in schema.items() if key not in _NEWER}
    kinds = older_schema.pop("type", None)
    options = older_schema.pop("anyOf", None) or older_schema.pop("oneOf", None) or []
    if isinstance(kinds, list):
        options = [{"type": kind} for kind in kinds]
    elif kinds is not None:  # 3.0 has no null type
        older_schema |= {"nullable": True, "enum": [None]} if kinds == "null" else {"type": kinds}
    rest = [option for option in options if option != {"type": "null"}]
    if len(rest) < len(options):
        older_schema["nullable"] = True
    if rest:
        older_schema = (
            {**rest[0], **older_schema} if len(rest) == 1 and "$ref" not in rest[0] else {**older_schema, "anyOf": rest}
        )
    if "const" in older_schema:
        older_schema["enum"] = [older_schema.pop("const")]
    if first := older_schema.pop("prefixItems", None):
        older_schema["items"] = first[0] if all(part == first[0] for part in first) else {"anyOf": first}
    for limit_name in ("Minimum", "Maximum"):
        exclusive = older_schema.get(f"exclusive{limit_name}")
        if isinstance(exclusive, int | float) and not isinstance(exclusive, bool):
            older_schema |= {limit_name.lower(): exclusive, f"exclusive{limit_name}": True}
    if older_schema.get("type") == "array":
        older_schema.setdefault("items", {})
    return older_schema


DOCUMENTS: Mapping[str, Callable[[str | None], Mapping[str, Any]]] = dict(
    zip(OPEN, (document, lambda public_url: as_3_0(document(public_url))), strict=True)
)
"""Functions that build the documents, by address."""
