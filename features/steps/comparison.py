"""Steps that compare runs, verify them against the corpus, and prune them."""

import shutil

from pytest_bdd import given, then

from features.phrase import phrase
from features.steps.evidence import agree, ranking
from features.steps.runs import RUN_DIGESTS, manifest, newest
from features.world import Table, World, listed, rows


@then(phrase('the run "{name}" stands for "{names}"'))
def stands_for(world: World, name: str, names: str) -> None:
    assert manifest(world, world.names[name])["folded"] == [world.names[folded] for folded in listed(names)]


@then(phrase('the message names the run "{name}"'))
def message_names_run(world: World, name: str) -> None:
    assert world.names[name] in world.error["message"]


@then(phrase('the runs left are "{names}"'))
def runs_left(world: World, names: str) -> None:
    assert [run["run_id"] for run in world.do("runs list")["runs"]] == [world.names[name] for name in listed(names)]


@then("there are no runs left")
def no_runs_left(world: World) -> None:
    assert world.value["deleted"]
    assert world.do("runs list")["runs"] == []


@then(phrase('the runs that can be searched here are "{names}"'))
def materialized(world: World, names: str) -> None:
    found = sorted(path.name for path in world.path(".biblicus/local/index").iterdir())
    assert found == sorted(world.names[name] for name in listed(names))


@then(phrase('the manifest of "{name}" is there'))
def manifest_is_there(world: World, name: str) -> None:
    assert manifest(world, world.names[name])


@then("the items differ in")
def items_differ(world: World, datatable: Table) -> None:
    wanted = {row["difference"]: listed(row["items"]) for row in rows(datatable)}
    assert world.value["items"] == wanted


@then("the settings are the same")
def settings_are_the_same(world: World) -> None:
    assert (world.value["settings"], world.value["components"]) == ({}, {})


@given(phrase('the index of "{name}" is not there'))
def index_gone(world: World, name: str) -> None:
    shutil.rmtree(world.path(f".biblicus/local/index/{world.names[name]}"))


@then(phrase('the items of "{name}" are not known'))
def items_not_known(world: World, name: str) -> None:
    assert (world.value["items"], world.value["pruned"]) == (None, [world.names[name]])


@then("the counts differ in")
def counts_differ(world: World, datatable: Table) -> None:
    for row in rows(datatable):
        assert world.value["counts"][row["count"]] == [int(row["first"]), int(row["second"])]


@then("the settings differ in")
def settings_differ(world: World, datatable: Table) -> None:
    found = {key: [str(part) for part in pair] for key, pair in world.value["settings"].items()}
    assert found == {row["setting"]: [row["first"], row["second"]] for row in rows(datatable)}


@then("the run holds")
def the_run_holds(world: World) -> None:
    assert (world.value["ok"], world.value["differs"]) == (True, [])


@then(phrase('the run differs in "{parts}"'))
def the_run_differs(world: World, parts: str) -> None:
    assert (world.value["ok"], world.value["differs"]) == (False, listed(parts))


@then("a fresh build has the same digests, and the same evidence for")
def equals_a_fresh_build(world: World, datatable: Table) -> None:
    """The same order, and scores within a thousandth (DESIGN §5): deleted documents stay in an index's statistics."""
    questions = [row["question"] for row in rows(datatable)]
    incremental = manifest(world, newest(world))
    answers = [ranking(world.do("query", question, recipe="lexical")["evidence"]) for question in questions]
    (run,) = world.do("reindex", fresh=True, recipe="lexical")["runs"]
    fresh = manifest(world, run["run_id"])
    assert (incremental["built"], fresh["built"]) == ("incremental", "fresh")
    assert [incremental[key] for key in RUN_DIGESTS] == [fresh[key] for key in RUN_DIGESTS]
    for question, found in zip(questions, answers, strict=True):
        agree(found, ranking(world.do("query", question, recipe="lexical")["evidence"]))
