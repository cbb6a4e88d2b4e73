"""Steps about models that turn text into vectors."""

import shutil

import pytest
from pytest_bdd import given, then

from features.model import Meaning
from features.phrase import phrase
from features.world import World


@given("a model that knows what words mean")
def a_model(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    model = world.names["model"] = Meaning()
    monkeypatch.setattr("biblicus.runs.embedders.find", lambda place, name: model)


@given(phrase('it knows "{language}" alone'))
def knows_alone(world: World, language: str) -> None:
    model(world).languages = frozenset({language})


def model(world: World) -> Meaning:
    found = world.names["model"]
    assert isinstance(found, Meaning)
    return found


@given("the model was since replaced by another")
def another_model(world: World) -> None:
    model(world).fingerprint = "meaning-2"


@given("the model is away")
def away(world: World) -> None:
    model(world).away = True


@given(phrase('the model cannot embed what says "{word}"'))
def hates(world: World, word: str) -> None:
    model(world).hates = word


@given("the model is mended")
def mended(world: World) -> None:
    model(world).hates = ""


@given("what the model was asked so far is forgotten")
def forget(world: World) -> None:
    model(world).embedded.clear()


@given("the vectors are deleted")
def delete_vectors(world: World) -> None:
    shutil.rmtree(world.path(".biblicus/local/vectors"))


@given(phrase('the file "{path}" holds {count#} words'))
def holds_words(world: World, path: str, count: str) -> None:
    world.path(path).write_text(" ".join(f"word{number}" for number in range(int(count))))


@then(phrase("the model was asked for {count#} texts"))
def asked_for(world: World, count: str) -> None:
    assert len(model(world).embedded) == int(count)


@then(phrase('the run counts {count#} chunks as "{name}"'))
def run_counts(world: World, count: str, name: str) -> None:
    (run,) = world.value["runs"]
    assert run[name] == int(count)
