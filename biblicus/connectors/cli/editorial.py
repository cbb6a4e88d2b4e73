"""Commands for what people decide and say (layers, publications, notes), and for what happened (alerts, events)."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.models.fields import option
from biblicus.models.plain import jsonable
from biblicus.service import askers, verbs

if TYPE_CHECKING:
    from biblicus.corpus.described.contexts import ContextOf
    from biblicus.corpus.events.alerts import Alert, AlertList
    from biblicus.editorial.notes import NoteList, PlacedNote
    from biblicus.editorial.promote import Promotion
    from biblicus.editorial.publish import PublishReport
    from biblicus.editorial.status import EditorialDiff, EditorialStatus
    from biblicus.models.editorial import EditorialEvent
    from biblicus.models.event import Event, EventPage


def _promote(done: Promotion, given: Given) -> None:
    by = f"by {done.by}"
    if done.outcome == "already":
        output.line(f"{done.path} is approved for {done.layer} as it is ({by}).")
    elif done.outcome == "reviewed":
        review_count = f"{len(done.reviewers)} of {output.count(done.reviews, 'reviews')}"
        output.line(f"{done.path}: reviewed for {done.layer} {by}; {review_count}.")
    else:
        came = f"{done.from_path} -> " if done.from_path != done.path else ""
        output.line(f"{came}{done.path}: approved for {done.layer} {by}", fg="green")
        if done.note:
            output.line(f"  {done.note}", fg="yellow")


def _retract(done: Promotion, given: Given) -> None:
    went = f" -> {done.path}" if done.from_path != done.path else ""
    output.line(f"{done.from_path}{went}: approved for {done.layer} no longer", fg="yellow")
    if done.note:
        output.line(f"  {done.note}")


def _status(status: EditorialStatus, given: Given) -> None:
    for layer in status.layers:
        state_counts = [(count, name) for name in ("approved", "pending", "expired", "unapproved")
                 if (count := getattr(layer, name))]  # fmt: skip
        counts = ", ".join(f"{count} {name}" for count, name in state_counts)
        output.line(f"{layer.name}: {output.count(layer.items, 'items')}{f' ({counts})' if counts else ''}", bold=True)
    for note in status.notes:
        output.line(f"  {note.path}: {note.reason}. Try: {note.hint}", fg="yellow")
    for orphan in status.orphaned:
        output.line(f"  {orphan.path}: orphaned: {orphan.reason}", fg="yellow")
    if not status.layers:
        output.line("The corpus has no layers. They are declared in .biblicus/config.yml, under layers.")


def _logged(event: EditorialEvent) -> str:
    moved = f"{event.from_path} -> {event.to_path}" if event.from_path != event.to_path else event.to_path
    reason = f": {event.reason}" if event.reason else ""
    when = event.at[:19].replace("T", " ")
    return f"{when}  {event.happened}  {event.layer}  {moved}  by {event.by}{reason}"


def _diff(diff: EditorialDiff, given: Given) -> None:
    output.text(diff.diff)
    if diff.is_binary:
        output.line(f"{diff.path}: bytes differ that are no text.")
    elif not diff.diff:
        output.line(f"{diff.path} is as it was approved for {diff.layer}.")


def _publish(done: PublishReport, given: Given) -> None:
    what = done.publication
    outcome = "published" if done.outcome == "published" else "is published, with just these items"
    output.line(
        f"{what.name}: {outcome}: {output.count(done.items, 'items')} of {what.layer}, {what.run_id}", bold=True
    )
    output.line(f"  digest {what.digest}")
    output.line(f"  biblicus query TEXT --publication {what.name}")


_PUBLICATIONS = output.each(
    "publications",
    lambda made: (made.name, made.layer, made.at[:10], made.by, made.digest[:12]),
    "Nothing is published. biblicus publish NAME seals what is approved.",
)


def _context_of(told: ContextOf, given: Given) -> None:
    for entry in told.contexts:
        output.line(f"{entry.folder}: {entry.context}  ({entry.said_in})")
    if not told.contexts:
        output.line(f"No folder above {told.path} says anything. biblicus context-of --help")


_NEVER_PROMOTED = "Nothing was promoted yet. biblicus promote ITEM --to LAYER does it."


def _note(note: PlacedNote, verb: str = "") -> None:
    place = note.path if note.line_start is None else f"{note.path}:{note.line_start}"
    status = "" if note.status in ("ok", "moved") else f"  {note.status}"
    output.line(f"{note.note_id}  {place}{status}{verb}", fg="yellow" if status else None, bold=not status)
    output.line(f"  “{' '.join(note.quote.split())}”")
    for line in note.text.splitlines():
        output.line(f"  {line}")
    output.line(f"  {', '.join(filter(None, (note.by, note.created[:10])))}")


def _list_notes(listed: NoteList, given: Given) -> None:
    for note in listed.notes:
        _note(note)
    for problem in listed.problems:
        output.line(problem, fg="yellow")
    if not listed.notes:
        output.line('No notes. biblicus note add ITEM "comment" --quote "words of the item"')


_SHOWN = 5
"""Passages of an alert that are printed."""


def _alert(alert: Alert, given: Given) -> None:
    filters = " ".join(f"{name}={value}" for name, value in alert.filters.items())
    output.line(f"{alert.name}: {alert.query}  {filters}".rstrip(), bold=True)
    for passage in alert.told[: given.common.limit or _SHOWN]:
        output.line(f"  {passage.at[:10]}  {passage.path}, {passage.place}")
        output.line(f"    {passage.text}")


def _alerts(listed: AlertList, given: Given) -> None:
    for alert in listed.alerts:
        _alert(alert, given)
    if not listed.alerts:
        output.line('No alerts. biblicus alerts add NAME "question"')


@dataclass(frozen=True, kw_only=True)
class _Following:
    follow: bool = option(False, "Keep printing new events until Ctrl-C.")


def _followed(given: Given) -> EventPage | None:
    """Return a page, or print each event at once with `--follow`, until Ctrl-C."""
    if not given.own.follow:
        page: EventPage = given.ask()
        return page

    try:
        for event in askers.loops.followed(given.asker, given.request.after, given.call):
            if given.common.json:
                sys.stdout.write(json.dumps(event, ensure_ascii=False, default=jsonable) + "\n")
            else:
                _show_event(event)
            sys.stdout.flush()
    except KeyboardInterrupt:
        pass
    return None


def _events(page: EventPage, given: Given) -> None:
    for event in page.events:
        _show_event(event)
    if page.more:
        output.line(f"There are more: biblicus events --after {page.cursor}")
    elif page.cursor is None:
        output.line("Nothing has happened yet.")
    elif not page.events:
        output.line(f"Nothing came after {page.cursor}.")


def _show_event(event: Event) -> None:
    moved = f" (was {event.came_from})" if event.came_from is not None else ""
    alert_text = f"  {event.alert}: {event.text}" if event.alert else ""
    output.line(f"{event.cursor}  {event.at}  {event.event:13}  {event.path or event.run_id}{moved}{alert_text}")


COMMANDS = (
    Command("promote", verbs.PROMOTE, _promote),
    Command("retract", verbs.RETRACT, _retract),
    Command("publish", verbs.PUBLISH, _publish, watched=True),
    Command(
        "context-of",
        verbs.CONTEXT_OF,
        _context_of,
        more="A line in .biblicus/context.yml, or context in the front matter of a folder's README.",
    ),
    Command("publications", verbs.PUBLICATIONS, _PUBLICATIONS, lists="publications"),
    Command("editorial status", verbs.EDITORIAL_STATUS, _status, lists="notes"),
    Command("editorial log", verbs.EDITORIAL_LOG, output.each("events", _logged, _NEVER_PROMOTED)),
    Command("editorial diff", verbs.EDITORIAL_DIFF, _diff),
    Command("alerts add", verbs.ADD_ALERT, _alert),
    Command("alerts list", verbs.ALERTS, _alerts, lists="alerts"),
    Command("alerts feed", verbs.ALERT_FEED, lambda feed, given: output.raw(feed.xml)),
    Command("alerts remove", verbs.REMOVE_ALERT, output.says(lambda alert: f"{alert.name} is removed.")),
    Command("note add", verbs.ADD_NOTE, lambda note, given: _note(note, "  written")),
    Command("note list", verbs.NOTES, _list_notes, lists="notes"),
    Command("note remove", verbs.REMOVE_NOTE, lambda note, given: _note(note, "  removed")),
    Command("note export", verbs.EXPORT_NOTES, lambda made, given: output.text(made.text)),
    Command(
        "events",
        verbs.EVENTS,
        _events,
        help="List events: items ingested, changed or removed, runs sealed. Each has a cursor to continue from.",
        own=_Following,
        reply=_followed,
    ),
)
