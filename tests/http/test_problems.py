"""Errors as clients see them: a status and a category, both from what kind of failure it is."""

import re
from pathlib import Path
from typing import get_args

import pytest

from biblicus.connectors.http.problems import Duplicate, described
from biblicus.errors import (
    BiblicusError,
    Busy,
    Category,
    CorpusUnknown,
    EmbedderUnavailable,
    EventsGone,
    IngestionError,
    ItemNotFound,
    LexicalIndexError,
    NoLLM,
    NoRun,
    NotMaterialized,
    OutOfBounds,
    PlaceDown,
    RunDamaged,
    RunFolded,
    ScopeMissing,
    SearchError,
    Unauthorized,
    UnfitInput,
    Untrusted,
    UsageError,
    VectorIndexError,
    VectorsGone,
    from_object,
)
from biblicus.retrieval.vectors import vector_rows
from biblicus.service.routes import STATUSES, category_of
from tests.sampling import each
from tools import errors_page


@pytest.mark.parametrize(
    ("error", "status", "category"),
    [
        (BiblicusError("Odd."), 500, "internal"),
        (NoRun("lexical", default=True), 404, "not_found"),
        (UnfitInput("it is empty"), 422, "bad_request"),
        (Untrusted("a run"), 403, "unauthorized"),
        (Unauthorized(), 401, "unauthorized"),
        (EventsGone("1-1"), 410, "not_found"),
        (Busy(), 429, "unavailable"),
        (PlaceDown("The daemon", "it is not running"), 503, "partition"),
        (EmbedderUnavailable("mine", "no connection"), 503, "partition"),
        (NoLLM("The answerer llm"), 503, "unavailable"),
    ],
    ids=lambda value: value.code if isinstance(value, BiblicusError) else None,
)
def test_an_error_has_the_status_and_the_category_of_its_kind(error: BiblicusError, status: int, category: str):
    problem = described(error, "0af7")
    assert (problem.status, problem.category, problem.error.code) == (status, category, error.code)


@pytest.mark.parametrize(
    ("hint", "shown"),
    [
        ("--since 2026-05", "since=2026-05"),
        ("--max-per-source 3", "max_per_source=3"),
        ("biblicus query TEXT --run ID", "GET /openapi.json"),
        ("biblicus serve --allow-host NAME", "where the service runs: biblicus serve --allow-host NAME"),
        ("Content-Type: application/json", "Content-Type: application/json"),
    ],
)
def test_what_is_off_in_a_request_is_put_right_in_words_of_http(hint: str, shown: str):
    problem = described(UsageError("That is off.", hint), "0af7")
    assert problem.error.hint == shown
    assert problem.cli_hint == (hint if hint != shown else None)


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (ItemNotFound("lamp"), "GET /items"),
        (OutOfBounds("Page 9", "5 pages"), "GET /items/ITEM"),
        (CorpusUnknown("manuals", ["notes"]), "GET /corpora"),
        (Duplicate("46da54316b4b", "lamp.md"), "the item that is there"),
        (NoRun("hybrid", default=False), 'POST /reindex {"recipes": ["hybrid"]}'),
        (NotMaterialized("first", "local"), "POST /reindex"),
        (RunFolded("first", "second"), "GET /runs/second"),
        (ScopeMissing("ingest"), "where the service runs: biblicus token new --scope ingest"),
    ],
    ids=lambda value: value.code if isinstance(value, BiblicusError) else None,
)
def test_a_command_of_a_hint_is_a_request_here(error: BiblicusError, shown: str):
    assert described(error, "0af7").error.hint == shown


@each("cls", [cls for cls in errors_page.classes() if errors_page.example(cls)])
def test_no_hint_tells_a_client_to_type_a_command(cls: type[BiblicusError]):
    error = errors_page.example(cls)
    assert error is not None
    hint = described(error, "0af7").error.hint
    assert hint.startswith("where the service runs: ") or not re.search(r"^biblicus |(^| )--[a-z]", hint)


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        (0, "the same later"),
        (404, "another address"),
        (410, "another address"),
        (429, "the same later"),
        (503, "the same later"),
    ],
)
def test_what_stays_so_is_not_to_be_tried_later(status: int, remedy: str):
    error = IngestionError("https://example.org/tides", f"it answers {status}", status=status)
    assert error.hint.startswith(remedy)


def test_every_status_is_of_a_category_or_of_an_error_that_there_is():
    assert STATUSES.keys() == {*get_args(Category)} | (STATUSES.keys() & {cls.code for cls in errors_page.classes()})


@pytest.mark.parametrize("family", [cls for cls in errors_page.classes() if cls.code in get_args(Category)])
def test_an_error_that_nobody_here_knows_is_of_the_family_of_its_status(family: type[BiblicusError]):
    status = STATUSES[family.category]
    assert type(from_object({"code": "from_the_future"}, category_of(status))) is family


@each("cls", errors_page.classes())
def test_a_status_tells_the_family_of_each_error_to_who_does_not_know_its_code(cls: type[BiblicusError]):
    status = STATUSES.get(cls.code) or STATUSES[cls.category]
    told = from_object({"code": "from_the_future"}, category_of(status))
    assert told.exit_code == cls.exit_code


@pytest.mark.parametrize(("status", "category"), [(402, "usage"), (426, "usage"), (500, "internal"), (599, "internal")])
def test_a_status_that_is_nobodys_is_the_askers_fault_or_the_services(status: int, category: Category):
    assert category_of(status) == category


def test_what_fails_in_a_search_can_be_caught_by_what_failed(tmp_path: Path):
    assert issubclass(VectorsGone, VectorIndexError)
    with pytest.raises(VectorIndexError) as raised:
        vector_rows.load(tmp_path / "run" / "vector")
    assert isinstance(raised.value, SearchError)
    assert isinstance(raised.value, RunDamaged)
    assert not isinstance(raised.value, LexicalIndexError)
