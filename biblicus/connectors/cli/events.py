"""Command `events`."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.models.fields import option
from biblicus.models.plain import jsonable
from biblicus.service.verbs import EVENTS

if TYPE_CHECKING:
    from biblicus.models.event import Event, EventPage


@dataclass(frozen=True, kw_only=True)
class _Following:
    follow: bool = option(False, "Keep printing new events until Ctrl-C.")


def _told(given: Given) -> EventPage | None:
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
                _show(event)
            sys.stdout.flush()
    except KeyboardInterrupt:
        pass
    return None


def _page(page: EventPage, given: Given) -> None:
    for event in page.events:
        _show(event)
    if page.more:
        output.line(f"There are more: biblicus events --after {page.cursor}")
    elif page.cursor is None:
        output.line("Nothing has happened yet.")
    elif not page.events:
        output.line(f"Nothing came after {page.cursor}.")


def _show(event: Event) -> None:
    moved = f" (was {event.came_from})" if event.came_from is not None else ""
    alert_text = f"  {event.alert}: {event.text}" if event.alert else ""
    output.line(f"{event.cursor}  {event.at}  {event.event:13}  {event.path or event.run_id}{moved}{alert_text}")


COMMANDS = (
    Command(
        "events",
        EVENTS,
        _page,
        help="List events: items ingested, changed or removed, runs sealed. Each has a cursor to continue from.",
        own=_Following,
        reply=_told,
    ),
)
