"""Endpoints: convert an HTTP request to a verb's request, and its reply to a response.

Query parameters are the request's fields by name: lists are repeated, mappings are `name=text`; if a single-valued
field is repeated, the last value is used. The fields of a POST are in its body."""

from __future__ import annotations

import base64
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError
from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

from biblicus.config import nearest
from biblicus.connectors.http.gate import CALLER
from biblicus.connectors.http.service import Service
from biblicus.contracts import Call
from biblicus.errors import BiblicusError, Cancelled, ContentTypeRefused, Stopping, UsageError
from biblicus.guards import json as safe_json
from biblicus.models.fields import NoRequest, worded
from biblicus.models.plain import encoded
from biblicus.service.verbs import Verb, adapter, refuse_files

INDEX_VERSION = "Index-Version"
"""Header of every response from a corpus that has a run."""
_IN_PATH = re.compile(r"\{(\w+)\}")


class Reply(NamedTuple):
    """A value, or bytes to send unchanged, with the response's headers."""

    value: Any
    index_version: str | None = None
    status: int = 200
    headers: Mapping[str, str] = {}


class Asked(NamedTuple):
    """A parsed request. `words`: parameters besides the verb's own request."""

    service: Service
    verb: Any
    request: Any
    words: Any
    call: Call


@dataclass(frozen=True)
class Endpoint:
    """Endpoint: a method and a path. `{name}` in the path is the request's field of that name.

    Request: `scope`: required scope; None if the reply includes nothing of a corpus. `verb`: None for information on
    the service itself. `request`: its class, if not the verb's. `words`: class of additional query parameters. `body`:
    JSON, a document's bytes, or none. `headers`: those used. `names`: field to its name in the query string. `aliases`:
    other names, each to its field. `defaults`: field to its default. `without`: unavailable field to the reason.
    `shaped`: fields with another form in the body.

    Reply: `work`: handler in a thread of the verb's queue. `respond`: handler without a thread, from the raw
    and the parsed request. `reply`: class or JSON Schema of the reply, if not the verb's. `statuses`: success codes and
    their meanings. `seconds`: deadline, if not the queue's. `refuses`: converts an error."""

    id: str
    method: Literal["GET", "POST"]
    path: str
    summary: str
    scope: Literal["read", "ingest"] | None = "read"
    verb: Verb[Any, Any] | None = None
    request: Any = None
    words: Any = NoRequest
    body: Literal["json", "bytes"] | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    without: Mapping[str, str] = field(default_factory=dict)
    work: Callable[[Asked], Reply] | None = None
    respond: Callable[[Request, Any, Any], Awaitable[Response]] | None = None
    reply: Any = None
    statuses: Mapping[int, str] = field(default_factory=lambda: {200: ""})
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    refuses: Callable[[BiblicusError], BiblicusError] | None = None
    shaped: Callable[[dict[str, Any]], dict[str, Any]] | None = None

    @cached_property
    def kind(self) -> Any:
        """Return the class of the request."""
        return self.request or (self.verb.request if self.verb else NoRequest)

    @property
    def answer(self) -> Any:
        """Return the class of the reply, or its JSON Schema."""
        return self.reply or (self.verb.reply if self.verb else None)

    @property
    def in_path(self) -> list[str]:
        """Return the request's fields in the path."""
        return _IN_PATH.findall(self.path)

    @cached_property
    def in_query(self) -> Mapping[str, str]:
        """Return the request's query parameters: name to field."""
        left_out = [*properties(self.kind)] if self.body == "json" else [*self.without, *self.in_path]
        return {self.names.get(name, name): name for name in properties(self.kind) if name not in left_out}

    def get_ready(self) -> None:
        """Build the parsers of its requests."""
        for kind in (self.kind, self.words):
            properties(kind)

    def route(self) -> Route:
        """Return the route. An item's path may contain slashes."""
        return _Exact(self.path.replace("{item}", "{item:path}"), self.answered, methods=[self.method])

    async def answered(self, request: Request) -> Response:
        """Handle a request; errors are converted for this endpoint."""
        try:
            return await self._made(request)
        except BiblicusError as error:
            raise (self.refuses(error) if self.refuses else error) from error

    async def _made(self, request: Request) -> Response:
        """Take a place in the queue before the body is read, and reply within the queue's time limit."""
        if self.respond is not None:
            return await self.respond(request, *await self.read(request))
        service: Service = request.app.state.service
        if service.stopping.is_set():
            raise Stopping
        if self.body == "json" and not _is_json(request.headers.get("content-type", "")):
            raise ContentTypeRefused("application/json")
        line = service.admission.line(self.verb) if self.verb else service.admission.questions
        with line.admitted() as ticket:
            with line.receiving(request.scope[CALLER].names) if self.body else nullcontext():
                verb_request, words = await self.read(request)

            def made(call: Call) -> Response:
                assert self.work is not None
                return self._response(self.work(Asked(service, self.verb, verb_request, words, call)))

            async def left() -> None:
                while (await request.receive())["type"] != "http.disconnect":
                    pass

            call = request.scope[CALLER].call
            return await ticket.run(made, left=left, seconds=self.seconds, call=call)

    def _response(self, reply: Reply) -> Response:
        version = {INDEX_VERSION: reply.index_version} if reply.index_version else {}
        body = reply.value if isinstance(reply.value, bytes) else encoded(reply.value)
        return Response(body, reply.status, {**reply.headers, **version}, self.media_type)

    async def read(self, request: Request) -> tuple[Any, Any]:
        """Parse the verb's request and the further parameters. Raises `UsageError` that names the field."""
        of_request, of_words = self._split(request.query_params)
        words = validated(self.words, of_words)
        try:
            body = await request.body() if self.body else b""
        except ClientDisconnect:
            raise Cancelled from None
        values: Any = {**self.defaults, **of_request, **request.path_params}
        if self.body == "json":
            values = _json(body, request.app.state.service.limits.document)
            values = self.shaped(values) if self.shaped else values
        elif self.body == "bytes":
            values["content_base64"] = base64.b64encode(body).decode()
        read = validated(self.kind, values, self.names)
        refuse_files(read)
        return read, words

    def _split(self, given: QueryParams) -> tuple[dict[str, Any], dict[str, Any]]:
        """Split query parameters into those of the request and further ones. Unknown ones are an error, if any are
        accepted."""
        of_request, of_words, word_properties = {}, {}, properties(self.words)
        names: dict[str, str] = {}
        for name in given:
            if name in word_properties:
                of_words[name] = _value(word_properties[name], name, given)
            elif (field_name := self.in_query.get(name) or self.aliases.get(name)) is not None:
                if field_name in names:
                    raise UsageError(f"{names[field_name]} and {name} are the same here: give one of them.")
                names[field_name] = name
                of_request[field_name] = _value(properties(self.kind)[field_name], name, given)
            elif word_properties:
                raise UsageError(f"{name}: unknown parameter{nearest(name, [*self.in_query, *word_properties])}.")
        return of_request, of_words


class _Exact(Route):
    """A route for exactly one method that reports its pattern to the gate, for metrics."""

    def __init__(self, path: str, endpoint: Callable[..., Any], *, methods: list[str]) -> None:
        super().__init__(path, endpoint, methods=methods)
        self.methods = set(methods)
        self._beginning = path.partition("{")[0]

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if self._beginning not in scope["path"]:  # cheap test before the framework's own
            return Match.NONE, {}
        match, child = super().matches(scope)
        return match, {**child, "route": self} if child else child


@cache
def properties(kind: Any) -> Mapping[str, Any]:
    """Return the JSON Schemas of a class's fields."""
    schemas: Mapping[str, Any] = adapter(kind).json_schema()["properties"]
    return schemas


def _value(schema: Mapping[str, Any], name: str, given: QueryParams) -> Any:
    if schema.get("type") == "object":
        numbers = schema.get("additionalProperties", {}).get("type") == "number"
        form = "name=number" if numbers else "name=text"
        pairs = dict(_pair(name, text, form) for text in given.getlist(name))
        return {key: _number(name, text) for key, text in pairs.items()} if numbers else pairs
    return given.getlist(name) if schema.get("type") == "array" else given[name]


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{name}: takes name=number, not {text[:100]}.") from None


def _pair(name: str, text: str, form: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"{name}: takes {form}, not {text[:100]}.")
    return key.strip(), value


_UNKNOWN = "unexpected_keyword_argument"


def validated(kind: Any, values: Any, names: Mapping[str, str] | None = None) -> Any:
    """Return an instance of this request class. Raises `UsageError` that begins with the field's external name."""
    try:
        return adapter(kind).validate_python(values)
    except ValidationError as error:
        problems = error.errors(include_url=False)
        first = next((problem for problem in problems if problem["type"] == _UNKNOWN), problems[0])
        head, *rest = first["loc"]
        external_names = names or {}
        where = ".".join(str(part) for part in (external_names.get(str(head), head), *rest))
        if first["type"] == _UNKNOWN:
            suggestion = (
                "" if rest else nearest(where, [external_names.get(entry.name, entry.name) for entry in fields(kind)])
            )
            raise UsageError(f"{where}: unknown field{suggestion}{'' if suggestion.endswith('?') else '.'}") from error
        raise UsageError(f"{where}: {worded(first)}.") from error


def _json(body: bytes, most: int) -> dict[str, Any]:
    """Parse JSON strictly: bounded, no duplicate keys, no NaN."""
    try:
        values = safe_json.read(body, max_bytes=most)
    except safe_json.JsonRefused as error:
        raise UsageError(error.message, error.hint) from error
    if not isinstance(values, dict):
        raise UsageError("The body must be a JSON object.")
    return values


def _is_json(content_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == "application/json"
