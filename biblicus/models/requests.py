"""Requests as they cross a wire: one model for each verb. The descriptions are what agents and OpenAPI documents read.

Unknown fields are refused. Local calls need none of these: they pass `Query`, `Filters` and plain arguments.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StringConstraints, model_validator
from pydantic.config import JsonDict, JsonValue

from biblicus.errors import UsageError
from biblicus.models.item import DOCTYPES
from biblicus.models.pack import ESTIMATE, Format, Order, PackPolicy
from biblicus.models.question import Filters, Query
from biblicus.models.weights import GLOBAL, LEAST, MOST

LIMIT = 1_000
"""The most evidence, or items a page, that may be asked for (`k_max`)."""
BATCH = 100
"""The most spans in one batch."""
QUESTION = 100_000
"""Characters of a question."""

Text = Annotated[str, StringConstraints(max_length=2_000)]
Texts = Annotated[tuple[Text, ...], Field(max_length=100)]
Range = Annotated[tuple[int, int], Field(min_length=2, max_length=2)]
FileName = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^/\\\x00-\x1f]+$")]
Moment = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}(T[0-9:.]+(Z|[+-]\d{2}:\d{2})?)?$")]
Day = Annotated[str, StringConstraints(pattern=r"^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$")]
Question = Annotated[str, Field(max_length=QUESTION, json_schema_extra={"pattern": r"\S"})]
RecipeName = Annotated[str, Field(max_length=2_000, json_schema_extra={"pattern": r"^[a-z0-9][a-z0-9_-]{0,39}$"})]
Doctypes = Annotated[Texts, Field(json_schema_extra={"items": {"type": "string", "enum": list(DOCTYPES)}})]
Base64 = Annotated[
    str,
    Field(json_schema_extra={"pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"}),
]
ItemName = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


def _at_most_one(*names: str) -> JsonDict:
    """For a schema: of these fields one is given, or none."""
    return {"anyOf": [{"type": "object", **_none_of(other for other in names if other != name)} for name in names]}


def _just_one(*names: str) -> JsonDict:
    """For a schema: one of these texts is given, and no other."""
    given: list[JsonValue] = []
    for name in names:
        properties: JsonDict = {name: {"type": "string"}, **_nones(other for other in names if other != name)}
        given.append({"type": "object", "required": [name], "properties": properties})
    return {"anyOf": given}


def _none_of(names: Iterable[str]) -> JsonDict:
    return {"properties": _nones(names)}


def _nones(names: Iterable[str]) -> JsonDict:
    return {name: {"type": "null"} for name in names}


class Request(BaseModel):
    """What all requests share."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class NoRequest(Request):
    """A verb that needs no words."""


class Filtered(Request):
    """Filters: empty means no restriction."""

    tag: Texts = Field(default=(), description="Only items with all of these tags.")
    type: Texts = Field(default=(), description="Only these media types (any): text/markdown, text/*, pdf.")
    doctype: Doctypes = Field(default=(), description=f"Only these doctypes (any): {', '.join(DOCTYPES)}.")
    language: Texts = Field(default=(), description="Only these languages (any): en, de, ….")
    path: Texts = Field(default=(), description="Only paths that fit one of these globs: notes/**, *.pdf.")
    where: dict[Text, Text] = Field(default_factory=dict, description="Only items with all of this metadata.")
    toolkit: Texts = Field(default=(), description="Only items of these toolkits (any).")
    category: Texts = Field(default=(), description="Only items of these categories (any).")
    source: Texts = Field(
        default=(), description="Only items of these sources (any): a name, a kind (git, url), an address's beginning."
    )
    since: Day | None = Field(
        default=None, description="Only items of this day, month or year, or later: 2026-05-01, 2026."
    )
    until: Day | None = Field(default=None, description="Only items of this day, month or year, or earlier.")

    def filters(self) -> Filters:
        """The same as the core takes them. Raises `UsageError` for an unknown doctype."""
        for name in self.doctype:
            if name not in DOCTYPES:
                raise UsageError(f"There is no doctype {name}; known: {', '.join(DOCTYPES)}.")
        languages = tuple(code.lower() for code in self.language)
        own = (self.toolkit, self.category, self.source, self.since, self.until)
        return Filters(self.tag, self.type, self.doctype, languages, self.path, dict(self.where), *own)


class QueryRequest(Filtered):
    """A question; the answer is evidence: exact text with its source, line or page, and score."""

    query: Question = Field(
        description='The question, in natural words or keywords; "quoted words" must stand together.',
    )
    limit: int | None = Field(
        None, ge=1, le=LIMIT, description="At most this much evidence. Default: the recipe's, usually 10."
    )
    max_tokens: int | None = Field(
        None,
        ge=1,
        description="Budget of all texts together in tokens (estimate). Default: the recipe's, usually 4000.",
    )
    max_characters: int | None = Field(None, ge=1, description="The same budget in characters.")
    max_per_source: int | None = Field(
        None, ge=1, description="At most this much evidence from one item. Default: the recipe's, usually 3."
    )
    recipe: RecipeName | None = Field(None, description="The recipe to rank with, by name. Default: the corpus's.")
    run: Text | None = Field(None, description="A certain run, by id. Not together with a recipe.")

    def to_query(self) -> Query:
        """The query as searchers take it. Raises `UsageError` where a recipe and a run are given."""
        if self.recipe is not None and self.run is not None:
            raise UsageError("Give a recipe or a run, not both.", "biblicus query TEXT --run ID")
        return Query(
            self.query,
            self.filters(),
            self.limit,
            self.max_tokens,
            self.max_characters,
            self.max_per_source,
            self.recipe,
            self.run,
        )


class ContextRequest(QueryRequest):
    """A question; the answer is a pack for a prompt: numbered evidence as one text, within a budget of tokens."""

    max_tokens: Annotated[int, Field(ge=1, le=10_000_000)] = Field(
        4000, description="Budget of the whole text in tokens, heads included."
    )
    format: Format = Field("markdown", description="How the text is written.")
    order: Order = Field("rank", description="By rank; by source, the best first; or by path and place.")
    neighbours: int = Field(
        1, ge=0, le=20, description="Paragraphs to add on each side of what was found, while there is room."
    )
    share: float = Field(1.0, gt=0, le=1, description="How much of the budget one item may take.")
    tokenizer: Annotated[str, StringConstraints(max_length=200)] = Field(
        ESTIMATE, description="Who counts: estimate, or an embedder that the service's configuration names."
    )

    def policy(self) -> PackPolicy:
        """The policy as the core takes it."""
        return PackPolicy(self.max_tokens, self.format, self.order, self.neighbours, self.share, self.tokenizer)


class AnswerRequest(QueryRequest):
    """A question; the answer is statements, each with the exact words of the corpus that it stands on."""

    answerer: Text | None = Field(
        None, description="Who answers: quote needs no model. Default: the service's usual one."
    )
    persona: Text | None = Field(None, description="A persona of the corpus, by id.")
    max_words: int | None = Field(None, ge=5, le=2_000, description="At most this many words. Default: 60; llm: 150.")
    debug: bool = Field(False, description="With the evidence that the answerer was given, and what it said.")


class ItemRequest(Request):
    """One item."""

    item: ItemName = Field(description="The item by id, unambiguous id prefix, or path in the corpus.")


class RetrieveRequest(ItemRequest):
    """Exact text of an item: all of it, or one of lines, span and page."""

    model_config = ConfigDict(json_schema_extra=_at_most_one("lines", "span", "page"))

    lines: Range | None = Field(None, description="First and last line, from 1, both included.")
    span: Range | None = Field(None, description="Start and end in characters (code points), from 0, end excluded.")
    page: int | None = Field(None, description="A page, from 1, of an item that has pages.")


class RetrieveBatch(Request):
    """Several texts at once; one that cannot be given is an error in its place."""

    requests: Annotated[tuple[RetrieveRequest, ...], Field(min_length=1, max_length=BATCH)] = Field(
        description="What to retrieve; answered in this order."
    )


class ListRequest(Filtered):
    """Items that fit, by path, a page at a time."""

    cursor: Text | None = Field(None, description="Where to go on: the `next_cursor` of the page before.")
    limit: int = Field(100, ge=1, le=LIMIT, description="At most this many items a page.")


class TreeRequest(Request):
    """Folders and items below a folder."""

    prefix: Text = Field("", description="A folder of the corpus; empty: all of it.")
    depth: int | None = Field(None, ge=1, description="How many levels; default: all.")
    max_entries: int | None = Field(
        None, ge=1, le=100_000, description="At most this many entries; `truncated` says that there are more."
    )
    cursor: Text | None = Field(default=None, description="Where to go on: the `next_cursor` of the page before.")


class IngestRequest(Request):
    """One document to bring in: a text, or bytes in base64. With a source it is an upsert: the same source again
    updates its item, and equal content changes nothing and says so."""

    model_config = ConfigDict(json_schema_extra=_just_one("text", "content_base64"))

    text: str | None = Field(None, description="The document's text.")
    content_base64: Base64 | None = Field(None, description="The document's bytes in base64 (a PDF, for example).")
    filename: FileName | None = Field(
        None, description="A file name; its extension tells the format. Default: from the title."
    )
    title: Annotated[str, StringConstraints(min_length=1, max_length=300)] | None = Field(
        None, description="The item's title."
    )
    tags: Texts = Field(default=(), description="Tags for the item.")
    source: Annotated[str, StringConstraints(min_length=1, max_length=2_000)] | None = Field(
        None, description="Where the document came from, as a URI: what makes it the same document again."
    )
    created_at: Moment | None = Field(None, description="When the document was made, ISO 8601; kept as metadata.")
    metadata: dict[Text, Text] = Field(default_factory=dict, description="Metadata for the item: names to texts.")
    on_duplicate: Literal["skip", "error", "keep"] = Field(
        "skip",
        description="What to do with bytes that another item holds: skip says which, error refuses, keep adds it all "
        "the same where its source is another.",
    )
    index: bool = Field(True, description="Index at once, so that the document can be found when this returns.")

    @model_validator(mode="after")
    def _one_content(self) -> IngestRequest:
        if (self.text is None) == (self.content_base64 is None):
            raise ValueError("give one of text and content_base64")
        return self

    @property
    def data(self) -> bytes:
        """The document's bytes. Raises `UsageError` where they are no base64."""
        if self.text is not None:
            return self.text.encode("utf-8", "surrogatepass")
        try:
            return base64.b64decode(self.content_base64 or "", validate=True)
        except (binascii.Error, ValueError) as error:
            raise UsageError("content_base64 is not base64.") from error


class Piece(Request):
    """A piece of evidence by the fields that prove it (`models.reading.PROVING`); it may have more."""

    model_config = ConfigDict(extra="ignore")

    item_id: str
    path: str
    text: str
    hash: str
    item_sha256: str
    span_start: StrictInt
    span_end: StrictInt
    line_start: StrictInt
    line_end: StrictInt
    page: StrictInt | None = None
    extraction_id: str | None = None
    run_id: str | None = None


class VerifyRequest(Request):
    """Evidence to be proved against the corpus as it is now."""

    evidence: Annotated[tuple[Piece, ...], Field(min_length=1, max_length=BATCH)] = Field(
        description="Pieces of evidence, entries of a pack or citations, as they came."
    )


class RunRequest(Request):
    """One run."""

    run: Text = Field(description="The run by id, unambiguous part of it, or a recipe's name: its latest run.")


class EventsRequest(Request):
    """Events, a page at a time."""

    after: Text | None = Field(None, description="Only what came after this cursor; `now`: nothing so far.")
    limit: int = Field(LIMIT, ge=1, le=LIMIT, description="At most this many events.")


class WeightRequest(Request):
    """Make an item, or the paths that fit a pattern, count more or less than its score."""

    target: ItemName = Field(description="An item by id or path, or a pattern of paths: docs/**, *.md.")
    multiplier: float | None = Field(
        description=f"What scores are multiplied by, {LEAST:g} to {MOST:g}; null clears the weight.", ge=LEAST, le=MOST
    )
    namespace: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]+$")] = Field(
        GLOBAL, description="global, or the toolkit whose questions it counts for."
    )
    ttl_days: float | None = Field(None, gt=0, le=36_500, description="It expires after so many days.")


class ReindexRequest(Request):
    """Refresh the catalog and build runs."""

    recipes: Texts = Field(
        default=(), description="Recipes to build, by name. Default: the corpus's and all that have a run."
    )
    fresh: bool = Field(False, description="Build anew even where nothing changed.")
