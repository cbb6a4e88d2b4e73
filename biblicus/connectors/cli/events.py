"""The command that tells what happened: events."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import At, Corpus, Json, reader_of

if TYPE_CHECKING:
    from biblicus.service.askers.in_turn import Reader


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(events)


def events(
    after: Annotated[
        str | None, typer.Option("--after", metavar="CURSOR", help="Only what came after; now: only what comes.")
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", help="Go on with each event as it comes, until Ctrl-C.")] = False,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=100_000, metavar="N", help="At most N, if not followed.")
    ] = 1_000,
    at: At = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Tell what happened: items ingested, changed or removed, runs sealed; each with a cursor to go on from."""
    from biblicus.contracts import Call

    reader = reader_of(corpus, at)
    if follow:
        _follow(reader, after, as_json)
        return
    page = reader.told("events", {"after": after, "limit": limit}, Call())
    if as_json:
        output.document(page)
        return
    for event in page["events"]:
        _show(event)
    if page["more"]:
        output.line(f"There are more: biblicus events --after {page['cursor']}")
    elif page["cursor"] is None:
        output.line("Nothing has happened yet.")
    elif not page["events"]:
        output.line(f"Nothing came after {page['cursor']}.")


def _follow(reader: Reader, after: str | None, as_json: bool) -> None:
    """Each event at once. Ctrl-C is how this ends, not a failure."""
    from biblicus.contracts import Call

    try:
        for event in reader.follow(after, Call()):
            if as_json:
                sys.stdout.write(json.dumps(event, ensure_ascii=False) + "\n")
            else:
                _show(event)
            sys.stdout.flush()
    except KeyboardInterrupt:
        return


def _show(event: Mapping[str, Any]) -> None:
    moved = f" (was {event['from']})" if "from" in event else ""
    output.line(
        f"{event['cursor']}  {event['at']}  {event['event']:13}  {event.get('path') or event.get('run_id')}{moved}"
    )
