"""Procedures that answer a question end to end, by name: answerers, personas, prompts, commands.

Options or the user's own settings define them, never a dataset or a corpus.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pydantic import TypeAdapter, ValidationError

from biblicus.answering import prompts
from biblicus.answering.asking import Usage
from biblicus.answering.asking import ask as ask_model
from biblicus.answering.grounding import marked
from biblicus.answers import persona_files
from biblicus.answers.answer import answer, answerer
from biblicus.answers.answer_as import answer_as
from biblicus.answers.context import context
from biblicus.config import ProcedureSetting, explain, nearest, settings_file
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, NoLLM, SourceNotFound, UsageError
from biblicus.guards import json as guarded_json
from biblicus.guards.commands import say
from biblicus.measure.requirements import Reply
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.procedures import ProcedureQuestion, ProcedureReply
from biblicus.models.evidence import Evidence
from biblicus.models.requests.answer import AnswerRequest, ContextRequest
from biblicus.models.requests.measure import EvaluateRequest
from biblicus.models.requests.runs import Piece
from biblicus.search import language_models

if TYPE_CHECKING:
    from biblicus.answering.prompts import Prompt
    from biblicus.contracts import LLMClient
    from biblicus.measure.systems import Target
    from biblicus.search.searcher import LocalSearcher

SECONDS = 60.0
"""Default time limit per question."""
_ANSWER, _PERSONA, _PACK = "answer", "persona:", "pack:"
_REFUSAL = "insufficient"
_LARGEST_PROMPT = 1 << 16


class Failed(Exception):
    """Raised if a procedure gives no reply to a question; the message is the reason."""


class Procedure(Protocol):
    """Answers one question on one system. Raises `Failed`, and errors of the search."""

    @property
    def name(self) -> str: ...

    @property
    def seconds(self) -> float: ...

    def say(self, question: str, target: Target, asker: LocalSearcher, call: Call) -> Reply: ...


def procedures(corpus: CorpusFolder, request: EvaluateRequest) -> list[Procedure]:
    """Return the procedures of a request. Raises before any measurement if one is invalid."""
    chosen_procedures = [_named(corpus, request, name) for name in dict.fromkeys(request.procedures)]
    chosen_procedures += [_typed(corpus, text, request.seconds or SECONDS) for text in dict.fromkeys(request.commands)]
    answers = any(isinstance(procedure, _Answering) for procedure in chosen_procedures)
    if request.answerer and not answers:
        raise UsageError("No procedure named here uses an answerer.", "biblicus eval DATASET --procedure answer")
    if request.llm and not answers and not any(isinstance(procedure, _Packed) for procedure in chosen_procedures):
        raise UsageError("No procedure named here uses a language model.", "biblicus eval DATASET --procedure answer")
    return _told_apart(chosen_procedures)


def _told_apart(made: Sequence[_Answering | _Packed | _Command]) -> list[Procedure]:
    """Give each a unique name, by which results are compared and guarded."""
    names: Counter[str] = Counter()
    apart: list[Procedure] = []
    for procedure in made:
        names[procedure.name] += 1
        number = names[procedure.name]
        apart.append(procedure if number == 1 else replace(procedure, name=f"{procedure.name} ({number})"))
    return apart


def _named(corpus: CorpusFolder, request: EvaluateRequest, name: str) -> _Answering | _Packed | _Command:
    seconds = request.seconds or SECONDS
    configured = corpus.settings.procedures
    if name in configured:
        return _set(corpus, name, configured[name], request.seconds)
    if name == _ANSWER or name.startswith(_PERSONA):
        by = language_models.answerer_for(request.answerer, request.llm)
        llm = language_models.for_answerer(corpus, by, request.llm)
        answerer(AnswerRequest(name, answerer=by), llm)  # raises early
        persona = name.removeprefix(_PERSONA) if name.startswith(_PERSONA) else None
        if persona is not None:
            persona_files.read(corpus, persona)
        return _Answering(name, seconds, corpus, by, llm, persona)
    if name.startswith(_PACK):
        model = language_models.find(corpus, request.llm)
        if model is None:
            raise NoLLM(f"The procedure {name}")
        path = Path(name.removeprefix(_PACK))
        return _Packed(f"{_PACK}{path.stem}", seconds, corpus, model, _prompt(path))
    procedure_names = [_ANSWER, f"{_PERSONA}ID", f"{_PACK}PROMPT-FILE", *sorted(configured)]
    raise UsageError(
        f'There is no procedure "{name}"{nearest(name, procedure_names)}', "biblicus eval DATASET --procedure answer"
    )


def _prompt(path: Path) -> Prompt:
    try:
        text = files.read(path, limit=_LARGEST_PROMPT).decode()
        prompt = prompts.parse(path.stem, text, needs=frozenset(("question", "evidence")), own=True)
        missing, unknown = prompt.needs - prompt.placeholders, prompt.placeholders - {"question", "evidence", "marker"}
        if missing or unknown:
            raise ValueError(
                f"${min(missing)} does not stand in it" if missing else f"nothing is known for ${min(unknown)}"
            )
    except FileNotFoundError:
        raise SourceNotFound(str(path), "biblicus eval DATASET --procedure pack:PROMPT-FILE") from None
    except (OSError, ValueError, BadData) as error:
        raise ConfigInvalid(str(path), f"{error}.", "see docs/procedures.md") from error
    return prompt


# --- built-in procedures ---


@dataclass(frozen=True)
class _Answering:
    """The procedure `answer`, optionally with a persona."""

    name: str
    seconds: float
    corpus: CorpusFolder
    answerer: str
    llm: LLMClient | None
    persona: str | None

    def say(self, question: str, target: Target, asker: LocalSearcher, call: Call) -> Reply:
        request = AnswerRequest(
            question, answerer=self.answerer, persona=self.persona, recipe=target.recipe, run=target.run_id
        )
        if self.persona is None:
            return _answered(answer(asker.search, request, call, self.llm))
        return _answered(answer_as(self.corpus, request, asker.search, call, self.llm))


def _answered(reply: Answer) -> Reply:
    cited = [_piece(citation.as_evidence()) for statement in reply.statements for citation in statement.citations]
    return Reply(reply.answer, cited, reply.is_nearest or not reply.answer, reply.usage, _tokens(reply.usage))


def _piece(evidence: Evidence) -> Piece:
    return Piece.of(evidence.as_object())


def _tokens(usage: Mapping[str, int]) -> int:
    return usage.get("input_tokens", 0) + usage.get("output_tokens", 0)


@dataclass(frozen=True)
class _Packed:
    """A context pack in a prompt of the user's for their language model. Citations are the pack's numbers."""

    name: str
    seconds: float
    corpus: CorpusFolder
    llm: LLMClient
    prompt: Prompt

    def say(self, question: str, target: Target, asker: LocalSearcher, call: Call) -> Reply:
        pack = context(self.corpus, ContextRequest(question, recipe=target.recipe, run=target.run_id), call)
        if not pack.entries:
            return Reply("", refused=True, tokens=0)
        usage = Usage()
        system, user = self.prompt.fill(question=" ".join(question.split()), evidence=pack.text, marker=pack.marker)
        text = ask_model(self.llm, call, user, usage, system_prompt=system).text.strip()
        entries = {entry.number: entry for entry in pack.entries}
        cited = [_piece(entries[number]) for number in marked(text, max(entries)) if number in entries]
        refused = not text or text.strip(" .!\"'`*").casefold() == _REFUSAL
        return Reply(text, cited, refused, usage.as_object(), _tokens(usage.as_object()))


# --- the user's commands ---


def _set(corpus: CorpusFolder, name: str, setting: ProcedureSetting, seconds: float | None) -> _Command:
    where = f"{settings_file()}: procedures.{name}"
    if name == _ANSWER:
        raise ConfigInvalid(where, "this name is taken: it measures answers.", "give it another name")
    if shutil.which(setting.command[0]) is None:
        raise ConfigInvalid(where, f"there is no program {setting.command[0]}.", "give its absolute path")
    return _Command(name, seconds or setting.seconds, setting.output_bytes, setting.command, corpus)


def _typed(corpus: CorpusFolder, text: str, seconds: float) -> _Command:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"The command {text[:80]} cannot be read: {error}.", "quote it once") from error
    if not words or shutil.which(words[0]) is None:
        program = words[0] if words else text
        raise UsageError(f'There is no program "{program[:80]}".', 'biblicus eval DATASET --command "python ask.py"')
    name = " ".join(Path(word).name or word for word in words)[:60]
    return _Command(name, seconds, ProcedureSetting.output_bytes, tuple(words), corpus)


_PIECE = TypeAdapter(Piece)


@dataclass(frozen=True)
class _Command:
    """A program of the user's: one process per question."""

    name: str
    seconds: float
    output_bytes: int
    command: tuple[str, ...]
    corpus: CorpusFolder

    def say(self, question: str, target: Target, asker: LocalSearcher, call: Call) -> Reply:
        root, run = str(self.corpus.root), target.run_id
        request = ProcedureQuestion(question=question, corpus=root, recipe=target.recipe, run=run, seconds=self.seconds)
        body = json.dumps(asdict(request), ensure_ascii=False).encode() + b"\n"
        try:
            ended = say(self.command, body, seconds=self.seconds, output_bytes=self.output_bytes, check=call.check)
        except OSError as error:
            raise Failed(f"it cannot be started: {files.describe(error)}") from error
        if ended.problem:
            raise Failed(ended.problem)
        return read_reply(ended.output, self.output_bytes)


def read_reply(output: bytes, largest: int) -> Reply:
    """Parse a command's output. Raises `Failed` if it is not a valid reply."""
    try:
        reply = ProcedureReply.model_validate(guarded_json.read(output, max_bytes=largest))
        cited = [_cited(number, entry) for number, entry in enumerate(reply.citations)]
    except BadData as error:
        raise Failed(
            f"what it wrote is no reply: {error.message[:1].lower()}{error.message[1:].rstrip('.')}"
        ) from error
    except ValidationError as error:
        raise Failed(f"what it wrote is no reply: {explain(error, ProcedureReply).rstrip('.')}") from error
    usage = reply.usage.model_dump() if reply.usage else {}
    refused = reply.refused or not reply.answer.strip()
    return Reply(reply.answer, cited, refused, usage, _tokens(usage) if reply.usage else None)


def _cited(number: int, entry: str | Mapping[str, Any]) -> Piece | str:
    if isinstance(entry, str):
        return entry
    try:
        return _PIECE.validate_python(dict(entry))
    except ValidationError as error:
        raise BadData(f"citations.{number}.{explain(error, Piece)}") from error
