"""Commands about sources: add, list, remove, sync."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import Corpus, Json, Strict, place_of

if TYPE_CHECKING:
    from biblicus.bring.apply import SourceReport
    from biblicus.bring.sync import SyncReport

_NAME = typer.Argument(metavar="NAME", help="A source, by the name that the list gives it.")
_Local = Annotated[bool, typer.Option("--allow-local", help="It may be a path of this machine; remembered.")]
_Private = Annotated[bool, typer.Option("--allow-private", help="Its host may be on a private network; remembered.")]
_Globs = list[str] | None


def add(app: typer.Typer) -> None:
    """Register the group."""
    sources = typer.Typer(help="List what the corpus draws from (repositories, pages, sites, feeds, folders); sync it.")
    sources.command("add")(add_source)
    sources.command("list")(list_sources)
    sources.command("sync")(sync)
    sources.command("remove")(remove)
    app.add_typer(sources, name="sources")


def add_source(
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="https://…, git+https://…@REF, or a path with --allow-local.")
    ],
    name: Annotated[str | None, typer.Option("--name", metavar="NAME", help="How it is called here.")] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="git, url, site, feed or folder, where it is not plain."),
    ] = None,
    ref: Annotated[
        str | None, typer.Option("--ref", metavar="REF", help="A branch, tag or commit (default: its default branch).")
    ] = None,
    toolkit: Annotated[str | None, typer.Option("--toolkit", metavar="T", help="What its items are about.")] = None,
    category: Annotated[str | None, typer.Option("--category", metavar="C", help="What kind of source it is.")] = None,
    tag: Annotated[_Globs, typer.Option("--tag", metavar="TAG", help="A tag for its items (repeat for more).")] = None,
    include: Annotated[_Globs, typer.Option("--include", metavar="GLOB", help="Only paths that fit (any).")] = None,
    exclude: Annotated[_Globs, typer.Option("--exclude", metavar="GLOB", help="No paths that fit (any).")] = None,
    doctype: Annotated[
        _Globs, typer.Option("--doctype", metavar="GLOB=NAME", help="Paths that fit have this doctype (the first).")
    ] = None,
    web: Annotated[
        str | None, typer.Option("--web", metavar="URL", help="Where a repository is looked at, if elsewhere.")
    ] = None,
    links: Annotated[
        str | None,
        typer.Option("--links", metavar="STYLE", help="How: github, gitlab, gitea, bitbucket, cgit or plain."),
    ] = None,
    prefix: Annotated[str | None, typer.Option("--prefix", metavar="URL", help="The section of a site.")] = None,
    depth: Annotated[int | None, typer.Option("--depth", metavar="N", help="Links away from a site's page.")] = None,
    max_pages: Annotated[int | None, typer.Option("--max-pages", metavar="N", help="Pages of a site.")] = None,
    max_entries: Annotated[int | None, typer.Option("--max-entries", metavar="N", help="Entries of a feed.")] = None,
    allow_local: _Local = False,
    allow_private: _Private = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """List a source in .biblicus/sources.yml. Nothing is fetched before: biblicus sources sync."""
    from biblicus.bring.sources import add as operation
    from biblicus.contracts import Call

    said: dict[str, Any] = {"name": name, "kind": kind, "ref": ref, "toolkit": toolkit, "category": category}
    said |= {"tags": tag, "include": include, "exclude": exclude, "doctypes": _doctypes(doctype), "web": web}
    said |= {"links": links, "prefix": prefix, "depth": depth, "max_pages": max_pages, "max_entries": max_entries}
    place = place_of(corpus)
    found = operation(place, address, Call(), said, allow_local=allow_local, allow_private=allow_private)
    if as_json:
        output.document(found)
    else:
        output.line(f"{found.name} ({found.kind}: {found.where}) is listed. Next: biblicus sources sync {found.name}")


def _doctypes(values: list[str] | None) -> list[dict[str, str]]:
    from biblicus.errors import UsageError

    found = []
    for value in values or []:
        path, equals, doctype = value.rpartition("=")
        if not equals or not path:
            raise UsageError(f"--doctype takes GLOB=NAME, not {value}.", "--doctype 'guide/**=doc'")
        found.append({"path": path, "doctype": doctype})
    return found


def list_sources(as_json: Json = False, corpus: Corpus = None) -> None:
    """List the sources: where they are, whether you trust them, and what the last sync left."""
    from biblicus.bring.sources import list_sources as operation

    entries = operation(place_of(corpus))
    if as_json:
        output.document({"sources": entries})
        return
    for entry in entries:
        at = f" at {entry.state['commit'][:12]} ({entry.state.get('branch', '')})" if "commit" in entry.state else ""
        state = f"{entry.documents} documents{at}" if entry.state else "not synced yet"
        if not entry.listed:
            state += "; not listed any more"
        elif not entry.trusted:
            state += "; not trusted (biblicus trust)"
        output.line(f"{entry.name:16} {entry.kind:6} {entry.where or '-'}  {state}")
        if entry.problem:
            output.line(f"  {entry.problem}", fg="red")
    if not entries:
        output.line("No sources yet. biblicus sources add https://… lists one.")


def remove(
    name: Annotated[str, _NAME],
    keep_documents: Annotated[
        bool, typer.Option("--keep-documents", help="Leave the copies of its documents in the corpus.")
    ] = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Take a source from the list and delete the copies of its documents. What was edited here stays."""
    from biblicus.bring.sources import remove as operation

    with output.watched() as call:
        done = operation(place_of(corpus), name, call, keep_documents=keep_documents)
    if as_json:
        output.document(done)
        return
    output.notes("Left alone", done.conflicts, fg="yellow")
    what = f"{done.kept} documents stay" if keep_documents else f"{len(done.removed)} documents removed"
    output.line(f"{name} is not listed any more; {what}.", bold=True)


def sync(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Sources by name; none: all of them.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what would be done, and change nothing.")] = False,
    no_delete: Annotated[
        bool, typer.Option("--no-delete", help="Keep documents that their source has no more.")
    ] = False,
    allow_local: _Local = False,
    allow_private: _Private = False,
    strict: Strict = False,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Bring the corpus up to its sources: new, changed, renamed and deleted documents follow them."""
    from biblicus.bring.sync import SyncRequest
    from biblicus.bring.sync import sync as operation

    request = SyncRequest(tuple(names or ()), dry_run, not no_delete, allow_local, allow_private, strict)
    with output.watched() as call:
        report = operation(place_of(corpus), request, call)
    show_report(report, as_json)


def show_report(report: SyncReport, as_json: bool) -> None:
    """What a sync came to, for a program or a person."""
    if as_json:
        output.document(report)
        return
    for one in report.sources:
        _show(one, report.dry_run)
    if not report.sources:
        output.line("No sources yet. biblicus sources add https://… lists one.")
    elif report.dry_run:
        output.line("A dry run: nothing was changed.")
    elif report.refresh is not None:
        output.notes("Warnings", report.refresh.warnings, fg="yellow")
        count = "1 source" if len(report.sources) == 1 else f"{len(report.sources)} sources"
        output.line(f"{count} ({report.ms / 1000:.2f} s); next: biblicus reindex", bold=True)


def _show(one: SourceReport, dry_run: bool) -> None:
    if one.error is not None:
        hint = f" Try: {one.error['hint']}" if one.error["hint"] else ""
        output.line(f"{one.name}: {one.outcome}. {one.error['message']}{hint}", fg="red")
        return
    marks = (("removed", "-", "red"), ("kept", "·", "yellow"), ("added", "+", "green"), ("changed", "~", "yellow"))
    for name, mark, colour in (*marks, ("renamed", ">", "cyan"), ("restored", "+", "green")):
        output.entries(name, mark, colour, getattr(one, name))
    output.notes("Skipped", one.skipped, fg="bright_black")
    output.notes("Left alone", one.conflicts, fg="yellow")
    output.notes("Failed", one.failed, fg="red")
    told = [name for name, _, _ in marks] + ["renamed", "restored"]
    counts = [f"{len(getattr(one, name))} {name}" for name in told if getattr(one, name)]
    at = f" at {one.commit[:12]} ({one.ref})" if one.commit else ""
    would = "would be: " if dry_run else ""
    output.line(f"{one.name}{at}: {would}{', '.join([*counts, f'{one.unchanged} unchanged'])}", bold=True)
