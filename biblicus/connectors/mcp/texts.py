"""Exact texts for an agent: references are read in order until the output budget is used up, even inside a text."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import Field

from biblicus.connectors.mcp import paging, references
from biblicus.connectors.mcp.asking import PICTURES, Asked, Object
from biblicus.connectors.mcp.parameters import References
from biblicus.connectors.mcp.reading import as_told
from biblicus.connectors.mcp.references import Reference
from biblicus.errors import BiblicusError, UsageError
from biblicus.models.requests.items import GetRequest, PageImageRequest
from biblicus.service.verbs import GET, PAGE_IMAGE

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
        return references.read(self.own.items[self.place.number])

    def passage(self) -> Object:
        """Return the passage. Raises `UsageError` if the item has changed since the cursor was created."""
        passage = self.read(self.reference.request())
        if self.place.offset is None:
            return passage
        if passage["item_sha256"] != self.place.sha256:
            raise UsageError("The item has changed since that cursor was given.", paging.OTHER_CURSOR)
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
        ref = references.lines(passage["item_id"], passage["line_start"], passage["line_end"], corpus)
        named = {"path": "path", "page": "page", "url": "citation_url", "index_version": "index_version"}
        place = {key: passage[name] for key, name in named.items() if passage[name]}
        return {"ref": ref, **place, "text": passage["text"]}


def get(asked: Asked, own: References, request: None) -> Object:
    """Return texts in request order, with errors in place of failed ones; with page images if requested."""
    reply = _texts(asked, own)
    return {**reply, PICTURES: _pictures(asked, own)} if own.image else reply


def _pictures(asked: Asked, own: References) -> list[str]:
    """Return images of the pages of the first references, with the text highlighted. Items without pages have none."""
    place = paging.resumed(asked.arguments, own.cursor, Place) or Place()
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
    place = paging.resumed(asked.arguments, own.cursor, Place) or Place()
    results: list[Object] = []
    left = own.output_tokens - paging.RESERVE
    while place.number < len(own.items):
        asked.call.check()
        target = _Wanted(asked, own, place)
        passage = _entry(target)
        cost = paging.least(passage.get("text", ""))
        if cost <= left:
            cost = paging.cost(passage)
        if cost > left and (results or "text" in passage):
            if "text" in passage and (left >= _LEAST or not results):
                passage, place = _shortened(target, max(left, _LEAST))
                results.append(passage)
            return {"results": results, "truncated": True, "cursor": paging.cursor(asked.arguments, place)}
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
        return {"item": wanted.own.items[wanted.place.number], "error": as_told(error)}


def _shortened(wanted: _Wanted, tokens: int) -> tuple[Object, Place]:
    """Return as much of a text as fits, cut at a line end if that loses little, and the position of the end."""
    passage = wanted.passage()
    text = str(passage["text"])
    room = max(tokens - paging.cost(wanted.shown({**passage, "text": ""})), _LEAST // 2)
    end = min(len(text), paging.longest(room))
    while end > 1 and (cost := paging.cost(text[:end])) > room:
        end = max(1, min(end - 1, end * room // cost))
    end = text.rfind("\n", end // 2, end) + 1 or end
    first: int = passage["span_start"]
    cut = wanted.span(first, first + end)
    return wanted.shown(cut), Place(wanted.place.number, first + end, passage["item_sha256"])
