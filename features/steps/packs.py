"""Steps about packs: evidence made ready for a prompt."""

from typing import Any

from pytest_bdd import then, when

from biblicus.text.counting import estimate
from features.phrase import phrase
from features.world import Table, World, listed, rows, same

_WHOLE = ("limit", "max_tokens", "max_characters", "max_per_source", "neighbours")


def entries(world: World) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = world.value["entries"]
    return found


@when(phrase('a context for "{question}" is asked[ with]'))
def asked(world: World, question: str, datatable: Table | None = None) -> None:
    """Columns are options; several rows of `tag` and its like repeat the option."""
    (row,) = rows(datatable) if datatable else ({},)
    options: dict[str, Any] = {key: int(value) if key in _WHOLE else value for key, value in row.items()}
    if "share" in options:
        options["share"] = float(options["share"])
    world.attempt("context", question, **options)


@then("the pack has the entries")
def has_entries(world: World, datatable: Table) -> None:
    same([{**entry, "chunks": len(entry["chunks"])} for entry in entries(world)], datatable)


@then(phrase('the entries come from "{places}"'))
def come_from(world: World, places: str) -> None:
    """Paths with the line where each entry starts."""
    assert [f"{entry['path']}:{entry['line_start']}" for entry in entries(world)] == listed(places)
    assert [entry["number"] for entry in entries(world)] == list(range(1, len(entries(world)) + 1))


@then(phrase("the text counts at most {count#} tokens"))
def counts_at_most(world: World, count: str) -> None:
    """Recounted from the text itself."""
    text, budget = world.value["text"], world.value["budget"]
    assert text
    assert budget["used"] == estimate(text) <= int(count) == budget["tokens"]
