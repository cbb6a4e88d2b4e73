"""Recipes: find one by name or file, validate it, and resolve its plug-in options to their full form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from biblicus import plugins
from biblicus.config import explain, nearest, read_mapping
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, BiblicusError, ConfigInvalid, RecipeNotFound, UnknownName, UnsafeInput, UsageError
from biblicus.models.recipe import BUILT_IN, CHUNKING_KEYS, Choice, Recipe

DEFAULT_ENGINES = {"lexical": "tantivy", "vector": "hnsw", "scan": "rank-bm25"}


@dataclass(frozen=True)
class RecipeEntry:
    """A recipe that can be named, and where it comes from: `built-in` or a path in the corpus."""

    recipe: Recipe
    origin: str


def resolve(data: Mapping[str, Any], where: str) -> Recipe:
    """A validated recipe with every plug-in option spelled out. `ConfigInvalid` names `where` and the nearest key."""
    try:
        recipe = Recipe.model_validate(data)
    except ValidationError as error:
        raise ConfigInvalid(where, explain(error, Recipe)) from error
    build = recipe.build
    extraction = {
        name: _options("extraction", name, choice, f"{where}: build.extraction.{name}")
        for name, choice in build.extraction.items()
    }
    for key in build.chunking:
        if key not in CHUNKING_KEYS:
            raise ConfigInvalid(where, f'unknown key "build.chunking.{key}"{nearest(key, CHUNKING_KEYS)}')
    if "default" not in build.chunking:
        raise ConfigInvalid(where, 'build.chunking needs a "default".')
    chunking = {
        key: _named("chunking", "by", choice, f"{where}: build.chunking.{key}")
        for key, choice in build.chunking.items()
    }
    legs = {
        leg: _named("retrieval", "engine", {"engine": DEFAULT_ENGINES.get(leg), **choice}, f"{where}: build.legs.{leg}")
        for leg, choice in build.legs.items()
    }
    _check_legs(recipe, legs, where)
    rerank = recipe.query.rerank and _named("rerank", "by", recipe.query.rerank, f"{where}: query.rerank")
    full = build.model_copy(update={"extraction": extraction, "chunking": chunking, "legs": legs})
    query = recipe.query.model_copy(update={"rerank": rerank})
    return recipe.model_copy(update={"build": full, "query": query})


def _check_legs(recipe: Recipe, legs: Mapping[str, Choice], where: str) -> None:
    """Every leg that the query section names must be one that is built; one that keeps no index stands alone."""
    retrieve = recipe.query.retrieve
    named = {
        "query.threshold": list(recipe.query.threshold),
        "query.retrieve.legs": list(retrieve.legs or ()),
        "query.retrieve.fusion.weights": list(retrieve.fusion.weights),
    }
    for key, names in named.items():
        for leg in names:
            if leg not in legs:
                raise ConfigInvalid(where, f'{key}: there is no leg "{leg}"{nearest(leg, list(legs))}')
    if len(legs) > 1:
        for leg, choice in legs.items():
            if hasattr(plugins.find("retrieval", choice["engine"]), "reader"):
                raise ConfigInvalid(
                    where, f"build.legs.{leg}: {choice['engine']} ranks the live files and stands alone."
                )


def _named(kind: str, key: str, choice: Choice, where: str) -> Choice:
    name = choice.get(key)
    if not isinstance(name, str):
        raise ConfigInvalid(where, f'needs "{key}", one of {", ".join(plugins.names(kind))}.')
    rest = {option: value for option, value in choice.items() if option != key}
    return {key: name, **_options(kind, name, rest, where)}


def _options(kind: str, name: str, options: Choice, where: str) -> Choice:
    try:
        model: type[BaseModel] = plugins.find(kind, name).Options
    except UnknownName as error:
        raise ConfigInvalid(where, error.message) from error
    try:
        return model.model_validate(options).model_dump(mode="json")
    except ValidationError as error:
        raise ConfigInvalid(where, explain(error, model)) from error


def plugin(kind: str, key: str, choice: Choice) -> Any:
    """Build the plug-in that a resolved choice names."""
    module = plugins.find(kind, choice[key])
    return module.build(module.Options(**{option: value for option, value in choice.items() if option != key}))


def is_file_name(name: str) -> bool:
    """Whether a recipe is named by its file."""
    return name.endswith((".yml", ".yaml")) or "/" in name


def find(place: CorpusFolder, name: str | None) -> Recipe:
    """A recipe by name (the corpus's own shadow the built-in ones) or by file. None: the default one."""
    wanted = name or place.default_recipe
    if is_file_name(wanted):
        return _from_file(Path(wanted), wanted)
    own = place.recipes / f"{wanted}.yml"
    if own.is_file():
        recipe = _from_file(own, f".biblicus/recipes/{wanted}.yml")
        if recipe.name != wanted:
            raise ConfigInvalid(f".biblicus/recipes/{wanted}.yml", f'its name is "{recipe.name}", its file says other.')
        return recipe
    if wanted in BUILT_IN:
        return resolve(BUILT_IN[wanted], wanted)
    raise RecipeNotFound(wanted, [entry.recipe.name for entry in known(place)])


def reading_options(place: CorpusFolder) -> dict[str, Choice]:
    """How the default recipe extracts, for commands that read items; nothing special where it is built in or broken."""
    if not (place.recipes / f"{place.default_recipe}.yml").is_file():
        return {}
    try:
        return dict(find(place, None).build.extraction)
    except BiblicusError:
        return {}


def _from_file(path: Path, where: str) -> Recipe:
    try:
        text = files.read(path, limit=files.SMALL).decode()
    except FileNotFoundError:
        raise RecipeNotFound(where, sorted(BUILT_IN)) from None
    except (OSError, UnicodeDecodeError, UnsafeInput) as error:
        raise ConfigInvalid(where, "cannot be read.") from error
    return resolve(read_mapping(text, where), where)


def known(place: CorpusFolder) -> list[RecipeEntry]:
    """Every recipe that can be named here; those that do not validate are left out."""
    found = {name: RecipeEntry(resolve(data, name), "built-in") for name, data in BUILT_IN.items()}
    if place.recipes.is_dir():
        for path in sorted(place.recipes.glob("*.yml")):
            try:
                found[path.stem] = RecipeEntry(_from_file(path, path.name), f".biblicus/recipes/{path.name}")
            except BadData:
                continue
    return [found[name] for name in sorted(found)]


def as_text(recipe: Recipe) -> str:
    """The recipe as the YAML that would give it."""
    from biblicus.guards import yaml

    return yaml.write(recipe.model_dump(mode="json"))


def new(place: CorpusFolder, name: str, base: str) -> Path:
    """Write `.biblicus/recipes/<name>.yml` from another recipe, to be edited. An existing one is never touched."""
    source = find(place, base)
    try:
        recipe = Recipe.model_validate({**source.model_dump(), "name": name, "description": f"From {source.name}."})
    except ValidationError as error:
        raise UsageError(f'"{name}" is no recipe name: {explain(error, Recipe)}') from error
    place.refuse_links()
    files.make_folder(place.recipes)
    path = place.recipes / f"{name}.yml"
    try:
        files.write(path, as_text(recipe).encode(), replace=False)
    except FileExistsError:
        raise UsageError(f'The recipe "{name}" exists.', f"edit .biblicus/recipes/{name}.yml") from None
    return path
