"""The command line is held against the table of verbs: what a request can say can be typed, and by nothing else."""

from __future__ import annotations  # the fields of requests are read as texts

import ast
import inspect
import tomllib
from collections.abc import Mapping
from dataclasses import field, fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from biblicus.connectors.cli.front import app as front
from biblicus.connectors.cli.front import commands as declarations
from biblicus.connectors.cli.front.app import GROUPS, lines
from biblicus.connectors.cli.front.commands import Command, Given
from biblicus.connectors.cli.front.options import OWN, Common, own_of
from biblicus.models.fields import Request, doc
from biblicus.service.verbs import VERBS, Verb
from tests.sampling import each

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = list(declarations.commands())
BY_VERB = {command.verb.name: command for command in COMMANDS if command.verb}
ELSEWHERE = {
    "get_batch": "get, one item at a time",
    "receive": "ingest -",
    "check_golden": "eval --golden",
    "verify_citations": "verify --citations",
    "page_image": "get --image",
    "evaluations": "open, which charts them",
    "evaluation": "open, or eval --baseline FILE to compare with one",
    "file_part": "head -c, of the file itself",
}
"""Verbs that are no command, and what a person types instead."""


def test_every_verb_is_a_command_or_says_what_is_typed_instead():
    assert VERBS.keys() == BY_VERB.keys() | ELSEWHERE.keys()
    assert not BY_VERB.keys() & ELSEWHERE.keys()


@each("name", BY_VERB)
def test_every_field_of_a_verb_can_be_typed_unless_it_is_withheld_for_a_reason(name: str):
    command = BY_VERB[name]
    typed = {option.name for option in command.parts[VERBS[name].request]}
    withheld = {entry.name for entry in fields(VERBS[name].request) if own_of(name, entry.name).withheld}
    assert typed | withheld == {entry.name for entry in fields(VERBS[name].request)}
    assert not typed & withheld


def test_every_row_of_the_table_is_of_a_field():
    of_verbs = {f"{name}.{entry.name}" for name in BY_VERB for entry in fields(VERBS[name].request)}
    of_commands = {
        f"{command.words}.{entry.name}" for command in COMMANDS if command.own for entry in fields(command.own)
    }
    known = of_verbs | of_commands | {f"of all.{entry.name}" for entry in fields(Common)}
    assert {key for key in OWN if "." in key} <= known
    assert {key for key in OWN if "." not in key} <= {key.partition(".")[2] for key in known}


@each("command", COMMANDS)
def test_a_commands_options_are_told_apart_and_explained(command: Command):
    flags = [flag for option in command.options for flag in option.flags]
    assert len(flags) == len(set(flags))
    assert len(command.options) == len({option.name for option in command.options})
    assert all(option.help for option in command.options)
    assert command.summary


@each("command", COMMANDS)
def test_what_reads_is_asked_anywhere_and_the_rest_here(command: Command):
    places = [option for option in command.options if option.name == "at"]
    assert bool(places) is (command.verb is not None and command.verb.scope == "read")


def test_one_command_needs_one_module():
    for module, names in declarations.HOMES.items():
        declared = import_module(f"biblicus.connectors.cli.{module}").COMMANDS
        assert {command.words.split()[0] for command in declared} == set(names)


def test_every_command_has_its_line_in_a_group_of_the_help_page():
    named = [name for part in GROUPS.values() for name in part]
    assert len(named) == len(set(named))
    assert set(named) == {name for names in declarations.HOMES.values() for name in names}
    assert [line for line in lines().values() if len(line) > 60] == []


def test_the_distributions_own_name_is_a_command_too():
    """So that `uvx` and `pipx run` find one: they look for the name that they install."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["scripts"][project["name"]] == project["scripts"]["biblicus"]


def test_declarations_know_no_parser():
    """Only the front door is Typer's: a plain question, and whatever reads the declarations, does without."""
    for module in {
        inspect.getmodule(declarations),
        *(import_module(f"biblicus.connectors.cli.{n}") for n in declarations.HOMES),
    }:
        assert module is not None
        imported = [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.Import)]
        assert not [alias for node in imported for alias in node.names if alias.name == "typer"]


# --- a field more is an option more ----------------------------------------------------------------------------------


class BrewRequest(Request):
    """A request of a verb that there is not."""

    leaf: str = field(kw_only=False, metadata=doc("Which leaf."))
    also: tuple[str, ...] = field(default=(), kw_only=False, metadata=doc("What goes in with it."))
    minutes: int = field(default=3, metadata=doc("How long it draws.", ge=1, le=10))
    share: float | None = field(default=None, metadata=doc("How much of the pot.", ge=0, le=1))
    milk: bool = field(default=False, metadata=doc("With milk."))
    lid: bool = field(default=True, metadata=doc("Leave the lid off."))
    cups: tuple[str, ...] = field(default=(), metadata=doc("A cup (repeat)."))
    notes: Mapping[str, str] = field(default_factory=dict, metadata=doc("What is written down."))
    window: tuple[int, int] | None = field(default=None, metadata=doc("From and to."))
    heat: str = field(default="low", metadata=doc("How hot.", choices=("low", "high")))


def typed(*words: str) -> tuple[int, str, list[Any]]:
    """A made-up verb's command with these words: its exit code, what was printed, the requests that came of them."""
    requests: list[Any] = []

    def brewed(given: Given) -> Any:
        requests.append(given.request)
        return {"ok": True}

    verb: Any = Verb("brew", "", "", "", "Brew a pot.", scope="local")
    verb.__dict__["request"] = BrewRequest
    made = typer.Typer(**front._SETTINGS)
    made.callback()(lambda: None)
    front.add(made, {}, Command("brew", verb, lambda reply, given: None, reply=brewed))
    result = CliRunner().invoke(made, ["brew", *words])
    return result.exit_code, result.output, requests


def test_a_field_of_a_request_is_an_option_without_a_word_about_it_here():
    words = ["green", "mint", "honey", "--minutes", "4", "--share", "0.5", "--milk", "--no-lid"]
    words += ["--cup", "a", "--cup", "b", "--note", "by=Ada", "--window", "1:2"]
    assert typed(*words, "--heat", "high")[2] == [
        BrewRequest(
            "green",
            also=("mint", "honey"),
            minutes=4,
            share=0.5,
            milk=True,
            lid=False,
            cups=("a", "b"),
            notes={"by": "Ada"},
            window=(1, 2),
            heat="high",
        )
    ]
    assert typed("green")[2] == [BrewRequest("green")]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Missing argument"),
        (["green", "--minutes", "11"], "less than or equal to 10"),
        (["green", "--minutes", "soon"], "valid integer"),
        (["green", "--heat", "warm"], "is not one of"),
    ],
)
def test_its_bounds_hold_where_it_is_typed(words: list[str], sentence: str):
    code, printed, requests = typed(*words)
    assert (code, requests) == (2, [])
    assert sentence in " ".join(printed.split())


def test_its_description_bounds_and_default_are_its_help():
    page = " ".join(typed("--help")[1].split())
    assert "LEAF <str> Which leaf. [required]" in page
    assert "--minutes N How long it draws. [default: 3; 1<=x<=10]" in page
    assert "--no-lid Leave the lid off." in page
    assert "--heat <low|high> How hot. [default: low]" in page
