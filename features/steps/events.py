"""Steps about the event log: read from a cursor on, lost, and overtaken by another writer of the catalog."""

from pytest_bdd import given, then, when

from features.world import Table, World, same


@given("the events were read")
def were_read(world: World) -> None:
    world.names["cursor"] = world.do("events")["cursor"]


@given("the catalog was remembered")
def catalog_remembered(world: World) -> None:
    world.names["catalog"] = world.path(".biblicus/catalog.json").read_bytes()


@given("the catalog was put back")
def catalog_put_back(world: World) -> None:
    world.path(".biblicus/catalog.json").write_bytes(world.names["catalog"])


@when("the events are read")
def read(world: World) -> None:
    world.attempt("events")


@when("the events after those are read")
def read_on(world: World) -> None:
    world.attempt("events", after=world.names["cursor"])


@then("the events are")
def the_events_are(world: World, datatable: Table) -> None:
    same(world.value["events"], datatable)


@then("there are no events")
def no_events(world: World) -> None:
    assert world.value["events"] == []
    assert world.value["cursor"] == world.names["cursor"]
