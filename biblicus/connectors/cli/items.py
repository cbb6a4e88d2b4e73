"""Commands on items and weights: list, show, get, tree, facets, weight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from biblicus import models
from biblicus.connectors import cli
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given, Printing
from biblicus.disk import files
from biblicus.errors import UsageError
from biblicus.models.fields import option
from biblicus.models.item import Item
from biblicus.models.plain import plain
from biblicus.models.requests.items import MOST_PIXELS, PageImageRequest
from biblicus.models.unread import hint_of, in_words
from biblicus.service import askers
from biblicus.service.verbs import CLEAR_WEIGHTS, FACETS, GET, LIST, PAGE_IMAGE, SHOW, TREE, WEIGHT, WEIGHTS

if TYPE_CHECKING:
    from biblicus.corpus.weights import ListedWeight, WeightOutcome
    from biblicus.models.page_image import PageImage
    from biblicus.models.reading import Excerpt, Facets, ItemLink, ItemPage, Shown, Tree


@dataclass(frozen=True, kw_only=True)
class _Reading:
    raw: bool = option(False, "Print control characters unescaped.")
    image: str | None = option(None, "Write the page as a picture (PNG) to this file instead.")
    mark: tuple[str, ...] = option((), "With --image: mark this span, START:END in characters of the item.")
    pixels: int | None = option(None, "With --image: maximum number of pixels.", ge=10_000, le=MOST_PIXELS)


def _all_items(given: Given) -> ItemPage:
    if given.own.format is not None or given.own.null:
        cli.line_format.template(cli.line_format.ITEMS, given)

    if given.request.limit is not None:
        page: ItemPage = given.ask()
        return page
    return askers.loops.all_items(given.asker, given.request, given.call)


def _list(page: ItemPage, given: Given) -> None:
    if given.own.format is not None:
        cli.line_format.write(cli.line_format.ITEMS, page.items, given)
        return
    output.table([(item.item_id, item.doctype, item.language or "-", item.path, item.title) for item in page.items])
    if not page.items:
        output.line(page.note or "No items. biblicus reindex reads the folder.")


def _address(shown: Shown, given: Given) -> str | None:
    """Return the Obsidian link of the item, if its file is in a local vault."""

    return cli.line_format.obsidian(cli.line_format.root_of(given), shown.path)


def _show(shown: Shown, given: Given) -> None:

    for key, value in ((entry.name, getattr(shown, entry.name)) for entry in fields(Item)):
        if key == "source":
            value = " ".join(str(part) for part in (value.kind, value.uri, value.ref, value.retrieved_at) if part)
        elif key == "metadata":
            _show_metadata(value, 1)
            continue
        elif value in (None, ()):
            continue
        output.line(f"{key:14} {', '.join(value) if isinstance(value, tuple | list) else value}")
    if (address := _address(shown, given)) is not None:
        output.line(f"{'obsidian':14} {address}")
    if shown.extractor:
        output.line(f"{'extractor':14} {shown.extractor}")
    if shown.parent:
        output.line(f"{'in':14} {shown.parent}")
    if shown.members:
        output.line(f"{'holds':14} {output.count(shown.members, 'items')}")
    _show_links("links", shown.links, "line {line}")
    _show_links("backlinks", shown.backlinks, "from line {line}")
    if shown.note:
        hint = hint_of(shown.note, shown.path)
        output.line(f"{'text':14} none: {in_words(shown.note)}{f' (try: {hint})' if hint else ''}")
    else:
        pages = f", {output.count(shown.pages, 'pages')}" if shown.pages else ""
        size = f"{output.count(shown.characters, 'characters')}, {output.count(shown.lines, 'lines')}"
        output.line(f"{'text':14} {size}{pages}")


def _show_links(name: str, links: Sequence[ItemLink], where: str) -> None:
    for number, link in enumerate(links):
        part = f"#{link.part}" if link.part else ""
        gone = "" if link.item_id else ", no item"
        place = where.format(line=link.line)
        output.line(f"{'' if number else name:14} {link.path}{part if name == 'links' else ''} ({place}{gone})")


def _show_metadata(metadata: Mapping[str, Any], depth: int) -> None:
    """Print a line for each value; nested values are indented below their name."""
    for name, value in metadata.items():
        label = f"{'  ' * depth}{name}"
        if isinstance(value, Mapping):
            output.line(label)
            _show_metadata(value, depth + 1)
        else:
            output.line(f"{label:14} {', '.join(map(str, value)) if isinstance(value, tuple | list) else value}")


def _read(given: Given) -> Excerpt | PageImage:
    options, request, example = given.own, given.request, "biblicus get ITEM --page 1 --image page.png"
    if options.image is None:
        if options.mark or options.pixels:
            raise UsageError("--mark and --pixels are said of a picture.", example)
        excerpt: Excerpt = given.ask()
        return excerpt
    if request.lines or request.span or request.locator:
        raise UsageError("A picture is of a page: --page says which.", example)
    image_request = PageImageRequest(
        request.item, page=request.page, mark=options.mark, **({"pixels": options.pixels} if options.pixels else {})
    )
    drawn: PageImage = given.ask(PAGE_IMAGE, image_request)
    _write(Path(options.image), drawn.png)
    return drawn


def _write(path: Path, png: bytes) -> None:
    """Write an image. Raises `UsageError` if another kind of file would be replaced."""

    try:
        files.write(path, png, replace=path.is_file() and files.read(path).startswith(png[:8]))
    except FileExistsError:
        raise UsageError(f"{path} is there, and is no picture.", "--image another-name.png") from None


def _document(reply: Excerpt | PageImage, given: Given) -> Any:
    """Return the JSON document; for an image it has the file's path instead of the data."""
    if given.own.image is None:
        return reply
    return {"image": given.own.image} | {name: value for name, value in plain(reply).items() if name != "png_base64"}


def _get(reply: Excerpt | PageImage, given: Given) -> None:
    if isinstance(reply, models.reading.Excerpt):
        _excerpt(reply, given)
        return
    where = f"{given.own.image}: page {reply.page} of {reply.pages}, {reply.width} x {reply.height} pixels"
    marked = f", marked in {output.count(len(reply.boxes), 'places')}" if given.own.mark else ""
    output.line(where + marked)
    if reply.unplaced:
        output.remark(f"{output.count(reply.unplaced, 'characters')} to be marked have no place on the page.")


def _excerpt(excerpt: Excerpt, given: Given) -> None:
    (output.raw if given.own.raw else output.text)(excerpt.text)


def _tree(tree: Tree, given: Given) -> None:
    top = len([part for part in given.request.prefix.strip("/").split("/") if part])
    for node in tree.nodes:
        parts = node.path.rstrip("/").split("/")
        indent = "  " * (len(parts) - 1 - top)
        if node.kind == "folder":
            output.line(
                f"{indent}{parts[-1]}/  ({output.count(node.items, 'items')}, {output.size(node.bytes)})", bold=True
            )
        else:
            is_told = node.title in (parts[-1], PurePosixPath(parts[-1]).stem)
            output.line(f"{indent}{parts[-1]}" if is_told else f"{indent}{parts[-1]}  {node.title}")


def _facets(facets: Facets, given: Given) -> None:
    for facet in facets.facets:
        output.line(facet.name, bold=True)
        output.table([(f"  {value.value}", f"{value.items:,}") for value in facet.values], right=frozenset({1}))
        if (more := facet.values_in_all - len(facet.values)) > 0:
            output.line(f"  … and {more:,} more; --most shows more")
    if not facets.facets:
        output.line(facets.note or "No items: the corpus is empty.")


def _set_weight(weight: WeightOutcome, given: Given) -> None:
    until = f", until {weight.expires}" if weight.expires else ""
    output.line(f"{weight.outcome}: {given.request.target} counts {weight.multiplier:g} times{until}")


def _weight(weight: ListedWeight) -> tuple[str, ...]:
    until = ("expired " if weight.expired else "until ") + weight.expires if weight.expires else ""
    target = weight.pattern or weight.path or f"{weight.item} (gone)"
    return f"{weight.multiplier:g}", weight.namespace, target, until


COMMANDS = (
    Command(
        "list",
        LIST,
        _list,
        help="List the items of the catalog, by path.",
        own=Printing,
        reply=_all_items,
        document=lambda page, _: {"items": page.items},
    ),
    Command("show", SHOW, _show),
    Command(
        "get",
        GET,
        _get,
        help="Print an item's exact text, or a part of it; --json adds its sha256. --image renders a page of a PDF.",
        own=_Reading,
        reply=_read,
        document=_document,
    ),
    Command("tree", TREE, _tree),
    Command("facets", FACETS, _facets),
    Command(
        "weight set",
        WEIGHT,
        _set_weight,
        help="Set a weight in .biblicus/weights.yml. It applies from the next query on, without a reindex.",
    ),
    Command(
        "weight list",
        WEIGHTS,
        output.each("weights", _weight, "No weights. biblicus weight set ITEM 2 sets one."),
        lists="weights",
    ),
    Command("weight clear", CLEAR_WEIGHTS, output.says(lambda gone: f"{len(gone.cleared)} cleared")),
)
