"""The default recipe `auto`: the best recipe that this machine's models allow; words are indexed first, then meaning.

It is resolved when a run is made, and the run's manifest names the resolved recipe: `judged`, then `meaning`, if the
models are installed, else `lexical`. A query uses the newest of these runs; it uses words alone until the run with
meaning is up to date."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from biblicus import model_files
from biblicus.corpus import catalog as catalogs
from biblicus.corpus.folder import CorpusFolder
from biblicus.disk import files
from biblicus.errors import BiblicusError
from biblicus.models.recipe import AUTO, JUDGED, MEANING, WORDS

if TYPE_CHECKING:
    from biblicus.corpus.catalog import Latest

INSTALL = 'pip install "biblicus-corpus[meaning]"'
LACKING = f"Answered by words alone: this machine lacks the models of this corpus. {INSTALL}"
BEHIND = "Answered by words: meaning has not caught up with them yet. biblicus reindex"
_LIBRARIES = ("tokenizers", "onnxruntime")
"""Libraries that run the models of judge and embedder."""
_MOMENT = len("20261120T225500Z")


@cache
def are_installed() -> bool:
    """Return true if the judge and the embedder of the recipe `meaning` are installed."""

    files_of_meaning = [file.name for file in model_files.table.FILES.values() if file.extra == "meaning"]
    return model_files.table.are_here(*files_of_meaning) and all(find_spec(name) is not None for name in _LIBRARIES)


def _has_models(corpus: CorpusFolder) -> bool:
    return corpus.settings.meaning == "auto" and are_installed()


def to_build(corpus: CorpusFolder, name: str | None = None) -> tuple[str, ...]:
    """Return the recipes that a reindex builds, in order, for a recipe name or for the default recipe."""
    chosen = name or corpus.chosen_recipe
    if chosen != AUTO:
        return (chosen,)
    if not _has_models(corpus):
        return (WORDS,)
    best = corpus.settings.auto_recipe
    return (JUDGED, MEANING) if best == MEANING else (best,)


def answering(corpus: CorpusFolder) -> str:
    """Return the recipe for a query now: the best one with an up-to-date run."""
    if not _has_models(corpus):
        return WORDS
    stamp = files.stamp(str(corpus.catalog))
    return _newest(CorpusFolder(corpus.root, None, corpus.view), stamp, corpus.settings.auto_recipe)


@lru_cache(maxsize=64)
def _newest(corpus: CorpusFolder, stamp: object, best: str) -> str:
    """Return the best recipe if the models are installed. `stamp`: of the catalog file; a cache key."""
    try:
        header = catalogs.read_header(corpus)
    except BiblicusError:
        header = None
    latest: Mapping[str, Latest] = header.latest if header else {}
    if best != MEANING and best in latest:
        return best
    words = JUDGED if JUDGED in latest or WORDS not in latest else WORDS
    if MEANING in latest and (words not in latest or _moment(latest[MEANING]) >= _moment(latest[words])):
        return MEANING
    return words


def _moment(run: Latest) -> str:
    return run.run_id[:_MOMENT]


def note(corpus: CorpusFolder, recipe: str, latest: Mapping[str, Latest]) -> str:
    """Return why a query without a named recipe does not use the best one, or an empty string if it does."""
    if corpus.chosen_recipe != AUTO or recipe in (MEANING, corpus.settings.auto_recipe):
        return ""
    if _has_models(corpus):
        return BEHIND
    return LACKING if corpus.settings.meaning == "auto" and {MEANING, JUDGED} & latest.keys() else ""


def is_behind(corpus: CorpusFolder) -> bool:
    """Return true if `auto` uses words only until the run with meaning is up to date."""
    return corpus.chosen_recipe == AUTO and _has_models(corpus) and answering(corpus) != corpus.settings.auto_recipe


def embeds_later(corpus: CorpusFolder) -> bool:
    """Return true if a thread of this process builds the `meaning` runs of `auto` after those of words."""
    return corpus.host is not None and corpus.host.embeds_later and to_build(corpus) == (JUDGED, MEANING)


def sentence(corpus: CorpusFolder) -> str:
    """Return the recipe that `auto` resolves to, and how to improve it; empty for another default recipe."""
    if corpus.chosen_recipe != AUTO:
        return ""
    if _has_models(corpus):
        return "Recipe: words and meaning, the best candidates read by the judge (auto)."
    if corpus.settings.meaning == "off":
        return ""
    return f"Recipe: words (auto). Better, with models that stay on this machine: {INSTALL}"
