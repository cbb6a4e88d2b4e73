"""Handlers of endpoints: verbs on one corpus or several, received documents, jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import quote

from biblicus.connectors.http.endpoints import Asked, Reply
from biblicus.connectors.http.problems import Duplicate
from biblicus.errors import ItemNotFound, JobNotFound, UsageError
from biblicus.models.answers.answer import Answer
from biblicus.models.answers.pack import Pack
from biblicus.models.evidence import Result
from biblicus.models.requests.items import ShowRequest
from biblicus.service.jobs import Job
from biblicus.service.telemetry import gold_rank, scored
from biblicus.service.verbs import QUERY, SHOW


def sent(asked: Asked) -> Reply:
    """Return the encoded reply of the verb from one corpus."""
    name = _named(asked)
    body, version = asked.service.corpora.sent(name, asked.verb, asked.request, asked.call)
    return Reply(body, version or asked.service.corpora.version_of(name, asked.call))


def of_one(asked: Asked) -> Reply:
    """Return the verb's reply from one corpus as an object, with all its parts."""
    name = _named(asked)
    value = asked.service.corpora.ask_here(name, asked.verb, asked.request, asked.call)
    made_from = value.result if isinstance(value, Answer) else value
    if isinstance(made_from, Result | Pack):
        return Reply(value, made_from.index_version)
    return Reply(value, asked.service.corpora.version_of(name, asked.call))


def of_several(asked: Asked) -> Reply:
    """Return evidence of all named, or served, corpora; fused if there are several."""
    corpora = asked.service.corpora
    names = asked.words.corpus or corpora.names(guest=asked.call.guest)
    if len(names) == 1:
        return sent(asked._replace(words=replace(asked.words, corpus=tuple(names))))
    return Reply(corpora.query(names, asked.request, asked.call)) if names else sent(asked)


def measured(asked: Asked) -> Reply:
    """Return evidence; with `eval` also its scores and the rank of the expected item."""
    if not asked.words.eval:
        return of_several(asked) if asked.verb is QUERY else sent(asked)
    corpora, guest = asked.service.corpora, asked.call.guest
    names = asked.words.corpus if asked.verb is QUERY else ()
    if asked.verb is QUERY and len(names or corpora.names(guest=guest)) > 1:
        for name in names:
            corpora.meant(name, guest=guest)
        raise UsageError("One corpus at a time is measured: name it.")
    reply = of_one(asked)
    name = corpora.meant(_named(asked), guest=guest)
    result = reply.value.result if isinstance(reply.value, Answer) else reply.value
    scores = scored(result)
    headers = {"Top-Score": f"{scores[0]:g}", "Mean-Score": f"{sum(scores) / len(scores):g}"} if scores else {}
    if asked.words.gold is not None:
        rank = asked.service.metrics.judged(name, gold_rank(result, asked.words.gold))
        headers["Gold-Rank"] = str(rank or "none")
    return reply._replace(headers=headers)


def received(asked: Asked) -> Reply:
    """Return the result of receiving a document. Raises `Duplicate` if another item has it."""
    name = asked.words.corpus
    value = asked.service.corpora.ask(name, asked.verb, asked.request, asked.call)
    if value.outcome == "duplicate":
        raise Duplicate(value.item_id, value.path)
    version = value.index_version or asked.service.corpora.version_of(name, asked.call)
    headers = {"Location": f"/items/{quote(value.item_id)}" + (f"?corpus={name}" if name else "")}
    return Reply(value, version, 201 if value.outcome == "added" else 200, headers)


def feed(asked: Asked) -> Reply:
    """Return an alert's feed as XML."""
    reply = of_one(asked)
    return reply._replace(value=reply.value.xml.encode())


def picture(asked: Asked) -> Reply:
    """Return a page's image. If an item has this address as its path (`…/pages/1.png`), return that item instead."""
    try:
        drawn = of_one(asked)
    except ItemNotFound:
        path = f"{asked.request.item}/pages/{asked.request.page}.png"
        item = asked.service.corpora.ask(_named(asked), SHOW, ShowRequest(path), asked.call)
        return Reply(item, headers={"content-type": "application/json"})
    return drawn._replace(value=drawn.value.png, headers={"ETag": f'"{drawn.value.sha256}"'})


def begun(asked: Asked) -> Reply:
    """Start a job for the verb."""
    corpora, verb, request = asked.service.corpora, asked.verb, asked.request
    name = corpora.meant(asked.words.corpus, guest=asked.call.guest, verb=verb)
    job = asked.service.jobs.start(verb.name, name, lambda call: corpora.ask(name, verb, request, call))
    return Reply(job, corpora.version_of(name, asked.call), 202, {"Location": f"/jobs/{job.job_id}"})


def job(asked: Asked) -> Reply:
    """Return a job's state."""
    return Reply(_seen(asked))


def cancelled(asked: Asked) -> Reply:
    """Cancel a job."""
    return Reply(asked.service.jobs.cancel(_seen(asked).job_id))


def _seen(asked: Asked) -> Job:
    """Return the job if the client may see its corpus."""
    job = asked.service.jobs.get(asked.request.job_id)
    if job.corpus not in asked.service.corpora.names(guest=asked.call.guest):
        raise JobNotFound(job.job_id)
    return job


def corpora(asked: Asked) -> Reply:
    """Return the corpora that the client may see."""
    return Reply(asked.service.corpora.describe(asked.call))


def _named(asked: Asked) -> str | None:
    corpus: Any = asked.words.corpus
    return next(iter(corpus), None) if isinstance(corpus, tuple) else corpus
