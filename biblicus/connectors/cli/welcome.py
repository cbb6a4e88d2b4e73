"""The bare command inside a corpus: its state and the next step; on a terminal then questions."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from biblicus.connectors import cli
from biblicus.connectors.cli import output
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, Untrusted, UsageError
from biblicus.models.fields import NoRequest
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.items import GetRequest, ShowRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers.here import Here, here
from biblicus.service.places import folder_of
from biblicus.service.verbs import ANSWER, GET, QUERY, SHOW, STATS

if TYPE_CHECKING:
    from biblicus.models.evidence import Evidence


def show(corpus: str | None) -> int:
    """Print a few lines. `corpus`: value of `-C`. Raises `CorpusNotFound`."""
    asker = here(folder_of(corpus))
    stats = asker.ask(STATS, NoRequest(), Call())
    if not stats.runs:
        output.line(f"{stats.name} is not indexed yet. Next: biblicus reindex", bold=True)
    else:
        passages = max(run["chunks"] for run in stats.runs.values())
        counts_text = f"{output.count(stats.items, 'files')}, {output.count(passages, 'passages')}"
        output.line(f"{stats.name}: {counts_text}", bold=True)
        if stats.unread:
            output.line(f"{output.summary(stats.unread)} (biblicus check --failed)", fg="yellow")
        if stats.pending is not None and stats.pending.sentence:
            output.pending(stats.pending)
        elif (error := _cannot_be_opened(asker.corpus, [run["run_id"] for run in stats.runs.values()])) is not None:
            output.line(f"{error.message} Next: {error.hint}", fg="yellow")
        else:
            if sys.stdin.isatty() and sys.stdout.isatty():
                return _asked(asker)
            output.line('Next: biblicus query "…", biblicus answer "…", or biblicus open for the browser.')
    output.line("All commands: biblicus --help", fg="bright_black")
    return 0


def _asked(asker: Here) -> int:
    """Answer questions until an empty one; a number opens a result of the last one."""

    output.line("Ask a question; a number opens a result, Enter leaves. Commands: biblicus --help", fg="bright_black")
    evidence: Sequence[Evidence] = ()
    while words := _words():
        try:
            if evidence and words.isdecimal():
                if not 0 < int(words) <= len(evidence):
                    raise UsageError(f"The last question has results 1 to {len(evidence)}, not {words}.")
                _opened(asker, evidence[int(words) - 1])
                continue
            output.line()
            cli.answer.show_answer(asker.ask(ANSWER, AnswerRequest(words), Call()), asker.root)
            output.line()
            evidence = asker.ask(QUERY, QueryRequest(words), Call()).evidence
            for piece in evidence:
                cli.query.show_piece(piece, words, root=asker.root)
        except BiblicusError as error:
            output.fail(error, as_json=False)
    return 0


def _words() -> str:
    """Return the line that is typed; empty at the end of the input."""
    try:
        return input("> ").strip()
    except (EOFError, KeyboardInterrupt):
        output.line()
        return ""


_AROUND = 8
"""Lines shown before and after a result."""


def _opened(asker: Here, piece: Evidence) -> None:
    """Print a result between the lines around it."""
    if piece.content_ref:
        output.line(f"{piece.path} has no text: {piece.content_ref.reason}", fg="yellow")
        return
    total = asker.ask(SHOW, ShowRequest(piece.item_id), Call()).lines
    first, last = max(1, piece.line_start - _AROUND), min(total, piece.line_end + _AROUND)
    excerpt = asker.ask(GET, GetRequest(piece.item_id, lines=(first, last)), Call())
    styled_place = output.styled(f"{piece.path}, lines {first} to {last} of {total}", fg="cyan")
    output.parts(output.linked(styled_place, output.address(piece, asker.root)))
    for number, line in enumerate(excerpt.text.splitlines(), first):
        is_here = piece.line_start <= number <= piece.line_end
        output.parts(output.styled(f"{number:>6}  ", fg="bright_black"), output.styled(line, bold=is_here))


def _cannot_be_opened(corpus: CorpusFolder, runs: Iterable[str]) -> Untrusted | None:
    """Return the error that a query would raise for the first run this user does not trust, or None."""
    for run_id in runs:
        try:
            if corpus.store.holds(run_id):
                corpus.store.check(run_id)
        except Untrusted as error:
            return error
    return None
