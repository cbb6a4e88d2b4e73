"""Commands for notes on evidence, alerts and events."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.models.fields import option
from biblicus.models.plain import jsonable
from biblicus.service import verbs

if TYPE_CHECKING:
    from biblicus.corpus.events.alerts import Alert, AlertList
    from biblicus.editorial.notes import NoteList, PlacedNote
    from biblicus.models.event import Event, EventPage


def _note(note: PlacedNote, verb: str = "") -> None:
    place = note.path if note.line_start is None else f"{note.path}:{note.line_start}"
    status = "" if note.status in ("ok", "moved") else f"  {note.status}"
    output.line(f"{note.note_id}  {place}{status}{verb}", fg="yellow" if status else None, bold=not status)
    output.line(f"  “{' '.join(note.quote.split())}”")
    for line in note.text.splitlines():
        output.line(f"  {line}")
    output.line(f"  {', '.join(filter(None, (note.by, note.created[:10])))}")


def _list(listed: NoteList, given: Given) -> None:
    for note in listed.notes:
        _note(note)
    for problem in listed.problems:
        output.line(problem, fg="yellow")
    if not listed.notes:
        output.line('No notes. biblicus note add ITEM "comment" --quote "words of the item"')


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


_SHOWN = 5
"""Passages of an alert that are printed."""


@dataclass(frozen=True, kw_only=True)
class _Following:
    follow: bool = option(False, "Keep printing new events until Ctrl-C.")


def _followed(given: Given) -> EventPage | None:
    """Return a page, or print each event at once with `--follow`, until Ctrl-C."""
    if not given.own.follow:
        page: EventPage = given.ask()
        return page
    from biblicus.service.askers.loops import followed

    try:
        for event in followed(given.asker, given.request.after, given.call):
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
    Command("alerts add", verbs.ADD_ALERT, _alert),
    Command("alerts list", verbs.ALERTS, _alerts, lists="alerts"),
    Command("alerts feed", verbs.ALERT_FEED, lambda feed, given: output.raw(feed.xml)),
    Command("alerts remove", verbs.REMOVE_ALERT, output.says(lambda alert: f"{alert.name} is removed.")),
    Command("note add", verbs.ADD_NOTE, lambda note, given: _note(note, "  written")),
    Command("note list", verbs.NOTES, _list, lists="notes"),
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
