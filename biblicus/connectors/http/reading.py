"""Routes that read: search, query, context, answer, retrieve, items, tree, stats, version, corpora."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from biblicus.connectors.http import parameters
from biblicus.connectors.http.gate import Caller
from biblicus.connectors.http.openapi import PROBLEMS, documented
from biblicus.connectors.http.service import LaneRoute, Reply, Service, answer, one
from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.models import desk_replies, replies, requests
from biblicus.models.answer import Answer
from biblicus.models.evidence import Result
from biblicus.models.pack import Pack
from biblicus.models.persona import PersonaAnswer
from biblicus.service.telemetry import gold_rank

router = APIRouter(route_class=LaneRoute, responses=PROBLEMS)


@router.get(
    "/search", operation_id="search", summary="Ask a question", responses=documented(200, Result | replies.FusedReply)
)
async def search(request: Request, asked: Annotated[parameters.SearchParameters, Query()]) -> Response:
    """Evidence for a question: exact text with its source, lines or page, and score. One corpus answers with a result,
    several with a list that is fused by rank."""
    return await _queried(request, asked.corpus, asked.request(), asked.gold)


@router.post(
    "/query",
    operation_id="query",
    summary="Ask a question in full",
    responses=documented(200, Result | replies.FusedReply),
)
async def query(request: Request, asked: requests.QueryRequest, corpus: parameters.SeveralCorpora = ()) -> Response:
    """The same as `/search`, with everything that a query can say."""
    return await _queried(request, corpus, asked)


async def _queried(
    request: Request, corpora: tuple[str, ...], asked: requests.QueryRequest, gold: str | None = None
) -> Response:
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        names = corpora or service.corpora.names(remote=caller.remote)
        if len(names) > 1:
            if gold is not None:
                raise UsageError("One corpus at a time is measured: name it.")
            return Reply(service.corpora.query(names, asked, call, remote=caller.remote))
        result: Result = service.corpora.ask("query", names[0] if names else None, asked, call, remote=caller.remote)
        if gold is None:
            return Reply(result, result.index_version)
        rank = service.metrics.judged(names[0], gold_rank(result, gold))
        return Reply(result, result.index_version, headers={"Gold-Rank": str(rank or "none")})

    return await answer(request, work)


@router.post(
    "/context",
    operation_id="context",
    summary="Evidence made ready for a prompt",
    responses=documented(200, replies.PackReply),
)
async def context(request: Request, asked: requests.ContextRequest, corpus: parameters.OneCorpus = None) -> Response:
    """Numbered evidence as one text within a budget of tokens, behind marks that no document can forge."""
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        pack: Pack = service.corpora.ask("context", corpus, asked, call, remote=caller.remote)
        return Reply(pack, pack.index_version)

    return await answer(request, work)


@router.get(
    "/answer",
    operation_id="get_answer",
    summary="An answer with citations",
    responses=documented(200, replies.AnswerReply),
)
async def get_answer(request: Request, asked: Annotated[parameters.AnswerParameters, Query()]) -> Response:
    """Statements, each with the exact words that it stands on; none where nothing answers."""
    return await _answered(request, asked.corpus, asked.request(), asked.gold)


@router.post(
    "/answer",
    operation_id="post_answer",
    summary="An answer with citations, asked for in full",
    responses=documented(200, replies.AnswerReply),
)
async def post_answer(request: Request, asked: requests.AnswerRequest, corpus: parameters.OneCorpus = None) -> Response:
    """The same, with everything that a query can say."""
    return await _answered(request, corpus, asked)


async def _answered(
    request: Request, corpus: str | None, asked: requests.AnswerRequest, gold: str | None = None
) -> Response:
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        found: Answer | PersonaAnswer = service.corpora.ask("answer", corpus, asked, call, remote=caller.remote)
        result = (found.answer if isinstance(found, PersonaAnswer) else found).result
        if gold is None:
            return Reply(found, result.index_version)
        name = service.corpora.meant(corpus, remote=caller.remote)
        rank = service.metrics.judged(name, gold_rank(result, gold))
        return Reply(found, result.index_version, headers={"Gold-Rank": str(rank or "none")})

    return await answer(request, work)


@router.post(
    "/retrieve", operation_id="retrieve", summary="Exact text of an item", responses=documented(200, replies.TextReply)
)
async def retrieve(request: Request, asked: requests.RetrieveRequest, corpus: parameters.OneCorpus = None) -> Response:
    """All of an item's text, or exactly the lines, characters or page asked for, with its sha256."""
    return await one(request, "retrieve", corpus, asked)


@router.post(
    "/retrieve/batch",
    operation_id="retrieve_batch",
    summary="Exact texts of several items",
    responses=documented(200, replies.TextsReply),
)
async def retrieve_batch(
    request: Request, asked: requests.RetrieveBatch, corpus: parameters.OneCorpus = None
) -> Response:
    """Answered in the order asked; one that cannot be given is an error in its place."""
    return await one(request, "retrieve_batch", corpus, asked)


@router.get("/items", operation_id="list_items", summary="List items", responses=documented(200, replies.ItemPage))
async def items(request: Request, asked: Annotated[parameters.ListParameters, Query()]) -> Response:
    """Items that fit, by path, a page at a time."""
    wanted = requests.ListRequest.model_construct(cursor=asked.cursor, limit=asked.limit, **asked.shared())
    return await one(request, "items", asked.corpus, wanted)


@router.get(
    "/items/{item:path}", operation_id="get_item", summary="One item", responses=documented(200, replies.ItemReply)
)
async def item(
    request: Request,
    item: Annotated[str, Path(description="The item by id, or by an unambiguous beginning of it.", max_length=64)],
    asked: Annotated[parameters.CorpusParameters, Query()],
) -> Response:
    """What is known of an item, and what its text came to."""
    return await one(request, "item", asked.corpus, requests.ItemRequest.model_construct(item=item))


@router.get("/tree", operation_id="tree", summary="Folders and items", responses=documented(200, replies.TreeReply))
async def tree(request: Request, asked: Annotated[parameters.TreeParameters, Query()]) -> Response:
    """Folders and items below a folder."""
    own = {name: getattr(asked, name) for name in requests.TreeRequest.model_fields}
    wanted = requests.TreeRequest.model_construct(**own)
    return await one(request, "tree", asked.corpus, wanted)


@router.get(
    "/stats", operation_id="stats", summary="What a corpus holds", responses=documented(200, replies.StatsReply)
)
async def stats(request: Request, asked: Annotated[parameters.CorpusParameters, Query()]) -> Response:
    """Counts of items, types, languages and tags, and the runs."""
    return await one(request, "stats", asked.corpus, requests.NoRequest())


@router.get(
    "/weights",
    operation_id="list_weights",
    summary="List weights",
    responses=documented(200, desk_replies.WeightsReply),
)
async def weights(request: Request, asked: Annotated[parameters.CorpusParameters, Query()]) -> Response:
    """What counts more, or less, than its score."""
    return await one(request, "weights", asked.corpus, requests.NoRequest())


@router.get(
    "/version",
    operation_id="version",
    summary="Which run, which software",
    responses=documented(200, desk_replies.VersionReply),
)
async def version(request: Request, asked: Annotated[parameters.CorpusParameters, Query()]) -> Response:
    """What a bare query would be answered from."""
    return await one(request, "version", asked.corpus, requests.NoRequest())


@router.get(
    "/corpora", operation_id="list_corpora", summary="Which corpora", responses=documented(200, replies.CorporaReply)
)
async def corpora(request: Request) -> Response:
    """The corpora served to whoever asks; one that cannot be read has its error."""
    service: Service = request.app.state.service
    return await answer(request, lambda call, caller: Reply(service.corpora.describe(remote=caller.remote)))
