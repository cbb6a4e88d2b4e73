"""Commands that ask and prove: query, verify."""

from __future__ import annotations

import sys
import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import (
    At,
    Corpus,
    Doctype,
    Json,
    Language,
    PathGlob,
    Tag,
    Type,
    Where,
    filters,
    place_of,
    reader_of,
)  # fmt: skip
from biblicus.errors import SourceNotFound, UsageError

if TYPE_CHECKING:
    from biblicus.models.evidence import Evidence, Result
    from biblicus.operations.readers import Reader


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(query)
    app.command()(verify)


def query(
    text: Annotated[
        list[str], typer.Argument(metavar="TEXT", help='The question; "quoted words" must stand together.')
    ],
    recipe: Annotated[
        str | None, typer.Option("--recipe", metavar="NAME|FILE", help="The recipe to rank with.")
    ] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="ID", help="A certain run.")] = None,
    limit: Annotated[
        int | None, typer.Option("-n", "--limit", min=1, metavar="N", help="At most this much evidence.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=1, metavar="N", help="Budget in tokens (estimate).")
    ] = None,
    max_characters: Annotated[
        int | None, typer.Option("--max-characters", min=1, metavar="N", help="Budget in characters.")
    ] = None,
    max_per_source: Annotated[
        int | None, typer.Option("--max-per-source", min=1, metavar="N", help="At most this much evidence per item.")
    ] = None,
    tag: Tag = None,
    media_type: Type = None,
    doctype: Doctype = None,
    language: Language = None,
    path: PathGlob = None,
    where: Where = None,
    at: At = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", min=0.001, metavar="SECONDS", help="Answer in this time, or fail.")
    ] = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Ask a question; the answer is evidence: exact text with its source, line or page, and score."""
    from biblicus.contracts import Call
    from biblicus.models.question import Query

    if recipe is not None and run is not None:
        raise UsageError("Give a recipe or a run, not both.", "biblicus query TEXT --run ID")
    request = Query(
        " ".join(text),
        filters(tag, media_type, doctype, language, path, where),
        limit,
        max_tokens,
        max_characters,
        max_per_source,
        recipe,
        run,
    )
    call = Call(deadline=None if timeout is None else time.monotonic() + timeout)
    reader = reader_of(corpus, at)
    result = reader.query(request, call)
    show(result, reader, as_json=as_json)


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
    typer.echo()


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


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A result or a list of evidence as JSON; - reads standard input.")
    ],
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Prove every piece of evidence against the corpus. Exit code 4 unless all are ok or moved."""
    from biblicus.contracts import Call
    from biblicus.operations.verify import verify as operation

    verdicts = operation(place_of(corpus), _read(file), Call())
    holds = all(verdict.holds for verdict in verdicts)
    if as_json:
        counts: dict[str, Any] = {}
        for verdict in verdicts:
            counts[verdict.status] = counts.get(verdict.status, 0) + 1
        output.document({"ok": holds, "counts": counts, "evidence": verdicts})
    else:
        colours = {"ok": "green", "moved": "cyan"}
        for verdict in verdicts:
            output.parts(
                output.styled(f"{verdict.status:8}", fg=colours.get(verdict.status, "red"), bold=True),
                output.styled(f"{verdict.rank:>3}. {verdict.path}: {verdict.reason}"),
            )
        good = sum(verdict.holds for verdict in verdicts)
        output.line(f"{good} of {len(verdicts)} pieces of evidence hold.", bold=True)
    if not holds:
        raise typer.Exit(4)


def _read(file: str) -> bytes:
    """The document, or as much of it as shows that it is too large: what is given may have no end."""
    from biblicus.operations.verify import LIMIT

    if file == "-":
        return sys.stdin.buffer.read(LIMIT + 1)
    path = Path(file)
    if path.is_dir() or not path.exists():  # a pipe is as good as a file: verify <(biblicus query … --json)
        raise SourceNotFound(file)
    with path.open("rb") as stream:
        return stream.read(LIMIT + 1)
