"""Steps about what a query returned."""

import hashlib
import re
from typing import Any

from pytest_bdd import parsers, then

from features.phrase import phrase
from features.steps.runs import manifest
from features.world import Table, World, listed, same


def pieces(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.value["evidence"]
    return found


def ranking(evidence: list[dict[str, Any]]) -> list[tuple[str, str, float]]:
    return [(piece["item_id"], piece["text"], round(piece["score"], 4)) for piece in evidence]


def agree(one: list[tuple[str, str, float]], other: list[tuple[str, str, float]]) -> None:
    """The same pieces in the same order, and scores within a thousandth."""
    assert [row[:2] for row in one] == [row[:2] for row in other]
    for mine, theirs in zip(one, other, strict=True):
        assert abs(mine[2] - theirs[2]) <= 1e-3 * max(1, theirs[2])


@then("the evidence is")
def the_evidence_is(world: World, datatable: Table) -> None:
    same(pieces(world), datatable)


@then("the evidence starts with")
def the_evidence_starts_with(world: World, datatable: Table) -> None:
    same(pieces(world)[: len(datatable) - 1], datatable)


@then(phrase('evidence comes from "{path}"'))
def comes_from(world: World, path: str) -> None:
    assert path in [piece["path"] for piece in pieces(world)]


@then(phrase('evidence comes only from "{paths}"'))
def comes_only_from(world: World, paths: str) -> None:
    assert {piece["path"] for piece in pieces(world)} == set(listed(paths))


@then(phrase('it refers to the content of "{path}", as "{reason}"'))
def refers_to(world: World, path: str, reason: str) -> None:
    (reference,) = [piece["content_ref"] for piece in pieces(world)]
    assert (reference["path"], reference["sha256"]) == (path, world.items()[path]["sha256"])
    assert reason in reference["reason"]


@then(phrase('the evidence comes from the run "{name}"'))
def comes_from_run(world: World, name: str) -> None:
    assert pieces(world)
    assert {piece["run_id"] for piece in pieces(world)} == {world.value["run_id"]} == {world.names[name]}


@then("nothing is found")
def nothing_is_found(world: World) -> None:
    assert pieces(world) == []
    assert world.value["insufficient"] is True


@then(phrase('the evidence is "{judgement}"'))
def judged(world: World, judgement: str) -> None:
    assert judgement == ("insufficient" if world.value["insufficient"] else "sufficient")


@then("every piece of evidence is its span")
def is_its_span(world: World) -> None:
    """Text, digest and lines are those of the extraction, which `get` returns."""
    assert pieces(world)
    for piece in pieces(world):
        whole = world.do("get", piece["item_id"])["text"]
        start, end = piece["span_start"], piece["span_end"]
        assert whole[start:end] == piece["text"]
        assert piece["hash"] == hashlib.sha256(piece["text"].encode()).hexdigest()
        lines = whole.count("\n", 0, start) + 1, whole.count("\n", 0, end) + 1
        assert (piece["line_start"], piece["line_end"]) == lines


@then("every piece of evidence lies within its page")
def within_its_page(world: World) -> None:
    assert len({piece["page"] for piece in pieces(world)}) > 1
    for piece in pieces(world):
        page = world.do("get", piece["item_id"], page=piece["page"])
        assert page["span_start"] <= piece["span_start"] < piece["span_end"] <= page["span_end"]


@then("every piece of evidence names its corpus, item, chunk, recipe, run and digests")
def names_everything(world: World) -> None:
    result = world.value
    for piece in pieces(world):
        item = world.items()[piece["path"]]
        assert (piece["item_id"], piece["item_sha256"]) == (item["item_id"], item["sha256"])
        assert piece["chunk_id"] == f"{item['item_id']}:0"
        assert {key: piece[key] for key in ("corpus_id", "run_id", "recipe_id")} == {
            key: result[key] for key in ("corpus_id", "run_id", "recipe_id")
        }
        assert piece["extraction_id"] == world.do("show", piece["item_id"])["extraction_id"]
        assert piece["stage_scores"] == {"lexical": piece["score"]}


@then("the result names its query, corpus, run, recipe, index version and second")
def result_in_full(world: World) -> None:
    result = world.value
    sealed = manifest(world, world.names["first"])
    assert {key: result[key] for key in ("corpus_id", "run_id", "recipe_id", "index_version")} == {
        key: sealed[key] for key in ("corpus_id", "run_id", "recipe_id", "index_version")
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", result["as_of"])
    assert re.sub("[-:]", "", result["as_of"]) == result["run_id"][:16]
    assert (result["query"], result["insufficient"]) == ("moon", False)


@then(parsers.parse('the result says that "{one}" counts {first:g} and "{other}" {second:g}'))
def leg_weights_are(world: World, one: str, first: float, other: str, second: float) -> None:
    assert world.value["leg_weights"] == {one: first, other: second}


@then(phrase('the result notes "{words!}"'))
def result_notes(world: World, words: str) -> None:
    (note,) = world.value["notes"]
    assert words in note


@then("the result notes nothing")
def result_notes_nothing(world: World) -> None:
    assert "notes" not in world.value


@then(phrase("the result notes that {asked} stands nowhere and {meant} is meant"))
def result_notes_meant(world: World, asked: str, meant: str) -> None:
    assert world.value.get("notes") == [f'"{asked}" stands nowhere; this is by "{meant}".']


@then(phrase("{new#} new, {changed#} changed and {removed#} removed files are pending"))
def are_pending(world: World, new: str, changed: str, removed: str) -> None:
    counts = {"new": int(new), "changed": int(changed), "removed": int(removed)}
    assert world.value["pending"] == {**counts, "walked": True}


@then("the evidence brings the contexts")
def brings_contexts(world: World, datatable: Table) -> None:
    found = sorted((piece["path"], " ".join(piece.get("context", ()))) for piece in pieces(world))
    assert found == [tuple(line) for line in datatable[1:]]
