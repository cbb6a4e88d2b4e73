"""Commands that read items: list, show, get, tree."""

from __future__ import annotations

from typing import Annotated

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import (
    At,
    Category,
    Corpus,
    Doctype,
    Json,
    Language,
    PathGlob,
    Since,
    SourceOption,
    Tag,
    Toolkit,
    Type,
    Until,
    Where,
    filters,
    reader_of,
)  # fmt: skip
from biblicus.errors import UsageError
from biblicus.models.plain import plain

_ITEM = "An item by id, unambiguous id prefix, or path."


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.command("list")(list_items)
    app.command()(show)
    app.command()(get)
    app.command()(tree)


def list_items(
    tag: Tag = None,
    media_type: Type = None,
    doctype: Doctype = None,
    language: Language = None,
    path: PathGlob = None,
    where: Where = None,
    toolkit: Toolkit = None,
    category: Category = None,
    source: SourceOption = None,
    since: Since = None,
    until: Until = None,
    at: At = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """List the items of the catalog."""
    from biblicus.contracts import Call

    chosen = filters(tag, media_type, doctype, language, path, where, toolkit, category, source, since, until)
    found = reader_of(corpus, at).items(chosen, Call())
    if as_json:
        output.document({"items": found})
        return
    output.table([(item.item_id, item.doctype, item.language or "-", item.path, item.title) for item in found])
    if not found:
        output.line("No items. biblicus ingest reads the folder.")


def show(
    item: Annotated[str, typer.Argument(metavar="ITEM", help=_ITEM)],
    at: At = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Show one item: what is known of it and of its text."""
    from biblicus.contracts import Call

    found = reader_of(corpus, at).item(item, Call())
    if as_json:
        output.document({**plain(found.item), **{k: v for k, v in plain(found).items() if k != "item"}})
        return
    for key, value in plain(found.item).items():
        if key == "source":
            value = " ".join(str(part) for part in value.values() if part)
        elif key == "metadata":
            for name, text in value.items():
                output.line(f"{'  ' + name:14} {text}")
            continue
        output.line(f"{key:14} {', '.join(value) if isinstance(value, list) else value}")
    if found.note:
        output.line(f"{'text':14} none: {found.note}")
    else:
        pages = f", {found.pages} pages" if found.pages else ""
        output.line(f"{'text':14} {found.characters} characters, {found.lines} lines{pages}")


def get(
    item: Annotated[str, typer.Argument(metavar="ITEM", help=_ITEM)],
    lines: Annotated[str | None, typer.Option("--lines", metavar="A:B", help="Lines, from 1, both included.")] = None,
    span: Annotated[str | None, typer.Option("--span", metavar="A:B", help="Characters, from 0, B excluded.")] = None,
    page: Annotated[int | None, typer.Option("--page", metavar="N", help="A page, from 1.")] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Print control characters as they are.")] = False,
    at: At = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Print an item's exact text, or a part of it; --json adds its sha256."""
    from biblicus.contracts import Call
    from biblicus.guards.terminal import safe

    found = reader_of(corpus, at).get(
        item,
        Call(),
        lines=_range(lines, "--lines"),
        span=_range(span, "--span"),
        page=page,
    )
    if as_json:
        output.document(found)
    else:
        output.raw(found.text if raw or not output.is_terminal() else safe(found.text, keep_newlines=True))


def _range(text: str | None, option: str) -> tuple[int, int] | None:
    if text is None:
        return None
    first, colon, last = text.partition(":")
    try:
        return int(first), int(last if colon else first)
    except ValueError:
        raise UsageError(f"{option} takes A:B, not {text}.", f"biblicus get ITEM {option} 1:10") from None


def tree(
    prefix: Annotated[str, typer.Argument(metavar="FOLDER", help="A folder of the corpus.")] = "",
    depth: Annotated[int | None, typer.Option("--depth", min=1, metavar="N", help="How many levels.")] = None,
    at: At = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Show the folders and items of the catalog as a tree."""
    from biblicus.contracts import Call

    nodes = reader_of(corpus, at).tree(prefix, depth, Call())
    if as_json:
        output.document({"nodes": nodes})
        return
    top = len([part for part in prefix.strip("/").split("/") if part])
    for node in nodes:
        parts = node.path.rstrip("/").split("/")
        indent = "  " * (len(parts) - 1 - top)
        if node.kind == "folder":
            output.line(f"{indent}{parts[-1]}/  ({node.items} items, {output.size(node.bytes)})", bold=True)
        else:
            output.line(f"{indent}{parts[-1]}  {node.title}")
