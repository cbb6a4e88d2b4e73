"""Steps about saved questions."""

from xml.etree import ElementTree

from pytest_bdd import then

from features.phrase import phrase
from features.world import Table, World, same

_ATOM = "{http://www.w3.org/2005/Atom}"


@then(phrase('the alert "{name}" told'))
def told(world: World, name: str, datatable: Table) -> None:
    (alert,) = [alert for alert in world.do("alerts list")["alerts"] if alert["name"] == name]
    same(alert["told"], datatable)
    same([event for event in world.value["events"] if event.get("alert") == name], datatable)


@then(phrase('the feed of "{name}" has them'))
def feed_has(world: World, name: str) -> None:
    feed = ElementTree.fromstring(world.do("alerts feed", name)["xml"])
    told = [event for event in world.value["events"] if event.get("alert") == name]
    entries = [
        (entry.findtext(f"{_ATOM}title"), entry.findtext(f"{_ATOM}content")) for entry in feed.iter(f"{_ATOM}entry")
    ]
    assert entries == [(f"{event['title']}, {event['place']}", event["text"]) for event in told]


@then(phrase('there is no event "{kind}"'))
def no_event(world: World, kind: str) -> None:
    assert kind not in [event["event"] for event in world.value["events"]]
