"""Profile `memos`: a personal knowledge base: ingest texts without duplicates, and answer with citations."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from statistics import fmean
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from biblicus import telemetry
from biblicus.answering.grounding import STANDING_IN, Checked, checked, share_of_best
from biblicus.answers.answer import answer_from, answerer
from biblicus.answers.conversations import from_sources
from biblicus.connectors.http.endpoints import Asked, Endpoint, Reply
from biblicus.connectors.http.problems import Duplicate
from biblicus.connectors.http.profiles import Profile, only_name, room_for, to_tell
from biblicus.connectors.http.surface import OneCorpus
from biblicus.contracts import Call
from biblicus.corpus.folder import CorpusFolder
from biblicus.errors import BiblicusError, ContentTypeRefused, UnfitInput, UsageError
from biblicus.models.answers.answer import PREVIEW, Answer
from biblicus.models.evidence import Evidence, Result
from biblicus.models.fields import MOMENT, Request, doc, option, term, terms
from biblicus.models.plain import plain
from biblicus.models.recipe import MEMOS
from biblicus.models.requests.answer import AnswerRequest
from biblicus.models.requests.bring import ReceiveRequest
from biblicus.models.requests.query import QUESTION, QueryRequest
from biblicus.search import language_models
from biblicus.service.verbs import ANSWER, QUERY, RECEIVE
from biblicus.text.anchoring import normalised, without_controls

MOST = 50
"""Maximum number of chunks to search; larger requests are reduced to it."""
BEST = 6
"""Number of chunks for an answer."""
_MOMENT = re.compile(r"[0-9W-]{7,10}([T ][0-9:.,]+(Z|[+-][0-9:]+)?)?")
"""Rough form of an ISO 8601 day, week date or time, in long or short form."""
_ENVIRONMENT = re.compile(r"(?:^|,)deployment\.environment(?:\.name)?=([^,]+)")


class Memo(Request):
    """A text to keep."""

    text: str = field(metadata=doc("The text, 40 to 200,000 characters by default."))
    tags: tuple[str, ...] = option((), terms("Tags for it."))
    source: str | None = option(None, term("Where it is from: a word or a URI, kept as metadata."))
    created_at: str | None = option(None, term("When it was written, ISO 8601."))


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The text as a document, and its chunks in order."""

    document_id: str
    chunk_ids: tuple[str, ...]
    chunk_count: int
    tags: tuple[str, ...]


class Question(Request):
    """Ask a question and get an answer with its supporting chunks."""

    q: str = field(metadata=doc("The question.", max_length=QUESTION, schema={"pattern": r"\S"}))
    k: int | None = option(None, f"Chunks to look at (default: your memos_k, 12); more than {MOST} are {MOST}.", ge=1)
    tag: tuple[str, ...] = option((), terms("Only texts with all of these tags."))
    eval: bool = option(False, "Measure what was found.")
    gold: str | None = option(None, term("With eval: the document or chunk that answers, by id.", min_length=1))


@dataclass(frozen=True, kw_only=True)
class Cited:
    """A chunk that supports the answer, with a preview."""

    chunk_id: str
    preview: str
    score: float


@dataclass(frozen=True, kw_only=True)
class MemoAnswer:
    """The answer, empty if nothing answers.

    `citations`: its supporting chunks; the best chunks if a model cited none. `confidence`: 0 to 1. `debug`: how it was
    made, and with `eval` its measurements."""

    answer: str
    citations: tuple[Cited, ...]
    confidence: float
    debug: Mapping[str, Any]


def _ingest(asked: Asked) -> Reply:
    began = time.perf_counter()
    words: Memo = asked.request
    name = asked.service.corpora.meant(asked.words.corpus, guest=asked.call.guest, verb=RECEIVE)
    with telemetry.span("normalize"):
        length = len(normalised(words.text))
    corpus = asked.service.corpora.asker(name, asked.call).corpus
    settings = corpus.settings
    shortest, longest = settings.memos_shortest, settings.memos_longest
    if not shortest <= length <= longest:
        setting = f"BIBLICUS_MEMOS_{'SHORTEST' if length < shortest else 'LONGEST'}={length}"
        raise UnfitInput(f"it has {length:,} characters, {shortest:,} to {longest:,} are taken", setting)
    metadata = {"source": words.source} if words.source else {}
    tags = _tags(words.tags)
    request = ReceiveRequest(
        text=without_controls(words.text), tags=tags, created_at=_moment(words.created_at), metadata=metadata
    )
    received = asked.service.corpora.ask(name, RECEIVE, request, asked.call)
    if received.outcome == "duplicate":
        raise Duplicate(_id(corpus, received.item_id), received.path)
    chunks = tuple(_id(corpus, chunk) for chunk in received.chunk_ids or ())
    _measured("ingest", began, "/ingest", None)
    receipt = Kept(document_id=_id(corpus, received.item_id), chunk_ids=chunks, chunk_count=len(chunks), tags=tags)
    return Reply(receipt, received.index_version, 201, {"Location": f"/items/{received.item_id}"})


def _tags(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for word in words if (tag := " ".join(word.split()))))


def _moment(text: str | None) -> str | None:
    """Return a day or a time in normal form. Raises `UsageError` for an invalid one."""
    if not text or re.match(MOMENT, text):
        return text or None
    for kind in (date, datetime) if _MOMENT.fullmatch(text) else ():
        try:
            return kind.fromisoformat(text).isoformat()
        except ValueError:
            continue
    raise UsageError("created_at must be a day or a time of ISO 8601.", "2026-05-01T08:30:00Z")


def _answer(asked: Asked) -> Reply:
    began = time.perf_counter()
    words: Question = asked.request
    if words.gold is not None and not words.eval:
        raise UsageError("gold is for a question that is measured.", "eval=true")
    corpora, name = asked.service.corpora, only_name(asked, asked.words.corpus)
    place = corpora.asker(name, asked.call).corpus
    limit = min(words.k or place.settings.memos_k, MOST)
    query = QueryRequest(words.q, limit=limit, tag=_tags(words.tag), max_tokens=room_for(limit), max_per_source=limit)

    def ask(question: QueryRequest, call: Call) -> Result:
        return corpora.ask_here(name, QUERY, question, call)

    result = from_sources(ask)(query, asked.call)
    result = replace(result, evidence=result.texts)
    answer = _answered(place, replace(result, evidence=result.evidence[:BEST]), asked.call)
    with telemetry.span("cite"):
        text, chunks, confidence = _cited(answer)
        citations = tuple(_in_short(place, piece, result.evidence) for piece in chunks)
    measured = _judged(place, result, words.gold) if words.eval else {}
    _measured("answer", began, "/answer", answer, measured)
    shown_fields = ("insufficient", "reasoning_summary", "answerer", "model", "usage")
    debug = {name: getattr(answer, name) for name in shown_fields} | {
        "left_out": len(answer.left_out),
        "retrieved": len(result.evidence),
        "recipe_id": result.recipe_id,
        "index_version": result.index_version,
        "notes": list(result.notes),
        **({"pending": plain(pending)} if (pending := to_tell(result.pending)) else {}),
        "timings": {**result.timings, "answer": answer.timings["answer"]},
        **({"metrics": measured} if words.eval else {}),
    }
    reply = MemoAnswer(answer=text, citations=citations, confidence=confidence, debug=debug)
    return Reply(reply, result.index_version)


def _answered(place: CorpusFolder, result: Result, call: Call) -> Answer:
    """Return the answer from the best chunks, by the configured answerer."""
    who = language_models.answerer_for(None)
    request = AnswerRequest(result.query, answerer=who)
    chosen_answerer = answerer(request, language_models.for_answerer(place, who))
    return answer_from(result, chosen_answerer, request, call)


def _cited(answer: Answer) -> Checked:
    """Return the answer with each cited chunk once. If no citation of a model is valid, the best chunks must support
    each of its sentences, and the support is the confidence; else the answer is empty."""
    cited = {
        citation.piece.chunk_id: citation.piece for statement in answer.statements for citation in statement.citations
    }
    if cited or not answer.left_out:
        return Checked(answer.answer, tuple(cited.values()), answer.confidence)
    best = answer.result.evidence
    supported = checked(" ".join(claim.text for claim in answer.left_out), (), best)
    return supported if supported.citations else Checked("", best[:STANDING_IN], 0.0)


def _in_short(place: CorpusFolder, piece: Evidence, found: Sequence[Evidence]) -> Cited:
    score = share_of_best(piece, found)
    return Cited(chunk_id=_id(place, piece.chunk_id), preview=piece.text[:PREVIEW], score=score)


def _id(place: CorpusFolder, own: str) -> str:
    if place.settings.memos_ids == "ours":
        return own
    return str(uuid5(NAMESPACE_URL, f"biblicus:{place.config.corpus_id}/{own}"))


def _judged(place: CorpusFolder, result: Result, gold: str | None) -> dict[str, float]:
    scores = [share_of_best(piece, result.evidence) for piece in result.evidence]
    measured = {
        "retrieval.mean_score_top1": scores[0] if scores else 0.0,
        "retrieval.mean_score_topk": fmean(scores) if scores else 0.0,
    }
    if gold is not None:
        identifiers = {name for piece in result.evidence for name in (piece.item_id, piece.path, piece.chunk_id)}
        measured["retrieval.hit_rate_at_k"] = float(gold in identifiers | {_id(place, name) for name in identifiers})
    return {name: round(value, 6) for name, value in measured.items()}


def _measured(
    what: str, began: float, route: str, answer: Answer | None, judged: Mapping[str, float] | None = None
) -> None:
    """Record the duration and tokens of a request, by environment, model and route."""
    if not telemetry.is_on():
        return
    named = _ENVIRONMENT.search(os.environ.get("OTEL_RESOURCE_ATTRIBUTES", ""))
    model = (answer.model if answer is not None else None) or "none"
    labels = {"env": named[1] if named else "local", "model": model, "route": route}
    telemetry.count(f"{what}.requests", 1, labels)
    telemetry.record(f"{what}.latency_ms", (time.perf_counter() - began) * 1000, labels)
    for ours, theirs in (("input_tokens", "prompt"), ("output_tokens", "completion")):
        if answer is not None and ours in answer.usage:
            telemetry.count(f"llm.tokens.{theirs}", answer.usage[ours], labels)
    for name, value in (judged or {}).items():
        telemetry.record(name, value, labels)


def _refused(error: BiblicusError) -> BiblicusError:
    """Convert errors of the body to status 422, as this API requires."""
    if type(error) in (UsageError, ContentTypeRefused):
        return UnfitInput(error.message.rstrip("."), error.hint)
    return error


_ENDPOINTS = (
    Endpoint(
        "ingest",
        "POST",
        "/ingest",
        "Keep a text; the same text again is refused, and the first one named.",
        scope="ingest",
        verb=RECEIVE,
        request=Memo,
        words=OneCorpus,
        body="json",
        work=_ingest,
        reply=Kept,
        statuses={201: "It is kept, and can be found."},
        refuses=_refused,
    ),
    Endpoint(
        "get_answer",
        "GET",
        "/answer",
        "An answer with the chunks that it stands on.",
        verb=ANSWER,
        request=Question,
        words=OneCorpus,
        work=_answer,
        reply=MemoAnswer,
    ),
)


def profile() -> Profile:
    """Return the profile; both operations are tools of the same names."""
    tools = {"ingest": "ingest", "answer": "get_answer"}
    return Profile("memos", _ENDPOINTS, tools, recipe=MEMOS)
