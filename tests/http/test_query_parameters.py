"""Query parameters read in one step are those that the framework reads, and its refusals."""

from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Query
from fastapi.exceptions import RequestValidationError
from fastapi.testclient import TestClient
from starlette.datastructures import QueryParams

from biblicus.connectors.http import reading
from biblicus.connectors.http.parameters import SearchParameters
from biblicus.connectors.http.query_parameters import read, taken_alone

SAID = [
    "q=moon",
    "q=moon&limit=3&tag=a&tag=b&path=notes%2F**&eval=false",
    "q=one&q=two&limit=1&limit=2",
    "q=&recipe=lexical",
    "q=moon&corpus=notes&corpus=other&where=a%3Db",
    "limit=3",
    "q=moon&limit=0",
    "q=moon&limit=many",
    "q=moon&nosuch=1&neither=2",
    "q=moon&tag=" + "x" * 3_000,
    "q=moon&corpus=NO",
]


def by_the_framework(words: str) -> Any:
    """What the framework hands to an endpoint, or the places of its refusal."""
    app = FastAPI()

    @app.get("/")
    def echo(asked: Annotated[SearchParameters, Query()]) -> dict[str, Any]:
        return asked.model_dump(mode="json")

    answer = TestClient(app).get(f"/?{words}")
    return answer.json() if answer.status_code == 200 else sorted(map(str, (e["loc"] for e in answer.json()["detail"])))


@pytest.mark.parametrize("words", SAID)
def test_they_are_read_as_the_framework_reads_them(words: str):
    try:
        found: Any = read(SearchParameters, QueryParams(words)).model_dump(mode="json")
    except RequestValidationError as error:
        found = sorted(str(list(said["loc"])) for said in error.errors())
    assert found == by_the_framework(words)


def test_only_routes_that_take_nothing_else_are_read_so():
    assert taken_alone(reading.search) is SearchParameters
    assert taken_alone(reading.query) is None
    assert taken_alone(reading.item) is None
