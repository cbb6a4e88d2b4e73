"""The short way of a command means what the command means, or leaves it alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus import Corpus
from biblicus.connectors.cli.front import short_way
from biblicus.connectors.cli.front.app import run
from biblicus.errors import PlaceDown
from biblicus.models.requests.query import QueryRequest

TEXTS = st.sampled_from(
    ["moon", "two words", '"a phrase"', "-x", "--", "", "ŷ", "7", "0", "1.5", "--json", "lexical", "a=b", "2026-05"]
)
NAMES = """--recipe --run -n --limit --max-tokens --max-characters --max-per-source --tag --type --doctype --language
--path --where --since --until --source -C --corpus --at --timeout --json --help --nosuch -n5"""
OPTIONS = st.sampled_from(NAMES.split())
WORDS = st.lists(st.one_of(TEXTS, st.tuples(OPTIONS, TEXTS)), max_size=6).map(
    lambda parts: [word for part in parts for word in (part if isinstance(part, tuple) else (part,))]
)


class Listening:
    """An asker that keeps what it is asked, and where."""

    def __init__(self) -> None:
        self.kept: list[tuple[Any, Any, QueryRequest, bool]] = []

    def at(self, corpus: Any, at: Any, say: Any) -> Listening:
        self.place = corpus, at
        return self

    def ask(self, verb: Any, request: QueryRequest, call: Any) -> Any:
        self.kept.append((*self.place, request, call.deadline is None))
        raise PlaceDown("It", "only listens")


@settings(max_examples=150, deadline=None)
@given(words=WORDS)
def test_what_the_short_way_takes_the_command_takes_alike(words: list[str]):
    listening = Listening()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biblicus.service.askers.in_turn.asker_of", listening.at)
        code = short_way.ask(["query", *words])
        short = list(listening.kept)
        if code is None:
            assert short == []
            return
        assert run(["query", *words]) == code == 6
    assert listening.kept == short * 2
    assert len(short) == 1


NOT_PLAIN = """--help|query --help|query|query moon -n 0|query moon --nosuch x|query moon --timeout 0|list|
query moon --recipe a --run b|query moon --at|-C query moon|-C there list|-C there|query moon -n 5.5|query moon -n -1|
query moon --debug|init a b|init --help|init -C there|-C there init|reindex lexical|reindex --help|reindex --nosuch|
query moon --doctype nosuch|query moon --since yesterday|query moon --where author"""


@pytest.mark.parametrize("words", NOT_PLAIN.replace("\n", "").split("|"))
def test_what_is_not_plain_is_left_alone(words: str):
    assert short_way.read(words.split()) is None


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
    program += "for words in (['query', 'moon', '-n', '3'], ['init'], ['reindex']):\n"
    program += "    assert short_way.read(words)\n"
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
    folder.mkdir()
    (folder / "a\u202e.txt").write_text("The moon pulls the tides.\n\x1b[2J moon", "utf-8")
    (folder / "b.md").write_text("# Moon\n\nFar away.", "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
    return folder


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
