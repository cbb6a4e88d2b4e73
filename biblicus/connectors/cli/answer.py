"""Commands `context` (a pack for a prompt) and `answer` (statements with footnotes, or none)."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus import answers, models, search
from biblicus.connectors.cli import output
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.contracts import Call
from biblicus.errors import BiblicusError
from biblicus.models.answers.answer import Answer, Band, Statement, band_of
from biblicus.models.evidence import Evidence, Result
from biblicus.models.fields import option
from biblicus.service.verbs import ANSWER, CONTEXT, QUERY

if TYPE_CHECKING:
    from biblicus.corpus.folder import CorpusFolder
    from biblicus.models.answers.pack import Pack
    from biblicus.models.answers.persona import Assessment, PersonaAnswer
    from biblicus.models.requests.answer import AnswerRequest
    from biblicus.models.requests.query import QueryRequest

_SHOWN = 8

# --- context ---------------------------------------------------------------------------------------------------------


def _context(pack: Pack, given: Given) -> None:
    """Print the pack to standard output, for piping, and dropped evidence to standard error."""
    if pack.text:
        output.raw(pack.text)
    else:
        output.remark(f"Not even a sentence fits into {output.count(pack.budget.tokens, 'tokens')}.")
    if pack.dropped:
        used = f"{pack.budget.used} of {pack.budget.tokens} tokens are used"
        output.remark(f"Left out ({len(pack.dropped)}), while {used}:")
    for dropped in pack.dropped[:_SHOWN]:
        output.remark(f"  {dropped.path} ({dropped.chunk_id}): {dropped.reason}")
    if len(pack.dropped) > _SHOWN:
        output.remark(f"  … and {len(pack.dropped) - _SHOWN} more; --json lists them all")
    if pack.pending is not None and pack.pending.sentence:
        output.remark(pack.pending.sentence)


# --- answer ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class _Own:
    llm: str | None = option(None, "The language model to use, by its name in your configuration.")


def answered(given: Given, request: AnswerRequest | None = None) -> Answer | PersonaAnswer:
    """Answer with the models of this machine's user from evidence of the corpus, wherever it is.
    `request`: instead of the command's."""

    llm = given.own.llm
    request = given.request if request is None else request
    name = search.language_models.answerer_for(request.answerer, llm)
    request = replace(request, answerer=name)

    def evidence(question: QueryRequest, call: Call) -> Result:
        return given.asker.ask(QUERY, question, call)

    persona_place = given.here.corpus if request.persona is not None else None
    with output.writing(shown=not given.common.json and request.answerer != answers.answer.DEFAULT) as hear:
        model = search.language_models.for_answerer(_place(given), name, llm, hear=hear)
        if persona_place is not None:
            return answers.answer_as.answer_as(persona_place, request, evidence, given.call, model)
        return answers.answer.answer(evidence, request, given.call, model)


def _place(given: Given) -> CorpusFolder | None:
    """Return the corpus if it is on this machine, else None."""
    try:
        return given.here.corpus
    except BiblicusError:
        return None


def show_reply(reply: Answer | PersonaAnswer, given: Given) -> None:
    """Print an answer, and pending changes of the folder."""

    place = _place(given)
    show_answer(reply, place.root if place else None, verbose=given.common.verbose)
    if isinstance(reply, models.answers.persona.PersonaAnswer):
        _show_approach(reply)
    output.pending(reply.pending)


def show_answer(answer: Answer, root: Path | None, *, verbose: bool = False) -> None:
    """Print an answer with its footnotes and its band. `root`: the folder of a local corpus. `verbose`: with
    numbers."""
    if not answer.statements:
        _show_empty(answer)
        return
    if answer.is_nearest:
        output.line("Nothing answers this; nearest is:", fg="yellow")
    notes: dict[tuple[str | None, str, int, int], int] = {}
    pieces: list[Evidence] = []
    for statement in answer.statements:
        marks = []
        for citation in statement.citations:
            piece = citation.as_evidence()
            key = piece.corpus, piece.chunk_id, piece.span_start, piece.span_end
            if key not in notes:
                notes[key] = len(notes) + 1
                pieces.append(piece)
            marks.append(f"[{notes[key]}]")
        *lines, last = _own_lines(statement) or [statement.text.strip()]
        first_rows = (row for line in lines for row in textwrap.wrap(line, output.width(), break_on_hyphens=False))
        for row in (*first_rows, *_rows(f"{last} {''.join(marks)}")):
            output.line(row)
        output.line()
    for number, piece in enumerate(pieces, 1):
        _show_note(number, piece, root)
    band = band_of(answer.confidence, insufficient=answer.insufficient or answer.is_nearest)
    output.parts(
        output.styled(band.capitalize(), bold=True, fg=_COLOURS[band]),
        output.styled(f": {MEANINGS[band]}", fg="bright_black"),
    )
    if verbose:
        output.line(_measures(answer), fg="bright_black")


MEANINGS: Mapping[Band, str] = {
    "sure": "such answers are right at least 4 times in 5",
    "likely": "such answers are more often right than not",
    "thin": "nothing in the corpus answers this well",
}
"""Meaning of each band for people."""
_COLOURS: Mapping[Band, str] = {"sure": "green", "likely": "cyan", "thin": "yellow"}
_ITEM = re.compile(r"- \S|\d{1,3}[.)]\s|[a-zA-Z][.)]\s")


_LINES = 3
_WRAPPED = 60
"""Minimum width of wrapped prose in characters."""


def _own_lines(statement: Statement) -> list[str]:
    """Return the quoted lines if they are not wrapped prose: most end although the next word would fit."""
    piece = statement.citations[0].piece if len(statement.citations) == 1 else None
    if piece is None or not piece.media_type.startswith("text/"):
        return []
    lines = [" ".join(line.split()) for line in statement.citations[0].text.splitlines() if line.strip()]
    if len(lines) < _LINES or " ".join(lines) != statement.text.strip():
        return []
    width = max(_WRAPPED, *map(len, lines))
    early = sum(len(line) + 1 + len(after.split()[0]) <= width for line, after in pairwise(lines))
    return lines if early * 2 >= len(lines) else []


def _rows(text: str) -> list[str]:
    """Return a statement as rows: sentences and list items are wrapped, code lines are unchanged."""
    first, *others = text.splitlines()
    if others and not all(map(_ITEM.match, others)):
        return [f"    {line}".rstrip() for line in text.splitlines()]
    rows = textwrap.wrap(first, output.width(), break_on_hyphens=False)
    for item in others:
        rows += textwrap.wrap(item, output.width(), subsequent_indent="  ", break_on_hyphens=False)
    return rows


def _show_note(number: int, piece: Evidence, root: Path | None) -> None:
    """Print the source of a statement; on a terminal as a link."""
    place = f"{output.of_corpus(piece)}{piece.path}:{piece.line_start}"
    locator = f", {output.place(piece)}" if piece.locator and piece.locator.kind != "line" else ""
    names = " › ".join(dict.fromkeys(name for name in (piece.title, piece.heading) if name and name != piece.path))
    output.parts(
        output.styled(f"[{number}] ", bold=True),
        output.linked(output.styled(f"{place}{locator}", fg="cyan"), output.address(piece, root)),
        output.styled(f"  {names}" if names else ""),
        output.styled("  (changed or gone since the run: biblicus reindex)", fg="yellow") if piece.stale else "",
    )


def _show_empty(answer: Answer) -> None:
    searched = answer.searched
    if answer.left_out:
        output.line(f"No answer: {_left_out(answer)}, for no citation of theirs holds.", fg="yellow")
        for statement in answer.left_out[:_SHOWN]:
            output.line(f"  {_short(statement.text)}: {statement.reason}", fg="bright_black")
    else:
        output.line("No answer: nothing in the corpus answers this well enough to be quoted.", fg="yellow")
    pieces = output.count(searched["pieces"], "pieces")
    best_support = ", ".join(f"{leg} {value:.2f}" for leg, value in searched["support"].items())
    output.line(f"Searched: {searched['recipe_id']}, run {searched['run_id']}.")
    output.line(f"{pieces} of evidence seen.")
    for note in searched.get("notes", ()):
        output.line(note, fg="yellow")
    if searched["filters"]:
        output.line(f"Only: {', '.join(f'{key} {value}' for key, value in searched['filters'].items())}")
    if not searched["pieces"]:
        output.line("Other words or fewer filters may help.", fg="bright_black")
        return
    if best_support:
        output.line(f"Of the question they hold at best: {best_support} (of 1).")
    output.line("biblicus query shows what comes nearest; other words or fewer filters may help.", fg="bright_black")


def _left_out(answer: Answer) -> str:
    return "1 statement left out" if len(answer.left_out) == 1 else f"{len(answer.left_out)} statements left out"


def _measures(answer: Answer) -> str:
    measures = f"Confidence {answer.confidence:.2f}; evidence {answer.evidence_strength:.2f}"
    left_out = f"; {_left_out(answer)}" if answer.left_out else ""
    return f"{measures}{left_out}; {answer.answerer}"


def _show_approach(answer: PersonaAnswer) -> None:
    """Print how a persona made its answer."""
    output.line()
    output.line(f"As {answer.by.name}:", bold=True)
    for step in answer.plan.steps:
        piece = answer.manual[step.manual - 1] if step.manual else None
        output.parts(
            output.styled(f"  · {_short(step.text)}"),
            output.styled(f"  {piece.path}:{piece.line_start}" if piece else "", fg="bright_black"),
        )
    for query in answer.queries[1:]:
        output.line(f"  asked too: {query.text} ({query.kept} of {query.found} pieces kept)", fg="bright_black")
    if answer.plan.note:
        output.line(f"  {answer.plan.note}", fg="yellow")
    output.line(f"  {_worth(answer.assessment)}")
    if answer.unused:
        output.line(f"  Without a language model these change nothing: {', '.join(answer.unused)}.", fg="bright_black")


def _short(text: str) -> str:
    return textwrap.shorten(text, output.width() - 30, placeholder=" …")


def _worth(assessment: Assessment) -> str:
    pieces, sources = output.count(assessment.pieces, "pieces"), output.count(assessment.sources, "sources")
    lacking = f"; nothing on: {', '.join(assessment.missing)}" if assessment.missing else ""
    stale = f"; {assessment.stale} changed since" if assessment.stale else ""
    cited = f"{pieces} of {sources}, {assessment.cited_sources} cited"
    return f"Evidence: {assessment.strength}; {cited}{lacking}{stale}"


COMMANDS = (
    Command(
        "context",
        CONTEXT,
        _context,
        more="Its evidence is numbered and exact, and stands behind marks that nobody can forge.",
        timed=True,
        founds=True,
    ),
    Command("answer", ANSWER, show_reply, own=_Own, reply=answered, timed=True, founds=True, talks=True),
)
