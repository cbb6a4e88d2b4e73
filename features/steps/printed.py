"""Steps about what commands print and leave with."""

import json
import re

from pytest_bdd import parsers, then

from features.phrase import phrase
from features.steps.commands import Typed
from features.world import Row, Table, World, listed, rows

CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f]")


@then(parsers.parse("the exit code is {code:d}"))
def exit_code(typed: Typed, code: int) -> None:
    assert typed.code == code, typed


@then(phrase('standard {stream!} says "{words!}"'))
def says(typed: Typed, stream: str, words: str) -> None:
    assert words in {"output": typed.out, "error": typed.err}[stream]


@then(phrase('the first line of standard output says "{words!}"'))
def first_line_says(typed: Typed, words: str) -> None:
    assert words in typed.out.splitlines()[0]


@then(phrase("no line of standard output is wider than {most#}"))
def is_narrow(typed: Typed, most: str) -> None:
    assert [line for line in typed.out.splitlines() if len(line) > int(most)] == []


@then(phrase("standard output has {count#} lines"))
def has_lines(typed: Typed, count: str) -> None:
    assert len(typed.out.splitlines()) == int(count), typed.out


@then(phrase('the file "{path}" holds {count#} lines'))
def holds_lines(world: World, path: str, count: str) -> None:
    assert len(world.path(path).read_text("utf-8").splitlines()) == int(count)


@then(phrase('standard {stream!} says no "{words!}"'))
def says_no(typed: Typed, stream: str, words: str) -> None:
    assert words not in {"output": typed.out, "error": typed.err}[stream]


@then(phrase("standard {stream!} is empty"))
def is_empty(typed: Typed, stream: str) -> None:
    assert {"output": typed.out, "error": typed.err}[stream] == ""


@then("standard output is")
def standard_output_is(typed: Typed, docstring: str) -> None:
    assert typed.out == docstring.replace("\\t", "\t") + "\n"


@then(phrase('standard output is "{text}"'))
def standard_output_is_exactly(typed: Typed, text: str) -> None:
    assert typed.out == text.replace("\\0", "\0")


@then("standard error is")
def standard_error_is(typed: Typed, docstring: str) -> None:
    assert typed.err == docstring + "\n"


@then("the last line of standard error is")
def last_line_is(typed: Typed, docstring: str) -> None:
    assert json.loads(typed.err.splitlines()[-1]) == json.loads(docstring)


@then("the last line of standard error holds")
def last_line_holds(typed: Typed, datatable: Table) -> None:
    error = json.loads(typed.err.splitlines()[-1])["error"]
    assert set(error) == {"code", "message", "hint"}
    for row in rows(datatable):
        assert {key: error[key] for key in row} == row


@then("standard output holds no control characters")
def no_control_characters(typed: Typed) -> None:
    assert typed.out
    assert not CONTROL.search(typed.out)


def fields(text: str) -> set[str]:
    return set(listed(text))


@then(phrase('standard output is one document with "{names}"'))
def one_document(typed: Typed, names: str) -> None:
    """One line, one JSON object; further fields may come with later versions."""
    assert typed.out.count("\n") == 1
    assert fields(names) <= set(json.loads(typed.out))


@then("each leaves with its code")
def each_code(session: list[tuple[Row, Typed]]) -> None:
    assert [(row["command"], done.code) for row, done in session] == [
        (row["command"], int(row["code"])) for row, _ in session
    ]
    assert [row for row, done in session if "Traceback" in done.err or (done.err == "") != (done.code == 0)] == []


@then(phrase('none of "{modules}" was imported'))
def not_imported(typed: Typed, modules: str) -> None:
    """From the list that PYTHONPROFILEIMPORTTIME gives."""
    imported = {line.rpartition("|")[2].strip() for line in typed.err.splitlines() if line.startswith("import time:")}
    assert "biblicus.connectors.cli.front.app" in imported
    assert imported & set(listed(modules)) == set()
