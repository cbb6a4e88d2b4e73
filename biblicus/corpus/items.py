"""Read items: list, show, exact text, tree and statistics, from the catalog and the raw files, never an index."""

from __future__ import annotations

import binascii
import hashlib
import heapq
import json
import os
import re
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from operator import itemgetter
from typing import Any

from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.catalog import catalog_of, named
from biblicus.corpus.editorial.approvals import shown_on
from biblicus.corpus.extracted import contents, transcripts
from biblicus.corpus.extracted.extractions import Raw, of_default_recipe, raw_of
from biblicus.corpus.facets import unmatched
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files, system
from biblicus.errors import BiblicusError, ItemNotFound, NoText, OutOfBounds, UnsafeInput, UsageError
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.item import Item
from biblicus.models.locator import find, locator, touched
from biblicus.models.reading import Excerpt, Excerpts, FailedText, FilePart, ItemPage, Node, Shown, Tree
from biblicus.models.requests.items import (
    FilePartRequest,
    GetBatchRequest,
    GetRequest,
    ItemRequest,
    ListRequest,
    ShowRequest,
    TreeRequest,
)
from biblicus.models.requests.query import Filters, filters_of
from biblicus.models.unread import hint_of
from biblicus.text.citations import citation_url
from biblicus.text.counting import LineIndex
from biblicus.text.fitting import day_of, fits
from biblicus.text.paths import MEMBER, holder_of, is_member

_LINES = re.compile(r"lines? (\d{1,9})(?:-(\d{1,9}))?")
_PAGE = re.compile(r"page (\d{1,9})")
_HEADING = ("offset", "level", "title")
Place = tuple[str, ...]
"""Position in an order: its sort keys, and the path last."""


def list_items(corpus: CorpusFolder, request: ListRequest, call: Call) -> ItemPage:
    """Return matching items in the requested order. A cursor stays valid when items are added or removed."""
    order, filters = request.sort, request.filters
    after = _after(request.cursor, filters, order)
    every = catalog_of(corpus).items
    may_be_shown = shown_on(corpus, request.layer, call)
    rest: Iterable[Item]
    if order == "path":  # the catalog's own order
        candidates = every.after(after[0] if after else "", request.path)
        rest = (item for item in candidates if fits(item, request) and may_be_shown(item))
    else:
        place = _PLACES[order]
        candidates = every.after(globs=request.path)
        fitting = [(place(item), item) for item in candidates if fits(item, request) and may_be_shown(item)]
        later = (entry for entry in fitting if after is None or entry[0] > after)
        count = len(fitting) if request.limit is None else request.limit + 1
        rest = (item for _, item in heapq.nsmallest(count, later, key=itemgetter(0)))
    page = tuple(islice(rest, None if request.limit is None else request.limit + 1))
    if not page and request.restricts and after is None:
        return ItemPage((), note=unmatched(corpus, filters, call))
    if request.limit is None or len(page) <= request.limit:
        return ItemPage(page)
    return ItemPage(page[:-1], _cursor(_PLACES[order](page[-2]), filters, order))


def _by_day(item: Item) -> Place:
    """Sort the newest day first, a year or month after its days, undated items last."""
    day = (day_of(item.metadata) or "").replace("-", "")
    return f"{99_999_999 - int(day.ljust(8, '0')):08}", item.path


_PLACES: Mapping[str, Callable[[Item], Place]] = {
    "path": lambda item: (item.path,),
    "size": lambda item: (f"{(1 << 63) - item.bytes:019}", item.path),
    "title": lambda item: (item.title.casefold(), item.path),
    "type": lambda item: (item.media_type, item.path),
    "date": _by_day,
}
"""Sort key of an item for each order; smaller texts come first."""


_NEAR = 20
"""Number of items with the same file name to consider as suggestions."""


def meant(corpus: CorpusFolder, request: ItemRequest, call: Call) -> Item:
    """Return the requested item. Raises `ItemNotFound`, also if it may not be shown on the requested layers."""
    catalog, is_shown = catalog_of(corpus), shown_on(corpus, request.layer, call)
    try:
        item = named(catalog, request.item)
    except ItemNotFound:
        file_name = request.item.casefold().rpartition("/")[2]
        same = (path for path in catalog.items if path.casefold().rpartition("/")[2] == file_name)
        near = [path for path in islice(same, _NEAR) if is_shown(catalog.items[path])]
        raise ItemNotFound(request.item, near[0] if len(near) == 1 else "") from None
    if not is_shown(item):
        raise ItemNotFound(request.item)
    return item


def show(corpus: CorpusFolder, request: ShowRequest, call: Call) -> Shown:
    """Return one item in full. Raises `ItemNotFound`, and `UsageError` for links with a layer."""
    catalog = catalog_of(corpus)
    item = meant(corpus, request, call)
    members = len(catalog.of_all.below(item.path + MEMBER))
    family: dict[str, Any] = {"parent": holder_of(item.path) or None, "members": members or None}
    if request.links:
        if request.layer:
            raise UsageError("Links are read from the files as they are, approved or not: name no layer.")
        from biblicus.corpus.described.links import Linked  # lazy: rarely requested

        with contents.Contents(corpus, call) as opened:
            linked = Linked(corpus, catalog, opened)
            family |= {"links": linked.of(item), "backlinks": linked.to(item, call)}
    try:
        raw = present(corpus, item)
    except ItemNotFound:
        raw = raw_of(item)
    extractions = of_default_recipe(corpus, call)
    outcome = extractions.outcome(raw)
    key = extractions.extraction_id(raw)
    family["extractor"] = extractions.choose(raw.path, raw.media_type)
    if isinstance(outcome, NoExtraction):
        return Shown.of(item, extraction_id=key, note=outcome.sentence, **family)
    text = outcome.text
    return Shown.of(
        item,
        extraction_id=key,
        note=None,
        pages=len(outcome.pages),
        lines=LineIndex(text).count,
        characters=len(text),
        headings=len(outcome.headings),
        **family,
    )


def get(corpus: CorpusFolder, request: GetRequest, call: Call) -> Excerpt:
    """Return exact text of the current file. Raises `ItemNotFound`, `NoText`, `OutOfBounds`."""
    item = meant(corpus, request, call)
    raw = present(corpus, item)
    extractions = of_default_recipe(corpus, call)
    outcome = extractions.outcome(raw)
    if isinstance(outcome, NoExtraction):
        raise NoText(item.path, outcome.reason or outcome.status, hint_of(outcome.sentence, item.path))
    index = LineIndex(outcome.text)
    start, end = _bounds(outcome, index, request)
    text = outcome.text[start:end]
    first, last = index.line_range(start, end) if end > start else (index.line_of(start), index.line_of(start))
    on = next((n for n in range(len(outcome.pages), 0, -1) if outcome.pages[n - 1] <= start), None)
    within = [heading.as_tuple() for heading in outcome.headings if request.spots and start <= heading.offset < end]
    digests = hashlib.sha256(text.encode()).hexdigest(), raw.sha256, extractions.extraction_id(raw)
    place = start, end, first, last, on, locator(outcome.spots, on, (start, end), (first, last))
    is_current = raw.sha256 == item.sha256
    return Excerpt(
        *(item.item_id, item.path, text, *digests, *place),
        citation_url(item.source.uri, item.media_type, first, last, on) if is_current else None,
        boxes=tuple(box._asdict() for box in outcome.boxes if start <= box.start and box.end <= end),
        spots=tuple(spot._asdict() for spot in touched(outcome.spots, start, end)) if request.spots else (),
        headings=tuple(dict(zip(_HEADING, heading, strict=True)) for heading in within),
    )


def file_part(corpus: CorpusFolder, request: FilePartRequest, call: Call) -> FilePart:
    """Return bytes of the current file. Raises `ItemNotFound`, `OutOfBounds`."""
    item = meant(corpus, request, call)
    try:
        size, part = _part(corpus, item, request, call)
    except (OSError, UnsafeInput) as error:
        raise ItemNotFound(item.path, gone="its file is gone") from error
    encoded = b64encode(part).decode()
    return FilePart(item.item_id, item.path, item.media_type, item.sha256, size, request.start, encoded)


def _part(corpus: CorpusFolder, item: Item, request: FilePartRequest, call: Call) -> tuple[int, bytes]:
    """Return the size of a file or member and the requested bytes. Raises `OutOfBounds`."""
    if is_member(item.path) or item.approval:
        data = contents.read(corpus, item.path, call, item.sha256 if item.approval else "")
        _within(request, len(data))
        return len(data), data[request.start : request.start + request.length]
    with files.opened(corpus.inside(item.path)) as descriptor:
        size = os.fstat(descriptor).st_size
        _within(request, size)
        return size, system.read_at(descriptor, request.length, request.start)


def _within(request: FilePartRequest, size: int) -> None:
    if request.start > size or (request.start == size and size):
        raise OutOfBounds(f"Byte {request.start}", f"{size} bytes")


def present(corpus: CorpusFolder, item: Item) -> Raw:
    """Return the current facts of the item's file. Raises `ItemNotFound` if it is gone."""
    try:
        sha256, size = contents.facts(corpus, item.path, approved=item.sha256 if item.approval else "")
        transcript = transcripts.of_item(item if item.approval else transcripts.renewed(corpus, item))
        return Raw(item.path, sha256, item.media_type, size, transcript)
    except OSError as error:
        raise ItemNotFound(item.path, gone="its file is gone") from error
    except UnsafeInput as error:
        raise ItemNotFound(item.path, gone="it is no regular file of the corpus now") from error


def get_batch(corpus: CorpusFolder, request: GetBatchRequest, call: Call) -> Excerpts:
    """Return several exact texts."""
    results: list[Excerpt | FailedText] = []
    for part in request.requests:
        call.check()
        try:
            results.append(get(corpus, part, call))
        except BiblicusError as error:
            results.append(FailedText(error.as_object()))
    return Excerpts(tuple(results))


def _bounds(extraction: Extraction, index: LineIndex, request: GetRequest) -> tuple[int, int]:
    lines, span, page = request.lines, request.span, request.page
    text = extraction.text
    if request.locator is not None:
        if (named_lines := _LINES.fullmatch(request.locator)) is not None:
            lines = int(named_lines[1]), int(named_lines[2] or named_lines[1])
        elif (named_page := _PAGE.fullmatch(request.locator)) is not None and extraction.pages:
            page = int(named_page[1])
        elif (place := find(extraction.spots, request.locator, len(text))) is not None:
            span = place
        else:
            raise OutOfBounds(f'"{request.locator}"', _kinds(extraction))
    if lines is not None:
        first, last = lines
        if not 1 <= first <= last <= max(1, index.count):
            raise OutOfBounds(f"Lines {first}:{last}", f"{index.count} lines")
        return index.span_of(first, last)
    if span is not None:
        start, end = span
        if not 0 <= start <= end <= len(text):
            raise OutOfBounds(f"Span {start}:{end}", f"{len(text)} characters")
        return start, end
    if page is not None:
        pages = extraction.pages
        if not 1 <= page <= len(pages):
            raise OutOfBounds(f"Page {page}", f"{len(pages)} pages" if pages else "no pages")
        return pages[page - 1], pages[page] if page < len(pages) else len(text)
    return 0, len(text)


def _kinds(extraction: Extraction) -> str:
    """Return the units, besides lines, in which an extraction can be addressed, for a message."""
    spots = extraction.spots
    if not spots:
        return f"pages 1-{len(extraction.pages)} and lines" if extraction.pages else "lines alone"
    first = locator(spots, None, (spots[0].offset, spots[0].offset + 1), (1, 1))
    return f'{", ".join(dict.fromkeys(spot.kind for spot in spots))}; the first is "{first.label}"'


def tree(corpus: CorpusFolder, request: TreeRequest, call: Call) -> Tree:
    """Return folders and items below a folder, sorted, from the catalog alone.
    A cursor stays valid when items are added or removed."""
    is_shown = shown_on(corpus, request.layer, call) if request.layer else None
    nodes = _nodes(corpus, request.prefix, request.depth, is_shown)
    filters = Filters(path=(request.prefix, str(request.depth)), layer=request.layer)
    after = _after(request.cursor, filters)
    if after is not None:
        nodes = [node for node in nodes if node.path.split("/") > after[0].split("/")]
    if request.max_entries is None or len(nodes) <= request.max_entries:
        return Tree(tuple(nodes))
    page = tuple(nodes[: request.max_entries])
    return Tree(page, truncated=True, next_cursor=_cursor((page[-1].path,), filters))


def _nodes(corpus: CorpusFolder, prefix: str, depth: int | None, is_shown: Callable[[Item], bool] | None) -> list[Node]:
    """Return the nodes below a folder. Only sizes are read of deeper files, unless layers are requested."""
    prefix = prefix.strip("/").removeprefix("./")
    base = f"{prefix}/" if prefix and prefix != "." else ""
    folders: dict[str, list[int]] = {}
    nodes: list[Node] = []
    is_known = False
    for path, entry in catalog_of(corpus).of_all.after(below=base):
        if not (is_shown is None or is_shown(catalogs.parse_line(entry.line))):
            continue
        is_known = True
        parts = path[len(base) :].split("/")
        size = catalogs.size_and_language(entry.line)[0]
        for level in range(1, len(parts)):
            if depth is None or level <= depth:
                count = folders.setdefault(base + "/".join(parts[:level]), [0, 0])
                count[0] += 1
                count[1] += size
        if depth is None or len(parts) <= depth:
            item = catalogs.parse_line(entry.line)
            nodes.append(Node(path, "item", 1, item.bytes, item.title, item.item_id))
    if base and not is_known:
        raise ItemNotFound(prefix)
    nodes += [Node(f"{path}/", "folder", count, size) for path, (count, size) in folders.items()]
    return sorted(nodes, key=lambda node: node.path.split("/"))


def _cursor(place: Place, filters: Filters, order: str = "path") -> str:
    """Return the cursor for the page after a position."""
    document = json.dumps([_mark(filters, order), *place])
    return urlsafe_b64encode(document.encode()).decode().rstrip("=")


def _after(cursor: str | None, filters: Filters, order: str = "path") -> Place | None:
    """Return the position after which a page starts. Raises `UsageError` for an invalid cursor or one of another
    list."""
    if cursor is None:
        return None
    try:
        mark, *place = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, TypeError) as error:
        raise UsageError("The cursor is none of this service's.", "the same without a cursor") from error
    if mark != _mark(filters, order) or not place or not all(isinstance(part, str) for part in place):
        raise UsageError("The cursor belongs to other filters or another order.", "the same without a cursor")
    return tuple(place)


def _mark(filters: Filters, order: str) -> str:
    """Return a short digest of the filters and the order."""
    listed = filters_of(filters) if order == "path" else {**filters_of(filters), "sort": order}
    return hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest()[:8]
