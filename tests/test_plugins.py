"""One door for plug-ins: every kind is found, checked and built alike, ours and a third party's."""

import re
from dataclasses import is_dataclass
from inspect import signature
from pathlib import Path

import pytest

from biblicus import Corpus, plugins
from biblicus.contracts import Given, Held, MediaHint, Passage, RankedChunk
from biblicus.errors import ConfigInvalid, UnknownName
from biblicus.models.extraction import Extraction, Heading
from biblicus.models.question import Question
from tests.sampling import each

ROOT = Path(__file__).resolve().parents[1]
OURS = [(kind, name) for kind, modules in plugins.OURS.items() for name in modules]


@each(("kind", "name"), OURS)
def test_every_plugin_of_ours_has_options_and_is_built_alike(kind: str, name: str) -> None:
    module = plugins.find(kind, name)
    with pytest.raises(ConfigInvalid, match='unknown key "unheard-of"'):
        plugins.checked(kind, name, {"unheard-of": 1})
    assert list(signature(module.build).parameters) == ["options", "given"]
    assert all(parameter.default is parameter.empty for parameter in signature(module.build).parameters.values())


def test_the_page_for_authors_lists_every_kind() -> None:
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    assert re.findall(r"^\|.*\| `biblicus\.(\w+)` \|", page, flags=re.MULTILINE) == list(plugins.OURS)


def test_no_other_file_of_the_package_lists_the_kinds() -> None:
    files = [ROOT / "pyproject.toml", *(ROOT / "biblicus").rglob("*.py")]
    lists = re.compile(r"\W+".join(plugins.OURS) + r"|extraction`?, `?chunking`?, `?(?:embedding|retrieval)")
    assert [path.name for path in files if lists.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("kind", plugins.OURS)
def test_an_unknown_name_lists_what_exists_and_what_would_install_it(kind: str) -> None:
    with pytest.raises(UnknownName) as told:
        plugins.make(kind, "nothing-of-ours", {})
    assert all(name in told.value.message for name in plugins.OURS[kind])
    assert f'"biblicus.{kind}"' in told.value.hint


def test_options_are_checked_and_an_unknown_one_names_the_nearest() -> None:
    with pytest.raises(ConfigInvalid, match=r'recipe\.yml: unknown key "sentence"; did you mean "sentences"') as told:
        plugins.make("chunking", "sentences", {"sentence": 3}, where="recipe.yml", remedy="edit it")
    assert told.value.hint == "edit it"
    with pytest.raises(ConfigInvalid, match="sentences: input should be greater"):
        plugins.make("chunking", "sentences", {"sentences": 0})


def test_what_was_checked_is_built_as_it_is() -> None:
    options = plugins.checked("chunking", "sentences", {"sentences": 3})
    assert plugins.make("chunking", "sentences", options).fingerprint


@pytest.mark.parametrize("handed", [RankedChunk, MediaHint, Passage, Held, Heading, Given, Question, Extraction])
def test_what_a_plugin_is_handed_can_gain_a_field(handed: type) -> None:
    """It is read by name: what cannot be unpacked or indexed does not break where it grows."""
    assert is_dataclass(handed)
    assert not hasattr(handed, "__iter__")
    assert not hasattr(handed, "__getitem__")


def test_a_plugin_that_asks_for_what_its_kind_is_not_given_is_told_so() -> None:
    with pytest.raises(TypeError, match="not given"):
        Given().vectors("minilm")
    with pytest.raises(TypeError, match="not given"):
        Given().judge("a question", [], None)  # type: ignore[arg-type]  # never reached
    with pytest.raises(TypeError, match="not given"):
        Given().pairs("judge", "a question", ["a passage"], None)  # type: ignore[arg-type]  # never reached
    assert Given().llm is None


def test_a_leg_that_keeps_nothing_stands_alone(tmp_path: Path) -> None:
    corpus = Corpus.init(tmp_path)
    (corpus.path / "a.txt").write_text("The moon pulls the tides.")
    recipes = corpus.path / ".biblicus" / "recipes"
    recipes.mkdir()
    legs = "{lexical: {engine: tantivy}, scan: {engine: rank-bm25}}"
    (recipes / "both.yml").write_text(f"name: both\nbuild:\n  chunking: {{default: {{by: whole}}}}\n  legs: {legs}\n")
    with pytest.raises(ConfigInvalid, match="scan ranks the live files and stands alone"):
        corpus.reindex("both")
