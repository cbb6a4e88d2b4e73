"""Routes that read: search, query, retrieve, items, tree, stats, version, corpora."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field, StringConstraints
from starlette.responses import Response

from biblicus.connectors.http.gate import Caller
from biblicus.connectors.http.openapi import PROBLEMS, documented
from biblicus.connectors.http.service import LaneRoute, Reply, Service, answer
from biblicus.contracts import Call
from biblicus.errors import UsageError
from biblicus.models import replies, requests
from biblicus.models.evidence import Result
from biblicus.models.pack import Pack
from biblicus.operations.observing import gold_rank

router = APIRouter(route_class=LaneRoute, responses=PROBLEMS)

CorpusName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,64}$")]
OneCorpus = Annotated[
    CorpusName | None, Query(description="The corpus, by the name it is served under. Default: the only one.")
]
SeveralCorpora = Annotated[
    tuple[CorpusName, ...],
    Query(max_length=20, description="The corpora to ask; several are fused by rank. Default: all of them."),
]
Pair = Annotated[str, StringConstraints(pattern=r"^[^=]*\S[^=]*=", max_length=2_000)]


class _Filtered(requests.Request):
    corpus: CorpusName | None = Field(
        None, description="The corpus, by the name it is served under. Default: the only one."
    )
    tag: requests.Texts = Field((), description="Only items with all of these tags.")
    type: requests.Texts = Field((), description="Only these media types (any): text/markdown, text/*, pdf.")
    doctype: requests.Doctypes = Field((), description="Only these doctypes (any).")
    language: requests.Texts = Field((), description="Only these languages (any): en, de, ….")
    path: requests.Texts = Field((), description="Only paths that fit one of these globs: notes/**, *.pdf.")
    where: Annotated[tuple[Pair, ...], Field(max_length=100)] = Field(
        (), description="Only items with all of this metadata: name=text."
    )
    toolkit: requests.Texts = Field((), description="Only items of these toolkits (any).")
    category: requests.Texts = Field((), description="Only items of these categories (any).")
    source: requests.Texts = Field(
        (), description="Only items of these sources (any): a name, a kind (git, url), an address's beginning."
    )
    since: requests.Day | None = Field(None, description="Only items of this day, month or year, or later.")
    until: requests.Day | None = Field(None, description="Only items of this day, month or year, or earlier.")

    def shared(self) -> dict[str, Any]:
        """The filters as requests have them."""
        pairs = dict(pair.split("=", 1) for pair in self.where)
        found = {name: getattr(self, name) for name in requests.Filtered.model_fields if name != "where"}
        return {**found, "where": {key.strip(): value for key, value in pairs.items()}}


class SearchParameters(_Filtered):
    """`GET /search`."""

    corpus: tuple[CorpusName, ...] = Field(  # type: ignore[assignment]  # several, where the others take one
        (), max_length=20, description="The corpora to ask; several are fused by rank. Default: all of them."
    )
    q: requests.Question = Field(
        description='The question, in natural words or keywords; "quoted words" must stand together.'
    )
    limit: int | None = Field(
        None, ge=1, le=requests.LIMIT, description="At most this much evidence. Default: the recipe's, usually 10."
    )
    max_tokens: int | None = Field(None, ge=1, description="Budget of all texts together in tokens (estimate).")
    max_characters: int | None = Field(None, ge=1, description="The same budget in characters.")
    max_per_source: int | None = Field(None, ge=1, description="At most this much evidence from one item.")
    recipe: requests.RecipeName | None = Field(None, description="The recipe to rank with. Default: the corpus's.")
    eval: bool = Field(False, description="Measure this question: whether `gold` was found, and how it scored.")
    gold: requests.ItemName | None = Field(None, description="With `eval`: the item that answers, by id or path.")

    def request(self) -> requests.QueryRequest:
        names = ("limit", "max_tokens", "max_characters", "max_per_source", "recipe")
        own = {name: getattr(self, name) for name in names}
        return requests.QueryRequest.model_construct(query=self.q, run=None, **own, **self.shared())


class ListParameters(_Filtered):
    """`GET /items`."""

    cursor: requests.Text | None = Field(
        None, description="Where to go on: the `next_cursor` of the page before, with the same filters."
    )
    limit: int = Field(100, ge=1, le=requests.LIMIT, description="At most this many items a page.")


class TreeParameters(requests.TreeRequest):
    """`GET /tree`."""

    corpus: CorpusName | None = Field(
        None, description="The corpus, by the name it is served under. Default: the only one."
    )


class CorpusParameters(requests.Request):
    """Of routes that need no more."""

    corpus: CorpusName | None = Field(
        None, description="The corpus, by the name it is served under. Default: the only one."
    )


def at_once(model: type[requests.Request]) -> None:
    """Build the validators of all requests now: where they are deferred, the first request of each would pay."""
    for below in model.__subclasses__():
        below.model_config["defer_build"] = False
        below.model_rebuild(force=True)
        at_once(below)


at_once(requests.Request)


@router.get(
    "/search", operation_id="search", summary="Ask a question", responses=documented(200, Result | replies.FusedReply)
)
async def search(request: Request, asked: Annotated[SearchParameters, Query()]) -> Response:
    """Evidence for a question: exact text with its source, lines or page, and score. One corpus answers with a result,
    several with a list that is fused by rank."""
    if asked.eval != (asked.gold is not None):
        raise UsageError("A question is measured by eval=true together with the item in gold.")
    return await _queried(request, asked.corpus, asked.request(), asked.gold)


@router.post(
    "/query",
    operation_id="query",
    summary="Ask a question in full",
    responses=documented(200, Result | replies.FusedReply),
)
async def query(request: Request, asked: requests.QueryRequest, corpus: SeveralCorpora = ()) -> Response:
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
async def context(request: Request, asked: requests.ContextRequest, corpus: OneCorpus = None) -> Response:
    """Numbered evidence as one text within a budget of tokens, behind marks that no document can forge."""
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        pack: Pack = service.corpora.ask("context", corpus, asked, call, remote=caller.remote)
        return Reply(pack, pack.index_version)

    return await answer(request, work)


async def _one(request: Request, verb: str, corpus: str | None, asked: requests.Request) -> Response:
    """A verb of one corpus."""
    service: Service = request.app.state.service

    def work(call: Call, caller: Caller) -> Reply:
        value = service.corpora.ask(verb, corpus, asked, call, remote=caller.remote)
        return Reply(value, service.version_of(corpus, caller))

    return await answer(request, work)


@router.post(
    "/retrieve", operation_id="retrieve", summary="Exact text of an item", responses=documented(200, replies.TextReply)
)
async def retrieve(request: Request, asked: requests.RetrieveRequest, corpus: OneCorpus = None) -> Response:
    """All of an item's text, or exactly the lines, characters or page asked for, with its sha256."""
    return await _one(request, "retrieve", corpus, asked)


@router.post(
    "/retrieve/batch",
    operation_id="retrieve_batch",
    summary="Exact texts of several items",
    responses=documented(200, replies.TextsReply),
)
async def retrieve_batch(request: Request, asked: requests.RetrieveBatch, corpus: OneCorpus = None) -> Response:
    """Answered in the order asked; one that cannot be given is an error in its place."""
    return await _one(request, "retrieve_batch", corpus, asked)


@router.get("/items", operation_id="list_items", summary="List items", responses=documented(200, replies.ItemPage))
async def items(request: Request, asked: Annotated[ListParameters, Query()]) -> Response:
    """Items that fit, by path, a page at a time."""
    wanted = requests.ListRequest.model_construct(cursor=asked.cursor, limit=asked.limit, **asked.shared())
    return await _one(request, "items", asked.corpus, wanted)


@router.get(
    "/items/{item:path}", operation_id="get_item", summary="One item", responses=documented(200, replies.ItemReply)
)
async def item(
    request: Request,
    item: Annotated[str, Path(description="The item by id, or by an unambiguous beginning of it.", max_length=64)],
    asked: Annotated[CorpusParameters, Query()],
) -> Response:
    """What is known of an item, and what its text came to."""
    return await _one(request, "item", asked.corpus, requests.ItemRequest.model_construct(item=item))


@router.get("/tree", operation_id="tree", summary="Folders and items", responses=documented(200, replies.TreeReply))
async def tree(request: Request, asked: Annotated[TreeParameters, Query()]) -> Response:
    """Folders and items below a folder."""
    wanted = requests.TreeRequest.model_construct(prefix=asked.prefix, depth=asked.depth, max_entries=asked.max_entries)
    return await _one(request, "tree", asked.corpus, wanted)


@router.get(
    "/stats", operation_id="stats", summary="What a corpus holds", responses=documented(200, replies.StatsReply)
)
async def stats(request: Request, asked: Annotated[CorpusParameters, Query()]) -> Response:
    """Counts of items, types, languages and tags, and the runs."""
    return await _one(request, "stats", asked.corpus, requests.NoRequest())


@router.get(
    "/version",
    operation_id="version",
    summary="Which run, which software",
    responses=documented(200, replies.VersionReply),
)
async def version(request: Request, asked: Annotated[CorpusParameters, Query()]) -> Response:
    """What a bare query would be answered from."""
    return await _one(request, "version", asked.corpus, requests.NoRequest())


@router.get(
    "/corpora", operation_id="list_corpora", summary="Which corpora", responses=documented(200, replies.CorporaReply)
)
async def corpora(request: Request) -> Response:
    """The corpora served to whoever asks; one that cannot be read has its error."""
    service: Service = request.app.state.service
    return await answer(request, lambda call, caller: Reply(service.corpora.describe(remote=caller.remote)))
