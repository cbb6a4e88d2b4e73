"""Steps about what this machine's user hides or takes in: git's settings, and our own."""

import json

import pytest
from pytest_bdd import given, parsers

from features.phrase import phrase
from features.steps.folder import write
from features.world import World


@given(parsers.re(r"git's (?P<place>.+) on this machine says \"(?P<first>.+)\" and \"(?P<second>.+)\""))
def git_excludes(world: World, monkeypatch: pytest.MonkeyPatch, place: str, first: str, second: str) -> None:
    home = world.folder.parent / "home"
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    places = {
        "info/exclude": world.path(".git/info/exclude"),
        "usual file": home / ".config" / "git" / "ignore",
        "core.excludesFile": home / "own" / "ignored",
    }
    write(home / ".gitconfig", b"[include]\n\tpath = own.inc\n")
    if place == "core.excludesFile":
        write(home / "own.inc", b'[user]\n\tname = A [B] # c\n[core] ; x\n\tExcludesFile = "~/own/ignored" # mine\n')
    write(places[place], f"# mine\n\n{first}\n{second}\n".encode())


@given("this is a machine that builds")
def a_builder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")


@given(phrase('the user takes in what is hidden as "{first}" and "{second}"'))
def takes_in(world: World, monkeypatch: pytest.MonkeyPatch, first: str, second: str) -> None:
    monkeypatch.setenv("BIBLICUS_HIDDEN", json.dumps({str(world.folder): [first, second]}))


@given("the folder was made a corpus")
def made_a_corpus(world: World) -> None:
    world.do("init")
    world.do("ingest")
