"""Steps about personas: written, listed, checked; their manuals, plans and answers."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import given, then

from biblicus import Corpus
from features.phrase import phrase, raw
from features.steps.folder import write
from features.world import Table, World, listed, rows


@given(phrase('the persona "{name}" is'))
def a_persona(world: World, name: str, docstring: str) -> None:
    own = "" if docstring.startswith("id:") or "\nid:" in docstring else f"id: {name}\n"
    write(world.path(f".biblicus/personas/{name}.yml"), f"{own}{docstring}\n".encode())


@given(phrase('a manual in "{folder}" with the items'))
def a_manual(world: World, folder: str, datatable: Table) -> None:
    a_manual_without_index(world, folder, datatable)
    with Corpus.open(world.names["manual"]) as corpus:
        corpus.reindex()


@given(phrase('a manual in "{folder}" with the items, not indexed'))
def a_manual_without_index(world: World, folder: str, datatable: Table) -> None:
    place = Path(os.path.normpath(world.path(folder)))
    for row in rows(datatable):
        write(place / row["path"], raw(row["text"]))
    Corpus.init(place).close()
    world.names["manual"] = place


@given(phrase('the manual is "{name}" among my places'))
def manual_among_places(world: World, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("BIBLICUS_PLACES", f"{{{name}: {world.names['manual']}}}")


def checked(world: World) -> dict[str, Any]:
    (found,) = world.value["personas"]
    assert found["ok"] == world.value["ok"] == (not found["problems"])
    assert world.surface.name == "Python" or world.last is None or world.last.exit_code == (0 if found["ok"] else 4)
    return dict(found)


@then("the persona holds")
def persona_holds(world: World) -> None:
    assert checked(world)["problems"] == []


@then(phrase('the persona holds, with the note "{words}"'))
def persona_holds_with(world: World, words: str) -> None:
    found = checked(world)
    assert found["problems"] == []
    assert [note for note in found["notes"] if words in note], found


@then(phrase('the persona does not hold, for "{reason!}"'))
def persona_does_not_hold(world: World, reason: str) -> None:
    problems = checked(world)["problems"]
    assert [problem for problem in problems if reason in problem["reason"] and problem["hint"]], problems


# --- answers ---------------------------------------------------------------------------------------------------------


@given(phrase('the model plans with the hint "{hint}"'))
def model_plans(world: World, hint: str) -> None:
    """Its first reply; those that follow are its answer."""
    plan = {"steps": [{"text": "Look there.", "manual": 1}], "entity_types": [], "relations": [], "graph_helps": False}
    world.names["first said"] = [json.dumps({**plan, "search_hints": [hint]})]


@then(phrase('the plan names the entities "{entities}" and the relations "{relations}"'))
def plan_names(world: World, entities: str, relations: str) -> None:
    plan = world.value["plan"]
    assert (plan["entity_types"], plan["relations"]) == (listed(entities), listed(relations))


def citations(world: World) -> list[dict[str, Any]]:
    return [citation for statement in world.value["statements"] for citation in statement["citations"]]


@then(phrase('the persona cites "{paths}"'))
def persona_cites(world: World, paths: str) -> None:
    assert {citation["path"] for citation in citations(world)} == set(listed(paths))


@then("every citation is of the corpus, and verifies")
def citations_verify(world: World) -> None:
    assert {citation["corpus_id"] for citation in citations(world)} == {world.do("stats")["corpus_id"]}
    world.path(".biblicus/local/citations.json").write_text(json.dumps(citations(world)), "utf-8")
    assert world.do("verify", str(world.path(".biblicus/local/citations.json")))["ok"]


@then("every manual snippet is of the manual")
def manual_is_of_the_manual(world: World) -> None:
    snippets = world.value["manual"]
    with Corpus.open(world.names["manual"]) as corpus:
        assert {snippet["corpus_id"] for snippet in snippets} == {corpus.stats()["corpus_id"]}
        assert all(verdict.holds for verdict in corpus.verify(json.dumps(snippets)))


@then(phrase('it says that "{name}" was not used'))
def not_used(world: World, name: str) -> None:
    assert world.value["unused"] == [name]


@then("the persona states nothing")
def states_nothing(world: World) -> None:
    assert (world.value["statements"], world.value["insufficient"]) == ([], True)
