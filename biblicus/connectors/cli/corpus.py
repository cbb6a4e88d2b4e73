"""Commands on a whole corpus: init, ingest, remove, tag, stats, check, doctor, trust, sources, bibliography."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from biblicus import service
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Asking, Command, Given
from biblicus.corpus import auto
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import UsageError
from biblicus.errors.families import typed
from biblicus.models.fields import doc, option
from biblicus.models.unread import Unread, kind_of
from biblicus.service import verbs

if TYPE_CHECKING:
    from biblicus.bring.apply import SourceReport
    from biblicus.bring.bibliography import BibliographyReport
    from biblicus.bring.sources import SourceRemoval, Sources, SourceState
    from biblicus.bring.sync import SyncReport
    from biblicus.corpus.report import Report
    from biblicus.runs.stats import Stats
    from biblicus.upkeep.check import CheckReport
    from biblicus.upkeep.doctor import DoctorReport


@dataclass(frozen=True, kw_only=True)
class _Folder:
    path: str | None = field(
        default=None, kw_only=False, metadata=doc("The folder; created if missing (default: the current one, or -C).")
    )
    name: str | None = option(None, "The corpus's name (default: the folder's).")
    yes: bool = option(
        False, "Do not ask for confirmation before using a home folder, a disk or a corpus within a corpus."
    )


def _made(given: Given) -> CorpusFolder:
    from biblicus.corpus.founding import create, doubt

    if given.own.path and given.corpus:
        raise UsageError("Name the folder once, as PATH or with -C.", f"biblicus init {given.own.path}")
    root = service.places.folder_of(given.own.path or given.corpus)
    if not given.own.yes and (problem := doubt(root)):
        named = given.own.path or given.corpus
        command = f"biblicus init --yes {typed(named)}" if named else "biblicus init --yes"
        if not output.is_asked() or not output.confirmed(f"{problem} Make it a corpus all the same?", default=False):
            raise UsageError(problem, command)
    return create(root, given.own.name)


def _init(corpus: CorpusFolder, given: Given) -> None:
    output.line(f'The corpus "{corpus.config.name}" is ready in {corpus.root}.')
    if corpus.is_cached:
        output.line(f"The folder is not written to: its index is made in {corpus.home.parent}.")
    if sentence := auto.sentence(corpus):
        output.line(sentence)
    output.line("Next: biblicus reindex (reads the folder and builds the index), then biblicus query TEXT.")


def _ingested(given: Given) -> Report:
    given.heard()
    request = given.request
    if "-" in request.sources:
        most = given.here.corpus.settings.max_file_bytes
        request = replace(request, text=sys.stdin.buffer.read(most + 1))
    report: Report = given.ask(verbs.INGEST, request)
    return report


def _remove(report: Report, given: Given) -> None:
    for entry in report.removed:
        output.line(f"- {entry['path']}", fg="red")
    output.line(f"{len(report.removed)} removed; the next reindex forgets them.")


def _stats(stats: Stats, given: Given) -> None:
    output.line(f"{stats.name}: {output.count(stats.items, 'items')}, {output.size(stats.bytes)}", bold=True)
    for title in ("doctypes", "languages", "media_types", "tags"):
        counts = getattr(stats, title)
        if counts:
            counts_text = ", ".join(f"{name} {count:,}" for name, count in list(counts.items())[:12])
            output.line(f"{title.replace('_', ' ')}: {counts_text}" + (", …" if len(counts) > 12 else ""))
    if stats.unread:
        output.line(f"{output.summary(stats.unread)} (biblicus check --failed)", fg="yellow")
    _show_runs(stats.runs)
    output.pending(stats.pending)


def _show_runs(latest: Mapping[str, Mapping[str, Any]]) -> None:
    for recipe, run in latest.items():
        state = "current" if run["current"] else "older than the catalog (biblicus reindex)"
        output.line(f"{recipe}: {run['run_id']}, {output.count(run['chunks'], 'passages')}, {state}")
    if not latest:
        output.line("no run yet: biblicus reindex")


def _check(report: CheckReport, given: Given) -> None:
    for wall, state in (report.sandbox or {}).items():
        output.line(f"{wall:34} {state}", fg="red" if state.startswith("open") else None)
    if report.unread is not None:
        output.unread_files(report.unread, len(report.unread))
        if not report.unread:
            output.line("Every file could be read, or was left out on purpose.")
    output.notes("Notes", report.notes, fg="bright_black")
    output.notes("Problems", report.problems, fg="red")
    for text in report.repaired:
        output.line(f"Repaired: {text}")
    if given.values.get("repair") and not report.repaired:
        output.line("Nothing had to be repaired.")
    if report.pruned:
        output.line(f"Pruned {report.pruned[0]} cached extractions and vectors ({output.size(report.pruned[1])}).")
    counts = ", ".join(output.count(count, name) for name, count in report.checked.items())
    output.line(f"{output.count(len(report.problems), 'problems')}; checked {counts}.", bold=True)


_FINDINGS = {
    "secret": "Secrets: should this be indexed?",
    "dead link": "Dead links",
    "stale": "Past their day",
    "near copy": "Near copies",
    "untitled": "Without a title",
}


def _doctor(report: DoctorReport, given: Given) -> None:
    if not report.checked["items"]:
        output.line("No items. biblicus reindex reads the folder.")
    for kind, title in _FINDINGS.items():
        found = [finding for finding in report.findings if finding.kind == kind]
        places = [f"{finding.path}:{finding.line}" if finding.line else finding.path for finding in found]
        reasons = [{"reason": finding.reason, "hint": finding.hint} for finding in found]
        output.notes(title, [{"path": place, **reason} for place, reason in zip(places, reasons, strict=True)])
    unread = [file for file in report.findings if file.kind == "unread"]
    files = [Unread(file.path, kind_of(file.reason, failed=True) or "", file.reason, file.hint) for file in unread]
    output.unread_files(sorted(files, key=lambda file: file.kind), 8)
    counts = ", ".join(output.count(count, name) for name, count in report.checked.items())
    output.line(f"{output.count(len(report.findings), 'findings')}; checked {counts}.", bold=True)


def _trust(report: Mapping[str, Sequence[str]], given: Given) -> None:
    for run_id in report["sealed"]:
        output.line(f"trusted {run_id}")
    for source in report["sources"]:
        output.line(f"trusted the source {source}")
    for run_id in report["refused"]:
        output.line(f"refused {run_id}: it is not what its manifest or its digests say", fg="red")
    trusted = len(report["sealed"]) + len(report["sources"])
    output.line(f"{trusted} trusted, {len(report['already'])} already this machine's.")


_NO_SOURCES = "No sources yet. biblicus sources add https://… lists one."

_MARKS = {
    "removed": ("-", "red"),
    "kept": ("·", "yellow"),
    "added": ("+", "green"),
    "changed": ("~", "yellow"),
    "renamed": (">", "cyan"),
    "restored": ("+", "green"),
}


def _added_source(source: SourceState) -> str:
    return f"{source.name} ({source.kind}: {source.where}) is listed. Next: biblicus sources sync {source.name}"


def _import_sources(added: Sources, given: Given) -> None:
    for source in added.sources:
        output.line(f"{source.name} ({source.where}) is listed.")
    output.line(f"{output.count(len(added.sources), 'sources')} more. Next: biblicus sources sync", bold=True)


def _list_sources(listed: Sources, given: Given) -> None:
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
        output.line(_NO_SOURCES)


def _remove_source(done: SourceRemoval, given: Given) -> None:
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
        output.line(_NO_SOURCES)
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
    Command(
        "init",
        None,
        _init,
        help="Turn a folder into a corpus. Your files are not changed.",
        own=_Folder,
        reply=_made,
        document=lambda corpus, _: {"corpus_id": corpus.config.corpus_id, "name": corpus.config.name},
    ),
    Command(
        "ingest",
        verbs.INGEST,
        lambda report, given: output.changes(report, verbose=given.common.verbose),
        own=Asking,
        reply=_ingested,
        watched=True,
        talks=True,
    ),
    Command("remove", verbs.REMOVE, _remove),
    Command(
        "tag",
        verbs.TAG,
        output.says(lambda item: f"{item.path}: {', '.join(item.tags) or 'no tags'}"),
        document=lambda item, _: {"item_id": item.item_id, "path": item.path, "tags": item.tags},
        dashes=True,
    ),
    Command("stats", verbs.STATS, _stats),
    Command(
        "check",
        verbs.CHECK,
        _check,
        more="Exit with code 4 if there are any.",
        code=lambda report: 4 if report.problems else 0,
        watched=True,
    ),
    Command(
        "doctor",
        verbs.DOCTOR,
        _doctor,
        more="Exit with code 4 if there are any.",
        code=lambda report: 4 if report.findings else 0,
        watched=True,
    ),
    Command(
        "trust",
        verbs.TRUST,
        _trust,
        more="You trust where this folder came from.",
        code=lambda report: 7 if report["refused"] else 0,
    ),
    Command("sources add", verbs.ADD_SOURCE, output.says(_added_source)),
    Command("sources import", verbs.IMPORT_SOURCES, _import_sources, more="Listed ones stay as they are."),
    Command("sources export", verbs.EXPORT_SOURCES, lambda listed, given: output.text(listed.as_text())),
    Command("sources list", verbs.SOURCES, _list_sources, lists="sources"),
    Command("sources sync", verbs.SYNC, _sync, watched=True),
    Command("sources remove", verbs.REMOVE_SOURCE, _remove_source, more="What was edited here stays.", watched=True),
    Command(
        "bibliography",
        verbs.BIBLIOGRAPHY,
        _bibliography,
        more="A PDF is known by the file that an entry names, its DOI or arXiv id, or its name. Sidecars are written.",
        watched=True,
    ),
)
