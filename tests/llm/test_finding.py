"""Which model answers: the user's configuration says it, and replies are remembered where that is safe."""

import json
import os
from pathlib import Path
from typing import Any

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


# --- memory ---


def asked_twice(place: CorpusFolder, server: Scripted, **options: Any) -> int:
    for _ in range(2):
        model = found_by(place)
        assert model is not None
        assert ask(model, **options).text == "Good day."
    return len(server.asked)


def test_the_same_question_is_asked_once(place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    define(monkeypatch, server, "mine")
    assert asked_twice(place, server) == 1
    again = found_by(place)
    assert again is not None
    assert ask(again).tokens == {"requests": 0, "cached": 1}


def test_nothing_is_remembered_where_chance_or_the_user_decides(
    place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch
):
    define(monkeypatch, server, "mine")
    assert asked_twice(place, server, temperature=0.7) == 2
    define(monkeypatch, server, "mine", cache="false")
    assert asked_twice(place, server) == 4


def test_whatever_decides_a_reply_is_in_the_key(place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    define(monkeypatch, server, "mine")
    asked_twice(place, server)
    asked_twice(place, server, system_prompt="Be short.")
    asked_twice(place, server, max_tokens=50)
    define(monkeypatch, server, "mine", options={"top_k": 3})
    asked_twice(place, server)
    define(monkeypatch, server, "mine", model=f"{MODEL}:1b")
    assert asked_twice(place, server) == 5


def test_a_reply_that_was_put_there_by_others_is_not_believed(
    place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch
):
    define(monkeypatch, server, "mine")
    asked_twice(place, server)
    (kept,) = (place.cache / "replies").rglob("*.json")
    kept.write_bytes(kept.read_bytes().replace(b"Good day.", b"Evil day."))
    assert asked_twice(place, server) == 2


def test_a_reply_does_not_count_under_another_key(
    place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch
):
    define(monkeypatch, server, "mine")
    server.says = ["First.", "Good day."]
    model = found_by(place)
    assert model is not None
    assert ask(model, "One?").text == "First."
    (first,) = (place.cache / "replies").rglob("*.json")
    ask(model, "Two?")
    second = next(path for path in (place.cache / "replies").rglob("*.json") if path != first)
    os.replace(first, second)
    assert ask(model, "Two?").text == "Good day."


def test_a_reply_that_nobody_understood_is_asked_for_again(
    place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch
):
    define(monkeypatch, server, "mine")
    server.says = ["Mumble.", "Good day."]
    model = found_by(place)
    assert model is not None
    ask(model).forget()
    assert ask(model).text == "Good day."
    ask(model).forget()  # from memory, as an earlier process left it
    ask(model)
    assert len(server.asked) == 3


def test_a_failure_is_not_remembered(place: CorpusFolder, server: Scripted, monkeypatch: pytest.MonkeyPatch):
    define(monkeypatch, server, "mine")
    server.script = ["400"]
    model = found_by(place)
    assert model is not None
    with pytest.raises(LLMError):
        ask(model)
    assert ask(model).text == "Good day."
