"""Steps that evaluate, and look at what was measured."""

import json
from typing import Any

import pytest
from pytest_bdd import given, then, when

from features.phrase import phrase
from features.steps.folder import write
from features.steps.imports import options
from features.world import Table, World, rows, same


@given(phrase('the evaluation of "{name}" was kept as "{file}" outside'))
def was_kept(world: World, name: str, file: str) -> None:
    found = world.do("eval", name, per_query=True)
    write(world.outside / file, json.dumps(found).encode())


@given(phrase('the dataset "{name}" was evaluated'))
@when(phrase('the dataset "{name}" is evaluated[ with]'))
def evaluate(world: World, name: str, datatable: Table | None = None) -> None:
    world.attempt("eval", name, per_query=True, **options(datatable))


@when(phrase('the dataset "{name}" is evaluated against the file "{file}" outside with'))
def evaluate_against_file(world: World, name: str, file: str, datatable: Table) -> None:
    world.attempt("eval", name, per_query=True, baseline=str(world.outside / file), **options(datatable))


def system(world: World, name: str) -> dict[str, Any]:
    (found,) = [one for one in world.value["systems"] if one["name"] == name]
    return dict(found)


@then(phrase('"{name}" reaches'))
def reaches(world: World, name: str, datatable: Table) -> None:
    found = system(world, name)["metrics"]
    for row in rows(datatable):
        assert found[row["metric"]] == pytest.approx(float(row["value"]), abs=5e-5), row["metric"]


@then("its figures name latencies, throughput, index size, build time and memory")
def figures(world: World) -> None:
    found = system(world, "lexical")["system"]
    wanted = ("latency_p50", "latency_p95", "latency_p99", "latency_cold", "throughput", "index_bytes", "build_ms")
    assert all(found[name] > 0 for name in (*wanted, "peak_memory_bytes"))
    assert "cost" not in found


@then(phrase("the evaluation is of {count#} questions"))
def counts_questions(world: World, count: str) -> None:
    assert world.value["questions"] == int(count)
    assert all(len(one["rows"]) == int(count) for one in world.value["systems"])


@then("the conditions are")
def conditions_are(world: World, datatable: Table) -> None:
    same(world.value["gates"], datatable)
    if world.surface.name == "command line":
        assert world.last is not None
        assert world.last.exit_code == (0 if all(gate["holds"] for gate in world.value["gates"]) else 4)
