"""Commands for layers: promote, retract, publish, editorial, context-of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.service import verbs

if TYPE_CHECKING:
    from biblicus.corpus.described.contexts import ContextOf
    from biblicus.editorial.promote import Promotion
    from biblicus.editorial.publish import PublicationList, PublishReport
    from biblicus.editorial.status import EditorialDiff, EditorialStatus
    from biblicus.models.editorial import EditorialEvent


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


def _publications(listed: PublicationList, given: Given) -> None:
    output.table(
        [
            (publication.name, publication.layer, publication.at[:10], publication.by, publication.digest[:12])
            for publication in listed.publications
        ]
    )
    if not listed.publications:
        output.line("Nothing is published. biblicus publish NAME seals what is approved.")


def _context_of(told: ContextOf, given: Given) -> None:
    for entry in told.contexts:
        output.line(f"{entry.folder}: {entry.context}  ({entry.said_in})")
    if not told.contexts:
        output.line(f"No folder above {told.path} says anything. biblicus context-of --help")


_NEVER_PROMOTED = "Nothing was promoted yet. biblicus promote ITEM --to LAYER does it."
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
    Command("publications", verbs.PUBLICATIONS, _publications, lists="publications"),
    Command("editorial status", verbs.EDITORIAL_STATUS, _status, lists="notes"),
    Command("editorial log", verbs.EDITORIAL_LOG, output.each("events", _logged, _NEVER_PROMOTED)),
    Command("editorial diff", verbs.EDITORIAL_DIFF, _diff),
)
