"""The short way of a command means what the command means, or leaves it alone."""

import gc
import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as given_by
from hypothesis import strategies as st
from typer.main import get_command

from biblicus import Corpus
from biblicus.connectors.cli.front import app as front
from biblicus.connectors.cli.front import short_way
from biblicus.connectors.cli.front.app import run
from biblicus.connectors.cli.front.commands import Command, Given, commands
from biblicus.connectors.cli.front.options import Option
from biblicus.models.requests.query import QueryRequest
from tests.folders import corpus_of
from tests.front_door import biblicus
from tests.sampling import each, examples

COMMANDS = list(commands())
TEXTS = ["moon", "two words", "-x", "-", "--", "", "ŷ", "7", "0", "1.5", "--json", "lexical", "a=b", "2026-05", "1:2"]
_OF_FORM = {
    "number": "2",
    "decimal": "0.5",
    "range": "1:2",
    "pairs": "a=b",
    "places": "*.md=doc",
    "shares": "lexical=1",
}


@cache
def parser(name: str | None, app: Callable[[str | None], Any] = front.app) -> Any:
    """Made once: it costs more than all that it reads."""
    return get_command(app(name))


class Heard:
    """The command line that does nothing: what it was to do, by either way."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._kept: list[Any] = []
        patch.setattr(front, "app", parser)
        patch.setattr(Given, "run", lambda given: self._keep(given))

    def _keep(self, given: Given) -> int:
        known = {option.name: option.default for option in given.command.options}
        values = {  # what Typer fills in, a request knows by itself
            name: value for name, value in given.values.items() if value not in (None, False, [], known[name])
        }
        self._kept.append((given.command.words, values, given.common, given.corpus, given.call.deadline is None))
        return 9

    def by(self, way: Callable[[Sequence[str]], int | None], words: Sequence[str]) -> Any:
        """The command with all that was given to it; None where it was not come to."""
        self._kept.clear()
        code = way(words)
        assert (code == 9) is bool(self._kept)
        return self._kept[0] if self._kept else None


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    return Heard(monkeypatch)


def value(option: Option) -> str:
    return option.choices[0] if option.choices else _OF_FORM.get(option.form, "moon")


def given(option: Option) -> list[str]:
    """The option with a value of its kind."""
    return [*option.flags[-1:], *([] if option.form == "flag" else [value(option)])]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.words)
def test_each_option_of_each_command_is_read_alike(heard: Heard, command: Command):
    needed = [word for option in command.options if option.must_be_given for word in given(option)]
    start = [*command.words.split(), *needed]
    read = 0
    for option in [None, *command.options]:
        words = [*start, *(given(option) if option and not (option.must_be_given and option.flags) else [])]
        short = heard.by(short_way.ask, words)
        if short is not None:
            assert heard.by(run, words) == short, words
            read += 1
    assert read > len(command.options) / 2


@settings(max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given_by(drawn=st.data(), command=st.sampled_from(COMMANDS))
def test_what_the_short_way_takes_the_command_takes_alike(heard: Heard, drawn: st.DataObject, command: Command):
    flags = [flag for option in command.options for flag in option.flags]
    words = drawn.draw(st.lists(st.sampled_from([*flags, *TEXTS, "--help", "--nosuch", "-n5", "-C"]), max_size=7))
    words = [*command.words.split(), *words]
    short = heard.by(short_way.ask, words)
    assert short is None or heard.by(run, words) == short


def test_a_long_command_looks_for_its_garbage(heard: Heard):
    for words, is_looked_for in ((["query", "moon"], False), (["reindex"], False), (["serve"], True), (["list"], True)):
        gc.disable()
        try:
            assert heard.by(short_way.ask, words)
            assert gc.isenabled() is is_looked_for
        finally:
            gc.enable()


NOT_PLAIN = """--help|query --help|query|query moon -n 0|query moon --nosuch x|query moon --timeout 0|
query moon --at|-C query moon|-C there|query moon -n 5.5|query moon -n -1|
query moon --debug|init a b|init --help|init -C there|-C there init|reindex lexical|runs|runs nosuch|
weight set a.txt|tag a.txt -x|weight set a.txt high|reindex --help|reindex --nosuch"""


@each("words", NOT_PLAIN.replace("\n", "").split("|"))
def test_what_is_not_plain_is_left_alone(words: str):
    assert short_way.read(words.split()) is None


def test_what_is_empty_is_left_alone():
    assert short_way.read(["-C", "there", "query", "moon", "--corpus", ""]) is None


REFUSED = """query moon --recipe a --run b|query moon --doctype nosuch|query moon --since yesterday|
query moon --where author|get a.txt --lines x|weight set a.txt 99|eval|tune a --over k=|
sources add here --to nosuch|runs keep|personas show"""


@pytest.mark.parametrize("words", REFUSED.replace("\n", "").split("|"))
def test_what_is_refused_is_refused_in_the_same_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, words: str
):
    monkeypatch.chdir(tmp_path)
    Corpus.init(tmp_path).close()
    by_typer = run(words.split()), capsys.readouterr()
    assert by_typer[0] != 0
    assert (biblicus(words.split()), capsys.readouterr()) == by_typer


def test_a_plain_question_is_taken():
    words = "query who pulls -n 3 --tag a --tag b --where author=Ada --at daemon --timeout 2.5 --json"
    plain = short_way.read(words.split())
    assert plain is not None
    assert plain.request == QueryRequest("who pulls", limit=3, tag=("a", "b"), where={"author": "Ada"})
    assert (plain.common.at, plain.common.json, plain.call.deadline is None) == ("daemon", True, False)


@pytest.mark.parametrize("words", ["reindex --recipe hybrid --fresh", "-C there reindex --json", "init a --name Tides"])
def test_what_builds_is_taken_too(words: str):
    plain = short_way.read(words.split())
    assert plain is not None
    given = plain.own if plain.command.words == "init" else plain.request
    fields = {name: getattr(given, name) for name in ("recipes", "fresh", "path", "name") if getattr(given, name, None)}
    expected: dict[str, dict[str, Any]] = {
        "reindex --recipe hybrid --fresh": {"recipes": ("hybrid",), "fresh": True},
        "-C there reindex --json": {},
        "init a --name Tides": {"path": "a", "name": "Tides"},
    }
    assert fields == expected[words]
    assert (plain.corpus, plain.common.json) == (("there", True) if words.startswith("-C") else (None, False))


def test_it_is_read_without_a_parser_or_a_validator():
    program = "import sys\nfrom biblicus.connectors.cli.front import short_way\n"
    program += "for words in ('query moon -n 3', 'init', 'reindex', 'list', 'runs list', 'tag a +b', 'answer who'):\n"
    program += "    assert short_way.read(words.split())\n"
    program += "print(sorted({'typer', 'click', 'pydantic', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus with a run, for a user without settings."""
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("BIBLICUS_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("BIBLICUS_AT", raising=False)
    folder = tmp_path / "corpus"
    return corpus_of(folder, {"a\u202e.txt": "The moon pulls the tides.\n\x1b[2J moon", "b.md": "# Moon\n\nFar away."})


@pytest.mark.parametrize("words", ["-C {0} query moon", "--corpus {0} query moon", "-C nowhere query moon -C {0}"])
def test_the_corpus_may_be_named_before_the_command(folder: Path, capsys: Any, words: str):
    for way in (short_way.ask, run):
        assert way(words.format(folder).split()) == 0
    assert capsys.readouterr().out.count("b.md") == 2


@pytest.mark.parametrize(
    "options", [[], ["--json"], ["-n", "1"], ["--path", "*.txt", "--at", "local"], ["--where", "author=Ada"]]
)
def test_a_question_here_prints_what_the_command_prints(folder: Path, capsys: Any, options: list[str]):
    words = ["query", "moon", "-C", str(folder), *options]
    printed = []
    for way in (short_way.ask, run):
        assert way(words) == 0
        printed.append(re.sub(r'in \d+ ms|"timings": \{[^}]*\}', "", capsys.readouterr().out))
    assert printed[0] == printed[1]
    assert ("moon" in printed[0].lower()) is not ("--where" in options)


@pytest.mark.parametrize("options", ["--recipe nosuch", "--run nosuch", "--at http://127.0.0.1:9", ""])
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_an_error_is_said_once_and_as_the_command_says_it(
    folder: Path, tmp_path: Path, capsys: Any, options: str, as_json: list[str]
):
    words = ["query", "moon", "-C", str(folder if options else tmp_path), *options.split(), *as_json]
    outputs = []
    for way in (short_way.ask, run):
        code = way(words)
        out, err = capsys.readouterr()
        outputs.append((code, out, err))
        assert code in (3, 6)
        assert out == ""
        assert len(err.splitlines()) == 1
        assert not as_json or set(json.loads(err)["error"]) == {"code", "message", "hint"}
    assert outputs[0] == outputs[1]


def test_what_is_measured_is_measured_on_the_short_way_too(folder: Path, monkeypatch: pytest.MonkeyPatch):
    observed: list[str] = []
    monkeypatch.setattr("biblicus.connectors.cli.front.commands.observe", lambda: observed.append("observed"))
    assert short_way.ask(["query", "moon", "-C", str(folder)]) == 0
    assert observed == ["observed"]
