"""Steps about trust in layers: promoted, retracted, pending, published."""

import base64
import hashlib
import json
import re
import shutil
import textwrap
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from features.phrase import phrase
from features.steps.evidence import pieces
from features.steps.folder import write
from features.world import World


@given("the layers")
def the_layers(world: World, docstring: str) -> None:
    """In the configuration, in the place of those that were there."""
    path = world.path(".biblicus/config.yml")
    before = re.sub(r"^layers:\n(  .*\n)*", "", path.read_text("utf-8"), flags=re.MULTILINE)
    path.write_text(before + "layers:\n" + textwrap.indent(docstring, "  ") + "\n", "utf-8")


@given(phrase('"{item}" was promoted to "{layer}"'))
def was_promoted(world: World, item: str, layer: str) -> None:
    world.names.setdefault("items", world.items())
    world.do("promote", item, to=layer)


@given("nothing was indexed")
def nothing_was_indexed() -> None:
    """The run is the one from before."""


@given(phrase('"{question}" was asked of the layer "{layer}", and the evidence kept'))
def kept_of_layer(world: World, question: str, layer: str) -> None:
    world.names["kept"] = world.do("query", question, layer=layer)


@given("its bytes lie among those that were approved")
def among_approved(world: World) -> None:
    data = world.path("published/lamp.md").read_bytes()
    write(world.path(f".biblicus/approved/{hashlib.sha256(data).hexdigest()}"), base64.encodebytes(data))


@given("the log of promotions was damaged")
def damaged_log(world: World) -> None:
    path = world.path(".biblicus/editorial.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"promoted"', b'"reviewed"'))


@when(phrase('"{item}" is promoted to "{layer}"'))
def promote(world: World, item: str, layer: str) -> None:
    world.names.setdefault("items", world.items())
    world.attempt("promote", item, to=layer)


@when("the editorial status is asked")
def ask_status(world: World) -> None:
    world.do("ingest")
    world.attempt("editorial status")


@then(phrase('the outcome is "{outcome}", and its path "{path}"'))
def outcome_is(world: World, outcome: str, path: str) -> None:
    assert (world.value["outcome"], world.value["path"]) == (outcome, path)


def log(world: World) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = world.do("editorial log")["events"]
    return events


@then(parsers.re(r"the log has (?P<count>\d+) lines?"))
def the_log_has(world: World, count: str) -> None:
    assert world.value
    assert len(log(world)) == int(count)


@then(phrase('the item\'s id is that of "{path}" before'))
def same_id(world: World, path: str) -> None:
    assert world.value["item_id"] == world.names["items"][path]["item_id"]
    assert world.value["item_id"] == world.items()[world.value["path"]]["item_id"]


@then(phrase('it is refused as "{code}", since "{reason!}"'))
def refused_since(world: World, code: str, reason: str) -> None:
    assert (world.error["code"], reason in world.error["message"]) == (code, True), world.error


@then(phrase('"{path}" is approved for "{layer}"'))
def is_approved(world: World, path: str, layer: str) -> None:
    assert path in [item["path"] for item in world.do("list", layer=layer)["items"]]


@then(phrase('nothing but "{path}" is listed on the layer "{layer}"'))
def listed_on(world: World, path: str, layer: str) -> None:
    assert [item["path"] for item in world.do("list", layer=layer)["items"]] == [path]


@given("the folder holds no published file")
def no_published_file(world: World) -> None:
    assert not world.path("published").exists()


@given(phrase('the id of "{path}" is remembered'))
def remembered_id(world: World, path: str) -> None:
    world.names[f"id of {path}"] = world.items()[path]["item_id"]


@then(phrase('promoting "{path}" to "{layer}" brings the copy up to it'))
def brings_up(world: World, path: str, layer: str) -> None:
    done = world.do("promote", path, to=layer)
    assert world.path(done["path"]).read_bytes() == world.path(path).read_bytes()
    assert world.do("editorial status")["orphaned"] == []


@then(phrase('evidence of the layer says "{text}", and is "{approval}"'))
def evidence_says(world: World, text: str, approval: str) -> None:
    (piece,) = pieces(world)
    assert (piece["text"], piece["approval"], piece.get("stale")) == (text, approval, None)


@then(parsers.re(r'it comes from (?P<evidence>none|"[^"]*") alone'))
def evidence_is(world: World, evidence: str) -> None:
    wanted = [] if evidence == "none" else [evidence.strip('"')]
    assert [piece["path"] for piece in pieces(world)] == wanted


@then("no evidence is returned")
def no_evidence(world: World) -> None:
    assert pieces(world) == []


def of_publication(world: World, name: str, question: str) -> str:
    """The evidence as JSON: all that a publication promises to be the same."""
    return json.dumps(world.do("query", question, publication=name)["evidence"], sort_keys=True)


@given(phrase('"{name}" was published'))
def was_published(world: World, name: str) -> None:
    world.do("publish", name)
    world.names[name] = of_publication(world, name, "moon")


@when(phrase('the run of "{name}" is deleted'))
def delete_published(world: World, name: str) -> None:
    (run_id,) = [one["run_id"] for one in world.do("publications")["publications"] if one["name"] == name]
    world.attempt("runs prune", run_id)


@when("the corpus is cloned to another machine, and reindexed there")
def cloned_and_reindexed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    other = world.folder.parent / "clone"
    shutil.copytree(world.folder, other, ignore=lambda folder, names: ["local"] if folder.endswith(".biblicus") else [])
    monkeypatch.setenv("XDG_STATE_HOME", str(world.folder.parent / "another-machine"))
    world.folder = other
    world.attempt("reindex")


@then(phrase('it holds {count#} item of "{layer}"'))
def holds_items(world: World, count: str, layer: str) -> None:
    assert (world.value["items"], world.value["layer"]) == (int(count), layer)


@then(phrase('the publication "{name}" answers "{question}" with "{text}"'))
def publication_answers(world: World, name: str, question: str, text: str) -> None:
    assert [piece["text"] for piece in json.loads(of_publication(world, name, question))] == [text]


@then(phrase('the publication "{name}" answers "{question}" as before'))
def publication_as_before(world: World, name: str, question: str) -> None:
    assert of_publication(world, name, question) == world.names[name]
