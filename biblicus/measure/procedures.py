"""Procedures that answer a question end to end: answerers, personas, prompts, commands; and how each is measured.

Options or the user's own settings define them, never a dataset or a corpus. A measurement runs each question of a
dataset and checks the replies against requirements.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import unquote

from pydantic import TypeAdapter, ValidationError

from biblicus.answering import prompts
from biblicus.answering.asking import Usage
from biblicus.answering.asking import ask as ask_model
from biblicus.answering.grounding import marked
from biblicus.answering.prompts import Prompt
from biblicus.answers import persona_files
from biblicus.answers.answer import answer, answerer
from biblicus.answers.answer_as import answer_as
from biblicus.answers.context import context
from biblicus.config import ProcedureSetting, explain, nearest, settings_file
from biblicus.contracts import Call, LLMClient
from biblicus.corpus.catalog import catalog_of
from biblicus.corpus.editorial.approvals import EXPIRES, Trust, check_named, now_of
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, ConfigInvalid, DeadlineExceeded, LLMError, NoLLM, SourceNotFound, UsageError
from biblicus.guards import json as guarded_json
from biblicus.guards.commands import say
from biblicus.measure import answer_metrics
from biblicus.measure.answer_metrics import CitedItem, Reply
from biblicus.measure.documents import Answers, absent, catalogued, resolved
from biblicus.measure.systems import Bench, Target, costs_of, judgements_for, percentiles, proofs, system_of, tags_of
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.evaluation import JudgedQuestion, ProcedureQuestion, ProcedureReply, Row, System
from biblicus.models.evidence import Evidence, Result
from biblicus.models.requests.answer import AnswerRequest, ContextRequest
from biblicus.models.requests.measure import EvaluateRequest
from biblicus.models.requests.runs import Piece
from biblicus.search import language_models
from biblicus.search.searcher import LocalSearcher

SECONDS = 60.0
"""Default time limit per question."""
_ANSWER, _PERSONA, _PACK = "answer", "persona:", "pack:"
_REFUSAL = "insufficient"
_LARGEST_PROMPT = 1 << 16

_REF = re.compile(r"(?P<corpus>biblicus://[a-z0-9-]{1,64}/item/)?(?P<item>[^#]+)(#[a-z]+=[\d:-]+)?", re.DOTALL)
"""A reference in the form that agents get (docs/mcp.md)."""
SHOWN = 2_000
"""Maximum characters of a stored answer."""


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


def check_layers(bench: Bench, questions: Iterable[JudgedQuestion]) -> None:
    """Raise an error if a requirement uses a layer that the corpus does not have."""
    layers = [question.must.layer for question in questions] + [rule.must.layer for rule in bench.dataset.rules]
    check_named(bench.corpus, list(dict.fromkeys(filter(None, layers))))


def measure_procedure(
    bench: Bench,
    target: Target,
    ranked: System | None,
    procedure: Procedure,
    others: Sequence[JudgedQuestion],
    call: Call,
) -> System:
    """Return the system with the procedure's results added to its rankings (`ranked`).

    `others`: questions without relevant items.
    """
    questions = [*bench.dataset.questions, *others]
    answered = []
    with closing(bench.make()) as asker:
        first = asker.search(target.query(questions[0].text), call)
        for done, question in enumerate(questions):
            call.progress(f"ask {procedure.name}", done, len(questions))
            answered.append(_asked(procedure, question.text, target, asker, call))
    return _measured(bench, target, ranked, procedure, questions, answered, first, call)


def _asked(procedure: Procedure, text: str, target: Target, asker: LocalSearcher, call: Call) -> Reply:
    """Return a question's reply within the procedure's time; a failure counts for this question only."""
    call.check()
    began = time.monotonic()
    until = began + procedure.seconds
    bounded = replace(call, deadline=until if call.deadline is None else min(until, call.deadline))
    try:
        answered = procedure.say(text, target, asker, bounded)
    except (Failed, LLMError, DeadlineExceeded) as error:
        call.check()
        late = isinstance(error, DeadlineExceeded)
        answered = Reply(problem=f"it took longer than {procedure.seconds:g} s" if late else str(error))
    return replace(answered, seconds=time.monotonic() - began)


def _measured(
    bench: Bench,
    target: Target,
    ranked: System | None,
    procedure: Procedure,
    questions: Sequence[JudgedQuestion],
    answered: Sequence[Reply],
    first: Result,
    call: Call,
) -> System:
    replies = _located(bench, answered, call)
    rules = bench.dataset.rules
    rows = _rows(bench, ranked, questions, replies, first)
    figures = {**(ranked.system if ranked else {}), **_figures(replies)}
    figures |= answer_metrics.figures(replies, [violation for row in rows for violation in row.violations], rules)
    name = f"{target.name}/{procedure.name}"
    system = system_of(name, first, figures, rows, ranked.missing if ranked else 0)
    return replace(system, metrics=_in_display_order(bench, system.metrics))


def _rows(
    bench: Bench, ranked: System | None, questions: Sequence[JudgedQuestion], replies: Sequence[Reply], first: Result
) -> list[Row]:
    """Return a row for each question: its ranking, if any, and the procedure's results."""
    judged = judgements_for(bench, first)
    rankings = {row.question_id: row for row in ranked.rows} if ranked else {}
    named = [name for question in questions for name in question.must.cite]
    named += [name for rule in bench.dataset.rules for name in rule.must.cite]
    ids = resolved(bench.dataset.name, set(named), catalogued(catalog_of(bench.corpus)))
    rows = []
    for question, reply in zip(questions, replies, strict=True):
        values, violations = answer_metrics.judged(question, bench.dataset.rules, reply, ids)
        row = rankings.get(question.question_id) or _unranked(question)
        judgement = judged.of(question) if question.judgements and not question.unanswerable else None
        scores, answer = {**values, **_grounded(question, reply, judgement), **row.metrics}, reply.answer[:SHOWN]
        rows.append(replace(row, metrics=scores, answer=answer, violations=violations, problem=reply.problem))
    return rows


def _in_display_order(bench: Bench, means: Mapping[str, float]) -> dict[str, float]:
    """Return the means, those of procedures first."""
    names = [*answer_metrics.PROCEDURE_METRICS, *answer_metrics.METRICS, *(metric.name for metric in bench.metrics)]
    return {name: means[name] for name in names if name in means}


def _unranked(question: JudgedQuestion) -> Row:
    return Row(question.question_id, question.text, {}, [], tags=tags_of(question), kind=question.kind)


def _grounded(question: JudgedQuestion, reply: Reply, judgement: Answers | None) -> dict[str, float]:
    """Return the metrics of every answer: correctness, citations, abstention."""
    if reply.problem:
        return {}
    if question.unanswerable:
        return {**answer_metrics.unanswerable(reply.answer, reply.cited), "abstained": float(reply.refused)}
    if judgement is None:
        return {}
    relevant = [name for name, grade in judgement.grades.items() if grade > 0]
    values = answer_metrics.scored(reply.answer, question.answers, reply.cited, relevant, judgement.spans)
    return {**values, "answered": float(not reply.refused)}


# --- checks of answers against the corpus ---


def _located(bench: Bench, answered: Sequence[Reply], call: Call) -> list[Reply]:
    """Return the replies, their citations located in the corpus and verified."""
    places = _Places(bench.corpus, call)
    pieces = [piece for reply in answered for piece in reply.cited if isinstance(piece, Piece)]
    proved = iter(proofs(bench.corpus, pieces, call))
    replies = []
    for reply in answered:
        cited = [places.of(name, isinstance(name, Piece) and next(proved)) for name in reply.cited]
        replies.append(replace(reply, cited=cited))
    return replies


class _Places:
    """Locates citations in the present corpus: item and layer come from the corpus, never from the citation."""

    def __init__(self, corpus: CorpusFolder, call: Call) -> None:
        self._catalog, self._trust = catalog_of(corpus), Trust(corpus, now_of(call))

    def _item(self, cited: str) -> str:
        """Return the id or path in a reference, which may include a part: `ID`, `notes/lamp.md#lines=3-9`."""
        if cited in self._catalog.paths or cited in self._catalog.items:
            return cited
        ref = _REF.fullmatch(cited)
        if ref is None:
            return cited
        return unquote(ref["item"]) if ref["corpus"] else ref["item"]

    def of(self, cited: Piece | str, verified: bool) -> CitedItem:
        name = cited.item_id if isinstance(cited, Piece) else self._item(cited)
        path = self._catalog.paths.get(name, name)
        item = self._catalog.items.get(path)
        span = (cited.span_start, cited.span_end) if isinstance(cited, Piece) else (0, 0)
        if item is None:
            return CitedItem(absent(name), *span, verified=False, path=path, layer=None)
        layer = item.layer if self._trust.shows(item, item.metadata.get(EXPIRES)) else None
        return CitedItem(item.item_id, *span, verified=verified, path=path, layer=layer)


def _figures(replies: Sequence[Reply]) -> dict[str, float]:
    answers = (reply.answer for reply in replies if reply.answer and not reply.refused)
    return {
        **percentiles("procedure", [reply.seconds * 1000 for reply in replies]),
        **costs_of(answers, [reply.usage for reply in replies]),
    }
