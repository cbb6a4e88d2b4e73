"""The short way of a question means what the command means, or leaves it alone."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biblicus import Corpus
from biblicus.connectors.cli import express
from biblicus.connectors.cli.app import run
from biblicus.errors import PlaceDown
from biblicus.models.question import Query

TEXTS = st.sampled_from(["moon", "two words", '"a phrase"', "-x", "--", "", "ŷ", "7", "0", "--json", "lexical", "a=b"])
NAMES = """--recipe --run -n --limit --max-tokens --max-characters --max-per-source --tag --type --doctype --language
--path --where -C --corpus --at --json --help --nosuch -n5"""
OPTIONS = st.sampled_from(NAMES.split())
WORDS = st.lists(st.one_of(TEXTS, st.tuples(OPTIONS, TEXTS)), max_size=6).map(
    lambda parts: [word for part in parts for word in (part if isinstance(part, tuple) else (part,))]
)


class Asked(Exception):
    """Stands where the answer would begin."""


class Listening:
    """A reader that keeps what it is asked."""

    def __init__(self, kept: list[Query]) -> None:
        self._kept = kept

    def query(self, query: Query, call: Any) -> Any:
        self._kept.append(query)
        raise PlaceDown("It", "only listens")


@settings(max_examples=150, deadline=None)
@given(words=WORDS)
def test_what_the_short_way_takes_the_command_takes_alike(words: list[str]):
    said = express.parse(["query", *words])
    if said is None:
        return
    kept: list[Query] = []
    places: list[tuple[Any, Any]] = []

    def reading(corpus: Any, at: Any, say: Any) -> Listening:
        places.append((corpus, at))
        return Listening(kept)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("biblicus.service.askers.in_turn.reading", reading)
        code = run(["query", *words])
    if kept:
        assert kept == [express.query_of(said)]
        assert places == [(said.get("corpus") or None, said.get("at"))]
    else:  # a mistake that only the command knows: the daemon refuses it too, and the command says so
        assert code == 2
        assert {"doctype", "limit"} & set(said)


NOT_PLAIN = """--help|query --help|query|query moon -n 0|query moon --nosuch x|query moon --timeout 3|list|
query moon --recipe a --run b|query moon --at|-C there query moon|query moon -n 5.5|query moon -n -1"""


@pytest.mark.parametrize("words", NOT_PLAIN.replace("\n", "").split("|"))
def test_what_is_not_plain_is_left_alone(words: str):
    assert express.parse(words.split()) is None


def test_a_plain_question_is_taken():
    said = express.parse(["query", "who", "pulls", "-n", "3", "--tag", "a", "--tag", "b", "--at", "daemon", "--json"])
    assert said is not None
    query = express.query_of(said)
    assert (query.text, query.items, query.filters.tags, said["at"]) == ("who pulls", 3, ("a", "b"), "daemon")


def test_a_question_to_another_place_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BIBLICUS_AT", raising=False)
    for place in ([], ["--at", "local"], ["--at", "http://127.0.0.1:9"], ["--at", "daemon,local"]):
        assert express.ask(["query", "moon", *place]) is None


@pytest.mark.parametrize("options", [[], ["--json"], ["-n", "1"], ["--path", "*.txt", "--at", "local"]])
def test_a_question_here_prints_what_the_command_prints(tmp_path, monkeypatch, capsys, options: list[str]):
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("BIBLICUS_AT", raising=False)
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a\u202e.txt").write_text("The moon pulls the tides.\n\x1b[2J moon", "utf-8")
    (folder / "b.md").write_text("# Moon\n\nFar away.", "utf-8")
    with Corpus.init(folder) as corpus:
        corpus.reindex()
    words = ["query", "moon", "-C", str(folder), *options]
    printed = []
    for way in (express.ask, run):
        assert way(words) == 0
        printed.append(re.sub(r'in \d+ ms|"timings": \{[^}]*\}', "", capsys.readouterr().out))
    assert printed[0] == printed[1]
    assert "moon" in printed[0].lower()


def test_a_mistake_here_is_left_to_the_command(tmp_path):
    assert express.ask(["query", "moon", "-C", str(tmp_path)]) is None
    assert express.ask(["query", "moon", "-C", str(tmp_path), "--doctype", "nosuch"]) is None
