"""From a feature file to tests, and from a step to its definition.

Each file is a module of its own to pytest, so that files are shared out among the cores one by one.

The definition that fits a step is found once for each text: pytest-bdd would go through all fixtures at every step,
which was a third of what the features cost. Two definitions that fit the same step are an error, not a surprise. It
would also copy every cell of every table for each example, which was a twelfth.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from pytest_bdd import scenario
from pytest_bdd.compat import get_fixture_names, getfixturedefs
from pytest_bdd.feature import get_feature
from pytest_bdd.parser import FeatureParser, ScenarioTemplate, Step, render_string
from pytest_bdd.steps import StepFunctionContext, step_function_context_registry

FEATURES = Path(__file__).parent


class Situation(pytest.Module):
    """A feature file with its scenarios."""

    def _getobj(self) -> ModuleType:
        made = ModuleType(self.path.stem)
        made.__file__ = str(self.path)
        made.pytestmark = pytest.mark.usefixtures("surface")  # type: ignore[attr-defined]
        for turn, (title, template) in enumerate(get_feature(str(self.path.parent), self.path.name).scenarios.items()):
            _take_together(template)
            name = "test_" + "_".join(re.findall(r"\w+", title)).lower()
            assert not hasattr(made, name), f"{self.path.name} has two scenarios of the name {title!r}"
            test: Any = scenario(str(self.path), title)(_nothing_more)
            test.turn = turn
            setattr(made, name, test)
        return made


def _take_together(template: ScenarioTemplate) -> None:
    """Let the steps from the first `When` on follow each other for all rows, where the rows are to share a start."""
    if not any(examples.name == "one after the other" for examples in template.examples):
        return
    start = next(at for at, step in enumerate(template._steps) if step.type == "when")
    contexts = [context for examples in template.examples for context in examples.as_contexts()]
    assert contexts, f"{template.name!r} has no rows"
    steps = template._steps[start:]
    for step, name in product(template._steps[:start], contexts[0]):
        cells = [cell.value for row in step.datatable.rows for cell in row.cells] if step.datatable else []
        shared = "\n".join([step.name, step.docstring or "", *cells])
        assert f"<{name}>" not in shared, f"{template.name!r}: rows that differ by <{name}> cannot share {step.name!r}"
    template._steps[start:] = [_of_row(step, row, context) for row, context in enumerate(contexts) for step in steps]
    template.examples.clear()


class _Line(int):
    """The line of a step that belongs to a row, which pytest-bdd hands on as it is."""

    row: int


def _of_row(step: Step, row: int, context: Mapping[str, object]) -> Step:
    line = _Line(step.line_number)
    line.row = row
    table = None
    if step.datatable is not None:
        cells = [[render_string(cell.value, context) for cell in row.cells] for row in step.datatable.rows]
        table = _table(cells)
    docstring = None if step.docstring is None else render_string(step.docstring, context)
    name = render_string(step.name, context)
    made = Step(name, step.type, step.indent, line, step.keyword, table, docstring)
    made.scenario = step.scenario
    return made


def _table(rows: Sequence[Sequence[str]]) -> Any:
    return SimpleNamespace(rows=[SimpleNamespace(cells=[SimpleNamespace(value=cell) for cell in row]) for row in rows])


def _execute(request: Any, scenario: Any, step: Step, context: StepFunctionContext | None) -> None:
    """Run a step. A row that fails is left, so that the rows after it are run too; all failures come at the end."""
    row, failed = getattr(step.line_number, "row", None), vars(scenario).setdefault("failed_rows", {})
    try:
        if row not in failed:
            _execute_step(request, scenario, step, context)
    except Exception as error:
        if row is None:
            raise
        failed[row] = error
        if "world" in request.fixturenames:
            request.getfixturevalue("world").look_away()
    if failed and step is scenario.steps[-1]:
        raise ExceptionGroup(f"{len(failed)} rows of {scenario.name!r} failed", list(failed.values()))


def _nothing_more() -> None:
    """What a scenario does beside its steps."""


@cache
def _definitions(manager: Any, folder: Any, kind: str) -> list[tuple[str, StepFunctionContext]]:
    """The steps of a kind, by the names of their fixtures. All are of the folder of features: `conftest.py`."""
    every = [(name, one) for name in get_fixture_names(manager) for one in getfixturedefs(manager, name, folder) or ()]
    known = [(name, step_function_context_registry.get(one.func)) for name, one in every]
    return [(name, step) for name, step in known if step is not None and step.type in (None, kind)]


@cache
def _fitting(manager: Any, folder: Any, kind: str, text: str) -> list[str]:
    fits = [name for name, step in _definitions(manager, folder, kind) if step.parser.is_matching(text)]
    assert len(fits) < 2, f"more than one definition fits the step {text!r}: {fits}"
    return fits


def _fixturedefs_for_step(step: Any, fixturemanager: Any, node: Any) -> list[Any]:
    folder = next(parent for parent in node.iter_parents() if parent.path == FEATURES)
    names = _fitting(fixturemanager, folder, step.type, step.name)
    return [one for name in names for one in getfixturedefs(fixturemanager, name, node) or ()]


def _render_datatable(table: Any, context: Mapping[str, object]) -> Any:
    """The table with the cells of this example. What is copied is what is read of it, not each object that it is of."""
    cells = [[render_string(cell.value, context) for cell in row.cells] for row in table.rows]
    return SimpleNamespace(raw=lambda: [list(row) for row in cells])


_ROW_IN_LINE = re.compile(r"(.*?) \| (.*) ?\|")
_parse_steps = FeatureParser.parse_steps


def _steps(parser: FeatureParser, data: Any) -> list[Step]:
    steps = _parse_steps(parser, data)
    for step in steps:
        if row := _ROW_IN_LINE.fullmatch(step.name):
            cells = [cell.partition(":") for cell in re.split(r"(?<!\\)\|", row[2])]
            names, values = [name.strip() for name, _, _ in cells], [_unescaped(value.strip()) for _, _, value in cells]
            assert step.datatable is None, f"two tables: {step.name!r}"
            assert len({name.strip() for name, colon, _ in cells if colon}) == len(cells), f"no row: {step.name!r}"
            step.name, step.datatable = row[1], _table((names, values))
    return steps


def _unescaped(cell: str) -> str:
    """The value of a cell, as Gherkin reads it in a table."""
    return re.sub(r"\\([n|\\])", lambda sign: "\n" if sign[1] == "n" else sign[1], cell)


# By its full name, for `pytest_bdd.scenario` is the decorator.
_scenarios: Any = import_module("pytest_bdd.scenario")
_execute_step = _scenarios._execute_step_function
_scenarios._execute_step_function = _execute
_scenarios.find_fixturedefs_for_step = _fixturedefs_for_step
Step.render_datatable = staticmethod(_render_datatable)
FeatureParser.parse_steps = _steps  # type: ignore[method-assign]  # pytest-bdd has no hook for it
