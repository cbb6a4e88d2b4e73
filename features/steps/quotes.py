"""Steps about answers in the documents' own words."""

import json

from pytest_bdd import given, then

from features.phrase import phrase
from features.steps.folder import write
from features.steps.language_models import citations
from features.world import Table, World, listed, rows, same


@then("its citations are")
def citations_are(world: World, datatable: Table) -> None:
    same(citations(world), datatable)


@then(phrase('"{text!}" is quoted once'))
def quoted_once(world: World, text: str) -> None:
    assert world.value["answer"].count(text) == 1


@then("the answer is in doubt")
def the_answer_is_in_doubt(world: World) -> None:
    assert world.value["insufficient"]
    assert world.value["statements"]
    assert world.value["confidence"] < 0.5


@then(phrase('the answer begins with "{text!}"'))
def the_answer_begins_with(world: World, text: str) -> None:
    assert world.value["answer"].startswith(text)


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


@given(phrase('questions with answers "{name}"'))
def questions_with_answers(world: World, name: str, datatable: Table) -> None:
    lines = []
    for row in rows(datatable):
        line = {"id": row["query"], "query": row["query"], "relevant": listed(row["relevant"])}
        line |= {"answers": listed(row["answers"])} | ({"unanswerable": True} if row["unanswerable"] else {})
        lines.append(json.dumps(line) + "\n")
    write(world.path(f".biblicus/datasets/{name}/questions.jsonl"), "".join(lines).encode())


@then(phrase("the abstention AUC is {value#}"))
def abstention_auc(world: World, value: str) -> None:
    assert world.value["systems"][0]["system"]["abstention_auc"] == float(value)


@then(phrase('confidence is held against being right for "{name}"'))
def calibrated(world: World, name: str) -> None:
    bins = world.value["settings"]["calibration"][name]
    answered = [row for row in world.value["systems"][0]["rows"] if row["ranking"]]
    assert sum(one["count"] for one in bins) == len(answered) == 4
    assert all(one["low"] <= one["confidence"] <= one["high"] for one in bins)


@then(phrase("{count#} questions were unanswerable"))
def unanswerable(world: World, count: str) -> None:
    (found,) = world.value["systems"]
    assert sum("unanswerable" in row["tags"] for row in found["rows"]) == int(count)
