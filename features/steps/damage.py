"""Steps that damage a corpus, check it and repair it."""

import json
import re
import shutil
from pathlib import Path

from pytest_bdd import given, then

from biblicus.models.digest import digest
from features.phrase import phrase
from features.steps.folder import write
from features.world import World


def flip(path: Path) -> None:
    """One bit, in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def of_run(world: World, pattern: str) -> Path:
    """The largest file of the first run's materialization that fits."""
    folder = world.path(".biblicus/local/index") / world.names["first"]
    return max(folder.glob(pattern), key=lambda path: path.stat().st_size)


@given(phrase('a byte of "{path}" was flipped'))
def flipped(world: World, path: str) -> None:
    flip(world.path(path))


@given("a byte of the run's index was flipped")
def index_flipped(world: World) -> None:
    flip(of_run(world, "lexical/*.term"))


@given("a byte of the vectors was flipped")
def vectors_flipped(world: World) -> None:
    (path,) = world.path(".biblicus/local/vectors").glob("*/*.f32")
    flip(path)


@given("a byte of the run's manifest was flipped")
def manifest_flipped(world: World) -> None:
    flip(world.path(f".biblicus/runs/{world.names['first']}.json"))


@given(phrase('the manifest of "{name}" was lost, as if the writer died just before'))
def manifest_lost(world: World, name: str) -> None:
    world.path(f".biblicus/runs/{world.names[name]}.json").unlink()
    catalog = world.path(".biblicus/catalog.json")
    catalog.write_text(catalog.read_text("utf-8").replace(world.names[name], world.names["first"]), "utf-8")


@given(phrase('the manifest of "{name}" was lost'))
def manifest_only_lost(world: World, name: str) -> None:
    world.path(f".biblicus/runs/{world.names[name]}.json").unlink()


@given("a cached text was damaged")
def cached_text_damaged(world: World) -> None:
    write(world.path(".biblicus/local/cache/extractions/0123.json"), b'{"text": "noise"}\n')


@given("the event log was damaged")
def event_log_damaged(world: World) -> None:
    path = min(world.path(".biblicus/local/events").glob("*.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"item", b"noise", 1))


@given(phrase('"{path}" was cut short'))
def cut_short(world: World, path: str) -> None:
    data = world.path(path).read_bytes()
    world.path(path).write_bytes(data[: len(data) // 2])


@given(phrase('a line of "{path}" stands twice'))
def line_twice(world: World, path: str) -> None:
    lines = world.path(path).read_bytes().splitlines(keepends=True)
    world.path(path).write_bytes(b"".join([*lines[:2], *lines[1:]]))


@given(phrase('"{path}" says "schema_version": {version#}'))
def schema_version(world: World, path: str, version: str) -> None:
    text = world.path(path).read_text("utf-8")
    world.path(path).write_text(re.sub(r'("schema_version": )\d+', rf"\g<1>{version}", text, count=1), "utf-8")


@given(phrase('".biblicus/catalog.json" names the path "{path}"'))
def hostile_path(world: World, path: str) -> None:
    catalog = world.path(".biblicus/catalog.json")
    catalog.write_text(catalog.read_text("utf-8").replace('"path":"tides.txt"', f'"path":"{path}"'), "utf-8")


@given(phrase('the folder "{path}" was since replaced by a link to the one outside'))
def replaced_by_link(world: World, path: str) -> None:
    world.outside.mkdir()
    shutil.rmtree(world.path(path))
    world.path(path).symlink_to(world.outside)


@given(phrase('the manifest of "{name}" names the engine "{engine}"'))
def hostile_manifest(world: World, name: str, engine: str) -> None:
    path = world.path(f".biblicus/runs/{world.names[name]}.json")
    path.write_text(path.read_text("utf-8").replace('"tantivy"', f'"{engine}"'), "utf-8")


@given(phrase('the manifest of "{name}" reranks by "{reranker}"'))
def former_reranker(world: World, name: str, reranker: str) -> None:
    path = world.path(f".biblicus/runs/{world.names[name]}.json")
    manifest = json.loads(path.read_text("utf-8"))
    del manifest["digest"]
    manifest["recipe"]["query"]["rerank"] = {"by": reranker}
    path.write_text(json.dumps({**manifest, "digest": digest(manifest)}, indent=1), "utf-8")


@given("a writer died while it built a run")
def dead_writer(world: World) -> None:
    write(world.path(".biblicus/local/index/20990101T000000Z-lexical-000000.tmp/tables.db"), b"half")
    write(world.path(".biblicus/.biblicus-tmp-0123456789ab"), b"half")


@then(phrase('it says of what it repaired "{text}"'))
def says_what_it_repaired(world: World, text: str) -> None:
    first = world.names.get("first", "first")
    said = [re.sub(r"\b[0-9a-f]{16}\b", "X", line.replace(first, "first")) for line in world.value["repaired"]]
    assert said == text.split("; ")
