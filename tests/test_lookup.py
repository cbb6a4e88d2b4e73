"""A table in the line of its step, and rows that share a start, hide no failure."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_bdd.feature import get_feature
from pytest_bdd.parser import ScenarioTemplate, Step

from features import lookup
from features.surfaces import Python
from features.world import World, rows
from tests.sampling import each

ONE_ROW = '| question |\n| ""       |'


def parsed(folder: Path, **parts: str) -> list[str]:
    """The steps of an outline whose rows share a start."""
    return [step.name for step in outline(folder, **parts).render({}).steps]


def outline(folder: Path, *, given: str = "", then: str = "it ends", rows: str = ONE_ROW) -> ScenarioTemplate:
    name = f"{len(list(folder.iterdir()))}.feature"
    start = f"Given a corpus\n{given}\nWhen <question> is asked\nThen {then}\nExamples: one after the other\n"
    (folder / name).write_text(f"Feature: F\nScenario Outline: O\n{start}{rows}\n", "utf-8")
    (template,) = get_feature(str(folder), name).scenarios.values()
    lookup._take_together(template)
    return template


def test_every_row_is_asked_from_one_start(tmp_path: Path) -> None:
    steps = parsed(tmp_path, rows="| question |\n| one |\n| two |")
    assert steps == ["a corpus", "one is asked", "it ends", "two is asked", "it ends"]


@each(
    "said, changed",
    [
        ("has no rows", {"rows": "| question |"}),
        ("rows that differ by <question> cannot share", {"given": 'And the file "<question>" is gone'}),
        ("rows that differ by <question> cannot share", {"given": "And these | path: <question> |"}),
        ("no row", {"then": "it says | path: a | path: b |"}),
        ("no row", {"then": "it says | path: a | b |"}),
        ("two tables", {"then": "it says | path: a |\n| path |\n| b |"}),
    ],
)
def test_what_would_be_passed_over_is_refused(tmp_path: Path, said: str, changed: dict[str, str]) -> None:
    with pytest.raises(AssertionError, match=said):
        parsed(tmp_path, **changed)


def test_a_misspelt_column_is_refused() -> None:
    assert rows([["path"], ["a.txt"]], "path", "reason") == [{"path": "a.txt"}]
    with pytest.raises(AssertionError, match="unknown columns"):
        rows([["path", "reson"], ["a.txt", "locked"]], "path", "reason")


def test_a_row_that_fails_hides_no_later_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[str] = []

    def execute(request: object, scenario: object, step: Step, context: object) -> None:
        run.append(step.name)
        assert "even" not in step.name

    monkeypatch.setattr(lookup, "_execute_step", execute)
    outlined = outline(tmp_path, rows="| question |\n| even 1 |\n| odd |\n| even 2 |")
    made, request = outlined.render({}), SimpleNamespace(fixturenames=[])
    *steps, last = made.steps
    for step in steps:
        lookup._execute(request, made, step, None)
    with pytest.raises(ExceptionGroup, match="2 rows of 'O' failed"):
        lookup._execute(request, made, last, None)
    assert run == ["a corpus", "even 1 is asked", "odd is asked", "it ends", "even 2 is asked"]


def test_a_failure_that_nobody_looked_at_fails_before_the_next_act(tmp_path: Path) -> None:
    world = World(tmp_path, tmp_path, Python(), Python())
    world.attempt("query", "moon")
    with pytest.raises(AssertionError, match="unnoticed failure"):
        world.attempt("query", "sun")
