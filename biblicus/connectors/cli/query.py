"""Commands that ask and prove: query, verify."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from biblicus.connectors.cli import output
from biblicus.connectors.cli.options import (
    At,
    Category,
    Corpus,
    Doctype,
    Json,
    Language,
    Limit,
    MaxCharacters,
    MaxPerSource,
    MaxTokens,
    PathGlob,
    RecipeName,
    RunId,
    Since,
    SourceOption,
    Tag,
    Text,
    Timeout,
    Toolkit,
    Type,
    Until,
    Where,
    filters,
    reader_of,
)  # fmt: skip
from biblicus.errors import SourceNotFound, UsageError


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(query)
    app.command()(verify)


def query(
    text: Text,
    recipe: RecipeName = None,
    run: RunId = None,
    limit: Limit = None,
    max_tokens: MaxTokens = None,
    max_characters: MaxCharacters = None,
    max_per_source: MaxPerSource = None,
    tag: Tag = None,
    media_type: Type = None,
    doctype: Doctype = None,
    language: Language = None,
    path: PathGlob = None,
    where: Where = None,
    toolkit: Toolkit = None,
    category: Category = None,
    source: SourceOption = None,
    since: Since = None,
    until: Until = None,
    at: At = None,
    timeout: Timeout = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Ask a question; the answer is evidence: exact text with its source, line or page, and score."""
    from biblicus.connectors.cli.evidence import show
    from biblicus.contracts import Call
    from biblicus.models.question import Query

    if recipe is not None and run is not None:
        raise UsageError("Give a recipe or a run, not both.", "biblicus query TEXT --run ID")
    request = Query(
        " ".join(text),
        filters(tag, media_type, doctype, language, path, where, toolkit, category, source, since, until),
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


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A result or a list of evidence as JSON; - reads standard input.")
    ],
    at: At = None,
    as_json: Json = False,
    corpus: Corpus = None,
) -> None:
    """Prove every piece of evidence against the corpus. Exit code 4 unless all are ok or moved."""
    from biblicus.contracts import Call
    from biblicus.search.verify import read, summary

    evidence = read(_read(file))
    verdicts = reader_of(corpus, at).verify(evidence, Call())
    holds = all(verdict.holds for verdict in verdicts)
    if as_json:
        output.document(summary(verdicts))
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
    from biblicus.search.verify import LIMIT

    if file == "-":
        return sys.stdin.buffer.read(LIMIT + 1)
    path = Path(file)
    if path.is_dir() or not path.exists():  # a pipe is as good as a file: verify <(biblicus query … --json)
        raise SourceNotFound(file)
    with path.open("rb") as stream:
        return stream.read(LIMIT + 1)
