"""The tools' parameters: flat, each with a description that an agent can act on; unknown ones are refused.

One model a tool: its JSON Schema is what `tools/list` shows (`schema`), and it turns into the request of the desk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from biblicus.connectors.mcp.paging import MOST_TOKENS, OUTPUT_TOKENS
from biblicus.errors import UsageError
from biblicus.models import requests

Text = Annotated[str, StringConstraints(max_length=2_000)]
Texts = Annotated[list[Text], Field(max_length=100)]
Detail = Literal["brief", "full"]
Tokens = Annotated[int, Field(ge=200, le=MOST_TOKENS)]


class Parameters(BaseModel):
    """What all tools share."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    corpus: Text | None = None


class Filtered(Parameters):
    """Filters: all that are given must fit. They are described where an agent meets them first, in `Query`.

    `where` also takes the filters that have no parameter of their own, by name: every parameter is paid for in every
    conversation.
    """

    toolkit: Text | None = None
    tag: Texts = []
    path: Texts = []
    where: Texts = []

    def filters(self) -> dict[str, Any]:
        """The same as requests have them."""
        named = [f"toolkit={self.toolkit}"] if self.toolkit else []
        return _filters([*named, *self.where], tag=self.tag, path=self.path)


_NAMED = frozenset({"tag", "path", "type", "doctype", "language", "toolkit", "category", "source", "since", "until"})


def _filters(where: Sequence[str], **given: Sequence[str]) -> dict[str, Any]:
    """Filters as requests have them, of those given and of those that `where` names."""
    found = {name: list(values) for name, values in given.items()}
    metadata: list[str] = []
    for text in where:
        name, _, value = text.partition("=")
        if name.strip() in _NAMED:
            found.setdefault(name.strip(), []).append(value)
        else:
            metadata.append(text)
    days: dict[str, Any] = {name: found.pop(name)[-1] for name in ("since", "until") if name in found}
    return {**{name: tuple(values) for name, values in found.items()}, **days, "where": pairs(metadata, "where")}


class Query(Filtered):
    query: str = Field(max_length=requests.QUESTION, description='Words or a question; "quoted" = phrase.')
    limit: int = Field(5, ge=1, le=requests.LIMIT)
    corpus: Text | None = Field(None, description="From stats. Default: all.")
    tag: Texts = Field([], description="All of these.")
    type: Texts = Field([], description="Media types: text/*, pdf.")
    doctype: Texts = Field([], description="paper, code, …")
    language: Texts = []
    path: Texts = Field([], description="Globs: notes/**.")
    where: Texts = Field([], description="Metadata, name=value; or category, source, since, until: since=2026-05.")
    recipe: Text | None = Field(None, description="Ranking, from stats.")
    detail: Detail = Field("brief", description="full: all fields and texts.")
    output_tokens: Tokens = OUTPUT_TOKENS
    cursor: Text | None = Field(None, description="Goes on after truncated.")

    def request(self) -> requests.QueryRequest:
        found = self.filters()
        for name in ("type", "doctype", "language"):
            found[name] = (*getattr(self, name), *found.get(name, ()))
        return requests.QueryRequest(query=self.query, limit=self.limit, recipe=self.recipe, **found)


class Answer(Parameters):
    query: str = Field(max_length=requests.QUESTION)
    persona: Text | None = None
    where: Texts = []

    def request(self) -> requests.AnswerRequest:
        return requests.AnswerRequest(query=self.query, persona=self.persona, **_filters(self.where))


class Get(Parameters):
    items: Annotated[list[Text], Field(min_length=1, max_length=requests.BATCH)] = Field(
        description="Refs, ids or paths; parts: ID#lines=3-9, ID#page=2."
    )
    detail: Detail = "brief"
    output_tokens: Tokens = OUTPUT_TOKENS
    cursor: Text | None = None


class List(Filtered):
    limit: int = Field(50, ge=1, le=requests.LIMIT)
    detail: Detail = "brief"
    cursor: Text | None = None

    def request(self, limit: int | None = None, cursor: str | None = None) -> requests.ListRequest:
        return requests.ListRequest(limit=limit or self.limit, cursor=cursor, **self.filters())


class Tree(Parameters):
    prefix: Text = ""
    depth: int | None = Field(None, ge=1)
    limit: int = Field(200, ge=1, le=10_000)
    cursor: Text | None = None

    def request(self) -> requests.TreeRequest:
        return requests.TreeRequest(prefix=self.prefix, depth=self.depth, max_entries=None)


class Stats(Parameters):
    detail: Detail = "brief"


class Ingest(Parameters):
    text: str | None = Field(None, description="Or content_base64.")
    content_base64: str | None = None
    filename: Text | None = Field(None, description="Its extension tells the format.")
    title: Text | None = None
    tags: Texts = []
    source: Text | None = Field(None, description="URI; given again, it updates its item.")
    created_at: Text | None = Field(None, description="ISO 8601.")
    metadata: Texts = Field([], description="name=value.")

    def request(self) -> requests.IngestRequest:
        given = {"filename", "title", "source", "created_at", "text", "content_base64"}
        return requests.IngestRequest(
            **self.model_dump(include=given), tags=tuple(self.tags), metadata=pairs(self.metadata, "metadata")
        )


class Weight(Parameters):
    target: Text = Field(description="Item or glob.")
    multiplier: float | None = Field(None, description="0.1-10; none clears.")
    namespace: Text | None = None
    ttl_days: float | None = None

    def request(self) -> requests.WeightRequest:
        given = {"target", "multiplier", "ttl_days", *(("namespace",) if self.namespace else ())}
        return requests.WeightRequest(**self.model_dump(include=given))


class Reindex(Parameters):
    recipes: Texts = Field([], description="Default: all in use.")
    fresh: bool = Field(False, description="Rebuild even if unchanged.")

    def request(self) -> requests.ReindexRequest:
        return requests.ReindexRequest(recipes=tuple(self.recipes), fresh=self.fresh)


def pairs(texts: list[str], name: str) -> dict[str, str]:
    """`name=value` texts as a mapping. Raises `UsageError`."""
    found = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UsageError(f'{name} takes "name=value", not "{text[:100]}".', f'{name}: ["author=Ada"]')
        found[key.strip()] = value
    return found


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """The model's JSON Schema without what tells an agent nothing: titles, bounds, null beside a type.

    Every token of it is paid for in every conversation.
    """
    found = model.model_json_schema()
    shown = {name: _brief(entry) for name, entry in found["properties"].items()}
    kept: dict[str, Any] = {"type": "object", "properties": shown}
    return {**kept, "required": found["required"]} if "required" in found else kept


_SILENT = frozenset({"title", "maxLength", "minLength", "maxItems", "minItems", "pattern", "minimum", "maximum"})


def _brief(entry: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in entry:
        (kind,) = [one for one in entry["anyOf"] if one != {"type": "null"}]
        entry = {**kind, **{key: value for key, value in entry.items() if key != "anyOf"}}
    found = {key: value for key, value in entry.items() if key not in _SILENT}
    if found.get("default") in (None, [], ""):
        found.pop("default", None)
    if "enum" in found:
        found.pop("type", None)
    if "items" in found:
        found["items"] = _brief(found["items"])
    return found
