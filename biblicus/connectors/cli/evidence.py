"""A result as a person reads it, or as one JSON document. Needs no Typer: a plain question does without it."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from biblicus.connectors.cli import output

if TYPE_CHECKING:
    from biblicus.models.evidence import Evidence, Result
    from biblicus.service.askers.in_turn import Reader


def show(result: Result, reader: Reader, *, as_json: bool) -> None:
    """Print a result, and where the corpus has changed since, say so."""
    from biblicus.contracts import Call

    if as_json:
        output.document(result)
        return
    _show(result)
    if not reader.is_current(result, Call()):
        output.line("The catalog has changed since this run: biblicus reindex brings it up to date.", fg="yellow")


def _show(result: Result) -> None:
    if not result.evidence:
        output.line("Nothing found. Other words or fewer filters may help.")
        return
    if result.insufficient:
        output.line("The evidence is thin: the best match holds little of the question.", fg="yellow")
        output.line()
    for piece in result.evidence:
        _show_piece(piece, result.query)
    dropped = result.budget["dropped"]
    more = f"; {len(dropped)} left out by the budget" if dropped else ""
    pieces = "1 piece" if len(result.evidence) == 1 else f"{len(result.evidence)} pieces"
    output.line(f"{pieces} of evidence in {result.timings['total']:.0f} ms{more}", fg="bright_black")


def _show_piece(piece: Evidence, question: str) -> None:
    place = f"page {piece.page}" if piece.page else f"line {piece.line_start}"
    title = piece.title or piece.path
    heading = f" › {piece.heading}" if piece.heading and piece.heading != title else ""
    mark = output.styled("  (changed since the run: biblicus reindex)", fg="yellow") if piece.stale else ""
    output.parts(
        output.styled(f"{piece.rank:>2}. ", bold=True),
        output.styled(f"{title}{heading}", bold=True),
        output.styled(f"  {piece.score:.2f}", fg="bright_black"),
        mark,
    )
    output.parts("    ", output.styled(f"{piece.path}, {place}", fg="cyan"))
    _show_snippet(piece, question)
    opener = f"--page {piece.page}" if piece.page else f"--lines {piece.line_start}:{piece.line_end}"
    output.parts("    ", output.styled(f"biblicus get {piece.item_id} {opener}", fg="bright_black"))
    output.line()


def _show_snippet(piece: Evidence, question: str) -> None:
    for row in textwrap.wrap(piece.snippet, output.width() - 4, break_on_hyphens=False):
        if not output.is_terminal():
            output.line(f"    {row}")
            continue
        from biblicus.models.question import Question
        from biblicus.retrieval.snippet import highlights

        shown, last = [], 0
        for start, end in highlights(row, Question(question, {piece.language: 1.0} if piece.language else {})):
            shown += [output.styled(row[last:start]), output.styled(row[start:end], bold=True, fg="green")]
            last = end
        output.parts("    ", *shown, output.styled(row[last:]))
