"""Reads items: list, show, get exact text, the tree, statistics. From the catalog and the raw files, never an index."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from biblicus.contracts import Call
from biblicus.corpus import catalog as catalogs
from biblicus.corpus import recipes
from biblicus.corpus.catalog import Catalog
from biblicus.corpus.extractions import Extractions, Outcome, Raw, raw_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.selection import fits, named
from biblicus.disk import files
from biblicus.errors import ItemNotFound, NoText, OutOfBounds, UnsafeInput, UsageError
from biblicus.models.extraction import Extraction, NoExtraction
from biblicus.models.item import Item
from biblicus.models.question import Filters
from biblicus.models.reading import Excerpt, Node, Shown
from biblicus.text.citations import citation_url
from biblicus.text.lines import LineIndex


def catalog_of(place: CorpusFolder) -> Catalog:
    """The catalog, or an empty one before the first ingest."""
    found = catalogs.read(place)
    if found is not None:
        return found
    return Catalog(
        catalogs.Header(schema_version=1, corpus_id=place.config.corpus_id, corpus_digest=catalogs.corpus_digest(()))
    )


Read = Callable[[CorpusFolder], Catalog]
"""How a catalog is read: anew, or by who remembers it."""


def list_items(
    place: CorpusFolder, filters: Filters, read: Read = catalog_of, after: str | None = None
) -> Iterator[Item]:
    """Items that fit, by path; those after a path alone where one is given."""
    every = read(place).items
    found = every.values() if after is None else every.after(after)
    return (item for item in found if fits(item, filters))


def show(place: CorpusFolder, name: str, call: Call, read: Read = catalog_of) -> Shown:
    """One item in full."""
    item = named(read(place), name)
    extractions = Extractions(place, call, recipes.reading_options(place))
    outcome = outcome_of(place, item, extractions)
    key = extractions.extraction_id(raw_of(item))
    if isinstance(outcome, NoExtraction):
        return Shown(item, key, outcome.sentence, 0, 0, 0, 0)
    text = outcome.text
    return Shown(item, key, None, len(outcome.pages), LineIndex(text).count, len(text), len(outcome.headings))


def outcome_of(place: CorpusFolder, item: Item, extractions: Extractions, raw: Raw | None = None) -> Outcome:
    """An item's extraction, through a worker where its format needs one."""
    raw = raw or raw_of(item)
    outcome = extractions.get(raw)
    if outcome is None:
        for _, outcome in extractions.guarded([raw]):
            return outcome
        return NoExtraction("failed", "its parser gave no result")
    return outcome


def get(
    place: CorpusFolder,
    name: str,
    call: Call,
    *,
    lines: tuple[int, int] | None = None,
    span: tuple[int, int] | None = None,
    page: int | None = None,
    read: Read = catalog_of,
) -> Excerpt:
    """Exact text of an item as it is now: all of it, or lines (from 1, both included), a span, or a page.

    Raises `ItemNotFound`, `NoText`, `OutOfBounds`.
    """
    if sum(part is not None for part in (lines, span, page)) > 1:
        raise UsageError("Give one of lines, span and page.", "biblicus get ITEM --lines 1:10")
    item = named(read(place), name)
    raw = present(place, item)
    extractions = Extractions(place, call, recipes.reading_options(place))
    outcome = outcome_of(place, item, extractions, raw)
    if isinstance(outcome, NoExtraction):
        raise NoText(item.path, outcome.reason or outcome.status)
    index = LineIndex(outcome.text)
    start, end = _bounds(outcome, index, lines, span, page)
    text = outcome.text[start:end]
    first, last = index.line_range(start, end) if end > start else (index.line_of(start), index.line_of(start))
    on = next((n for n in range(len(outcome.pages), 0, -1) if outcome.pages[n - 1] <= start), None)
    return Excerpt(
        item.item_id,
        item.path,
        text,
        hashlib.sha256(text.encode()).hexdigest(),
        raw.sha256,
        extractions.extraction_id(raw),
        start,
        end,
        first,
        last,
        on,
        citation_url(item.source.uri, item.media_type, first, last) if raw.sha256 == item.sha256 else None,
    )


def present(place: CorpusFolder, item: Item) -> Raw:
    """The item's raw file as it is now. Raises `ItemNotFound` where it is gone."""
    try:
        path = place.inside(item.path)
        return Raw(item.path, files.sha256(path), item.media_type, path.stat().st_size)
    except OSError as error:
        raise ItemNotFound(f"{item.path} (its file is gone)") from error
    except UnsafeInput as error:
        raise ItemNotFound(f"{item.path} (it is no regular file of the corpus now)") from error


def _bounds(
    extraction: Extraction,
    index: LineIndex,
    lines: tuple[int, int] | None,
    span: tuple[int, int] | None,
    page: int | None,
) -> tuple[int, int]:
    text = extraction.text
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


def tree(place: CorpusFolder, prefix: str, depth: int | None, read: Read = catalog_of) -> list[Node]:
    """Folders and items below `prefix`, sorted, at most `depth` levels deep. From the catalog alone."""
    prefix = prefix.strip("/").removeprefix("./")
    base = f"{prefix}/" if prefix and prefix != "." else ""
    folders: dict[str, list[int]] = {}
    nodes: list[Node] = []
    found = False
    for path, item in read(place).items.items():
        if not path.startswith(base):
            continue
        found = True
        parts = path[len(base) :].split("/")
        for level in range(1, len(parts)):
            if depth is None or level <= depth:
                count = folders.setdefault(base + "/".join(parts[:level]), [0, 0])
                count[0] += 1
                count[1] += item.bytes
        if depth is None or len(parts) <= depth:
            nodes.append(Node(path, "item", 1, item.bytes, item.title, item.item_id))
    if base and not found:
        raise ItemNotFound(prefix)
    nodes += [Node(f"{path}/", "folder", count, size) for path, (count, size) in folders.items()]
    return sorted(nodes, key=lambda node: node.path.split("/"))
