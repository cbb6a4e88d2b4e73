"""Commands for sources of documents: sources, bibliography."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.service import verbs

if TYPE_CHECKING:
    from biblicus.bring.apply import SourceReport
    from biblicus.bring.bibliography import BibliographyReport
    from biblicus.bring.sources import SourceRemoval, Sources, SourceState
    from biblicus.bring.sync import SyncReport

_NONE = "No sources yet. biblicus sources add https://… lists one."

_MARKS = {
    "removed": ("-", "red"),
    "kept": ("·", "yellow"),
    "added": ("+", "green"),
    "changed": ("~", "yellow"),
    "renamed": (">", "cyan"),
    "restored": ("+", "green"),
}


def _added(source: SourceState) -> str:
    return f"{source.name} ({source.kind}: {source.where}) is listed. Next: biblicus sources sync {source.name}"


def _import(added: Sources, given: Given) -> None:
    for source in added.sources:
        output.line(f"{source.name} ({source.where}) is listed.")
    output.line(f"{output.count(len(added.sources), 'sources')} more. Next: biblicus sources sync", bold=True)


def _list(listed: Sources, given: Given) -> None:
    for entry in listed.sources:
        at = f" at {entry.state['commit'][:12]} ({entry.state.get('branch', '')})" if "commit" in entry.state else ""
        state = (
            f"{output.count(entry.documents, 'documents')}{at}" if entry.state or entry.documents else "not synced yet"
        )
        if not entry.listed:
            state += "; not listed any more"
        elif not entry.trusted:
            state += "; not trusted (biblicus trust)"
        output.line(f"{entry.name:16} {entry.kind:6} {entry.where or '-'}  {state}")
        if entry.problem:
            output.line(f"  {entry.problem}", fg="red")
        failures = [{"path": path, "reason": reason} for path, reason in entry.failed.items()]
        output.notes("Failed (biblicus sources sync --retry-failed)", failures, fg="red")
    if not listed.sources:
        output.line(_NONE)


def _remove(done: SourceRemoval, given: Given) -> None:
    output.notes("Left alone", done.conflicts, fg="yellow")
    keeps_documents = given.request.keep_documents
    documents = output.count(done.kept if keeps_documents else len(done.removed), "documents")
    output.line(
        f"{done.name} is not listed any more; {documents} {'kept' if keeps_documents else 'removed'}.", bold=True
    )


def _sync(report: SyncReport, given: Given) -> None:
    for source in report.sources:
        _show_source(source, report.dry_run)
    if not report.sources:
        output.line(_NONE)
    elif report.dry_run:
        output.line("A dry run: nothing was changed.")
    elif report.refresh is not None:
        output.notes("Warnings", output.news(report.refresh, report.refresh.warnings), fg="yellow")
        output.line(
            f"{output.count(len(report.sources), 'sources')} ({report.ms / 1000:.2f} s); next: biblicus reindex",
            bold=True,
        )


def _show_source(one: SourceReport, dry_run: bool) -> None:
    if one.error is not None:
        hint = f" Try: {one.error['hint']}" if one.error["hint"] else ""
        output.line(f"{one.name}: {one.outcome}. {one.error['message']}{hint}", fg="red")
        return
    for name, (mark, colour) in _MARKS.items():
        output.entries(name, mark, colour, getattr(one, name))
    output.notes("Skipped", one.skipped, fg="bright_black")
    output.notes("Left alone", one.conflicts, fg="yellow")
    output.notes("Failed", one.failed, fg="red")
    counts = [f"{len(getattr(one, name))} {name}" for name in _MARKS if getattr(one, name)]
    at = f" at {one.commit[:12]} ({one.ref})" if one.commit else ""
    would = "would be: " if dry_run else ""
    output.line(f"{one.name}{at}: {would}{', '.join([*counts, f'{one.unchanged} unchanged'])}", bold=True)


def _bibliography(report: BibliographyReport, given: Given) -> None:
    for match in report.matched:
        news = ", ".join(match.written) or "nothing new"
        output.line(f"~ {match.path}  {match.key} (by {match.by}): {news}", fg="yellow" if match.written else None)
    several = [{"path": entry["path"], "reason": "could be " + ", ".join(entry["keys"])} for entry in report.ambiguous]
    nowhere = [{"path": entry["key"], "reason": entry.get("title", "no title")} for entry in report.unmatched]
    output.notes("Ambiguous", several, fg="yellow")
    output.notes("In the bibliography alone", nowhere, fg="bright_black")
    output.notes("Failed", report.failed, fg="red")
    informed = sum(1 for match in report.matched if match.written)
    would = "would be told" if report.dry_run else "told"
    entries, matched_items = output.count(report.entries, "entries"), output.count(len(report.matched), "items")
    output.line(f"{entries}: {matched_items} known, {informed} {would} something new.", bold=True)


COMMANDS = (
    Command("sources add", verbs.ADD_SOURCE, output.says(_added)),
    Command("sources import", verbs.IMPORT_SOURCES, _import, more="Listed ones stay as they are."),
    Command("sources export", verbs.EXPORT_SOURCES, lambda listed, given: output.text(listed.as_text())),
    Command("sources list", verbs.SOURCES, _list, lists="sources"),
    Command("sources sync", verbs.SYNC, _sync, watched=True),
    Command("sources remove", verbs.REMOVE_SOURCE, _remove, more="What was edited here stays.", watched=True),
    Command(
        "bibliography",
        verbs.BIBLIOGRAPHY,
        _bibliography,
        more="A PDF is known by the file that an entry names, its DOI or arXiv id, or its name. Sidecars are written.",
        watched=True,
    ),
)
