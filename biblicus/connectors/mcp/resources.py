"""Items and spans as resources: `biblicus://corpus/item/ID`, with `#lines=3-9`, `#span=0-300` or `#page=2`.

The content is the extracted text, with hidden characters made visible. Resources use the items' own names and titles;
tools never do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mcp import types

from biblicus.connectors.mcp import paging, references
from biblicus.connectors.mcp.asking import Asked
from biblicus.errors import BiblicusError, UsageError
from biblicus.guards.terminal import safe
from biblicus.models.requests.items import ListRequest
from biblicus.models.requests.notes import ExportNotesRequest
from biblicus.service.verbs import EXPORT_NOTES, GET, LIST

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
    place = paging.resumed({}, cursor, _Place) or _Place(*names[:1])
    if not place.corpus:
        return types.ListResourcesResult(resources=[])
    if place.corpus not in names:
        raise UsageError("The cursor is none of this server's.", paging.OTHER_CURSOR)
    page = asked.one(LIST, place.corpus, ListRequest(limit=PAGE, cursor=place.cursor))
    resources = []
    for item in page["items"]:
        uri, name, title = references.uri(place.corpus, item["item_id"]), safe(item["path"]), safe(item["title"])
        resources.append(types.Resource(uri=uri, name=name, title=title, mime_type="text/plain", size=item["bytes"]))
    following = [_Place(name) for name in names[names.index(place.corpus) + 1 :]]
    rest = [_Place(place.corpus, page["next_cursor"])] if "next_cursor" in page else following
    return types.ListResourcesResult(resources=resources, next_cursor=paging.cursor({}, rest[0]) if rest else None)


def read(asked: Asked, uri: str) -> types.ReadResourceResult:
    """Return the text at an address. Raises `UsageError`, and the errors of `retrieve`."""
    corpus = uri.removeprefix(references.SCHEME).removesuffix(_NOTES)
    if uri == f"{references.SCHEME}{corpus}{_NOTES}" and "/" not in corpus:
        notes = safe(asked.one(EXPORT_NOTES, corpus, ExportNotesRequest())["text"], keep_newlines=True)
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, mime_type="text/markdown", text=notes)]
        )
    reference = references.read(uri)
    if reference.corpus is None:
        raise UsageError(f'"{uri[:200]}" is no address of this server.', references.SHAPE)
    passage = asked.one(GET, reference.corpus, reference.request())
    text, meta = passage["text"], None
    if len(text) > MOST_CHARACTERS:
        end = passage["span_start"] + MOST_CHARACTERS
        rest = f"{references.uri(reference.corpus, passage['item_id'])}#span={end}-{passage['span_end']}"
        text, meta = text[:MOST_CHARACTERS], {"biblicus/truncated": True, "biblicus/next": rest}
    safe_text = safe(text, keep_newlines=True)
    contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text=safe_text, _meta=meta)
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
