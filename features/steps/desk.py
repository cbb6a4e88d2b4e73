"""Steps about the reference desk: code, notebooks, weights, golden questions."""

from __future__ import annotations

import json

from pytest_bdd import given, then, when

from features.phrase import phrase, raw
from features.steps.evidence import pieces
from features.world import Table, World, rows, shown


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


@when(phrase('"{question!}" is asked of the recipe "{recipe}"'))
def ask_recipe(world: World, question: str, recipe: str) -> None:
    world.attempt("query", question, recipe=recipe)


@then("the evidence holds")
def the_evidence_holds(world: World, datatable: Table) -> None:
    """Each row is a piece of evidence, wherever it ranks."""
    header, *wanted = datatable
    found = [[shown(piece.get(key)) for key in header] for piece in pieces(world)]
    assert [row for row in wanted if row not in found] == [], found
