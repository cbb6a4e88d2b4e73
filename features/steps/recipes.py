"""Steps about recipes: written, listed, and used."""

from typing import Any

import yaml
from pytest_bdd import given, then

from biblicus.models.recipe import BUILT_IN
from features.phrase import phrase
from features.steps.folder import write
from features.world import World


def merged(base: Any, changes: Any) -> Any:
    """Changes laid over a base: keys of an engine or chunker replace it, for its options are its own."""
    if not (isinstance(base, dict) and isinstance(changes, dict)) or {"by", "engine"} & set(changes):
        return changes
    return {**base, **{key: merged(base.get(key), value) for key, value in changes.items()}}


def text_of(name: str, base: str, changes: str) -> bytes:
    """A recipe file: a built-in one under another name, with changes."""
    return yaml.safe_dump(merged({**BUILT_IN[base], "name": name}, yaml.safe_load(changes))).encode()


@given(phrase('the recipe "{name}" is "{base}" with'))
def a_recipe(world: World, name: str, base: str, docstring: str) -> None:
    write(world.path(f".biblicus/recipes/{name}.yml"), text_of(name, base, docstring))


@given(phrase('a recipe file "{file}" outside is "{base}" with'))
def a_recipe_file(world: World, file: str, base: str, docstring: str) -> None:
    write(world.outside / file, text_of("own", base, docstring))


@then(phrase('the recipe "{name}" has the build of "{other}"'))
def has_the_build_of(world: World, name: str, other: str) -> None:
    one, two = (world.do("recipes show", recipe) for recipe in (name, other))
    assert one["build_id"] == two["build_id"]
    assert one["recipe_id"] != two["recipe_id"]
