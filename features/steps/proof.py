"""Steps that prove evidence against the corpus, and forge it."""

import hashlib
import json
from typing import Any

from pytest_bdd import given, then, when

from features.phrase import phrase
from features.steps.evidence import pieces
from features.world import World


def verdicts(world: World, document: bytes) -> Any:
    """What verifying a document gives, without making it the last act."""
    path = world.folder.parent / "evidence.json"
    path.write_bytes(document)
    return world.do("verify", str(path))


def moon(world: World) -> dict[str, Any]:
    """The one kept piece of evidence."""
    (piece,) = world.names["kept"]["evidence"]
    found: dict[str, Any] = piece
    return found


@given(phrase('its "{field}" was changed to "{value}"'))
def changed(world: World, field: str, value: str) -> None:
    if field == "locator":
        moon(world)[field]["label"] = value
    else:
        moon(world)[field] = int(value) if field.startswith(("span", "line", "page")) else value


@given("its text was forged, and its hash fitted")
def forged(world: World) -> None:
    piece = moon(world)
    piece["text"] = piece["text"].replace("moon", "sun!")
    piece["hash"] = hashlib.sha256(piece["text"].encode()).hexdigest()


@given("the evidence kept is instead")
def kept_is_instead(world: World, docstring: str) -> None:
    world.names["kept"] = docstring


@when("the evidence is verified")
def verify(world: World) -> None:
    path = world.folder.parent / "evidence.json"
    kept = world.names["kept"]
    path.write_text(kept if isinstance(kept, str) else json.dumps(kept), "utf-8")
    world.attempt("verify", str(path))


@then(phrase('it is "{status}", because "{reason}"'))
def verdict_is(world: World, status: str, reason: str) -> None:
    (verdict,) = pieces(world)
    assert (verdict["status"], world.value["ok"]) == (status, status in ("ok", "moved"))
    assert reason in verdict["reason"]


@then("the evidence verifies")
def the_evidence_verifies(world: World) -> None:
    assert pieces(world)
    found = verdicts(world, json.dumps(world.value).encode())
    assert {verdict["status"] for verdict in found["evidence"]} == {"ok"}


@then("the evidence kept verifies")
def the_kept_verifies(world: World) -> None:
    assert verdicts(world, json.dumps(world.names["kept"]).encode())["ok"] is True
