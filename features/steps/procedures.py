"""Steps about procedures: datasets that say what must come of a question, and commands that stand in for a user's."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from features.phrase import phrase
from features.steps.folder import write
from features.steps.imports import options
from features.world import Table, World, rows, same

OWN = "own"
_DOES = {"never ends": "exec tail -f /dev/null", "says too much": "exec yes"}


@given(phrase('the dataset "{name}" says'))
def dataset_says(world: World, name: str, docstring: str) -> None:
    write(world.path(f".biblicus/datasets/{name}/questions.jsonl"), docstring.encode())


def _command(world: World, by_question: Mapping[str, str], otherwise: str) -> None:
    """A shell script that looks at the question it is told, and does what is said for it."""
    cases = [f"*{shlex.quote(json.dumps(text))}*) {does} ;;" for text, does in by_question.items()]
    script = "\n".join(["read -r told", 'case "$told" in', *cases, f"*) {otherwise} ;;", "esac", ""])
    write(world.outside / OWN, script.encode())


def _says(text: str) -> str:
    return f"printf %s {shlex.quote(text)}"


@given("a command that replies")
def command_replies(world: World, datatable: Table) -> None:
    _command(world, {row["question"]: _says(row["reply"]) for row in rows(datatable)}, "exit 1")


@given(phrase('a command that cites the evidence of the query for "{text}"'))
def command_cites(world: World, text: str) -> None:
    evidence = world.do("query", text)["evidence"]
    _command(world, {}, _says(json.dumps({"answer": "In 1842.", "citations": evidence, "refused": True})))


@given(parsers.re(r'a command that (?P<does>.*?) where it is asked "(?P<question>[^"]*)", and else replies'))
def command_fails(world: World, does: str, question: str, docstring: str) -> None:
    _, _, quoted = does.partition('"')
    text = quoted.removesuffix('"')
    shell = {"leaves": f"echo {shlex.quote(text)} >&2; exit 3", "writes": _says(text.replace("'", '"'))}
    _command(world, {question: _DOES.get(does) or shell[does.split()[0]]}, _says(docstring))
    world.names["seconds"] = 1 if does == "never ends" else 60


@given(phrase('the user\'s settings call it "{name}"'))
def settings_call_it(world: World, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    command = ["sh", str(world.outside / OWN)]
    monkeypatch.setenv("BIBLICUS_PROCEDURES", json.dumps({name: {"command": command}}))


@given(phrase('the corpus\'s configuration says "{line!}"'))
def configuration_says(world: World, line: str) -> None:
    path = world.path(".biblicus/config.yml")
    path.write_bytes(path.read_bytes() + f"{line}\n".encode())


def _measure(world: World, name: str, **chosen: Any) -> None:
    world.attempt("eval", name, per_query=True, seconds=world.names.get("seconds", 60), **chosen)
    if world.last is not None and world.last.value is not None:
        for system in world.last.value["systems"]:
            system["name"] = system["name"].replace(f"/sh {OWN}", f"/{OWN}")
        for difference in world.last.value["comparisons"]:
            difference["other"] = difference["other"].replace(f"/sh {OWN}", f"/{OWN}")


def _own(world: World) -> str:
    return shlex.join(["sh", str(world.outside / OWN)])


@when(phrase('the procedure "{procedure}" is measured on "{name}"[ with]'))
def measure_procedure(world: World, procedure: str, name: str, datatable: Table | None = None) -> None:
    _measure(world, name, procedure=procedure, **options(datatable))


@when(phrase('the procedure "{procedure}" is measured on "{name}" with the report "{report}"'))
def measure_with_report(world: World, procedure: str, name: str, report: str) -> None:
    world.outside.mkdir(exist_ok=True)
    _measure(world, name, procedure=procedure, report=str(world.outside / report))


@when(phrase('the command is measured on "{name}"'))
def measure_command(world: World, name: str) -> None:
    _measure(world, name, command=_own(world))


@when(phrase('the procedure "{procedure}" and the command are measured on "{name}"'))
def measure_both(world: World, procedure: str, name: str) -> None:
    _measure(world, name, procedure=procedure, command=_own(world))


@when(phrase('the prompt "{file}" outside is measured on "{name}"'))
def measure_prompt(world: World, file: str, name: str) -> None:
    _measure(world, name, procedure=f"pack:{world.outside / file}")


@when(phrase('the prompts "{first}" and "{second}" outside are measured on "{name}"'))
def measure_prompts(world: World, first: str, second: str, name: str) -> None:
    _measure(world, name, procedure=[f"pack:{world.outside / file}" for file in (first, second)])


@then(phrase('the systems are "{first}" and "{second}"'))
def systems_are(world: World, first: str, second: str) -> None:
    assert [system["name"] for system in world.value["systems"]] == [first, second]


@then(phrase("{count#} question was asked"))
def questions_asked(world: World, count: str) -> None:
    assert world.value["questions"] == int(count)


def _rows(world: World) -> list[dict[str, Any]]:
    """Those of the system that was named last."""
    return list(world.value["systems"][-1]["rows"])


@then("it falls short of")
def falls_short(world: World, datatable: Table) -> None:
    found = [
        {"question": row["question_id"], **violation} for row in _rows(world) for violation in row.get("violations", [])
    ]
    wanted = {line[0] for line in datatable[1:]}
    same(
        [
            {
                **one,
                "rule": one["rule"] or None,
                "severity": one["severity"] or None,
                "evidence": one["evidence"] or None,
            }
            for one in found
            if one["question"] in wanted
        ],
        datatable,
    )


@then(phrase('the question "{question}" has no reply because "{reason!}"'))
def has_no_reply(world: World, question: str, reason: str) -> None:
    problems = {row["question_id"]: row["problem"] for row in _rows(world) if "problem" in row}
    assert list(problems) == [question]
    assert reason in problems[question]


@then("among the comparisons are")
def among_the_comparisons(world: World, datatable: Table) -> None:
    metrics = {row["metric"] for row in rows(datatable)}
    same([one for one in world.value["comparisons"] if one["metric"] in metrics], datatable)
