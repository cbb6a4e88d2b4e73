"""Routes that tell of evidence and runs: verify, runs, recipes, and events a page at a time."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from biblicus.connectors.http import parameters
from biblicus.connectors.http.openapi import PROBLEMS, documented
from biblicus.connectors.http.service import LaneRoute, one
from biblicus.models import reports, requests

router = APIRouter(route_class=LaneRoute, responses=PROBLEMS)


@router.post(
    "/verify",
    operation_id="verify",
    summary="Prove evidence",
    responses=documented(200, reports.VerdictsReply),
)
async def verify(request: Request, asked: requests.VerifyRequest, corpus: parameters.OneCorpus = None) -> Response:
    """Whether each piece stands where it says, moved, or is stale, missing or forged, by the corpus as it is now."""
    return await one(request, "verify", corpus, asked)


@router.get("/runs", operation_id="list_runs", summary="The runs", responses=documented(200, reports.RunsReply))
async def runs(request: Request, asked: Annotated[parameters.CorpusParameters, Query()]) -> Response:
    """Every run, oldest first, and the recipes that it is the latest run of."""
    return await one(request, "runs", asked.corpus, requests.NoRequest())


@router.get(
    "/runs/{run}", operation_id="get_run", summary="One run's manifest", responses=documented(200, reports.RunReply)
)
async def run(
    request: Request,
    run: Annotated[str, Path(description="The run by id, or a recipe's name: its latest run.", max_length=200)],
    asked: Annotated[parameters.CorpusParameters, Query()],
) -> Response:
    """What the run was built from, with what, and what came of it."""
    return await one(request, "run", asked.corpus, requests.RunRequest.model_construct(run=run))


@router.get(
    "/recipes", operation_id="list_recipes", summary="The recipes", responses=documented(200, reports.RecipesReply)
)
async def recipes(request: Request, asked: Annotated[parameters.CorpusParameters, Query()]) -> Response:
    """The recipes that a question can name, and the corpus's default."""
    return await one(request, "recipes", asked.corpus, requests.NoRequest())


@router.get(
    "/events/page",
    operation_id="events_page",
    summary="What happened, a page at a time",
    responses=documented(200, reports.EventsReply),
)
async def events(request: Request, asked: Annotated[parameters.EventsParameters, Query()]) -> Response:
    """The same events as the stream, as one list, with the cursor to go on from."""
    wanted = requests.EventsRequest.model_construct(after=asked.after, limit=asked.limit)
    return await one(request, "events", asked.corpus, wanted)
