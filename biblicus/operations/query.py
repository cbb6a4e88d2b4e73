"""Query: evidence for a question. Hands the local searcher the recipes and the live files that it needs."""

from __future__ import annotations

from biblicus import plugins
from biblicus.contracts import Call
from biblicus.models.evidence import Result
from biblicus.models.manifest import Manifest
from biblicus.models.question import Query
from biblicus.models.recipe import Recipe
from biblicus.operations import recipes
from biblicus.searchers.local import LocalSearcher, OpenRun, shares
from biblicus.storage import catalog as catalogs
from biblicus.storage import runs
from biblicus.storage.corpus import CorpusFolder


def searcher(place: CorpusFolder) -> LocalSearcher:
    """A searcher that may be kept and asked many times."""
    return LocalSearcher(
        place, lambda name: recipes.find(place, name), lambda manifest, call: _live(place, manifest, call)
    )


def query(place: CorpusFolder, request: Query, call: Call) -> Result:
    """Ask once."""
    asked = searcher(place)
    try:
        return asked.search(request, call)
    finally:
        asked.close()


def is_current(place: CorpusFolder, result: Result) -> bool:
    """Whether the catalog still says what the result's run was built from."""
    header = catalogs.read_header(place)
    return header is None or header.corpus_digest == runs.read(place, result.run_id).corpus_digest


def _live(place: CorpusFolder, manifest: Manifest, call: Call) -> OpenRun:
    """A run without materialization, over the files as they are now."""
    # Lazy: a query against an index needs neither extraction nor chunking.
    from biblicus.operations.build import Cutter, parts, ranked
    from biblicus.operations.extractions import Extractions
    from biblicus.operations.live import LiveTables

    recipe = Recipe.model_validate(manifest.recipe)
    built = parts(recipe)
    extractions = Extractions(place, call, dict(recipe.build.extraction))
    tables = LiveTables(place, Cutter(built.chunkers, extractions), extractions, call)
    ((leg, choice),) = recipe.build.legs.items()
    module = plugins.find("retrieval", choice["engine"])
    options = module.Options(**{key: value for key, value in choice.items() if key != "engine"})
    chunks = [ranked(tables.item(chunk.item), chunk) for chunk in tables.all_chunks()]
    return OpenRun(manifest, tables, leg, module.reader(chunks, options), shares(manifest.languages))
