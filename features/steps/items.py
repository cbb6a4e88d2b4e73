"""Steps about items: listed, shown, read, tagged."""

import hashlib

from pytest_bdd import given, then, when

from features.phrase import phrase, raw
from features.steps.imports import numbers, options
from features.world import Table, World, rows, same


@given(phrase('the item "{item}" was tagged "{changes}"'))
def was_tagged(world: World, item: str, changes: str) -> None:
    world.do("tag", item, *changes.split())


@when(phrase('the item "{item}" is tagged "{changes}"'))
def tag(world: World, item: str, changes: str) -> None:
    world.attempt("tag", item, *changes.split())


@when(phrase('the item "{item}" is read[ with]'))
def read(world: World, item: str, datatable: Table | None = None) -> None:
    found = options(datatable)
    world.attempt("get", item, **(numbers(found) if "page" in found else found))


@then("they are")
@then("it is")
def they_are(world: World, datatable: Table) -> None:
    found = world.value
    lists = [found[key] for key in ("items", "nodes", "recipes") if isinstance(found.get(key), list)]
    same(lists[0] if lists else [found], datatable)


@then(phrase('the items with "{key}" "{value}" are'))
def items_with(world: World, key: str, value: str, datatable: Table) -> None:
    same(world.items(**{key: value}).values(), datatable)


@then(phrase('they count as "{kind}"'))
def they_count(world: World, kind: str, datatable: Table) -> None:
    assert {name: str(count) for name, count in world.value[kind].items()} == dict(datatable[1:])


@then(phrase('the text is "{text!}"'))
def the_text_is(world: World, text: str) -> None:
    assert world.value["text"] == raw(text).decode()


@then(phrase('the text holds "{words!}"'))
def the_text_holds(world: World, words: str) -> None:
    assert " ".join(raw(words).decode().split()) in " ".join(world.value["text"].split())


@then(phrase('the text holds no "{words}"'))
def the_text_holds_no(world: World, words: str) -> None:
    assert words not in world.value["text"]


@then(phrase('the text of "{item}" holds "{words}"'))
def the_text_of_holds(world: World, item: str, words: str) -> None:
    assert words in world.do("get", item)["text"]


@then("the excerpt is")
def the_excerpt_is(world: World, datatable: Table) -> None:
    (row,) = rows(datatable)
    same([world.value], [[*row], [raw(cell).decode() for cell in row.values()]])


@then("its digest is that of its text")
def its_digest(world: World) -> None:
    found = world.value
    assert found["sha256"] == hashlib.sha256(found["text"].encode()).hexdigest()
    whole = world.do("get", found["item_id"])["text"]
    assert whole[found["span_start"] : found["span_end"]] == found["text"]


def _counts(world: World) -> dict[str, str]:
    return {
        facet["name"]: ", ".join(f"{value['value']} {value['items']}" for value in facet["values"])
        for facet in world.value["facets"]
    }


@then(phrase('the facet "{name}" counts "{values}"'))
def facet_counts(world: World, name: str, values: str) -> None:
    assert _counts(world)[name] == values


@then(phrase('there is no facet "{name}"'))
def no_facet(world: World, name: str) -> None:
    assert name not in _counts(world)


@then("the filter of each value keeps as many items as it counts")
def filters_keep(world: World) -> None:
    values = [value for facet in world.value["facets"] for value in facet["values"]]
    assert len(values) > 5
    for value in values:
        assert len(world.do("list", **value["filter"])["items"]) == value["items"], value


@then(phrase("the corpus has {count#} items"))
def count_items(world: World, count: str) -> None:
    assert len(world.items()) == int(count)
