"""Steps about how much a result holds, and what was left out."""

from pytest_bdd import then

from features.phrase import phrase
from features.steps.evidence import pieces
from features.world import World, listed


@then(phrase("{count#} {word} returned"))
def so_many(world: World, count: str, word: str) -> None:
    assert len(pieces(world)) == int(count)
    assert world.value["budget"]["used"]["items"] == int(count)


@then(phrase('what was dropped names "{reason}"'))
def dropped(world: World, reason: str) -> None:
    found = {entry["reason"] for entry in world.value["budget"]["dropped"]}
    assert found == set(listed(reason.replace("-", "")))


@then(phrase("the evidence holds at most {count#} characters"))
def at_most_characters(world: World, count: str) -> None:
    total = sum(len(piece["text"]) for piece in pieces(world))
    assert 0 < total <= int(count)
    assert world.value["budget"]["used"]["characters"] == total


@then(phrase('the budget says it used at most {count#} "{unit}"'))
def used_at_most(world: World, count: str, unit: str) -> None:
    assert 0 < world.value["budget"]["used"][unit] <= int(count) == world.value["budget"]["asked"][unit]
