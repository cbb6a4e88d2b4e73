"""Steps that take a corpus to another machine: clones, copies, twins, and what was forged on the way."""

import shutil
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import given, then

from biblicus.stores.filling import packed
from biblicus.stores.packing import WINDOW
from features.world import World


def committed(folder: Path) -> dict[str, bytes]:
    """What git would hold of a corpus."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".biblicus/local/" not in path.as_posix()
    }


def go(world: World, monkeypatch: pytest.MonkeyPatch, *left: str) -> None:
    """A copy of the folder without some files, and another machine's key and clock of files."""
    world.names["all"] = world.python.do(world.folder, "query", "gulls at ebb").value
    there = world.folder.parent / "there" / "corpus"
    shutil.copytree(world.folder, there, ignore=shutil.ignore_patterns(*left), copy_function=shutil.copyfile)
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(world.folder.parent / "there" / "state"))
    world.names["original"], world.folder = world.folder, there


@given("we are in a clone of the corpus, on another machine")
def a_clone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    go(world, monkeypatch, "local")


@given("we are in a copy of the whole folder, on another machine")
def a_copy(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    go(world, monkeypatch)


@given("a text in the run's tables was forged")
def forged_tables(world: World) -> None:
    with sqlite3.connect(world.path(f".biblicus/local/index/{world.names['first']}/tables.db")) as tables:
        ((block, held),) = tables.execute("SELECT block, packed FROM texts")
        text = zlib.decompress(held, WINDOW)
        assert b"moon" in text
        forged = packed(text.replace(b"moon", b"noon"))
        assert tables.execute("UPDATE texts SET packed = ? WHERE block = ?", (forged, block)).rowcount == 1


@given("the stamps claim other digests")
def forged_stamps(world: World) -> None:
    for name in ("stamps.json", "scan.json"):
        path = world.path(f".biblicus/local/{name}")
        path.write_bytes(path.read_bytes().replace(b"tides.txt", b"other.txt"))


@then("every committed file is as it was")
def as_committed(world: World) -> None:
    assert committed(world.folder) == committed(world.names["original"])


@then("the catalog is that of the original")
def catalog_of_the_original(world: World) -> None:
    world.close()
    assert (
        world.path(".biblicus/catalog.json").read_bytes()
        == (world.names["original"] / ".biblicus/catalog.json").read_bytes()
    )


@then("the evidence is that of the original")
def evidence_of_the_original(world: World) -> None:
    """Run ids too: it is the same run."""
    assert world.value["evidence"]
    assert without_times(world.value) == without_times(world.names["all"])


def without_times(result: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in result.items() if key != "timings"}


@then("no committed file holds the path of the folder or of the one outside")
def nothing_of_the_machine(world: World) -> None:
    place = str(world.folder.parent).encode()
    assert [path for path, data in committed(world.folder).items() if place in data] == []


@then("no evidence does")
def no_evidence_does(world: World) -> None:
    assert world.value["evidence"]
    assert str(world.folder.parent) not in str(world.value)
