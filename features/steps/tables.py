"""Steps that do the same for every row of a table, in one corpus."""

from typing import Any

from pytest_bdd import then, when

from features.phrase import phrase
from features.steps.evidence import agree, ranking
from features.world import Table, World, listed, rows


def each(world: World, table: Table) -> list[tuple[str, Any]]:
    """The last column of every row, with what its act gave."""
    return list(zip([line[-1] for line in table[1:]], world.names["each"], strict=True))


def paths(value: Any) -> list[str]:
    """Where evidence or items come from, in order."""
    return [entry["path"] for entry in value.get("evidence", value.get("items"))]


@when("these questions are asked", target_fixture="table")
def ask_each(world: World, datatable: Table) -> Table:
    world.names["each"] = [world.act("query", row["question"]) for row in rows(datatable)]
    return datatable


@when(phrase('"{question}" is asked with each of'), target_fixture="table")
def ask_with_each(world: World, question: str, datatable: Table) -> Table:
    world.names["each"] = [world.act("query", question, **{row["filter"]: row["value"]}) for row in rows(datatable)]
    return datatable


@when("the items are listed with each of", target_fixture="table")
def list_with_each(world: World, datatable: Table) -> Table:
    world.names["each"] = [world.act("list", **{row["filter"]: row["value"]}) for row in rows(datatable)]
    return datatable


@when("these questions are asked of both recipes", target_fixture="table")
def ask_both(world: World, datatable: Table) -> Table:
    world.names["each"] = [
        [world.act("query", row["question"], recipe=recipe) for recipe in ("lexical", "scan")]
        for row in rows(datatable)
    ]
    return datatable


@then("each finds its best evidence")
def each_finds_best(world: World, table: Table) -> None:
    found = [
        (line[0], (paths(value) or ["-"])[0]) for line, (_, value) in zip(table[1:], each(world, table), strict=True)
    ]
    assert found == [(line[0], line[-1]) for line in table[1:]]


@then("each finds evidence there alone")
@then("each gives that item alone")
def each_finds_there(world: World, table: Table) -> None:
    for line, (wanted, value) in zip(table[1:], each(world, table), strict=True):
        assert set(paths(value)) == set(listed(wanted)), line


@then("both rank alike")
def both_rank_alike(world: World, table: Table) -> None:
    for question, (one, other) in each(world, table):
        assert one["evidence"], question
        assert one["recipe_id"] != other["recipe_id"]
        agree(ranking(one["evidence"]), ranking(other["evidence"]))
