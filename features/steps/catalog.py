"""Steps about a corpus and its catalog: made, refreshed, and what is in it."""

from pathlib import Path

import pytest
from pytest_bdd import given, then, when

from features.phrase import phrase
from features.shelf import Shelf
from features.steps.folder import a_folder, write
from features.world import Table, World, rows, same

CHANGES = ("added", "changed", "renamed", "removed", "skipped", "failed")


@given("a corpus without items")
def an_empty_corpus(world: World, shelf: Shelf) -> None:
    shelf.start(world, lambda: world.do("init"), "an empty corpus")


@given("a corpus with the items")
def a_corpus(world: World, shelf: Shelf, datatable: Table) -> None:
    a_folder(world, datatable)
    shelf.start(world, lambda: _made(world), "a corpus")


@given("a corpus with the real documents")
def real_documents(world: World, shelf: Shelf, mixed: Path, datatable: Table) -> None:
    for row in rows(datatable):
        write(world.path(row["file"]), (mixed / row["file"]).read_bytes())
    shelf.start(world, lambda: _made(world), "a corpus")


@given(phrase("a corpus with {count#} items"))
def a_large_corpus(world: World, shelf: Shelf, count: str) -> None:
    for number in range(int(count)):
        write(world.path(f"{number:04}.txt"), f"Text {number}.".encode())
    shelf.start(world, lambda: _made(world), "a corpus")


def _made(world: World) -> None:
    world.do("init")
    refreshed(world)
    world.names |= {f"id of {path}": item["item_id"] for path, item in world.items().items()}


@given("the catalog was refreshed")
def refreshed(world: World) -> None:
    world.do("ingest")


@given("the folder was since moved")
def moved(world: World) -> None:
    world.folder = world.folder.rename(world.folder.with_name("elsewhere"))


@given("the corpus's configuration adds")
def configured(world: World, docstring: str) -> None:
    with world.path(".biblicus/config.yml").open("a", encoding="utf-8") as file:
        file.write(docstring + "\n")


@given(phrase('the setting "{key}" is "{value}"'))
def a_setting(monkeypatch: pytest.MonkeyPatch, key: str, value: str) -> None:
    monkeypatch.setenv(f"BIBLICUS_{key.upper()}", value)


@given(phrase('"{path}" was since moved to "{new}" in the catalog'))
def moved_in_the_catalog(world: World, path: str, new: str) -> None:
    world.path(path).rename(world.path(new))
    refreshed(world)


@given(phrase('"{path}" was since removed from the catalog'))
def removed_from_the_catalog(world: World, path: str) -> None:
    world.path(path).unlink()
    refreshed(world)


@when("the folder is made a corpus and refreshed")
def make_and_refresh(world: World) -> None:
    world.do("init")
    world.attempt("ingest")


@when("the catalog is refreshed")
def refresh(world: World) -> None:
    world.folder.mkdir(exist_ok=True)
    world.attempt("ingest")


@when(phrase('the catalog is refreshed from the folder "{path}"'))
def refresh_from(world: World, path: str) -> None:
    world.last = world.surface.do(world.path(path), "ingest")


@then(phrase('the corpus is named "{name}"'))
def named(world: World, name: str) -> None:
    assert world.value["name"] == name
    assert world.do("stats")["name"] == name


@then("the catalog holds")
def catalog_holds(world: World, datatable: Table) -> None:
    assert world.value is not None
    same(world.items().values(), datatable)


@then("the catalog is empty")
def catalog_is_empty(world: World) -> None:
    assert world.items() == {}


@then(phrase('the item "{path}" is'))
def the_item_is(world: World, path: str, datatable: Table) -> None:
    same([world.items()[path]], datatable)


@then(phrase('the item "{path}" keeps the id of "{old}"'))
def keeps_its_id(world: World, path: str, old: str) -> None:
    assert world.items()[path]["item_id"] == world.names[f"id of {old}"]


@then(phrase('the item "{path}" has an id of its own'))
def has_its_own_id(world: World, path: str) -> None:
    ids = [item["item_id"] for item in world.items().values()]
    mine = world.items()[path]["item_id"]
    assert ids.count(mine) == 1
    assert mine not in [value for name, value in world.names.items() if name.startswith("id of ")]
