"""Steps about two corpora with the same files: what they must have in common."""

import json
import shutil

from pytest_bdd import given, then

from features.steps.folder import write
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
