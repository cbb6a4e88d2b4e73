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
