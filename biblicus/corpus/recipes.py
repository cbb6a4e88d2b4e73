"""Recipes: find one by name or file, validate it, and resolve its plug-in options to their full form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from biblicus import guards, plugins
from biblicus.config import CorpusConfig, Settings, explain, nearest, options_of, read_mapping
from biblicus.contracts import Call
from biblicus.corpus import auto
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BadData, BiblicusError, ConfigInvalid, RecipeNotFound, UnknownName, UnsafeInput, UsageError
from biblicus.models.fields import NoRequest
from biblicus.models.frozen import dataclass
from biblicus.models.plain import made_of
from biblicus.models.recipe import AUTO, BUILT_IN, CHUNKING_KEYS, MEMOS, Build, Choice, Recipe

if TYPE_CHECKING:
    from biblicus.models.requests.runs import NewRecipeRequest, RecipeRequest

DEFAULT_ENGINES = {"lexical": "tantivy", "vector": "hnsw", "scan": "rank-bm25"}


class RecipeEntry(NamedTuple):
    """An available recipe and its origin: `built-in` or a path in the corpus."""

    recipe: Recipe
    origin: str


def resolve(data: Mapping[str, Any], where: str) -> Recipe:
    """Validate a recipe and fill in every plug-in option. Raises `ConfigInvalid` with `where` and the nearest key."""
    recipe = options_of(Recipe, data, where)
    build = recipe.build
    extraction = {
        name: _reader(name, choice, f"{where}: build.extraction.{name}") for name, choice in build.extraction.items()
    }
    for key in build.chunking:
        if key not in CHUNKING_KEYS:
            raise ConfigInvalid(where, f'unknown key "build.chunking.{key}"{nearest(key, CHUNKING_KEYS)}')
    if "default" not in build.chunking:
        raise ConfigInvalid(where, 'build.chunking needs a "default".')
    chunking = {
        key: _named("chunking", choice, f"{where}: build.chunking.{key}") for key, choice in build.chunking.items()
    }
    legs = {
        leg: _named("retrieval", {"engine": DEFAULT_ENGINES.get(leg), **choice}, f"{where}: build.legs.{leg}")
        for leg, choice in build.legs.items()
    }
    _check_legs(recipe, legs, where)
    rerank = recipe.query.rerank and _named("rerank", recipe.query.rerank, f"{where}: query.rerank")
    full = replace(build, extraction=extraction, chunking=chunking, legs=legs)
    return replace(recipe, build=full, query=replace(recipe.query, rerank=rerank))


def _reader(name: str, choice: Choice, where: str) -> Choice:
    """Validate a recipe's options of an extractor, of OCR (its engine), or of speech (a configured transcriber)."""
    if name == "ocr":
        return _named("ocr", choice, where)
    if name == "stt":
        if list(choice) != ["transcriber"] or not isinstance(choice["transcriber"], str):
            raise ConfigInvalid(where, "it takes the name of a transcriber of your own: stt: {transcriber: NAME}.")
        return choice
    return _options("extraction", name, choice, where)


def _check_legs(recipe: Recipe, legs: Mapping[str, Choice], where: str) -> None:
    """Check that every leg in the query section is built."""
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


def _named(kind: str, choice: Choice, where: str) -> Choice:
    key = plugins.KEYS[kind]
    name = choice.get(key)
    if not isinstance(name, str):
        raise ConfigInvalid(where, f'needs "{key}", one of {", ".join(plugins.names(kind))}.')
    rest = {option: value for option, value in choice.items() if option != key}
    return {key: name, **_options(kind, name, rest, where)}


def _options(kind: str, name: str, options: Choice, where: str) -> Choice:
    try:
        resolved: Choice = plugins.checked(kind, name, options, where).model_dump(mode="json")
    except UnknownName as error:
        path, _, _ = where.partition(": ")
        edit = plugins.NEW_RUN if path.endswith(".json") else ""
        edit = f"edit {path}, or " if path.endswith((".yml", ".yaml")) else edit
        raise ConfigInvalid(where, error.message, f"{edit}{error.hint}") from error
    return resolved


def is_file_name(name: str) -> bool:
    """Return true if the name is that of a file."""
    return name.endswith((".yml", ".yaml")) or "/" in name


def find(corpus: CorpusFolder, name: str | None) -> Recipe:
    """Return a recipe by name or file; the corpus's own ones take precedence. None: the default recipe."""
    chosen = auto.answering(corpus) if name == AUTO else name or corpus.default_recipe
    if is_file_name(chosen):
        return _from_file(Path(chosen), chosen)
    path = corpus.recipes / f"{chosen}.yml"
    if path.is_file():
        recipe = _from_file(path, f".biblicus/recipes/{chosen}.yml")
        if recipe.name != chosen:
            raise ConfigInvalid(f".biblicus/recipes/{chosen}.yml", f'its name is "{recipe.name}", its file says other.')
        return recipe
    if chosen == MEMOS:
        return resolve(_with_windows(BUILT_IN[MEMOS], corpus.settings), MEMOS)
    if chosen in BUILT_IN:
        return resolve(BUILT_IN[chosen], chosen)
    raise RecipeNotFound(chosen, [entry.recipe.name for entry in known(corpus)])


def _with_windows(data: Mapping[str, Any], settings: Settings) -> Mapping[str, Any]:
    """Return the recipe with the user's windows of sentences."""
    chunking = data["build"]["chunking"]
    windows = {"sentences": settings.memos_sentences, "overlap": settings.memos_overlap}
    return {**data, "build": {**data["build"], "chunking": {**chunking, "default": {**chunking["default"], **windows}}}}


def reading_options(corpus: CorpusFolder, name: str = "") -> dict[str, Choice]:
    """Return the extraction options of the default or named recipe; empty if it is built in or broken."""
    name = name or corpus.default_recipe
    if not (corpus.recipes / f"{name}.yml").is_file():
        return {}
    try:
        return dict(find(corpus, name).build.extraction)
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


def known(corpus: CorpusFolder) -> list[RecipeEntry]:
    """Return every valid recipe that can be named here."""
    entries = {entry.recipe.name: entry for entry in _built_in()}
    if corpus.recipes.is_dir():
        for path in sorted(corpus.recipes.glob("*.yml")):
            try:
                entries[path.stem] = RecipeEntry(_from_file(path, path.name), f".biblicus/recipes/{path.name}")
            except BadData:
                continue
    return [entries[name] for name in sorted(entries)]


@cache
def _built_in() -> tuple[RecipeEntry, ...]:
    return tuple(RecipeEntry(resolve(data, name), "built-in") for name, data in sorted(BUILT_IN.items()))


def as_text(recipe: Recipe) -> str:
    return guards.yaml.write(recipe.model_dump())


@dataclass(frozen=True)
class NewRecipe:
    """A newly written recipe. `path`: relative to the corpus."""

    name: str
    path: str


def recipe(corpus: CorpusFolder, request: RecipeRequest, call: Call) -> Recipe:
    """Return a recipe with every option filled in. Raises `RecipeNotFound`, `ConfigInvalid`."""
    return find(corpus, request.name)


def new(corpus: CorpusFolder, request: NewRecipeRequest, call: Call) -> NewRecipe:
    """Write `.biblicus/recipes/<name>.yml` as a copy of another recipe, for editing. Never overwrites a file."""
    name, source = request.name, find(corpus, request.base)
    try:
        new_recipe = Recipe.model_validate({**source.model_dump(), "name": name, "description": f"From {source.name}."})
    except ValueError as error:
        raise UsageError(f'"{name}" is no recipe name: {explain(error, Recipe)}') from error
    if request.languages and not request.ocr:
        raise UsageError("--language is for scans.", f"biblicus recipes new {name} --ocr rapidocr --language de")
    if request.ocr:
        choice = {"engine": request.ocr, **({"languages": list(request.languages)} if request.languages else {})}
        new_recipe = replace(new_recipe, build=_reading_scans(new_recipe.build, choice))
    corpus.check_writable()
    files.make_folder(corpus.recipes)
    path = corpus.recipes / f"{name}.yml"
    try:
        files.write(path, as_text(new_recipe).encode(), replace=False)
    except FileExistsError:
        raise UsageError(f'The recipe "{name}" exists.', f"edit .biblicus/recipes/{name}.yml") from None
    return NewRecipe(name, corpus.shown(path))


def _reading_scans(build: Build, choice: Choice) -> Build:
    """Return the build with OCR. Raises `UsageError`, and the errors of an engine that is not installed."""
    try:
        full = _named("ocr", choice, f"--ocr {choice['engine']}")
    except ConfigInvalid as error:
        raise UsageError(error.message, "biblicus recipes new lexical --ocr tesseract --language de") from error
    plugins.chosen("ocr", full)
    return replace(build, extraction={**build.extraction, "ocr": full})


@dataclass(frozen=True)
class ListedRecipe:
    """An available recipe and its origin: `built-in` or a path in the corpus."""

    name: str
    description: str
    origin: str
    build_id: str
    recipe_id: str


@dataclass(frozen=True)
class Recipes:
    """The available recipes, and the corpus's default."""

    recipes: tuple[ListedRecipe, ...]
    default: str


def recipes(corpus: CorpusFolder, request: NoRequest, call: Call) -> Recipes:
    """Return the available recipes."""
    return Recipes(tuple(map(_listed, known(corpus))), corpus.default_recipe)


def built_in() -> Recipes:
    """Return the built-in recipes and the default."""
    return Recipes(tuple(map(_listed, _built_in())), CorpusConfig.default_recipe)


def _listed(entry: RecipeEntry) -> ListedRecipe:
    return made_of(ListedRecipe, entry, entry.recipe)
