"""Steps about two corpora with the same files: what they must have in common."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

from pytest_bdd import given, then, when

from features.phrase import phrase
from features.steps.evidence import ranking
from features.steps.folder import write
from features.steps.questions import keep
from features.steps.runs import RUN_DIGESTS, manifest
from features.world import World


@given("another corpus with the same files, made in another order")
def a_twin(world: World) -> None:
    """Written in reverse, with other times, and catalogued one file at a time."""
    here, twin = world.folder, world.folder.parent / "twin"
    world.python.do(twin, "init")
    files = [path for path in here.rglob("*") if path.is_file() and ".biblicus" not in path.parts]
    for file in sorted(files, reverse=True):
        write(twin / file.relative_to(here), file.read_bytes())
        world.python.do(twin, "ingest")
    world.names["twin"] = twin


@then("both catalogs hold the same items, byte for byte")
def same_catalogs(world: World) -> None:
    here, twin = (
        (folder / ".biblicus/catalog.json").read_bytes().split(b"\n", 1)
        for folder in (world.folder, world.names["twin"])
    )
    assert here[1] == twin[1]
    one, other = (json.loads(head + b"]}") for head in (here[0], twin[0]))
    assert one.pop("digest") != other.pop("digest")
    assert one.pop("corpus_id") != other.pop("corpus_id")
    assert one == other
    shutil.rmtree(world.names["twin"])


@when("both are reindexed")
def reindex_both(world: World) -> None:
    (run,) = world.python.do(world.names["twin"], "reindex").value["runs"]
    world.names["twin run"] = run["run_id"]
    world.attempt("reindex")


@then("both runs have the same index version and chunks")
def same_runs(world: World) -> None:
    here = manifest(world, world.names["first"])
    there = manifest(replace(world, folder=world.names["twin"]), world.names["twin run"])
    assert [here[key] for key in RUN_DIGESTS] == [there[key] for key in RUN_DIGESTS]
    assert here["run_id"] != there["run_id"]


@then(phrase('both give the same evidence for "{question}"'))
def same_evidence(world: World, question: str) -> None:
    keep(world, question)
    there = world.python.do(world.names["twin"], "query", question).value
    own = ("run_id", "corpus_id")
    one, other = (
        [{key: value for key, value in piece.items() if key not in own} for piece in result["evidence"]]
        for result in (world.names["kept"], there)
    )
    assert one == other
    assert ranking(one)
