"""Steps about what an act came to: the report of a refresh, or an error."""

from pytest_bdd import then

from features.phrase import phrase
from features.steps.catalog import CHANGES
from features.world import Table, World, rows


def report(world: World) -> dict:
    """The report of the last act: of an ingest, or the refresh of a reindex."""
    found: dict = world.value
    return found.get("refresh", found)


def entries(found: dict) -> list[tuple[str, str, str]]:
    """(change, path, detail) of everything a report names."""
    return [
        (change, entry["path"], entry.get("reason") or entry.get("from") or "")
        for change in CHANGES
        for entry in found[change]
    ]


@then("the report says")
def the_report_says(world: World, datatable: Table) -> None:
    """Everything it names; `detail` stands in the reason, or in where a renamed item came from."""
    wanted = rows(datatable, "change", "path", "detail")
    found = entries(report(world))
    assert [row[:2] for row in found] == [(row["change"], row["path"]) for row in wanted]
    for (_, path, detail), row in zip(found, wanted, strict=True):
        assert row.get("detail", "") in detail, path


@then("the report says nothing new")
def nothing_new(world: World) -> None:
    found = report(world)
    assert [found[change] for change in CHANGES[:4]] == [[], [], [], []]


@then(phrase('the report says of "{change}" nothing'))
def says_nothing_of(world: World, change: str) -> None:
    assert report(world)[change] == []


@then(phrase('the report says of "{change}" also "{path}"'))
def says_also(world: World, change: str, path: str) -> None:
    assert path in [entry["path"] for entry in report(world)[change]]


@then(phrase("it counts {count#} unchanged"))
def counts_unchanged(world: World, count: str) -> None:
    assert report(world)["unchanged"] == int(count)


@then(phrase('the report warns of "{path}" that "{warning!}"'))
def warns(world: World, path: str, warning: str) -> None:
    assert [note for note in report(world)["warnings"] if note["path"] == path and warning in note["reason"]]


@then(phrase('a refresh warns of "{path}" that "{warning!}"'))
def a_refresh_warns(world: World, path: str, warning: str) -> None:
    found = world.do("ingest")["warnings"]
    assert [note for note in found if note["path"] == path and warning in note["reason"]]


@then(phrase('the report fails "{name}" outside, as "{reason}"'))
def fails_outside(world: World, name: str, reason: str) -> None:
    (note,) = report(world)["failed"]
    assert note["path"] == str(world.outside / name)
    assert reason in note["reason"]


@then("the duplicates are")
def the_duplicates_are(world: World, datatable: Table) -> None:
    wanted = [{"path": str(world.outside / row["outside"]), "of": row["of"]} for row in rows(datatable)]
    assert report(world)["duplicates"] == wanted


@then(phrase('it is refused as "{code}"'))
def refused(world: World, code: str) -> None:
    assert world.error["code"] == code, world.error
