"""Steps that check a corpus, repair it, and take it as one's own."""

from pytest_bdd import then

from features.phrase import phrase
from features.steps.machines import without_times
from features.steps.proof import the_kept_verifies
from features.world import Table, World, rows


@then("the unread are")
def the_unread_are(world: World, datatable: Table) -> None:
    """By path and class, in order; `reason` and `hint` hold the words of the table."""
    wanted = rows(datatable, "path", "class", "reason", "hint")
    unread = world.value["unread"]
    assert [(entry["path"], entry["kind"]) for entry in unread] == [(row["path"], row["class"]) for row in wanted]
    for entry, row in zip(unread, wanted, strict=True):
        assert row.get("reason", "") in entry["reason"], entry
        assert row.get("hint", "") in entry["hint"], entry


@then("it counts as unread")
def counts_as_unread(world: World, datatable: Table) -> None:
    assert world.value["unread"] == {row["class"]: int(row["files"]) for row in rows(datatable)}


@then(phrase('the run "{name}" is "{state}"'))
def trusted(world: World, name: str, state: str) -> None:
    found = {kind: runs for kind, runs in world.value.items() if runs}
    assert found == {state: [world.names[name]]}


@then(phrase("it says that {count#} {entries} went"))
def entries_went(world: World, count: str, entries: str) -> None:
    deleted, freed = world.value["pruned"]
    assert (deleted, freed > 0) == (int(count), int(count) > 0)


@then("the corpus is sound to the last byte")
def sound(world: World) -> None:
    assert world.do("check", read_data=True)["problems"] == []


@then(phrase('the problems name "{where}"'))
def problems_name(world: World, where: str) -> None:
    assert [problem for problem in world.value["problems"] if problem["path"].startswith(where)]
    assert all(problem["reason"] for problem in world.value["problems"])


@then("the notes name")
def notes_name(world: World, datatable: Table) -> None:
    for row in rows(datatable):
        assert [
            note
            for note in world.value["notes"]
            if note["path"].startswith(row["path"]) and row["reason"] in note["reason"]
        ]


@then("the repair gave the same catalog and the same evidence")
def gave_the_same(world: World) -> None:
    """The digest covers every item's id, digest and metadata."""
    stats = world.do("stats")
    assert stats["corpus_digest"] == world.names["digest"]
    again = world.do("query", "moon")
    assert without_times(again) == without_times(world.names["kept"])
    the_kept_verifies(world)


@then(phrase('the hint of the problem is "{hint}"'))
def hint_of_the_problem(world: World, hint: str) -> None:
    (problem,) = world.value["problems"]
    assert problem["hint"] == hint


@then("the corpus is the one it was")
def the_same_corpus(world: World) -> None:
    assert world.do("stats")["corpus_id"] == world.names["kept"]["corpus_id"]


@then("no leftovers are in the folder")
def no_leftovers(world: World) -> None:
    found = [
        path for path in world.folder.rglob("*") if path.name.startswith(".biblicus-tmp-") or path.suffix == ".tmp"
    ]
    assert found == []
