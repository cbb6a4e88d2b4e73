"""Command `chat`, which answers questions from standard input one after the other, the bare command, and personas."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from biblicus import answers, guards
from biblicus.connectors import cli
from biblicus.connectors.cli import output
from biblicus.connectors.cli.answer import answered, show_answer, show_reply
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import system
from biblicus.errors import BiblicusError, Untrusted, UsageError
from biblicus.guards.terminal import safe
from biblicus.models import requests
from biblicus.models.answers.answer import Answer, Statement
from biblicus.models.fields import NoRequest, option
from biblicus.models.plain import plain
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.items import GetRequest, ShowRequest
from biblicus.models.requests.query import QueryRequest
from biblicus.service.askers.here import Here, here
from biblicus.service.places import folder_of
from biblicus.service.verbs import ANSWER, CHECK_PERSONAS, GET, NEW_PERSONA, PERSONA, PERSONAS, QUERY, SHOW, STATS

if TYPE_CHECKING:
    from biblicus.answers.conversations import Stated
    from biblicus.answers.personas import PersonaChecks, Personas
    from biblicus.answers.turns import Turn
    from biblicus.models.answers.persona import Persona
    from biblicus.models.evidence import Evidence

_MOST = 64 << 20
"""Maximum bytes of a history file."""
_LINE = 10_000
"""Maximum characters of a question."""


@dataclass(frozen=True, kw_only=True)
class _Chat:
    history: str | None = option(None, "Save the turns in this file (JSON Lines), and continue after its last turn.")
    save: str | None = option(None, "Write the conversation to this new file, with each passage and its citation.")
    persona: str | None = option(None, "A persona of the corpus, by id.")
    answerer: str | None = option(None, "The answerer; quote needs no language model.")
    llm: str | None = option(None, "The language model to use, by its name in your configuration.")


def _chat(given: Given) -> None:
    """Answer until the input ends. An error ends a turn, not the conversation."""
    turns = answers.turns

    options = given.own
    history = Path(options.history) if options.history else None
    before = _last(history) if history else None
    note = Path(options.save) if options.save else None
    if note is not None and (note.exists() or not note.parent.is_dir()):
        why = "is there already" if note.exists() else "is in no folder that there is"
        raise UsageError(f"{note} {why}.", "biblicus chat --save NEW-FILE.md")
    is_begun = False
    _ = given.here.corpus  # check early that the corpus exists
    for question in _questions():
        full_question = turns.asked_as(question, before)
        if full_question != question:
            output.line(f"Asked as: {full_question}", fg="bright_black")
        request = requests.answer.AnswerRequest(full_question, persona=options.persona, answerer=options.answerer)
        try:
            reply = answered(given, request)
        except BiblicusError as error:
            output.fail(error, as_json=False)
            continue
        show_reply(reply, given)
        output.line()
        sys.stdout.flush()
        before = turns.Turn(question, full_question)
        if history:
            _keep(history, before, reply)
        if note:
            _note(note, before, reply, is_begun=is_begun)
            is_begun = True


def _questions() -> Iterator[str]:
    is_typed = sys.stdin.isatty()
    if is_typed:
        output.remark("Ask, a question a line. Ctrl-D ends it.")
    while True:
        if is_typed:
            sys.stderr.write("? ")
            sys.stderr.flush()
        line = sys.stdin.readline(_LINE)
        if not line:
            return
        if line.strip():
            yield line.strip()


def _last(history: Path) -> Turn | None:
    """Return the last turn of a history file, or None if there is none. Raises `UsageError` for another file."""
    if not history.exists():
        return None
    turn = None
    try:
        with history.open("rb") as file:
            for line in file.read(_MOST + 1).splitlines():
                turn = answers.turns.turn_of(guards.json.read(line, max_bytes=_MOST))
    except (OSError, guards.json.JsonRefused, KeyError, TypeError) as error:
        raise UsageError(f"{history} is no history of a conversation.", "biblicus chat --history NEW-FILE") from error
    return turn


def _keep(history: Path, turn: Turn, reply: Answer) -> None:
    """Append a turn with the evidence of each statement, for `verify`."""
    record = {
        "question": turn.question,
        "asked": turn.asked,
        "run_id": reply.result.run_id,
        "insufficient": reply.insufficient,
        "statements": plain(reply.statements),
    }
    with history.open("ab") as file:
        file.write(f"{json.dumps(record, ensure_ascii=False)}\n".encode("utf-8", "replace"))
        file.flush()
        system.sync(file.fileno())


def _note(note: Path, turn: Turn, reply: Answer, *, is_begun: bool) -> None:
    """Append a turn to the note, or create it with the first turn; existing files are never overwritten."""

    words = answers.conversations.turn(
        turn.question, turn.asked, [_stated(statement) for statement in reply.statements]
    )
    with note.open("a" if is_begun else "x", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write(words if is_begun else answers.conversations.head(turn.question) + words)


def _stated(statement: Statement) -> Stated:
    conversations = answers.conversations

    pieces = [citation.as_evidence() for citation in statement.citations]
    passages = [
        conversations.Passage(piece.text, conversations.place(piece.path, piece.line_start, piece.line_end))
        for piece in pieces
    ]
    return conversations.Stated(statement.text, passages, statement.quoted)


# --- the bare command inside a corpus: its state and the next step; on a terminal then questions ---


def welcome(corpus: str | None) -> int:
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
            show_answer(asker.ask(ANSWER, AnswerRequest(words), Call()), asker.root)
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


# --- personas ---

_NO_PERSONA = "No personas yet. biblicus personas new keeper writes one."


def _list_personas(listed: Personas, given: Given) -> None:
    for entry in listed.personas:
        if entry.persona is None:
            output.line(f"{entry.id:16} {entry.problem}", fg="red")
        else:
            manual = f" (manual: {entry.persona.manual_corpus})" if entry.persona.manual_corpus else ""
            output.line(f"{entry.id:16} {entry.persona.name}. {entry.persona.description}".rstrip() + manual)
    if not listed.personas:
        output.line(_NO_PERSONA)


def _show_persona(persona: Persona, given: Given) -> None:
    output.raw(safe(guards.yaml.write(persona.model_dump(mode="json")), keep_newlines=True))


def _check_personas(checks: PersonaChecks, given: Given) -> None:
    for check in checks.personas:
        output.line(f"{check.id}: {'can answer' if check.ok else 'cannot answer'}", fg="green" if check.ok else "red")
        for problem in check.problems:
            hint = f" Try: {problem['hint']}" if problem["hint"] else ""
            output.line(f"  {problem['reason']}{hint}")
        for note in check.notes:
            output.line(f"  {note}", fg="bright_black")
    if not checks.personas:
        output.line(_NO_PERSONA)


COMMANDS = (
    Command(
        "chat",
        None,
        None,
        help="Hold a conversation: one question per line. A follow-up is completed with words of the turn before.",
        own=_Chat,
        reply=_chat,
    ),
    Command(
        "personas new",
        NEW_PERSONA,
        output.says(lambda made: f"Edit {made.path}, then: biblicus personas check {made.id}"),
    ),
    Command("personas list", PERSONAS, _list_personas, lists="personas"),
    Command("personas show", PERSONA, _show_persona),
    Command(
        "personas check",
        CHECK_PERSONAS,
        _check_personas,
        help="Check a persona's file, recipe, manual corpus and index. Exit with code 4 if it fails.",
        code=lambda checks: 0 if checks.ok else 4,
        watched=True,
    ),
)
