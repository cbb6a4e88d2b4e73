"""The table of the surface is held against the verbs, and a query string says what their requests can say."""

import asyncio
from collections import Counter
from dataclasses import fields
from typing import Any

import pytest
from starlette.requests import Request

from biblicus.connectors.http.endpoints import Endpoint
from biblicus.connectors.http.surface import ENDPOINTS, scopes
from biblicus.errors import UsageError
from biblicus.models.fields import compact
from biblicus.service.routes import ROUTES
from biblicus.service.verbs import VERBS
from tests.http.conftest import Running
from tests.sampling import each

BY_ID = {endpoint.id: endpoint for endpoint in ENDPOINTS}


def read(endpoint: Endpoint, words: str, **in_path: str) -> dict[str, Any]:
    """What the endpoint makes of a query string, without what is as it would be anyway."""
    scope = {"type": "http", "query_string": words.encode(), "headers": [], "path_params": in_path}
    request, beside = asyncio.run(endpoint.read(Request(scope)))
    return {**compact(request), **compact(beside)}


@each("name", VERBS)
def test_a_verb_that_may_be_asked_from_elsewhere_has_its_address(name: str):
    verb = VERBS[name]
    assert (name in ROUTES) == (verb.scope != "local")
    assert (verb in [endpoint.verb for endpoint in ENDPOINTS]) == (verb.scope != "local")


@each("name", BY_ID)
def test_every_field_of_a_verb_can_be_said_or_has_a_reason(name: str):
    endpoint = BY_ID[name]
    known = {entry.name for entry in fields(endpoint.kind)}
    assert {*endpoint.names, *endpoint.defaults, *endpoint.without, *endpoint.in_path} <= known
    assert all(endpoint.without.values())
    if endpoint.body != "json":
        assert {*endpoint.in_query.values(), *endpoint.without, *endpoint.in_path} == known


@each("name", BY_ID)
def test_no_word_means_two_things(name: str):
    endpoint = BY_ID[name]
    words = Counter([*endpoint.in_query, *(entry.name for entry in fields(endpoint.words))])
    assert not [word for word, count in words.items() if count > 1]


def test_no_two_endpoints_share_an_id_or_an_address():
    for several in ([endpoint.id for endpoint in ENDPOINTS], [(one.method, one.path) for one in ENDPOINTS]):
        assert len(several) == len(set(several))


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("/search", "read"),
        ("/answer", "read"),
        ("/ingest", "ingest"),
        ("/ingest/upload", "ingest"),
        ("/weight", "ingest"),
        ("/weights", "read"),
        ("/jobs/1f", "read"),
        ("/jobs/1f/cancel", "ingest"),
        ("/items/jobs/1f/cancel", "read"),
        ("/nothing", "read"),
        ("/livez", None),
        ("/openapi.json", None),
    ],
)
def test_an_address_needs_the_scope_of_its_verb(path: str, scope: str | None):
    assert scopes(ENDPOINTS)(path) == scope


@pytest.mark.parametrize(
    ("words", "request_of"),
    [
        ("q=moon", {"query": "moon"}),
        (
            "q=moon&limit=3&tag=a&tag=b&path=notes%2F**&eval=false",
            {"query": "moon", "limit": 3, "tag": ("a", "b"), "path": ("notes/**",)},
        ),
        ("q=one&q=two&limit=1&limit=2", {"query": "two", "limit": 2}),
        ("query=moon&k=2", {"query": "moon", "limit": 2}),
        ("q=moon&corpus=notes&corpus=other", {"query": "moon", "corpus": ("notes", "other")}),
        ("q=moon&where=a%3Db&where=+c+=d%3De", {"query": "moon", "where": {"a": "b", "c": "d=e"}}),
        ("q=moon&eval=1&gold=tides.md", {"query": "moon", "eval": True, "gold": "tides.md"}),
    ],
)
def test_a_query_string_says_a_request(words: str, request_of: dict[str, Any]):
    assert read(BY_ID["search"], words) == request_of


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ("limit=3", "q"),
        ("q=moon&limit=0", "limit"),
        ("q=moon&limit=many", "limit"),
        ("q=moon&nosuch=1", "nosuch"),
        ("q=moon&run=a", "run"),
        ("q=moon&tag=" + "x" * 3_000, "tag"),
        ("q=moon&doctype=novel", "(There is no )?doctype"),
        ("q=moon&corpus=NO", "corpus"),
        ("q=moon&where=a", "where"),
        ("q=moon&where=+%3Da", "where"),
        ("q=moon&since=soon", "since"),
        ("q=moon&gold=" + "x" * 3_000 + "&eval=true", "gold"),
    ],
)
def test_what_does_not_fit_is_refused_by_the_name_that_it_has_here(words: str, field: str):
    with pytest.raises(UsageError, match=rf"^{field}\b"):
        read(BY_ID["search"], words)


@pytest.mark.parametrize(
    ("endpoint", "words", "names"),
    [
        ("search", "q=moon&query=sun", "q and query"),
        ("search", "query=sun&q=moon", "query and q"),
        ("get_answer", "q=moon&k=2&limit=3", "k and limit"),
    ],
)
def test_one_thing_said_by_two_names_is_refused(endpoint: str, words: str, names: str):
    with pytest.raises(UsageError, match=rf"^{names} are the same here"):
        read(BY_ID[endpoint], words)


def test_a_surfaces_default_and_name_and_what_stands_in_the_path():
    assert read(BY_ID["list_items"], "") == {"limit": 100}
    assert read(BY_ID["get_answer"], "q=moon&k=2") == {"query": "moon", "limit": 2}
    assert read(BY_ID["get_item"], "corpus=notes", item="a/b.md") == {"item": "a/b.md", "corpus": "notes"}


def test_a_query_string_says_what_legs_count():
    assert read(BY_ID["search"], "q=moon&weight=lexical=0.7")["leg_weights"] == {"lexical": 0.7}
    for wrong, why in (
        ("lexical=7", "less than or equal to 1"),
        ("lexical=a", "name=number"),
        ("lexical", "name=number"),
    ):
        with pytest.raises(UsageError, match=f"weight.*{why}"):
            read(BY_ID["search"], f"q=moon&weight={wrong}")


def test_filters_that_no_item_fits_are_named_with_the_nearest_values(running: Running):
    note = "No item fits path=tide. Nearest: tides.md."
    assert running.ask("GET", "/search?q=moon&path=tide").json["notes"] == [note]
    assert running.ask("GET", "/facets?path=tide").json["note"] == note
    assert running.ask("GET", "/items?path=tide").json["note"] == note
    assert "notes" not in running.ask("GET", "/search?q=moon&path=tides.md").json
