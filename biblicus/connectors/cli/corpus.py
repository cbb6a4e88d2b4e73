"""Commands on the corpus as a whole: init, ingest, remove, tag, stats, check, trust."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from biblicus.connectors.cli import options, output
from biblicus.connectors.cli.options import At, Corpus, Json, Strict, place_of, reader_of
from biblicus.models.plain import plain


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(init)
    app.command()(ingest)
    app.command()(remove)
    app.command(context_settings={"ignore_unknown_options": True})(tag)
    app.command()(stats)
    app.command()(check)
    app.command()(trust)


def init(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The folder; made where it is missing.")] = Path(),
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="The corpus's name (default: the folder's).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Make a folder a corpus. Nothing that lies in it is touched."""
    from biblicus.corpus.folder import create as operation

    place = operation(path, name)
    if as_json:
        output.document({"corpus_id": place.config.corpus_id, "name": place.config.name})
        return
    output.line(f'The corpus "{place.config.name}" is ready in {place.root}.')
    output.line("Next: biblicus reindex (reads the folder and builds the index), then biblicus query TEXT.")


def ingest(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE", help="Files, folders or addresses; - reads standard input. None: refresh the folder."
        ),
    ] = None,
    into: Annotated[str | None, typer.Option("--into", metavar="DIR", help="Copy below this folder.")] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The title of the one source.")] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", metavar="TAG", help="A tag for what is named (repeat for more).")
    ] = None,
    meta: Annotated[list[str] | None, typer.Option("--meta", metavar="K=V", help="Metadata for what is named.")] = None,
    on_duplicate: Annotated[
        Literal["skip", "error", "keep"], typer.Option("--on-duplicate", help="What the same bytes again come to.")
    ] = "skip",
    same: Annotated[
        Literal["bytes", "text"], typer.Option("--same", help="What counts as the same: bytes, or the words.")
    ] = "bytes",
    allow_local: Annotated[bool, typer.Option("--allow-local", help="git+PATH: a repository of this machine.")] = False,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="An address's host may be on a private network.")
    ] = False,
    strict: Strict = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Refresh the catalog from the folder, and bring in files and addresses from outside it."""
    from biblicus.bring.ingest import IngestRequest
    from biblicus.bring.ingest import ingest as operation

    place = place_of(corpus)
    request = IngestRequest(
        sources=tuple(sources or ()),
        into=into,
        title=title,
        tags=tuple(tag or ()),
        metadata=options.pairs(meta, "--meta"),
        on_duplicate=on_duplicate,
        same=same,
        strict=strict,
        allow_local=allow_local,
        allow_private=allow_private,
        stdin=sys.stdin.buffer.read(place.settings.max_file_bytes + 1) if sources and "-" in sources else None,
    )
    with output.watched() as call:
        report = operation(place, request, call)
    if as_json:
        output.document(report)
    else:
        output.changes(report)


def remove(
    items: Annotated[list[str], typer.Argument(metavar="ITEM", help="Items by id, unambiguous id prefix, or path.")],
    delete_file: Annotated[
        bool, typer.Option("--delete-file", help="Delete the file even if it is your own or was edited.")
    ] = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Forget an import and delete the copy Biblicus made."""
    from biblicus.bring.remove import remove as operation
    from biblicus.contracts import Call

    removed, report = operation(place_of(corpus), items, Call(), delete_file=delete_file)
    if as_json:
        output.document(report)
        return
    for item in removed:
        output.line(f"- {item.path}", fg="red")
    output.line(f"{len(removed)} removed; the next reindex forgets them.")


def tag(
    item: Annotated[str, typer.Argument(metavar="ITEM", help="An item by id, unambiguous id prefix, or path.")],
    changes: Annotated[list[str], typer.Argument(metavar="+TAG|-TAG", help="+tag to add, -tag to drop.")],
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Add and drop tags: the sidecar is written, the file itself never."""
    from biblicus.contracts import Call
    from biblicus.corpus.sidecars import tag as operation

    found, _ = operation(place_of(corpus), item, changes, Call())
    if as_json:
        output.document({"item_id": found.item_id, "path": found.path, "tags": found.tags})
    else:
        output.line(f"{found.path}: {', '.join(found.tags) or 'no tags'}")


def stats(at: At = None, as_json: Json = False, corpus: Corpus = None) -> None:
    """Count what the corpus holds, and its runs."""
    from biblicus.contracts import Call

    found = reader_of(corpus, at).stats(Call())
    if as_json:
        output.document(found)
        return
    output.line(f"{found['name']}: {found['items']} items, {output.size(found['bytes'])}", bold=True)
    for title in ("doctypes", "languages", "media_types", "tags"):
        counts = found[title]
        if counts:
            shown = ", ".join(f"{name} {count}" for name, count in list(counts.items())[:12])
            output.line(f"{title.replace('_', ' ')}: {shown}" + (", …" if len(counts) > 12 else ""))
    _show_runs(found["runs"])


def _show_runs(latest: dict[str, Any]) -> None:
    for recipe, run in latest.items():
        state = "current" if run["current"] else "older than the catalog (biblicus reindex)"
        failed = f", {run['failed']} failed" if run["failed"] else ""
        output.line(f"{recipe}: {run['run_id']}, {run['chunks']} chunks{failed}, {state}")
    if not latest:
        output.line("no run yet: biblicus reindex")


def check(
    read_data: Annotated[bool, typer.Option("--read-data", help="Read every file to the last byte.")] = False,
    repair: Annotated[bool, typer.Option("--repair", help="Rebuild from the raw files what is damaged.")] = False,
    sources: Annotated[
        bool, typer.Option("--sources", help="Hold copies against what was synced; ask repositories for their branch.")
    ] = False,
    prune_cache: Annotated[bool, typer.Option("--prune-cache", help="Bound the caches.")] = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Look for damage: torn, altered or missing files. Exit code 4 where there is any."""
    from biblicus.upkeep import check as operation

    place = place_of(corpus)
    with output.watched() as call:
        pruned = operation.prune_cache(place, call) if prune_cache else None
        report = operation.check(place, call, read_data=read_data, repair=repair, sources=sources)
    if as_json:
        output.document({**plain(report), **({"pruned": pruned} if pruned else {})})
    else:
        output.notes("Notes", report.notes, fg="bright_black")
        output.notes("Problems", report.problems, fg="red")
        for text in report.repaired:
            output.line(f"Repaired: {text}")
        if pruned:
            output.line(f"Pruned {pruned[0]} cached extractions and vectors ({output.size(pruned[1])}).")
        counts = ", ".join(f"{count} {name}" for name, count in report.checked.items())
        output.line(f"{len(report.problems)} problems; checked {counts}.", bold=True)
    if report.problems:
        raise typer.Exit(4)


def trust(as_json: Json = False, corpus: Corpus = None) -> None:
    """Take listed sources, and indexes built elsewhere, as your own: you trust where this folder came from."""
    from biblicus.contracts import Call
    from biblicus.upkeep.trust import trust as operation

    report = operation(place_of(corpus), Call())
    if as_json:
        output.document(report)
    else:
        for run_id in report["sealed"]:
            output.line(f"trusted {run_id}")
        for source in report["sources"]:
            output.line(f"trusted the source {source}")
        for run_id in report["refused"]:
            output.line(f"refused {run_id}: it is not what its manifest or its digests say", fg="red")
        trusted = len(report["sealed"]) + len(report["sources"])
        output.line(f"{trusted} trusted, {len(report['already'])} already this machine's.")
    if report["refused"]:
        raise typer.Exit(7)
