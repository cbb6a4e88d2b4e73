"""Exact texts by reference, for the tool that reads them and as resources.

A reference is `ITEM#lines=3-9`, or as a URI, `biblicus://corpus/item/ITEM#lines=3-9`. `#span=0-300` and `#page=2` are
accepted too, and `#lines=3` and `#L3-L9` as on code hosts. Without a fragment it is the whole item. Resources use the
items' own names and titles; tools never do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple
from urllib.parse import quote, unquote

from mcp import types
from mcp.server.context import ServerRequestContext
from pydantic import Field

from biblicus.connectors.mcp import reading
from biblicus.connectors.mcp.asking import PICTURES, Asked, Object
from biblicus.errors import BiblicusError, UsageError
from biblicus.guards.terminal import safe
from biblicus.models.requests.items import GetRequest, ListRequest, PageImageRequest
from biblicus.models.requests.notes import ExportNotesRequest
from biblicus.service.verbs import EXPORT_NOTES, GET, LIST, PAGE_IMAGE

if TYPE_CHECKING:
    from biblicus.connectors.mcp.tools import References

SCHEME = "biblicus://"
_FRAGMENT = re.compile(
    r"#(?:(?:lines?=|L)(?P<first>\d{1,12})(?:[-:]L?(?P<last>\d{1,12}))?"
    r"|span=(?P<start>\d{1,12})[-:](?P<end>\d{1,12})|page=(?P<page>\d{1,9}))$"
)
_URI = re.compile(r"biblicus://([a-z0-9-]{1,64})/item/([^#]+)(#.*)?", re.DOTALL)
SHAPE = "ID, ID#lines=1-9, ID#span=0-300, ID#page=2, or the same as biblicus://corpus/item/ID#lines=1-9"


class Reference(NamedTuple):
    """Part of an item. `corpus`: None if not given. `part`: `lines`, `span` or `page`, or empty."""

    corpus: str | None
    item: str
    part: dict[str, Any]

    def request(self) -> GetRequest:
        """Return the request for its text."""
        return GetRequest(item=self.item, **self.part)


def reference(text: str) -> Reference:
    """Parse a reference. Raises `UsageError` with the format as its hint."""
    corpus = None
    uri_match = _URI.fullmatch(text)
    if uri_match:
        corpus, text = uri_match[1], unquote(uri_match[2]) + (uri_match[3] or "")
    elif text.startswith(SCHEME):
        raise UsageError(f'"{text[:200]}" is no reference of this server.', SHAPE)
    fragment = _FRAGMENT.search(text)
    item = text[: fragment.start()] if fragment else text
    if not item or len(item) > 2_000 or (uri_match and uri_match[3] and not fragment):
        raise UsageError(f'"{text[:200]}" is no reference to an item.', SHAPE)
    return Reference(corpus, item, _part(fragment) if fragment else {})


def _part(match: re.Match[str]) -> dict[str, Any]:
    if match["page"]:
        return {"page": int(match["page"])}
    if match["start"]:
        return {"span": (int(match["start"]), int(match["end"]))}
    return {"lines": (int(match["first"]), int(match["last"] or match["first"]))}


def lines_of(item_id: str, first: int, last: int, corpus: str | None = None) -> str:
    """Return a reference to lines."""
    return f"{uri(corpus, item_id) if corpus else item_id}#lines={first}-{last}"


def uri(corpus: str, item_id: str) -> str:
    return f"{SCHEME}{corpus}/item/{quote(item_id, safe='')}"


# --- the tool: references are read in order until the output budget is used up, even inside a text ---

_LEAST = 100
"""Minimum tokens of a partial text."""
_MOST_PICTURES = 3


class Place(NamedTuple):
    """End of a reply: before or inside a reference. `sha256`: the item's hash at that time."""

    number: Annotated[int, Field(ge=0)] = 0
    offset: Annotated[int, Field(ge=0)] | None = None
    sha256: str | None = None


class _Wanted(NamedTuple):
    """Text of one reference, or the rest of it."""

    asked: Asked
    own: References
    place: Place

    @property
    def reference(self) -> Reference:
        return reference(self.own.items[self.place.number])

    def passage(self) -> Object:
        """Return the passage. Raises `UsageError` if the item has changed since the cursor was created."""
        passage = self.read(self.reference.request())
        if self.place.offset is None:
            return passage
        if passage["item_sha256"] != self.place.sha256:
            raise UsageError("The item has changed since that cursor was given.", reading.OTHER_CURSOR)
        return self.span(self.place.offset, passage["span_end"])

    def span(self, start: int, end: int) -> Object:
        return self.read(GetRequest(self.reference.item, span=(start, end)))

    @property
    def corpus(self) -> str | None:
        return self.reference.corpus or self.own.corpus

    def read(self, request: GetRequest) -> Object:
        return self.asked.one(GET, self.corpus, request)

    def shown(self, passage: Object) -> Object:
        if self.own.detail == "full":
            return passage
        corpus = self.reference.corpus or self.asked.named(self.own.corpus)
        ref = lines_of(passage["item_id"], passage["line_start"], passage["line_end"], corpus)
        named = {"path": "path", "page": "page", "url": "citation_url", "index_version": "index_version"}
        place = {key: passage[name] for key, name in named.items() if passage[name]}
        return {"ref": ref, **place, "text": passage["text"]}


def get(asked: Asked, own: References, request: None) -> Object:
    """Return texts in request order, with errors in place of failed ones; with page images if requested."""
    reply = _texts(asked, own)
    return {**reply, PICTURES: _pictures(asked, own)} if own.image else reply


def _pictures(asked: Asked, own: References) -> list[str]:
    """Return images of the pages of the first references, with the text highlighted. Items without pages have none."""
    place = reading.resumed(asked.arguments, own.cursor, Place) or Place()
    pictures: list[str] = []
    for number in range(place.number, len(own.items)):
        target = _Wanted(asked, own, Place(number))
        try:
            passage = target.passage()
            if passage["page"] and len(pictures) < _MOST_PICTURES:
                part = target.reference.part
                mark = (f"{passage['span_start']}:{passage['span_end']}",) if part and "page" not in part else ()
                drawn = PageImageRequest(target.reference.item, page=passage["page"], mark=mark)
                pictures.append(asked.one(PAGE_IMAGE, target.corpus, drawn)["png_base64"])
        except BiblicusError:  # the text's own entry has the error
            continue
    return pictures


def _texts(asked: Asked, own: References) -> Object:
    place = reading.resumed(asked.arguments, own.cursor, Place) or Place()
    results: list[Object] = []
    left = own.output_tokens - reading.RESERVE
    while place.number < len(own.items):
        asked.call.check()
        target = _Wanted(asked, own, place)
        passage = _entry(target)
        cost = reading.least(passage.get("text", ""))
        if cost <= left:
            cost = reading.cost(passage)
        if cost > left and (results or "text" in passage):
            if "text" in passage and (left >= _LEAST or not results):
                passage, place = _shortened(target, max(left, _LEAST))
                results.append(passage)
            return {"results": results, "truncated": True, "cursor": reading.cursor(asked.arguments, place)}
        left -= cost
        results.append(passage)
        place = Place(place.number + 1)
    return {"results": results}


def _entry(wanted: _Wanted) -> Object:
    try:
        return wanted.shown(wanted.passage())
    except BiblicusError as error:
        if wanted.place.sha256 is not None:  # the cursor's own item
            raise
        return {"item": wanted.own.items[wanted.place.number], "error": reading.as_told(error)}


def _shortened(wanted: _Wanted, tokens: int) -> tuple[Object, Place]:
    """Return as much of a text as fits, cut at a line end if that loses little, and the position of the end."""
    passage = wanted.passage()
    text = str(passage["text"])
    room = max(tokens - reading.cost(wanted.shown({**passage, "text": ""})), _LEAST // 2)
    end = min(len(text), reading.longest(room))
    while end > 1 and (cost := reading.cost(text[:end])) > room:
        end = max(1, min(end - 1, end * room // cost))
    end = text.rfind("\n", end // 2, end) + 1 or end
    first: int = passage["span_start"]
    cut = wanted.span(first, first + end)
    return wanted.shown(cut), Place(wanted.place.number, first + end, passage["item_sha256"])


# --- resources: the extracted text, with hidden characters made visible ---

PAGE = 100
MOST_CHARACTERS = 400_000
"""Maximum characters of one resource; `_meta` then has `truncated` and the address of the rest."""
_TEMPLATES = (
    ("item", "/item/{item}", "The text of an item, by id or path.", "text/plain"),
    ("part", "/item/{item}{#part}", "Part of an item: lines=3-9, span=0-300 or page=2.", "text/plain"),
    ("notes", "/notes", "What people noted on passages, with places. No evidence of the items.", "text/markdown"),
)
TEMPLATES = tuple(
    types.ResourceTemplate(name=name, uri_template=f"biblicus://{{corpus}}{path}", description=words, mime_type=kind)
    for name, path, words, kind in _TEMPLATES
)
_NOTES = "/notes"
_PARTS = ("lines=", "page=", "span=")


class _Place(NamedTuple):
    """Start of a page of resources: a corpus, and a cursor in it."""

    corpus: str = ""
    cursor: str | None = None


def listed(asked: Asked, cursor: str | None) -> types.ListResourcesResult:
    """Return the items of all corpora, by corpus and path. Raises `UsageError` for an invalid cursor."""
    names = asked.names()
    place = reading.resumed({}, cursor, _Place) or _Place(*names[:1])
    if not place.corpus:
        return types.ListResourcesResult(resources=[])
    if place.corpus not in names:
        raise UsageError("The cursor is none of this server's.", reading.OTHER_CURSOR)
    page = asked.one(LIST, place.corpus, ListRequest(limit=PAGE, cursor=place.cursor))
    resources = []
    for item in page["items"]:
        address, name, title = uri(place.corpus, item["item_id"]), safe(item["path"]), safe(item["title"])
        resources.append(
            types.Resource(uri=address, name=name, title=title, mime_type="text/plain", size=item["bytes"])
        )
    following = [_Place(name) for name in names[names.index(place.corpus) + 1 :]]
    rest = [_Place(place.corpus, page["next_cursor"])] if "next_cursor" in page else following
    return types.ListResourcesResult(resources=resources, next_cursor=reading.cursor({}, rest[0]) if rest else None)


def read(asked: Asked, address: str) -> types.ReadResourceResult:
    """Return the text at an address. Raises `UsageError`, and the errors of `retrieve`."""
    corpus = address.removeprefix(SCHEME).removesuffix(_NOTES)
    if address == f"{SCHEME}{corpus}{_NOTES}" and "/" not in corpus:
        notes = safe(asked.one(EXPORT_NOTES, corpus, ExportNotesRequest())["text"], keep_newlines=True)
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=address, mime_type="text/markdown", text=notes)]
        )
    target = reference(address)
    if target.corpus is None:
        raise UsageError(f'"{address[:200]}" is no address of this server.', SHAPE)
    passage = asked.one(GET, target.corpus, target.request())
    text, meta = passage["text"], None
    if len(text) > MOST_CHARACTERS:
        end = passage["span_start"] + MOST_CHARACTERS
        rest = f"{uri(target.corpus, passage['item_id'])}#span={end}-{passage['span_end']}"
        text, meta = text[:MOST_CHARACTERS], {"biblicus/truncated": True, "biblicus/next": rest}
    safe_text = safe(text, keep_newlines=True)
    contents = types.TextResourceContents(uri=address, mime_type="text/plain", text=safe_text, _meta=meta)
    return types.ReadResourceResult(contents=[contents])


def completed(asked: Asked, argument: types.CompletionArgument, known: Mapping[str, str]) -> types.Completion:
    """Return completions of a template's variable: corpora, item paths with this prefix, or kinds of parts."""
    if argument.name == "corpus":
        return _some([name for name in asked.names() if name.startswith(argument.value)])
    if argument.name == "part":
        return _some([part for part in _PARTS if part.startswith(argument.value)])
    if argument.name != "item":
        return _some([])
    glob = "".join(f"[{char}]" if char in "*?[" else char for char in argument.value)
    request = ListRequest(path=(f"{glob}*", f"{glob}*/**"), limit=PAGE)
    try:
        page = asked.one(LIST, known.get("corpus"), request)
    except BiblicusError:  # corpus not known yet: no completions
        return _some([])
    return _some([item["path"] for item in page["items"]], more="next_cursor" in page)


def _some(values: list[str], more: bool = False) -> types.Completion:
    return types.Completion(values=values[:PAGE], has_more=more or len(values) > PAGE)


# --- evidence as a view in the client (MCP Apps): passages, and their page marked ---

# Only clients that declare the extension get the view's address with a tool, so that others pay no token for it.
EXTENSION = "io.modelcontextprotocol/ui"
ADDRESS = "ui://biblicus/evidence"
MEDIA_TYPE = "text/html;profile=mcp-app"
SETTINGS = {EXTENSION: {"mimeTypes": [MEDIA_TYPE]}}
"""Capabilities of this server."""
_TOOLS = ("knowledge_base_query", "knowledge_base_get")
_META = {"ui": {"resourceUri": ADDRESS}}


def with_view(tools: Sequence[types.Tool], ctx: ServerRequestContext[Any, Any]) -> list[types.Tool]:
    """Return the tools; those that show evidence have the view if the client can show it."""
    capabilities = ctx.session.client_capabilities
    settings = ((capabilities and capabilities.extensions) or {}).get(EXTENSION, {})
    shown = settings.get("mimeTypes")
    if not isinstance(shown, list) or MEDIA_TYPE not in shown:
        return list(tools)
    return [tool.model_copy(update={"meta": _META}) if tool.name in _TOOLS else tool for tool in tools]


def view() -> types.ReadResourceResult:
    """Return the view as a resource. It loads nothing, so the client's strictest policy holds."""
    html = Path(__file__).with_name("evidence.html").read_text("utf-8")
    meta = {"ui": {"prefersBorder": True}}
    contents = types.TextResourceContents(uri=ADDRESS, mime_type=MEDIA_TYPE, text=html, _meta=meta)
    return types.ReadResourceResult(contents=[contents])
