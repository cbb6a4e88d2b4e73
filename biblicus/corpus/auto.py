"""The default recipe `auto`: the best that this machine's models allow, words first, meaning after them.

It is resolved when a run is made, and the run's manifest has the resolved recipe by its name: `meaning` with `judged`
before it where the models are installed, else `lexical`. A question is answered by the newest of these runs, by words
alone while meaning has not caught up with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

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
"""The models' files and what computes them: judge, embedder, and the libraries of both."""
_MOMENT = len("20261120T225500Z")


@cache
def are_installed() -> bool:
    """Return true if the judge and the embedder of the recipe `meaning` are on this machine."""
    from biblicus.model_files.locating import are_here  # lazy: who leaves models out needs no table of them
    from biblicus.model_files.table import FILES

    files_of_meaning = [file.name for file in FILES.values() if file.extra == "meaning"]
    return are_here(*files_of_meaning) and all(find_spec(name) is not None for name in _LIBRARIES)


def _has_models(corpus: CorpusFolder) -> bool:
    return corpus.settings.meaning == "auto" and are_installed()


def to_build(corpus: CorpusFolder, name: str | None = None) -> tuple[str, ...]:
    """The recipes that a reindex builds for a name, or for the default recipe, in this order."""
    chosen = name or corpus.chosen_recipe
    if chosen != AUTO:
        return (chosen,)
    return (JUDGED, MEANING) if _has_models(corpus) else (WORDS,)


def answering(corpus: CorpusFolder) -> str:
    """The recipe by which a question is answered now: the best one that has a run which is not behind."""
    if not _has_models(corpus):
        return WORDS
    return _newest(CorpusFolder(corpus.root), files.stamp(str(corpus.catalog)))


@lru_cache(maxsize=64)
def _newest(corpus: CorpusFolder, stamp: object) -> str:
    """The same where the models are installed. `stamp`: of the catalog, which is read once for each of its states."""
    try:
        header = catalogs.read_header(corpus)
    except BiblicusError:
        header = None
    latest: Mapping[str, Latest] = header.latest if header else {}
    words = JUDGED if JUDGED in latest or WORDS not in latest else WORDS
    if MEANING in latest and (words not in latest or _moment(latest[MEANING]) >= _moment(latest[words])):
        return MEANING
    return words


def _moment(run: Latest) -> str:
    return run.run_id[:_MOMENT]


def note(corpus: CorpusFolder, recipe: str, latest: Mapping[str, Latest]) -> str:
    """For whoever asks without naming a recipe: why the best one does not answer; empty where it does."""
    if corpus.chosen_recipe != AUTO or recipe == MEANING:
        return ""
    if _has_models(corpus):
        return BEHIND
    return LACKING if corpus.settings.meaning == "auto" and {MEANING, JUDGED} & latest.keys() else ""


def is_behind(corpus: CorpusFolder) -> bool:
    """Return true if `auto` answers by words only until meaning has caught up with them."""
    return corpus.chosen_recipe == AUTO and _has_models(corpus) and answering(corpus) != MEANING


def embeds_later(corpus: CorpusFolder) -> bool:
    """Return true if a thread of this process makes the runs of `meaning` of `auto`, after those by words."""
    return corpus.host is not None and corpus.host.embeds_later and to_build(corpus) == (JUDGED, MEANING)


def sentence(corpus: CorpusFolder) -> str:
    """The recipe that `auto` resolves to on this machine, and what would make it better; empty for another default."""
    if corpus.chosen_recipe != AUTO:
        return ""
    if _has_models(corpus):
        return "Recipe: words and meaning, the best candidates read by the judge (auto)."
    if corpus.settings.meaning == "off":
        return ""
    return f"Recipe: words (auto). Better, with models that stay on this machine: {INSTALL}"
