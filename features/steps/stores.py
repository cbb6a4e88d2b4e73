"""Steps about where runs are kept: on the disk, or in a database that the user's settings name."""

import json
import secrets

import pytest
from pytest_bdd import given, then

from features.phrase import phrase
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


@then("no index lies in the folder")
def no_index(world: World) -> None:
    assert not list(world.path(".biblicus/local/index").glob("*"))
