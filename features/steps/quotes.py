"""Steps about answers in the documents' own words."""

from __future__ import annotations

from pytest_bdd import then, when

from features.phrase import phrase
from features.steps.imports import numbers, options
from features.steps.language_models import citations
from features.world import Table, World, same


@when(phrase('the answerer "{name}" is asked "{question!}" with'))
def is_asked_with(world: World, name: str, question: str, datatable: Table) -> None:
    world.attempt("answer", question, answerer=name, **numbers(options(datatable)))


@then("its citations are")
def citations_are(world: World, datatable: Table) -> None:
    same(citations(world), datatable)


@then(phrase('"{text!}" is quoted once'))
def quoted_once(world: World, text: str) -> None:
    assert world.value["answer"].count(text) == 1


@then(phrase('the answer holds "{text!}"'))
def the_answer_holds(world: World, text: str) -> None:
    assert text in world.value["answer"]


@then(phrase("the answer has at most {words#} words"))
def has_at_most(world: World, words: str) -> None:
    assert 0 < len(world.value["answer"].split()) <= int(words)


@then("it says what was searched")
def says_what_was_searched(world: World) -> None:
    searched = world.value["searched"]
    assert searched["run_id"] == world.names["first"]
    assert searched["recipe_id"].startswith("lexical-")
    assert set(searched) >= {"corpus_id", "index_version", "as_of", "filters", "pieces", "support"}
    assert "Nothing quoted" in world.value["reasoning_summary"]
