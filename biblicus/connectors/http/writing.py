"""Routes that change a corpus: ingest a document, reindex as a job, look after jobs."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field
from starlette.responses import Response

from biblicus.connectors.http.gate import CALLER, Caller
from biblicus.connectors.http.openapi import PROBLEMS, documented
from biblicus.connectors.http.parameters import CorpusName, OneCorpus, at_once
from biblicus.connectors.http.problems import problem
from biblicus.connectors.http.service import LaneRoute, Reply, Service, answer
from biblicus.contracts import Call
from biblicus.errors import DuplicateItem, JobNotFound
from biblicus.models import desk_replies, replies, requests
from biblicus.service.jobs import Job

router = APIRouter(route_class=LaneRoute, responses=PROBLEMS)
_RECEIVED = {
    **documented(201, replies.ReceivedReply, "The document is an item now, and can be found."),
    **documented(200, replies.ReceivedReply, "The same source again: its item was updated, or nothing changed."),
}
_JOB = documented(200, replies.JobReply)
_UPLOAD = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.post("/ingest", operation_id="ingest", status_code=201, summary="Bring in a document", responses=_RECEIVED)
async def ingest(request: Request, asked: requests.IngestRequest, corpus: OneCorpus = None) -> Response:
    """A text, or bytes in base64, becomes an item and is indexed. 409 names the item that holds the same bytes."""
    return await _ingested(request, corpus, asked)


class UploadParameters(requests.Request):
    """`POST /ingest/upload`: what `/ingest` says in its body."""

    corpus: CorpusName | None = Field(None, description="The corpus. Default: the only one.")
    filename: str | None = Field(
        None,
        min_length=1,
        max_length=200,
        pattern=r"^[^/\\\x00-\x1f]+$",
        description="A file name; its extension tells the format.",
    )
    title: str | None = Field(None, min_length=1, max_length=300, description="The item's title.")
    tag: requests.Texts = Field((), description="Tags for the item.")
    source: str | None = Field(
        None, min_length=1, max_length=2_000, description="Where the document came from, as a URI."
    )
    on_duplicate: Literal["skip", "error", "keep"] = Field(
        "skip", description="What to do with bytes that another item holds."
    )
    index: bool = Field(True, description="Index at once.")


at_once(UploadParameters.__base__)  # type: ignore[arg-type]  # its base is Request


@router.post(
    "/ingest/upload",
    operation_id="ingest_upload",
    status_code=201,
    summary="Upload a document",
    responses=_RECEIVED,
    openapi_extra=_UPLOAD,
)
async def upload(request: Request, asked: Annotated[UploadParameters, Query()]) -> Response:
    """The same for a file's bytes as they are: `curl --data-binary @report.pdf …/ingest/upload?filename=report.pdf`."""
    names = ("filename", "title", "source", "on_duplicate", "index")
    said: dict[str, Any] = {name: getattr(asked, name) for name in names}
    body = base64.b64encode(await request.body()).decode()
    wanted = requests.IngestRequest.model_validate({**said, "tags": asked.tag, "content_base64": body})
    return await _ingested(request, asked.corpus, wanted)


async def _ingested(request: Request, corpus: str | None, asked: requests.IngestRequest) -> Response:
    service: Service = request.app.state.service
    caller: Caller = request.scope[CALLER]

    def work(call: Call, caller: Caller) -> Reply:
        found = service.corpora.ask("ingest", corpus, asked, call, remote=caller.remote)
        if found.outcome == "duplicate":
            raise _Duplicate(found.item_id, found.path)
        version = found.indexed.index_version if found.indexed else service.version_of(corpus, caller)
        headers = {"Location": f"/items/{quote(found.item_id)}" + (f"?corpus={corpus}" if corpus else "")}
        return Reply(found, version, 201 if found.outcome == "added" else 200, headers)

    try:
        return await answer(request, work)
    except _Duplicate as error:
        return problem(error, caller.trace_id, {"duplicate_of": {"item_id": error.item_id, "path": error.path}})


class _Duplicate(DuplicateItem):
    """The first item with the same bytes, for the answer."""

    def __init__(self, item_id: str, path: str) -> None:
        super().__init__("The document", path)
        self.item_id, self.path = item_id, path


@router.post(
    "/reindex",
    operation_id="reindex",
    status_code=202,
    summary="Refresh and build runs",
    responses=documented(202, replies.JobReply, "The job; ask for it under Location."),
)
async def reindex(request: Request, asked: requests.ReindexRequest, corpus: OneCorpus = None) -> Response:
    """Starts a job. Its result is the report of `reindex --json`; questions are answered from the run before until it
    is sealed."""
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        name = service.corpora.meant(corpus, remote=caller.remote, verb="reindex")
        job = service.jobs.start("reindex", name, lambda called: service.corpora.ask("reindex", name, asked, called))
        return Reply(job, service.version_of(name, caller), 202, {"Location": f"/jobs/{job.job_id}"})

    return await answer(request, work)


@router.post(
    "/weight",
    operation_id="weight",
    summary="Set or clear a weight",
    responses=documented(200, desk_replies.WeightReply),
)
async def weight(request: Request, asked: requests.WeightRequest, corpus: OneCorpus = None) -> Response:
    """An item, or the paths that fit a pattern, count more or less than their scores from the next question on."""
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        found = service.corpora.ask("weight", corpus, asked, call, remote=caller.remote)
        return Reply(found, service.version_of(corpus, caller))

    return await answer(request, work)


JobId = Annotated[str, Path(description="The job, by the id that starting it gave.", max_length=64)]


@router.get("/jobs/{job_id}", operation_id="get_job", summary="A job", responses=_JOB)
async def job(request: Request, job_id: JobId) -> Response:
    """How far a job is, and what came of it."""
    return await answer(request, lambda call, caller: Reply(_seen(request, job_id, caller)))


@router.post("/jobs/{job_id}/cancel", operation_id="cancel_job", summary="Cancel a job", responses=_JOB)
async def cancel(request: Request, job_id: JobId) -> Response:
    """Asks it to stop. The corpus keeps its previous state. A job that has ended stays as it is."""
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        _seen(request, job_id, caller)
        return Reply(service.jobs.cancel(job_id))

    return await answer(request, work)


def _seen(request: Request, job_id: str, caller: Caller) -> Job:
    """The job, where the caller may know of its corpus."""
    service: Service = request.app.state.service
    found = service.jobs.get(job_id)
    if found.corpus not in service.corpora.names(remote=caller.remote):
        raise JobNotFound(job_id)
    return found
