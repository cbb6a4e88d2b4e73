"""Steps about the reference desk: code, notebooks, weights, golden questions."""

import json

import pytest
from pytest_bdd import given, parsers, then

from features.phrase import phrase, raw
from features.steps.evidence import pieces
from features.world import Table, World, rows, same, shown


@given(phrase('the notebook "{path}" with the cells'))
def a_notebook(world: World, path: str, datatable: Table) -> None:
    cells = [
        {
            "cell_type": row["kind"],
            "source": raw(row["source"]).decode(),
            "outputs": [{"text": row["printed"]}] if row["printed"] else [],
        }
        for row in rows(datatable)
    ]
    world.path(path).write_text(json.dumps({"cells": cells}), "utf-8")


@then("the evidence holds")
def the_evidence_holds(world: World, datatable: Table) -> None:
    """Each row is a piece of evidence, wherever it ranks."""
    header, *wanted = datatable
    found = [[shown(piece.get(key)) for key in header] for piece in pieces(world)]
    assert [row for row in wanted if row not in found] == [], found


@given(parsers.re(r'the weight of "(?P<target>[^"]*)" is (?P<multiplier>[0-9.]+)'))
def is_weighed(world: World, target: str, multiplier: str) -> None:
    world.do("weight set", target, multiplier)


@then(phrase('its score is {times#} times that of "{stage}"'))
def times_that(world: World, times: str, stage: str) -> None:
    piece = pieces(world)[0]
    assert piece["score"] == piece["stage_scores"]["weights"]
    assert piece["score"] == pytest.approx(int(times) * piece["stage_scores"][stage], rel=1e-5)


@then("the result names the weights")
def names_the_weights(world: World) -> None:
    assert world.value["weights_digest"]


@then("their best evidence comes from")
def their_best(world: World, datatable: Table) -> None:
    assert [value["evidence"][0]["path"] for value in world.names["each"]] == [row["path"] for row in rows(datatable)]


@then(phrase('a query for "{question}" starts with "{path}"'))
def query_starts(world: World, question: str, path: str) -> None:
    assert world.do("query", question)["evidence"][0]["path"] == path


@then("the golden questions come to")
def golden_come_to(world: World, datatable: Table) -> None:
    same(world.value["golden"], datatable)
    assert world.value["ok"] == all(row["holds"] == "true" for row in rows(datatable))


@then(phrase('it names the index version of "{name}"'))
def names_index_version(world: World, name: str) -> None:
    assert world.value["index_version"] == world.do("version")["index_version"]
    assert world.do("version")["run_id"] == world.names[name]
