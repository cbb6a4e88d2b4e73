"""Steps about where runs are kept: on the disk, or in a database that the user's settings name."""

from __future__ import annotations

import json
import secrets

import psycopg
import pytest
from psycopg import sql
from pytest_bdd import given, then

from features.phrase import phrase
from features.steps.machines import a_clone, a_copy
from features.world import World
from tools.postgres import Server


def bind(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's settings bind the folder where we are to the schema of this scenario."""
    binding = {"store": world.names["store"], "schema": world.names["schema"]}
    monkeypatch.setenv("BIBLICUS_CORPORA", json.dumps({str(world.folder): binding}))


@given("the user keeps runs on the disk")
def on_the_disk() -> None:
    """As it is where nothing is said."""


@given(phrase('the user keeps the runs of this folder in the database "{name}"'))
def in_a_database(world: World, monkeypatch: pytest.MonkeyPatch, postgres: Server, name: str) -> None:
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({name: {"by": "postgres", "dsn": postgres.dsn}}))
    world.names.update(store=name, schema=f"kept_{secrets.token_hex(4)}")
    bind(world, monkeypatch)


@given(phrase('the user keeps the runs of this folder in {count#} databases, as "{name}"'))
def in_databases(world: World, monkeypatch: pytest.MonkeyPatch, postgres: Server, count: str, name: str) -> None:
    schema = world.names.setdefault("schema", f"kept_{secrets.token_hex(4)}")
    stores: dict[str, object] = {name: {"by": "shards", "nodes": [f"{name}_{at + 1}" for at in range(int(count))]}}
    for at in range(int(count)):
        stores[f"{name}_{at + 1}"] = {"by": "postgres", "dsn": postgres.database(f"{schema}_{at + 1}")}
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps(stores))
    world.names["store"] = name
    bind(world, monkeypatch)


@given(phrase("database {number#} is away"))
def one_away(world: World, postgres: Server, number: str) -> None:
    postgres.allow(f"{world.names['schema']}_{number}", False)


@given(phrase("database {number#} is back"))
def one_back(world: World, postgres: Server, number: str) -> None:
    postgres.allow(f"{world.names['schema']}_{number}", True)


@then(phrase("each of the {count#} databases has rows"))
def all_have_rows(world: World, postgres: Server, count: str) -> None:
    for at in range(int(count)):
        dsn = postgres.database(f"{world.names['schema']}_{at + 1}")
        with psycopg.connect(dsn, autocommit=True) as connection:
            ((view,),) = connection.execute(
                "SELECT viewname FROM pg_views WHERE schemaname = %s AND viewname LIKE 'run_%%_postings_0'"
                " ORDER BY split_part(viewname, '_', 2)::int DESC LIMIT 1",
                [world.names["schema"]],
            ).fetchall()
            rows = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(world.names["schema"], view))
            assert connection.execute(rows).fetchall() > [(0,)]


@given("we are in a clone of the corpus, on another machine whose user names the same database")
def a_clone_that_shares(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    a_clone(world, monkeypatch)
    bind(world, monkeypatch)


@given("we are in a copy of the whole folder, of which the user's settings say nothing")
def a_copy_that_is_not_bound(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    a_copy(world, monkeypatch)


@given("the database is away")
def away(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BIBLICUS_STORES", json.dumps({world.names["store"]: {"by": "postgres", "dsn": "host=/away"}}))


@given("the database has lost what it had of this folder")
def lost(world: World, postgres: Server) -> None:
    with psycopg.connect(postgres.dsn, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(world.names["schema"])))


@given(phrase('the store "{name}" is named this time'))
def named_this_time(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("BIBLICUS_STORE", name)


@then("no index lies in the folder")
def no_index(world: World) -> None:
    assert not list(world.path(".biblicus/local/index").glob("*"))
