"""Which model answers: the user's configuration says it, and replies are remembered where that is safe."""

import json
from pathlib import Path

import pytest

from biblicus.contracts import LLMClient
from biblicus.corpus.folder import CorpusFolder
from biblicus.corpus.founding import create
from biblicus.errors import ConfigInvalid, LLMError, UnknownModel, UnknownName
from biblicus.search import language_models as llms
from tests.llm.conftest import ask
from tests.llm.server import MODEL, Scripted


@pytest.fixture
def place(tmp_path: Path) -> CorpusFolder:
    return create(tmp_path / "corpus", None)


def found_by(place: CorpusFolder, name: str | None = None) -> LLMClient | None:
    """As a new command would find it: settings are read once by each."""
    return llms.find(CorpusFolder(place.root), name)


def define(monkeypatch: pytest.MonkeyPatch, server: Scripted, *names: str, **options: object) -> None:
    mine = {"by": "openai-compatible", "model": MODEL, "url": server.url + "/v1", **options}
    monkeypatch.setenv("BIBLICUS_LLMS", json.dumps(dict.fromkeys(names, mine)))


def test_without_any_model_there_is_none(place: CorpusFolder):
    assert found_by(place) is None
    assert llms.for_answerer(place, "llm") is None


def test_an_answerer_without_a_model_is_given_none_unasked(
    place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch
):
    define(monkeypatch, server, "mine")
    assert llms.for_answerer(place, "quote") is None
    assert llms.for_answerer(place, "quote", "mine") is not None
    assert llms.for_answerer(None, "llm") is not None


def test_the_only_model_answers_unasked(place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    define(monkeypatch, server, "mine")
    model = found_by(place)
    assert model is not None
    assert model.name == MODEL
    assert ask(model).text == "Good day."


def test_of_several_models_the_user_says_which(place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    define(monkeypatch, server, "one", "two")
    with pytest.raises(ConfigInvalid) as caught:
        found_by(place)
    assert caught.value.hint == "llm: one"
    assert found_by(place, "two") is not None
    monkeypatch.setenv("BIBLICUS_LLM", "two")
    assert found_by(place) is not None


def test_models_are_defined_in_the_users_file(place: CorpusFolder, server: Scripted, home: Path):
    file = home / "config" / "config.yml"
    file.parent.mkdir()
    file.write_text(
        f"llms:\n  house:\n    by: openai-compatible\n    model: {MODEL}\n    url: {server.url}/v1\n    seconds: 7.5\n"
        "    options: {top_p: 0.5}\nllm: house\n"
    )
    model = found_by(place)
    assert model is not None
    ask(model)
    assert server.asked[0].body["top_p"] == 0.5


def test_a_corpus_cannot_define_a_model(place: CorpusFolder):
    file = place.config_file
    Path(file).write_text(Path(file).read_text() + "llms: {theirs: {by: ollama, model: x}}\n")
    with pytest.raises(ConfigInvalid, match="llms"):
        CorpusFolder(place.root).config  # noqa: B018 (reading it is the act)


def test_unknown_models_providers_and_options_are_named(place: CorpusFolder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("BIBLICUS_LLMS", '{"a": {"by": "oracle"}, "b": {"by": "ollama", "mdoel": "x"}}')
    with pytest.raises(UnknownModel, match="known: a, b"):
        found_by(place, "c")
    with pytest.raises(UnknownName, match="oracle"):
        found_by(place, "a")
    with pytest.raises(ConfigInvalid, match=r'llms\.b: unknown key "mdoel"; did you mean "model"\?'):
        found_by(place, "b")


def test_a_failure_is_followed_by_an_answer(place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    define(monkeypatch, server, "mine")
    server.script = ["400"]
    model = found_by(place)
    assert model is not None
    with pytest.raises(LLMError):
        ask(model)
    assert ask(model).text == "Good day."
