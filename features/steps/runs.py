"""Steps about runs: sealed, compared, verified, pruned."""

import base64
import errno
import json
import random
from typing import Any

import pytest
from pytest_bdd import given, then, when

from biblicus.disk import files
from features.phrase import phrase
from features.shelf import Shelf
from features.world import Table, World, same

RUN_DIGESTS = ("corpus_digest", "chunks_digest", "index_version", "components", "counts")


def newest(world: World) -> str:
    """The id of the run that was built last."""
    return str(world.do("runs list")["runs"][-1]["run_id"])


def manifest(world: World, run_id: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(world.path(f".biblicus/runs/{run_id}.json").read_text("utf-8"))
    return found


@given(phrase('a sealed run "{name}"'))
def a_sealed_run(world: World, shelf: Shelf, name: str) -> None:
    a_sealed_run_of(world, shelf, name, "lexical")


@given(phrase('a sealed run "{name}" of the recipe "{recipe}"'))
def a_sealed_run_of(world: World, shelf: Shelf, name: str, recipe: str) -> None:
    """A first run may be one that was sealed for another scenario, unless a model here wants to see what it embeds."""

    def seal() -> None:
        (run,) = world.do("reindex", recipe=recipe)["runs"]
        world.names[name] = run["run_id"]

    first = not any(world.path(".biblicus/runs").glob("*"))
    shelf.start(world, seal, name, recipe) if first and "model" not in world.names else seal()


@given(phrase('the manifest of "{name}" is remembered'))
def manifest_remembered(world: World, name: str) -> None:
    world.names["manifest"] = world.path(f".biblicus/runs/{world.names[name]}.json").read_bytes()


@given("corpora of any size are built incrementally")
def incremental(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size under which building fresh is as fast would take minutes to reach here."""
    monkeypatch.setattr("biblicus.runs.reindex.FRESH_BELOW", 0)


@given(phrase('the file "{path}" holds {count#} lines of base64 between "{before}" and "{after}"'))
def bytes_in_letters(world: World, path: str, count: str, before: str, after: str) -> None:
    coded = base64.encodebytes(random.Random(1).randbytes(57 * int(count))).decode()
    world.path(path).write_text(f"{before}\n\n{coded}\n{after}\n")


@when("the corpus is reindexed while the disk is full")
def reindex_on_a_full_disk(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files, "sync_tree", full)
        world.attempt("reindex")


@given("a reindex failed for want of room")
def a_failed_reindex(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    reindex_on_a_full_disk(world, monkeypatch)
    assert world.error["code"] == "storage_failed"


@then("the runs are")
def the_runs_are(world: World, datatable: Table) -> None:
    """Of the last reindex, in the order of recipes."""
    found = [{"recipe": run["recipe_id"].rpartition("-")[0], **run} for run in world.value["runs"]]
    same(sorted(found, key=lambda run: run["recipe"]), datatable)


@then(phrase('the latest run is still "{name}"'))
def latest_run(world: World, name: str) -> None:
    (latest,) = world.do("stats")["runs"].values()
    assert latest["run_id"] == world.names[name]


@then(phrase('the manifest of "{name}" names the component "{component}" with "{part}"'))
def manifest_component(world: World, name: str, component: str, part: str) -> None:
    assert part in manifest(world, world.names[name])["components"][component]


@then("its manifest names what it was built from and with")
def manifest_in_full(world: World) -> None:
    found = manifest(world, newest(world))
    stats = world.do("stats")
    assert (found["corpus_id"], found["corpus_digest"]) == (stats["corpus_id"], stats["corpus_digest"])
    assert found["recipe"]["build"]["chunking"]["default"] == {"by": "paragraphs", "tokens": 320, "overlap": 0} | (
        {"cross_pages": False}
    )
    assert {"chunks", "chunking.default", "extraction.text", "lexical.tantivy"} <= set(found["components"])
    assert found["sizes"]["lexical"] > 0


@then(phrase('the manifest of the new run names "{name}" as its parent'))
def parent(world: World, name: str) -> None:
    assert manifest(world, newest(world))["parent_run_id"] == world.names[name]


@then(phrase('the new run has the index version and chunks of "{name}"'))
def same_digests_as(world: World, name: str) -> None:
    new, old = manifest(world, newest(world)), manifest(world, world.names[name])
    assert new["run_id"] != old["run_id"]
    assert [new[key] for key in RUN_DIGESTS] == [old[key] for key in RUN_DIGESTS]


@then(phrase('the manifest of "{name}" is the very same'))
def manifest_is_the_same(world: World, name: str) -> None:
    assert world.path(f".biblicus/runs/{world.names[name]}.json").read_bytes() == world.names["manifest"]
