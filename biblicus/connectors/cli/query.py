"""Commands `query` and `verify`."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus import models, retrieval, search
from biblicus.connectors import cli
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given, Printing
from biblicus.errors import BiblicusError, SourceNotFound, UsageError
from biblicus.models import requests
from biblicus.models.fields import doc, option
from biblicus.models.frozen import dataclass
from biblicus.service import askers
from biblicus.service.verbs import LIST, QUERY, VERIFY, VERIFY_CITATIONS
from biblicus.text.anchoring import spans_of

if TYPE_CHECKING:
    from biblicus.models.evidence import Evidence, Result
    from biblicus.models.reading import Quotations, Verdicts


@dataclass(frozen=True, kw_only=True)
class _Own(Printing):
    refresh: bool = option(False, "First index what changed, if it is at most 50 files and 4 MiB.")


def _asked(given: Given) -> Result:
    if given.own.format is not None or given.own.null:
        cli.line_format.template(cli.line_format.EVIDENCE, given)
    if given.own.refresh:
        return search.query.refreshed(given.here.corpus, given.call, given.ask)
    if look_ahead := getattr(given.asker, "look_ahead", None):  # only local askers have it
        look_ahead()
    result: Result = given.ask()
    return result


def _query(result: Result, given: Given) -> None:
    if given.own.format is not None:
        cli.line_format.write(cli.line_format.EVIDENCE, result.evidence, given)
        if count := sum(bool(piece.stale) for piece in result.evidence):
            is_of = "1 line is of a file" if count == 1 else f"{count} lines are of files"
            output.remark(f"{is_of} changed or gone since the run: biblicus reindex")
        if result.pending is not None and result.pending.sentence:
            output.remark(result.pending.sentence)
        return
    if not result.evidence:
        output.line("Nothing found." if result.notes else _nothing(given))
        for note in result.notes:
            output.line(note, fg="yellow")
    else:
        _show_result(result, _root(given), verbose=given.common.verbose)
    output.pending(result.pending)


def _root(given: Given) -> Path | None:
    """Return the corpus's folder, if it is on this machine and links are shown."""
    try:
        return given.here.root if output.is_terminal() else None
    except BiblicusError:
        return None


def _nothing(given: Given) -> str:
    """Return a message for a query without evidence, also if the corpus is empty."""

    if not given.request.restricts and not given.ask(LIST, requests.items.ListRequest(limit=1)).items:
        return "Nothing found: the corpus is empty. Put files into its folder, then: biblicus reindex"
    return "Nothing found. Other words or fewer filters may help."


_APPROVALS = {"pending": "as it was approved; an edit is pending", "unapproved": "not approved"}


def _show_result(result: Result, root: Path | None, *, verbose: bool = False) -> None:
    remarks = [*result.notes]
    if result.insufficient:
        remarks.append("The evidence is thin: the best match holds little of the question.")
    for remark in remarks:
        output.line(remark, fg="yellow")
    if remarks:
        output.line()
    for piece in result.evidence:
        show_piece(piece, result.query, verbose=verbose, root=root)
    if not verbose:
        return
    left_out = sum(dropped["reason"] != "duplicate" for dropped in result.budget["dropped"])
    more = f"; {left_out} left out by the budget" if left_out else ""
    pieces = output.count(len(result.evidence), "pieces")
    output.line(f"{pieces} of evidence in {result.timings['total']:.0f} ms{more}", fg="bright_black")


def show_piece(piece: Evidence, question: str, *, verbose: bool = False, root: Path | None = None) -> None:
    """Print a piece of evidence. `verbose`: with its score. `root`: the local folder, for a link to the file."""
    place = output.place(piece)
    title = piece.title or piece.path
    heading = f" › {piece.heading}" if piece.heading and piece.heading != title else ""
    mark = output.styled("  (changed or gone since the run: biblicus reindex)", fg="yellow") if piece.stale else ""
    if piece.approval in ("pending", "unapproved"):
        mark = output.styled(f"  ({_APPROVALS[piece.approval]})", fg="yellow")
    output.parts(
        output.styled(f"{piece.rank:>2}. ", bold=True),
        output.styled(f"{title}{heading}", bold=True),
        output.styled(f"  {piece.score:.2f}", fg="bright_black") if verbose else "",
        mark,
    )
    styled_place = output.styled(f"{output.of_corpus(piece)}{piece.path}, {place}", fg="cyan")
    output.parts(
        "    ", output.linked(styled_place, output.address(piece, root)) if output.is_terminal() else styled_place
    )
    if piece.copies:
        output.parts("    ", output.styled(f"also: {_listed(piece.copies)}", fg="bright_black"))
    for context in piece.context:
        output.parts("    ", output.styled(f"in: {context}", fg="bright_black"))
    _show_snippet(piece, question)
    opener = f"--page {piece.page}" if piece.page else f"--lines {piece.line_start}:{piece.line_end}"
    if piece.locator and piece.locator.kind in ("slide", "table", "sheet", "chapter", "message", "time", "region"):
        import shlex  # lazy: lines need no quotes

        opener = f"--locator {shlex.quote(piece.locator.label)}"
    command = f"show {piece.item_id}" if piece.content_ref else f"get {piece.item_id} {opener}"
    output.parts("    ", output.styled(f"biblicus {command}", fg="bright_black"))
    output.line()


def _listed(paths: Sequence[str]) -> str:
    """Return as many paths as fit into a line, and the number of others."""
    room, listed_paths = output.width() - 24, [paths[0]]
    for path in paths[1:]:
        if len(", ".join((*listed_paths, path))) > room:
            break
        listed_paths.append(path)
    more = f" and {len(paths) - len(listed_paths)} more" if len(paths) > len(listed_paths) else ""
    return ", ".join(listed_paths) + more


def _show_snippet(piece: Evidence, question: str) -> None:
    for row in _rows(piece, output.width() - 4):
        if not output.is_terminal():
            output.line(f"    {row}")
            continue

        styled_parts, last = [], 0
        for start, end in retrieval.snippet.highlights(
            row, models.question.Question(question, {piece.language: 1.0} if piece.language else {})
        ):
            styled_parts += [output.styled(row[last:start]), output.styled(row[start:end], bold=True, fg="green")]
            last = end
        output.parts("    ", *styled_parts, output.styled(row[last:]))


_CODE_LINES = 6
"""Maximum lines of a code snippet."""


def _rows(piece: Evidence, width: int) -> list[str]:
    """Return the snippet in lines: prose is wrapped, code keeps its lines."""
    if piece.doctype != "code" or (lines := snippet_lines(piece)) is None:
        return textwrap.wrap(piece.snippet, width, break_on_hyphens=False)
    rows = textwrap.dedent("\n".join(lines[:_CODE_LINES]).expandtabs(4)).rstrip().split("\n")
    return [row if len(row) <= width else f"{row[: width - 1]}…" for row in rows]


def snippet_lines(piece: Evidence) -> list[str] | None:
    """Return the whole lines around a piece's snippet, or None if they are not found."""
    span = next(spans_of(piece.text, piece.snippet.strip("…")), None)
    if span is None:
        return None
    start = piece.text.rfind("\n", 0, span[0]) + 1
    end = piece.text.find("\n", span[1])
    return [line for line in piece.text[start : end if end >= 0 else None].split("\n") if line.strip()]


@dataclass(frozen=True, kw_only=True)
class _Documents:
    files: tuple[str, ...] = field(
        kw_only=False,
        metadata=doc("A result or a list of evidence as JSON (- reads standard input); with --citations, Markdown."),
    )
    citations: bool = option(
        False, "Read the files as Markdown, and check the passages that they quote with a citation."
    )
    strict: bool = option(
        False, "With --citations: exit with code 4 for a citation of an unknown form, or if nothing was checked."
    )


def _proved(given: Given) -> Verdicts | Quotations:
    named = given.own.files
    if given.own.citations:
        if given.common.at is not None:
            raise UsageError("Citations are looked up here: --citations takes no --at.", "biblicus verify --citations")

        quotations: Quotations = given.here.ask(
            VERIFY_CITATIONS, requests.runs.VerifyCitationsRequest(named, strict=given.own.strict), given.call
        )
        return quotations
    if given.own.strict:
        raise UsageError("--strict is for documents.", "biblicus verify --citations --strict FILE.md")
    if len(named) != 1:
        raise UsageError("verify takes one file of evidence.", "biblicus verify --citations FILE…, of Markdown files")

    return askers.loops.proved(given.asker, search.verify.read(_read(named[0])), given.call)


def _read(file: str) -> bytes:
    """Read the document up to just above the size limit: a pipe may be endless."""

    if file == "-":
        return sys.stdin.buffer.read(search.verify.LIMIT + 1)
    path = Path(file)
    if path.is_dir() or not path.exists():  # a pipe is accepted too: verify <(biblicus query … --json)
        raise SourceNotFound(file, "biblicus verify FILE")
    with path.open("rb") as stream:
        return stream.read(search.verify.LIMIT + 1)


def _verify(verdicts: Verdicts | Quotations, given: Given) -> None:
    if isinstance(verdicts, models.reading.Quotations):
        _show_quotations(verdicts)
        return
    colours = {"ok": "green", "moved": "cyan"}
    for verdict in verdicts.evidence:
        output.parts(
            output.styled(f"{verdict.status:8}", fg=colours.get(verdict.status, "red"), bold=True),
            output.styled(f"{verdict.rank:>3}. {verdict.path}: {verdict.reason}"),
        )
    good = sum(verdict.holds for verdict in verdicts.evidence)
    output.line(f"{good} of {len(verdicts.evidence)} pieces of evidence hold.", bold=True)


def _show_quotations(quotations: Quotations) -> None:
    """Print a line for each passage that moved or is gone, like a compiler, then the number of valid ones."""
    for quotation in quotations.quotations:
        if quotation.status != "ok":
            colour = "cyan" if quotation.holds else "red"
            place = output.styled(f"{quotation.file}:{quotation.line}: ", bold=True)
            output.parts(place, output.styled(f"{quotation.reason}.", fg=colour))
    good = sum(quotation.holds for quotation in quotations.quotations)
    if quotations.quotations:
        output.remark(f"Quoted passages that stand: {good} of {len(quotations.quotations)}.")
    else:
        output.remark("Nothing was checked: no passage is quoted here with a citation of this corpus.")
    for quotation in quotations.unknown:
        output.remark(f"{quotation.file}:{quotation.line}: {quotation.reason}.")
    if quotations.unread:
        cite = "cites a file that is" if quotations.unread == 1 else "cite files that are"
        output.remark(f"{quotations.unread} more {cite} no item, or without text: biblicus ingest")


ASK = Command(
    "query",
    QUERY,
    _query,
    stored=True,
    founds=True,
    more="Exact text with its source, line or page.",
    own=_Own,
    reply=_asked,
    timed=True,
    talks=True,
)

COMMANDS = (
    ASK,
    Command(
        "verify",
        VERIFY,
        _verify,
        more="Exit code 4 unless all is ok or moved. --citations proves what Markdown documents quote.",
        own=_Documents,
        reply=_proved,
        code=lambda verdicts: 0 if verdicts.ok else 4,
    ),
)
