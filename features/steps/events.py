"""Steps about the event log: read from a cursor on, lost, and overtaken by another writer of the catalog."""

from pytest_bdd import given, then

from features.world import World


@given("the events were read")
def were_read(world: World) -> None:
    world.names["cursor"] = world.do("events")["cursor"]


@given("the catalog was remembered")
def catalog_remembered(world: World) -> None:
    world.names["catalog"] = world.path(".biblicus/catalog.json").read_bytes()


@given("the catalog was put back")
def catalog_put_back(world: World) -> None:
    world.path(".biblicus/catalog.json").write_bytes(world.names["catalog"])


@then("there are no events")
def no_events(world: World) -> None:
    assert world.value["events"] == []
    assert world.value["cursor"] == world.names["cursor"]
