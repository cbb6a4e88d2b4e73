"""Commands that read items, and say what they count: list, show, get, tree, weight."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.commands import Command, Given
from biblicus.models.fields import doc
from biblicus.models.unread import hint_of
from biblicus.service.verbs import CLEAR_WEIGHTS, GET, LIST, SHOW, TREE, WEIGHT, WEIGHTS

if TYPE_CHECKING:
    from biblicus.corpus.weights import ClearedWeights, WeightList, WeightOutcome
    from biblicus.models.reading import Excerpt, ItemPage, Shown, Tree


@dataclass(frozen=True, kw_only=True)
class _Printing:
    raw: bool = field(default=False, metadata=doc("Print control characters as they are."))


def _all_items(given: Given) -> ItemPage:
    from biblicus.models.reading import ItemPage
    from biblicus.service.askers.loops import all_items

    return ItemPage(all_items(given.asker, given.request, given.call))


def _list(page: ItemPage, given: Given) -> None:
    output.table([(item.item_id, item.doctype, item.language or "-", item.path, item.title) for item in page.items])
    if not page.items:
        output.line("No items. biblicus ingest reads the folder.")


def _show(shown: Shown, given: Given) -> None:
    from biblicus.models.item import Item

    for key, value in ((entry.name, getattr(shown, entry.name)) for entry in fields(Item)):
        if key == "source":
            value = " ".join(str(part) for part in (value.kind, value.uri, value.ref, value.retrieved_at) if part)
        elif key == "metadata":
            for name, text in value.items():
                output.line(f"{'  ' + name:14} {text}")
            continue
        output.line(f"{key:14} {', '.join(value) if isinstance(value, tuple | list) else value}")
    if shown.note:
        hint = hint_of(shown.note, shown.path)
        output.line(f"{'text':14} none: {shown.note}{f' (try: {hint})' if hint else ''}")
    else:
        pages = f", {shown.pages} pages" if shown.pages else ""
        output.line(f"{'text':14} {shown.characters} characters, {shown.lines} lines{pages}")


def _get(excerpt: Excerpt, given: Given) -> None:
    from biblicus.guards.terminal import safe

    as_it_is = given.own.raw or not output.is_terminal()
    output.raw(excerpt.text if as_it_is else safe(excerpt.text, keep_newlines=True))


def _tree(tree: Tree, given: Given) -> None:
    top = len([part for part in given.request.prefix.strip("/").split("/") if part])
    for node in tree.nodes:
        parts = node.path.rstrip("/").split("/")
        indent = "  " * (len(parts) - 1 - top)
        if node.kind == "folder":
            output.line(f"{indent}{parts[-1]}/  ({node.items} items, {output.size(node.bytes)})", bold=True)
        else:
            output.line(f"{indent}{parts[-1]}  {node.title}")


def _set_weight(weight: WeightOutcome, given: Given) -> None:
    until = f", until {weight.expires}" if weight.expires else ""
    output.line(f"{weight.outcome}: {given.request.target} counts {weight.multiplier:g} times{until}")


def _weights(listed: WeightList, given: Given) -> None:
    output.table(
        [
            (
                f"{weight.multiplier:g}",
                weight.namespace,
                weight.pattern or weight.path or f"{weight.item} (gone)",
                ("expired " if weight.expired else "until ") + weight.expires if weight.expires else "",
            )
            for weight in listed.weights
        ]
    )
    if not listed.weights:
        output.line("No weights. biblicus weight set ITEM 2 sets one.")


def _clear_weights(gone: ClearedWeights, given: Given) -> None:
    output.line(f"{len(gone.cleared)} cleared")


COMMANDS = (
    Command("list", LIST, _list, help="List the items of the catalog, by path.", reply=_all_items),
    Command("show", SHOW, _show),
    Command(
        "get", GET, _get, help="Print an item's exact text, or a part of it; --json adds its sha256.", own=_Printing
    ),
    Command("tree", TREE, _tree),
    Command(
        "weight set",
        WEIGHT,
        _set_weight,
        help="Set a weight, in .biblicus/weights.yml. The next question counts it; nothing is indexed anew.",
    ),
    Command("weight list", WEIGHTS, _weights),
    Command("weight clear", CLEAR_WEIGHTS, _clear_weights),
)
