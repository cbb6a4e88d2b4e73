"""Steps about a cache that a team shares: in a folder, or in a cloud that lies in this process's memory."""

from __future__ import annotations

import json
import secrets
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_bdd import given, then, when

from biblicus.extraction.workers.pool import ExtractionPool
from biblicus.stores import shared_places
from biblicus.stores.shared import _Keys
from features.phrase import phrase
from features.steps.damage import flip
from features.steps.models import model
from features.world import Table, World

KEY = "the key of a team, of thirty-two characters at least"
RECIPES = ["lexical", "hybrid"]


def configure(world: World, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    world.names["setting"] = world.names.get("setting", {}) | changes
    monkeypatch.setenv("BIBLICUS_SHARED_CACHE", json.dumps(world.names["setting"]))


def entries(world: World) -> list[Path]:
    return sorted(path for path in Path(world.names["team"]).rglob("*") if not path.is_dir())


def clone(world: World, monkeypatch: pytest.MonkeyPatch, name: str) -> Path:
    """What git would bring, on a machine with another key of its own."""
    there = world.folder.parent / name / "corpus"
    shutil.copytree(world.folder, there, ignore=shutil.ignore_patterns("local"), copy_function=shutil.copyfile)
    monkeypatch.setenv("BIBLICUS_STATE_HOME", str(there.parent / "state"))
    return there


@given("what parsers do is counted")
def counted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = world.names["parsed"] = []
    extract = ExtractionPool.extract

    def counting(pool: ExtractionPool, jobs: Any) -> Iterator[Any]:
        wanted = list(jobs)
        parsed.extend(job.hint.path for job in wanted)
        yield from extract(pool, wanted)

    monkeypatch.setattr(ExtractionPool, "extract", counting)


@given("a shared cache")
def a_cache(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    team = tmp_path / "team"
    team.mkdir()
    monkeypatch.setenv("TEAM_KEY", KEY)
    world.names["team"] = team
    configure(world, monkeypatch, by="folder", path=str(team), seal_env="TEAM_KEY")


@given(phrase('a shared cache for the folder "{name}"'))
def a_cache_for(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    a_cache(world, monkeypatch, tmp_path)
    configure(world, monkeypatch, folders=[str(tmp_path / name)])


@given("a shared cache in the cloud")
def in_the_cloud(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("fsspec", reason="the extra [s3] is not installed")
    a_cache(world, monkeypatch, tmp_path)
    configure(world, monkeypatch, by="memory", path=f"team-{secrets.token_hex(4)}")


@given('runs of "lexical" and "hybrid" that share what they make')
def shared_runs(world: World) -> None:
    value = world.do("reindex", recipe=RECIPES)
    world.names["built"] = [run["run_id"] for run in value["runs"]]
    assert (value["shared"]["fetched"], value["shared"]["put"]) == (0, 6), value["shared"]
    forget(world)


def forget(world: World) -> None:
    world.names["parsed"].clear()
    model(world).embedded.clear()


@given("the entries of the shared cache were since, one after the other")
def altered(world: World, tmp_path: Path, datatable: Table) -> None:
    paths, aside = entries(world), tmp_path / "aside"
    bodies = [path.read_bytes() for path in paths]
    for number, (path, (how,)) in enumerate(zip(paths, datatable[1:], strict=True)):
        match how:
            case "changed by a bit":
                flip(path)
            case "cut short":
                path.write_bytes(bodies[number][:-1])
            case "emptied":
                path.write_bytes(b"")
            case "replaced by another":
                path.write_bytes(bodies[number - 1])
            case "sealed with another key":
                name = path.relative_to(world.names["team"]).as_posix()
                path.write_bytes(_Keys.of(KEY + "!").sealed(name, bodies[number][32:]))
            case "replaced by a link to it":
                path.rename(aside)
                path.symlink_to(aside)


@given("the key of the shared cache is another")
def another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAM_KEY", KEY + " of another team")


@when("the key of the shared cache is the first again")
def first_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAM_KEY", KEY)


@given(phrase("the bound of the shared cache is {size#} bytes"))
def bounded(world: World, monkeypatch: pytest.MonkeyPatch, size: str) -> None:
    configure(world, monkeypatch, bytes=int(size))


@given(phrase("the shared cache {trouble!}"))
def troubled(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, trouble: str) -> None:
    def failing(*_: object, **options: object) -> None:
        raise OSError(f"the cloud {trouble.rpartition('which ')[2]}")

    if trouble.startswith("is in the cloud"):
        from fsspec.implementations.memory import MemoryFileSystem

        shutil.rmtree(world.names["team"])
        in_the_cloud(world, monkeypatch, tmp_path)
        monkeypatch.setattr(MemoryFileSystem, "cat" if trouble.endswith("away") else "pipe", failing)
    match trouble:
        case "is away":
            shutil.rmtree(world.names["team"])
        case "has no key":
            monkeypatch.delenv("TEAM_KEY")
        case "has a key that is too short":
            monkeypatch.setenv("TEAM_KEY", "short")
        case "never answers":
            configure(world, monkeypatch, seconds=0.01)
            monkeypatch.setattr(shared_places.Folder, "read", lambda *_: threading.Event().wait(5))


@when('"lexical" and "hybrid" are built')
def built(world: World) -> None:
    forget(world)
    world.act("reindex", recipe=RECIPES)


@when("two machines build the corpus at the same time")
def two_builders(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.do("ingest")
    folders = [world.folder, clone(world, monkeypatch, "second")]
    outcomes: list[Any] = []
    builders = [
        threading.Thread(target=lambda at=at: outcomes.append(world.python.do(at, "reindex", recipe=RECIPES)))
        for at in folders
    ]
    for builder in builders:
        builder.start()
    for builder in builders:
        builder.join()
    assert [outcome.error for outcome in outcomes] == [None, None]


@then(phrase("another machine fetches {count#} entries"))
def another_machine(world: World, monkeypatch: pytest.MonkeyPatch, count: str) -> None:
    value = world.python.do(clone(world, monkeypatch, "third"), "reindex", recipe=RECIPES).value
    assert (value["shared"]["fetched"], value["shared"]["put"]) == (int(count), 0)


@then(phrase("parsers read {files#} files, and the model {texts#} texts"))
def read(world: World, files: str, texts: str) -> None:
    assert (len(world.names["parsed"]), len(model(world).embedded)) == (int(files), int(texts))


@then(phrase("{fetched#} entries were fetched, {put#} put and {refused#} refused"))
def came_of_it(world: World, fetched: str, put: str, refused: str) -> None:
    shared = world.value["shared"]
    assert [shared[key] for key in ("fetched", "put", "refused")] == [int(fetched), int(put), int(refused)], shared


@then("the built runs are those of the original")
def same_runs_as_before(world: World) -> None:
    assert [(run["built"], run["run_id"]) for run in world.value["runs"]] == [
        ("rematerialised", run_id) for run_id in world.names["built"]
    ]


@then("the built runs are complete")
def complete(world: World) -> None:
    assert [(run["chunks"], run.get("vector.unembedded", 0)) for run in world.value["runs"]] == [(4, 0)] * 2


@then(phrase("it is told that the shared cache {words!}"))
def told(world: World, words: str) -> None:
    assert words in world.value["shared"]["trouble"]


@then(phrase("the shared cache holds nothing but {count#} sealed entries of ours"))
def holds(world: World, count: str) -> None:
    keys, team = _Keys.of(KEY), world.names["team"]
    names = {path: path.relative_to(team).as_posix() for path in entries(world)}
    assert len(names) == int(count)
    assert all(keys.unsealed(name, path.read_bytes()) is not None for path, name in names.items())
    assert not any(path.is_symlink() for path in names)
