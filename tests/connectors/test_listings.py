"""Every command that lists takes `-n`, found in the command line's own table."""

import json
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from biblicus.connectors.cli.front.commands import HOMES, Command, commands
from tests.folders import corpus_of
from tests.front_door import biblicus

EVERY = {command.words: command for words in HOMES.values() for word in words for command in commands(word)}
CHECKS = {"personas check"}
"""Their exit code is about all entries."""


def lists(command: Command) -> bool:
    """Return true if a command that needs no argument replies with entries."""
    if command.words.rpartition(" ")[2] in ("list", "log", "logs"):
        return True
    if command.verb is None or command.verb.scope != "read" or any(option.must_be_given for option in command.options):
        return False
    reply = command.verb.reply
    return is_dataclass(reply) and any(
        str(entry.type).startswith("tuple[") and str(entry.type)[6].isupper() for entry in fields(reply)
    )


LISTINGS = sorted(words for words, command in EVERY.items() if lists(command) and words not in CHECKS)


@pytest.mark.parametrize("words", LISTINGS)
def test_it_takes_a_bound(words: str) -> None:
    assert any("-n" in option.flags for option in EVERY[words].options)


def test_the_listings_are_found() -> None:
    assert {"list", "tree", "facets", "publications", "datasets list", "sources list", "token list"} <= set(LISTINGS)


@pytest.mark.parametrize(("words", "entries"), [("recipes list", "recipes"), ("models list", "models")])
def test_it_is_bounded_as_text_and_as_json(
    words: str, entries: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus_of(tmp_path, {"a.txt": "Tides.\n", "b.txt": "Moon.\n"})
    assert biblicus(["-C", str(tmp_path), *words.split(), "-n", "1", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)[entries]) == 1
    assert biblicus(["-C", str(tmp_path), *words.split(), "-n", "1"]) == 0
    assert "more" in "".join(capsys.readouterr())
